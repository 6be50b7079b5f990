"""Builds what answers for a program from `evaluator/shell/programs/<field>.toml`, when it is first called.

A table of a program, or of a path of its subcommands, has the columns of a `Row`; of a `Tree` if it has `commands`; or
of the class that `kind` names. Options and words stand in one text, between commas where one has spaces; `@NAME` in it
is the text `groups.NAME` of the file, `--[no-]x` is `--x` and `--no-x`. `does`, `changes` and their like are
operations: `--fix --init=create`, where an option without one overwrites; behind that of `does` its `targets` may
stand. A key names several programs or subcommands between commas. `like` takes the columns of `shared.NAME` for those
that are not given. `family` is that of the table around it, or of the file.

`handler` is a function of `evaluator/shell/handlers` (`git.push`), or of its `common` if it has no dot. It is given the
call; then the row that the other columns are, or what `own` describes; then the arguments in `with`. `act` and
`prepare` are those of `common.after`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, cast

from evaluator.shell.call import Call, Handler, Outcome
from evaluator.shell.rows.row import Row, Tree
from evaluator.text import index, names, table

Spec = dict[str, Any]
FOLDER = "shell/programs"
PACKAGE = "evaluator.shell"
KINDS = {
    "governs": "handlers.system.Governs",
    "wrapper": "handlers.wrappers.Wrapper",
    "agent": "handlers.agents.Agent",
    "migration": "handlers.databases.Migration",
    "nouns": "handlers.clouds.Nouns",
    "interpreter": "handlers.code.Interpreter",
}
FUNCTIONS = frozenset(("act", "prepare", "loses", "targets"))
"""Arguments that are functions and no handlers."""
MAKING = frozenset(("handler", "own", "with", "act", "prepare"))


def named(text: str) -> list[str]:
    """The words of a text, or what stands between its commas."""
    return [" ".join(one.split()) for one in text.split(",") if one.strip()] if "," in text else text.split()


class Commands(Mapping[str, Handler]):
    """What answers for each path of subcommands; built when it is asked for."""

    __slots__ = ("_built", "_family", "_field", "_specs")

    def __init__(self, field: Field, specs: Spec, family: str) -> None:
        self._specs: dict[str, Spec] = {name: spec for key, spec in specs.items() for name in key.split(", ")}
        self._built: dict[int, Handler] = {}
        self._field = field
        self._family = family

    def __getitem__(self, name: str) -> Handler:
        spec = self._specs[name]
        built = self._built.get(id(spec))
        if built is None:
            built = self._built[id(spec)] = self._field.build(spec, self._family)
        return built

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self._specs else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)


class Made:
    """A function of the handlers with what it is given besides the call; imported and made at the first call."""

    __slots__ = ("_family", "_field", "_handler", "spec")

    def __init__(self, field: Field, spec: Spec, family: str) -> None:
        self.spec = spec
        self._field = field
        self._family = family
        self._handler: Handler | None = None

    def __call__(self, call: Call) -> list[Outcome]:
        if self._handler is None:
            function, own, given = self.parts()
            self._handler = lambda call: cast(list[Outcome], function(call, *own, **given))
        return self._handler(call)

    def parts(self) -> tuple[Callable[..., Any], list[Handler], dict[str, Any]]:
        """The function, the row if there is one, and the other arguments."""
        row = {name: value for name, value in self.spec.items() if name not in MAKING}
        own = self.spec.get("own", row or None)
        given = {name: self.spec[name] for name in ("act", "prepare") if name in self.spec}
        given |= self.spec.get("with", {})
        return (
            function_of(self.spec.get("handler", "after")),
            [] if own is None else [self._field.build(own, self._family)],
            {name: self._field.argument(name, value, self._family) for name, value in given.items()},
        )


class Field:
    """The programs of one file."""

    __slots__ = ("_groups", "_shared", "family", "programs")

    def __init__(self, name: str) -> None:
        data = table(f"{FOLDER}/{name}")
        self.family = cast(str, data.get("family", ""))
        self._groups = cast(dict[str, str], data.get("groups", {}))
        self._shared = cast(dict[str, Spec], data.get("shared", {}))
        self.programs = Commands(self, cast(Spec, data["programs"]), self.family)

    def shared(self, name: str) -> Handler:
        return self.build(self._shared[name], self.family)

    def words(self, text: str) -> list[str]:
        found: list[str] = []
        for one in named(text):
            if one[:1] == "@" and one[1:] in self._groups:
                found += self.words(self._groups[one[1:]])
            elif one.startswith("--[no-]"):
                found += (f"--{one[7:]}", f"--no-{one[7:]}")
            else:
                found.append(one)
        return found

    def build(self, spec: Spec, family: str) -> Handler:
        while "like" in spec:
            spec = {**self._shared[spec["like"]], **{name: spec[name] for name in spec if name != "like"}}
        family = spec.get("family", family)
        if not MAKING.isdisjoint(spec):
            return Made(self, {name: spec[name] for name in spec if name != "family"}, family)
        kind = spec.get("kind")
        if kind == "commands":
            return cast(Handler, Commands(self, spec["commands"], family))
        record: Any = Tree if "commands" in spec else Row
        if kind is not None:
            module, _, name = KINDS[kind].rpartition(".")
            record = getattr(import_module(f"{PACKAGE}.{module}"), name)
        if record is Row and "does" in spec:
            spec = {**spec, **dict(zip(("does", "targets"), spec["does"].split(), strict=False))}
        columns = _table_column_types(record)
        given = {
            name: self._read_table_column(columns[name], value, family)
            for name, value in spec.items()
            if name not in ("family", "kind", "commands")
        }
        if "family" in columns:
            given["family"] = family
        if "commands" in spec:
            given["table"] = Commands(self, spec["commands"], family)
        if record is Row and ("milder" in given or "tells" in spec):
            milder = self.words(spec.get("milder", ""))
            # What takes each back: its `--no-` form, or `--no-dry-run` for all where one of them is a dry run.
            back = {
                one: "--no-dry-run" if "--dry-run" in milder else f"--no-{one.lstrip('-')}" for one in milder
            }
            given["milder"] = back | dict.fromkeys(self.words(given.pop("tells", "")), "")
        return cast(Handler, record(**given))

    def argument(self, name: str, value: Any, family: str) -> Any:
        if name in FUNCTIONS:
            return function_of(value)
        return self.build(cast(dict[str, Any], value), family) if isinstance(value, dict) else value

    def _read_table_column(self, declared: str, value: Any, family: str) -> Any:
        if declared.startswith("frozenset"):
            return frozenset(self.words(value))
        if declared.startswith("Mapping[str, Operation"):
            parts = (word.partition("=") for word in self.words(value))
            return {name: operation or "overwrite" for name, _, operation in parts}
        if declared.startswith("Mapping[str, frozenset"):
            return {name: frozenset(self.words(words)) for name, words in value.items()}
        if declared.startswith(("Handler", "Row")):
            return self.build(value, family)
        if declared.startswith("Mapping[str, Handler"):
            return Commands(self, value, family)
        if declared.startswith("tuple[tuple"):
            return tuple(tuple(way) for way in value)
        if declared.startswith("re.Pattern"):
            return re.compile(value)
        return value


@cache
def field_of(name: str) -> Field:
    return Field(name)


class Shared:
    """What handlers need of `shared` in a field's file, by its names; built when it is first asked for. Most are rows,
    the others are wrappers or only called."""

    def __init__(self, field: str) -> None:
        self._field = field

    def __getattr__(self, name: str) -> Row:
        found = cast(Row, field_of(self._field).shared(name))
        self.__dict__[name] = found
        return found

    def commands(self, name: str) -> Mapping[str, Handler]:
        return cast(Mapping[str, Handler], field_of(self._field).shared(name))


@cache
def function_of(name: str) -> Callable[..., Any]:
    module, _, function = name.rpartition(".")
    place = f"{PACKAGE}.handlers.{module or 'common'}"
    return cast(Callable[..., Any], getattr(import_module(place), function))


@cache
def _table_column_types(record: type) -> Mapping[str, str]:
    """What each column of a row is declared to be."""
    found = {one.name: str(one.type) for one in dataclasses.fields(record) if one.init}
    return {**found, "tells": "str"} if record is Row else found


TRUSTED_FOLDER = re.compile(
    r"(?:/(?:usr/)?(?:local/)?s?bin|/opt/[\w./-]+/bin|/opt/homebrew/(?:opt/[\w@.-]+/)?bin|/snap/bin"
    r"|(?:~|\$\{?HOME\}?|/root|/home/\w+)/(?:\.local|\.cargo|go|\.bun|\.deno|\.volta|\.pyenv/shims)/?(?:bin)?"
    r"|(?:(?:\.{0,2}/)?(?:[\w.@-]+/)*)?(?:node_modules/\.bin|\.?v?env/bin|\.venv\w*/bin|vendor/bin))\Z"
)
LOCAL_SCRIPTS = names("gradlew mvnw configure manage.py artisan rails rake rspec bazelw")
VERSIONED = re.compile(
    r"((?:python|pip|ruby|perl|php|lua|node|gcc|g\+\+|clang|clang\+\+|clang-format|clang-tidy|psql|go))-?[\d.]+\Z"
)


def program_of(word: str) -> str:
    """The program's plain name where its place can be trusted, else the word as written."""
    name = word
    if "/" in word:
        folder, _, base = word.rpartition("/")
        if TRUSTED_FOLDER.match(folder) or base in LOCAL_SCRIPTS:
            name = base
    found = VERSIONED.match(name) if name[-1:].isdigit() or name.endswith(".") else None
    return found.group(1) if found else name


def handler_of(program: str) -> Handler | None:
    field = index(FOLDER).get(program)
    return None if field is None else field_of(field).programs[program]


def is_listed(program: str) -> bool:
    """Whether a table answers for the program; reads none."""
    return program in index(FOLDER)


def is_known_anywhere(name: str) -> bool:
    return is_listed(name) and name in import_module(f"{PACKAGE}.handlers.agents").ANYWHERE


def read_all() -> None:
    """Read each table and import each handler, so that no command waits for one."""
    from pkgutil import iter_modules

    handlers = import_module(f"{PACKAGE}.handlers")
    for field in set(index(FOLDER).values()):
        field_of(field)
    for module in iter_modules(handlers.__path__):
        import_module(f"{handlers.__name__}.{module.name}")
