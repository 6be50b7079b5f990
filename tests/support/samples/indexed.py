"""Which module answers for which program, by the tables: `python tests/support/samples/indexed.py` writes the index."""

import importlib
import pkgutil
from pathlib import Path
from textwrap import wrap

from evaluator.shell import acts, programs

HOME = Path(programs.__file__).parents[1]
WIDTH = 112
HEAD = '''"""Which module answers for which program: `tests/support/samples/indexed.py` writes it."""

# fmt: off
INDEX: dict[str, str] = {
'''


def tables():
    """Every table of handlers by its module's name below `evaluator.shell`."""
    found = {}
    for package in (programs, acts):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            table = getattr(importlib.import_module(module.name), "PROGRAMS", None)
            if table is not None:
                found[module.name.removeprefix("evaluator.shell.")] = table
    return found


def indexed():
    """The names that each module answers for. Raises ValueError for a name that two modules claim."""
    names, owner = {}, {}
    for module, table in tables().items():
        names[module] = list(table)
        for name in table:
            if owner.setdefault(name, module) != module:
                raise ValueError(f"{name} stands in {owner[name]} and in {module}")
    return names


def text():
    lines = []
    for module, names in sorted(indexed().items()):
        words = wrap(" ".join(sorted(names)), WIDTH, break_on_hyphens=False)
        lines += [f'    "{module}":', *(f'    "{line} "' for line in words)]
        lines[-1] = lines[-1][:-2] + '",'
    return f"{HEAD}{chr(10).join(lines)}\n}}\n"


if __name__ == "__main__":
    HOME.joinpath("index.py").write_text(text())
