"""Inline Python: read with `ast`, so that quoting and nesting are the language's own. Never compiled or run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import cast

from evaluator.model import Operation
from evaluator.shell.code import python_values as known
from evaluator.shell.code.python_values import Values
from evaluator.shell.code.scripts import Scan, unknown
from evaluator.shell.code.sql import read_sql

CODE_MAX = 100_000
"""Characters; longer code is not looked at."""


def scan_python(code: str, argv: Sequence[str] = ()) -> Scan:
    """`argv` are the arguments behind the code (`sys.argv[1:]`)."""
    if len(code) > CODE_MAX:
        return unknown()
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return unknown()
    reading = _Reading(argv)
    reading.learn(tree)
    for node in in_order(tree):
        reading.look(node)
    return reading.scan


def in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes in the order of the text, without recursion."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(list(ast.iter_child_nodes(node)))


class _Reading(Values):
    def __init__(self, argv: Sequence[str]) -> None:
        super().__init__(argv)
        self.scan = Scan()
        self.called: set[int] = set()
        self.based: set[int] = set()
        """What an attribute is taken of."""
        self.shown: set[int] = set()
        """What is handed to a function that only looks at it."""
        self.databases: tuple[str, ...] | None = ()

    def look(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._scan_python_import(node)
        elif isinstance(node, ast.Call):
            self.called.add(id(node.func))
            if self.name(node.func) in known.SHOWING:
                self.shown |= {id(one) for one in node.args}
            self._scan_python_call(node)
        elif isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load):
            # A function that is handed on is called by somebody else.
            if id(node) not in self.called and self._is_dangerous_python(node):
                self.scan.unknown = True
            elif id(node) not in self.called | self.based and self._is_of_python_module(node):
                self._expect_code_reads(self._is_known_python_name(self.name(node)))
            self._scan_python_reference(node)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            # What a module holds is set or deleted.
            place = node.value
            while isinstance(place, ast.Subscript):
                place = place.value
            self._expect_code_reads(not self._is_of_python_module(place))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            self._expect_code_reads(self.name(node.value) not in known.STEERING)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            for one in node.decorator_list:
                self._expect_code_reads(
                    self.name(one.func if isinstance(one, ast.Call) else one) in known.DECORATORS
                )

    def _expect_code_reads(self, reads: bool) -> None:
        self.scan.unlisted = self.scan.unlisted or not reads

    def _scan_python_import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Only modules that are known: an import runs the module."""
        for alias in node.names:
            if isinstance(node, ast.Import):
                inner = f"{alias.name}."
                self._expect_code_reads(
                    alias.name in known.MODULES or any(one.startswith(inner) for one in known.MODULES)
                )
            else:
                whole = f"{node.module}.{alias.name}"
                known_name = whole in known.WRITERS or self._is_known_python_name(whole)
                self._expect_code_reads(known_name and not node.level and alias.name != "*")

    def _is_known_python_name(self, name: str) -> bool:
        """Whether a dotted name is a module, a member of one that reads, or what such a member has."""
        words = name.split(".")
        for at in range(len(words), 0, -1):
            members = known.MODULES.get(".".join(words[:at]))
            if members is not None:
                first = (words[at:] or ["__name__"])[0]
                listed = first in members or (
                    members == known.ALL and first[0] != "_" and first not in known.REACHED
                )
                return (listed or first in known.SAFE_NAMES) and known.CHANGES_IN_PLACE.isdisjoint(
                    words[at + 1 :]
                )
        return False

    def _scan_python_reference(self, node: ast.Attribute | ast.Name) -> None:
        """A module in another one, or as a value, and what leads from any object to all others."""
        if isinstance(node, ast.Name):
            module = node.id in self.imported and node.id not in self.values
            handed_on = module and id(node) not in self.based and id(node) not in self.shown
            dunder = node.id.startswith("__") and node.id not in known.SAFE_NAMES
            self.scan.unknown = self.scan.unknown or handed_on or dunder
            return
        self.based.add(id(node.value))
        attribute = node.attr
        if attribute == "__name__" and isinstance(node.value, ast.Attribute):
            self.shown.add(id(node.value))
        private = attribute.startswith("_") and self._is_of_python_module(node.value)
        hidden = private or attribute.startswith("__")
        if hidden and attribute not in known.SAFE_NAMES and id(node) not in self.shown:
            self.scan.unknown = True
        if attribute in known.REACHED and self.name(node) not in known.OWN_MODULES:
            self.scan.unknown = True

    def _is_python_literal(self, node: ast.AST) -> bool:
        if isinstance(node, ast.expr) and self.text(node) is not None:
            return True
        named = isinstance(node, ast.keyword) and node.arg is not None
        whole = named or isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.expr_context))
        return whole and all(map(self._is_python_literal, ast.iter_child_nodes(node)))

    def _is_dangerous_python(self, node: ast.Attribute | ast.Name) -> bool:
        name = self.name(node)
        last = name.rsplit(".", 1)[-1] if name else getattr(node, "attr", "")
        if name in known.WRITERS or known.STARTS.fullmatch(name):
            return True
        if isinstance(node, ast.Name):
            return node.id in known.DANGEROUS_NAMES
        return last in known.PATH_METHODS or last in known.SAVING_METHODS or last in known.REACHING

    def _scan_python_call(self, node: ast.Call) -> None:
        name = self.name(node.func)
        if name == "vars" and not node.args:
            self.scan.unknown = True
        if any(isinstance(one, ast.Starred) for one in node.args) and (
            name in known.OPENERS or name in known.FUNCTIONS
        ):
            self.scan.unknown = True
        elif name in known.OPENERS:
            named = [one.value for one in node.keywords if one.arg == "file"]
            self._scan_python_open(node, next(iter((*node.args, *named)), None), mode_at=1)
        elif name in known.FUNCTIONS:
            operation, indexes = known.FUNCTIONS[name]
            given = dict(enumerate(node.args))
            self._record_python_write(operation, [given.get(index) for index in indexes])
        elif name in known.SHELLS:
            self._scan_python_subprocess(node, in_shell=True)
        elif name in known.PROGRAMS:
            self._scan_python_subprocess(node, in_shell=any(one.arg == "shell" for one in node.keywords))
        elif name == "sqlite3.connect":
            # Its folder is written only if a statement writes.
            text = self.text(node.args[0]) if node.args else None
            self.databases = None if text is None or self.databases is None else (*self.databases, text)
        elif self._is_of_python_module(node.func):
            self._scan_python_module_call(name, node)
        elif isinstance(node.func, ast.Attribute):
            self._scan_python_method(node, node.func)
        elif name in known.DANGEROUS_NAMES:
            self.scan.unknown = True
        else:
            self._expect_code_reads(name in known.BUILTINS or name in self.defined)

    def _is_of_python_module(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.modules and node.id not in self.values

    def _scan_python_module_call(self, name: str, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr in known.METHODS:
            self._scan_python_method(node, node.func)
        elif name in known.DANGEROUS_NAMES or known.STARTS.fullmatch(name):
            self.scan.unknown = True
        elif name.startswith(known.ASKING) and self._is_known_python_name(name):
            # Where every word of a request is written out, nothing is carried away.
            literal = all(map(self._is_python_literal, (*node.args, *node.keywords)))
            self.scan.unknown = self.scan.unknown or not literal
            if len(node.args) > 1 or any(one.arg in ("data", "method") for one in node.keywords):
                self.scan.write("network")
        elif name == "logging.basicConfig":
            given = {one.arg: one.value for one in node.keywords}
            self._expect_code_reads(not node.args and given.keys().isdisjoint((None, "handlers")))
            if "filename" in given:
                self._record_python_write("append", [given["filename"]])
        elif name == "importlib.util.find_spec":
            # It imports what stands before the last dot.
            self._expect_code_reads("." not in (self.text(node.args[0] if node.args else None) or "."))
        else:
            self._expect_code_reads(self._is_known_python_name(name))

    def _scan_python_method(self, node: ast.Call, func: ast.Attribute) -> None:
        method, receiver = func.attr, func.value
        if method == "open" and (self.is_path(receiver) or self.texts(receiver) is not None):
            self._scan_python_open(node, receiver, mode_at=0)
        elif method in known.PATH_METHODS:
            operation, indexes = known.PATH_METHODS[method]
            self._record_python_write(operation, [receiver, *node.args[: len(indexes)]])
        elif method == "replace" and len(node.args) == 1 and not node.keywords:
            self._record_python_write("move", [receiver, node.args[0]])
        elif method in known.SAVING_METHODS:
            if node.args or method in ("savefig", "extractall"):
                self._record_python_write("overwrite", [node.args[0]] if node.args else [None])
        elif method in ("execute", "executemany", "executescript") and node.args:
            sql = self.text(node.args[0])
            kind = "unknown" if sql is None else read_sql(sql, "sqlite").kind
            if kind == "unknown" or (kind != "read" and not self.databases):
                self.scan.unknown = True
            elif kind != "read" and self.databases:
                self.scan.write("delete" if kind == "delete" else "overwrite", *self.databases)
        elif method in known.NETWORK_METHODS:
            self.scan.write("network")
        elif method in ("write", "writelines", "writestr", "write_row", "dump"):
            if not self.is_handle(receiver):
                self.scan.unknown = True
        else:
            copies = method == "copy" and bool(node.args or node.keywords)
            self._expect_code_reads((method in known.PURE_METHODS and not copies) or method in self.defined)

    def _scan_python_open(self, node: ast.Call, target: ast.expr | None, *, mode_at: int) -> None:
        keyword = next((one.value for one in node.keywords if one.arg == "mode"), None)
        given = keyword or (node.args[mode_at] if len(node.args) > mode_at else None)
        hidden = any(one.arg in ("opener", None) for one in node.keywords)
        mode = "r" if given is None else self.text(given)
        if mode is None or hidden:
            self.scan.unknown = True
        elif any(sign in mode for sign in "wax+"):
            operation: Operation = "append" if "a" in mode else "create" if "x" in mode else "overwrite"
            self._record_python_write(operation, [target])

    def _record_python_write(self, operation: Operation, targets: Sequence[ast.expr | None]) -> None:
        known_texts = [self.texts(one) for one in targets]
        self.scan.unknown = self.scan.unknown or None in known_texts
        plain = [text for texts in known_texts for text in sorted(texts or ())]
        if plain:
            self.scan.write(operation, *plain)

    def _scan_python_subprocess(self, node: ast.Call, *, in_shell: bool) -> None:
        first = node.args[0] if node.args else None
        line = self.text(first)
        listed = first.elts if isinstance(first, (ast.List, ast.Tuple)) and not in_shell else []
        words = [self.text(one) for one in listed] if line is None else [line]
        if line is not None and in_shell:
            self.scan.commands.append(line)
        elif words and None not in words:
            self.scan.programs.append(tuple(cast(list[str], words)))
        else:
            self.scan.unknown = True
