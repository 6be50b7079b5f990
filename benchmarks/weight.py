"""What Compass weighs where it is installed: bytes of each package, in a fresh environment.

    make weight, or: python benchmarks/weight.py WHEEL [EXTRA...]

Files as they come, without the bytecode that the interpreter writes beside them, told apart in the last line. Needs a
package index.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path


def weights(packages: Path) -> dict[str, tuple[int, int]]:
    """Of each installed package the bytes of its files, and of their bytecode; heaviest first."""
    found: dict[str, tuple[int, int]] = {}
    for package in distributions(path=[str(packages)]):
        sizes = [0, 0]
        for file in package.files or ():
            path = Path(str(file.locate()))
            if path.is_file():
                sizes[path.suffix == ".pyc"] += path.stat().st_size
        found[package.name] = (sizes[0], sizes[1])
    return dict(sorted(found.items(), key=lambda one: -one[1][0]))


def installed(wheel: Path, extras: list[str], folder: Path) -> Path:
    """Where the packages are that pip installs for the wheel into a new environment."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin/python"
    spec = f"{wheel.resolve()}[{','.join(extras)}]" if extras else str(wheel.resolve())
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "--python", python]
    subprocess.run([*pip, "install", "--compile", spec], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    return packages


def main() -> None:
    wheel, *extras = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="compass-weight-") as place:
        found = weights(installed(Path(wheel), extras, Path(place) / "venv"))
    for name, (files, _) in found.items():
        print(f"{files / 1e6:8.2f} MB  {name}")
    files, compiled = (sum(one) for one in zip(*found.values(), strict=True))
    print(f"{files / 1e6:8.2f} MB  together, and {compiled / 1e6:.2f} MB of bytecode")


if __name__ == "__main__":
    main()
