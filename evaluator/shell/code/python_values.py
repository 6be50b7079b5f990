"""What calls in inline Python do, by name, and the values that it gives to names. Data and a reader for `python`."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Sequence
from typing import cast

from evaluator.model import Operation
from evaluator.text import Vocabulary, names

VOCABULARY = Vocabulary("shell/code/python_values")

Writing = tuple[Operation, tuple[int, ...]]
"""An operation, and which arguments are its targets."""


def _python_write_targets(key: str) -> dict[str, Writing]:
    """Of `operation` or `operation 0 1`, which arguments are targets, for each function or method."""
    return {
        name: (cast(Operation, does.split()[0]), tuple(map(int, does.split()[1:])))
        for does, named in VOCABULARY.sets(key).items()
        for name in named
    }


FUNCTIONS = _python_write_targets("functions")
PATH_METHODS = _python_write_targets("path-methods")
"""Methods of a path, which is a target itself."""
SAVING_METHODS = VOCABULARY.words("saving-methods")
"""Methods of anything whose first argument is a file that they write."""
SHELLS = names("os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput")
PROGRAMS = VOCABULARY.words("programs")
STARTS = re.compile(VOCABULARY.either("starts"))
"""What starts or ends a process otherwise, or opens a file by its number."""
ALL = frozenset("*")
"""Stands for all members of a module."""
MODULES: dict[str, frozenset[str]] = VOCABULARY.sets("modules")
"""What may be imported, and of each module the members that read."""
STEERING = names("sys.path sys.meta_path sys.path_hooks sys.modules")
"""Lists by which later imports go."""
CHANGES_IN_PLACE = VOCABULARY.words("changes-in-place")
"""Methods that make another thing of what a module holds."""
DECORATORS = VOCABULARY.words("decorators")
OPENERS = names("open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile")
BUILTINS = VOCABULARY.words("builtins")
PURE_METHODS = VOCABULARY.words("pure-methods")
DANGEROUS_NAMES = names("exec eval compile __import__ getattr setattr delattr breakpoint locals globals open")
# Modules that lead to writing, wherever another module or object has them as an attribute.
REACHED = VOCABULARY.words("reached")
OWN_MODULES = names("importlib._bootstrap")
SHOWING = VOCABULARY.words("showing")
# Dunder names that lead nowhere.
SAFE_NAMES = VOCABULARY.words("safe-names")
ASKING = ("requests.", "httpx.", "urllib.request.", "socket.get", "pandas.read_")
"""Calls of these ask over the network."""
REACHING = VOCABULARY.words("reaching")
NETWORK_METHODS = frozenset(("post", "put", "patch"))
WRITERS = FUNCTIONS.keys() | SHELLS | PROGRAMS | OPENERS
METHODS = PATH_METHODS.keys() | SAVING_METHODS | NETWORK_METHODS
"""Methods that write wherever they are called."""


VALUES_MAX = 16
"""A name that may stand for more values than this is not followed."""
MODULES_OF_OTHERS = VOCABULARY.words("modules-of-others")
DERIVING = frozenset(("joinpath", "with_name", "with_suffix"))
FOLLOWING = frozenset(("resolve", "absolute", "expanduser"))
SAME_TEXT = names("str os.fspath os.path.abspath os.path.expanduser os.path.normpath")


def _derive_python_path(method: str, base: str, given: list[str]) -> str:
    """Another path from a path, by the methods of `pathlib`."""
    if method == "joinpath":
        return "/".join([base.rstrip("/"), *given])
    if method == "with_name":
        return posixpath.join(posixpath.dirname(base), given[0])
    return posixpath.splitext(base)[0] + given[0]


class Values:
    """Learned in one pass over the tree, whatever the order of execution: a name has all the texts it ever gets.

    `argv` is `sys.argv[1:]`.
    """

    def __init__(self, argv: Sequence[str]) -> None:
        self.argv = tuple(argv)
        self.modules: dict[str, str] = {}
        self.imported: set[str] = set()
        """Names that stand for whole modules."""
        self.values: dict[str, set[str] | None] = {}
        self.paths: set[str] = set()
        self.handles: set[str] = set()
        self.defined: set[str] = set()

    def learn(self, tree: ast.AST) -> None:
        """Names of modules, of own functions, and of texts that are assigned plainly."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.split(".")[0]
                    self.imported.add(alias.asname or first)
                    self.modules[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if f"{node.module}.{alias.name}" in MODULES_OF_OTHERS:
                        self.imported.add(alias.asname or alias.name)
                    self.modules[alias.asname or alias.name] = f"{node.module or '.'}.{alias.name}"
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.defined.add(node.name)
            elif isinstance(node, ast.arg):
                self.values[node.arg] = None
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                self._bind_values(node.targets[0], [node.value])
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                self._bind_values(node.target, [node.value])
            elif isinstance(node, ast.For):
                listed = node.iter.elts if isinstance(node.iter, (ast.List, ast.Tuple, ast.Set)) else None
                self._bind_values(node.target, listed)
            elif isinstance(node, (ast.AugAssign, ast.NamedExpr, ast.comprehension)):
                self._bind_values(node.target, None)
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                self._bind_values(node.optional_vars, None)
                if isinstance(node.optional_vars, ast.Name) and self.is_handle(node.context_expr):
                    self.handles.add(node.optional_vars.id)

    def _bind_values(self, target: ast.expr, sources: list[ast.expr] | None) -> None:
        if not isinstance(target, ast.Name):
            for inner in ast.walk(target):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    self.values[inner.id] = None
            return
        if sources and all(self.is_handle(one) for one in sources):
            self.handles.add(target.id)
        texts = [self.text(one) for one in sources] if sources is not None else [None]
        before = self.values.get(target.id, set())
        plain = {text for text in texts if text is not None}
        if before is None or len(plain) < len(set(texts)) or len(plain | before) > VALUES_MAX:
            self.values[target.id] = None
        else:
            self.values[target.id] = before | plain
        if sources and all(self.is_path(one) for one in sources):
            self.paths.add(target.id)

    def text(self, node: ast.expr | None) -> str | None:
        """The one text that an expression plainly has: a literal, a path built of literals, a known name."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            values = self.values.get(node.id)
            return next(iter(values)) if values is not None and len(values) == 1 else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Add)):
            left, right = self.text(node.left), self.text(node.right)
            if left is None or right is None:
                return None
            return left + right if isinstance(node.op, ast.Add) else f"{left.rstrip('/')}/{right}"
        if isinstance(node, ast.Call):
            return self._text_value_of_call(node)
        if isinstance(node, ast.JoinedStr):
            parts = [self.text(part) for part in node.values]
            return None if None in parts else "".join(cast(list[str], parts))
        if isinstance(node, ast.FormattedValue):
            return self.text(node.value)
        if isinstance(node, ast.Subscript) and self.name(node.value) == "sys.argv":
            index = node.slice
            number = index.value if isinstance(index, ast.Constant) and isinstance(index.value, int) else 0
            return self.argv[number - 1] if 0 < number <= len(self.argv) else None
        return None

    def _text_value_of_call(self, node: ast.Call) -> str | None:
        name = self.name(node.func)
        plain = [self.text(one) for one in node.args]
        if name in ("pathlib.Path", "pathlib.PurePath", "os.path.join", "pathlib.PosixPath"):
            return None if None in plain else "/".join(cast(list[str], plain)) if plain else "."
        if plain and name in SAME_TEXT:
            return plain[0]
        if isinstance(node.func, ast.Attribute) and node.func.attr in DERIVING and plain:
            base = self.text(node.func.value) if self.is_path(node.func.value) else None
            known = base is not None and None not in plain
            return (
                _derive_python_path(node.func.attr, cast(str, base), cast(list[str], plain))
                if known
                else None
            )
        if isinstance(node.func, ast.Attribute) and node.func.attr in FOLLOWING:
            return self.text(node.func.value)
        return "." if name in ("pathlib.Path.cwd", "os.getcwd") else None

    def texts(self, node: ast.expr | None) -> set[str] | None:
        """All texts that the expression may have; None if they are not all known."""
        if isinstance(node, ast.Name):
            return self.values.get(node.id) or None
        one = self.text(node)
        return None if one is None else {one}

    def name(self, node: ast.expr) -> str:
        """The dotted name of a function with its module spelled out; empty if there is none."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        whole = ".".join([self.modules.get(node.id, node.id), *reversed(parts)])
        return whole.removeprefix("builtins.").removeprefix("__builtins__.")

    def is_path(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in DERIVING | FOLLOWING:
                return self.is_path(node.func.value)
            return self.name(node.func).startswith("pathlib.")
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Div) and self.is_path(node.left)
        return isinstance(node, ast.Name) and node.id in self.paths

    def is_handle(self, node: ast.expr) -> bool:
        """Something that was opened here, whose opening was looked at; or the standard streams."""
        if isinstance(node, ast.Name):
            return node.id in self.handles
        if isinstance(node, ast.Call):
            opens = self.name(node.func) in OPENERS | {"io.StringIO", "io.BytesIO"}
            return opens or getattr(node.func, "attr", "") == "open"
        return self.name(node).startswith(("sys.stdout", "sys.stderr"))
