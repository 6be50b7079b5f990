"""The throw-away project that the commands read: the files that they name, and a repository with a history.

Files are made by the tests, the repository inside of the sandbox by its own user, so that git finds its index fresh
and has nothing to refresh.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import shlex
import sqlite3
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

from full.sandbox import Sandbox

WRITTEN = 1_704_067_200
"""Seconds: when every file was written. Long before the index, so that git need not look into a file twice."""

PROSE = (
    "# Guide\n\nTODO: say more. install -> delete; see https://example.com/docs and v1.2.3.\n\n"
    "Some foo and some bar > baz, and a line that is long enough to be folded by whoever folds lines at eighty.\n"
    "> quoted\n\nstart\nBEGIN\nerror: none\nEND\nend\n"
)
PYTHON = (
    "import re\nimport os\n\n\ndef helper(path, limit):\n    # TODO: foo\n    return 1\n\n\n"
    "def main() -> None:\n    print(\"foo -> bar\", os.sep)\n    helper('x', 2)\n\n\nclass User:\n    pass\n"
)
SCRIPT = (
    "import { useState } from 'react';\nconst f = (x) => {\n  console.log('foo', x);\n};\n"
    "export const g = () => f(1);\n"
)
SHELL = "#!/bin/sh\nset -eu\necho one >> /dev/null\n# rm of old files is done by hand\n"
WORDS = "pear\napple\nfig\napple\nTODO foo\n"
NUMBERS = "".join(f"{n}\n" for n in range(1, 30))
CSV = "id,name,age,total\n1,ann,31,20\n2,bob,25,70\n3,cid,40,12\n"
LOG = "".join(
    f'10.0.0.{n} - - [01/Jan/2024] "GET /x HTTP/1.1" {status} 12 start error delete warn FAILED\n'
    for n, status in ((1, 200), (2, 500), (3, 404))
)
PACKAGE = json.dumps(
    {
        "name": "demo",
        "version": "1.2.0",
        "private": True,
        "scripts": {"build": "tsc", "test": "jest; true"},
        "dependencies": {"react": "^18.0.0", "zod": "^3.0.0"},
        "devDependencies": {"jest": "^29.0.0"},
    },
    indent=2,
)
LIST = json.dumps(
    [
        {"id": 1, "name": "a", "status": "failed", "size": 20},
        {"id": 2, "name": "b", "status": "ok", "size": 3},
    ]
)
CONFIG = json.dumps({"a": 1, "port": 3000, "items": [{"id": 1, "n": 2}], "compilerOptions": {"strict": True}})
MAKEFILE = (
    "VERSION := 1.2.0\nall: build\n"
    "build test lint check docs help typecheck coverage install clean update:\n\t@echo $@\n"
    ".PHONY: all build test lint check docs help typecheck coverage install clean update sub\n"
)
PYPROJECT = (
    '[project]\nname = "demo"\nversion = "1.2.0"\n\n[tool.ruff]\nline-length = 100\n\n'
    "[tool.pytest.ini_options]\n"
)

TEXTS = {
    PROSE: (
        "README.md CHANGELOG.md LICENSE docs/guide.md docs/a.md docs/b.md docs/old.md docs/index.md notes.txt notes.md "
        "page.txt page.html in.txt f.txt f x docs/conf.txt docs/win.txt docs/unix.txt old.txt old.py "
        "install.sh log.txt x.txt"
    ),
    PYTHON: (
        "src/app.py src/a.py src/utils.py src/mymod.py src/models/user.py a.py tests/test_app.py tests/unit/test_a.py "
        "lib/l.py"
    ),
    PYTHON.replace("foo", "spam"): "src/b.py",
    SCRIPT: "src/index.ts src/app.ts src/components/Button.tsx src/index.js web/src/main.ts app.js x.js",
    SHELL: "scripts/deploy.sh scripts/run.sh scripts/rm.sh deploy.sh x.sh",
    WORDS: (
        "a.txt b.txt c.txt names.txt sorted.txt data/words.txt docs/list.txt docs/sorted.txt docs/a.txt docs/b.txt "
        "docs/c.txt "
        "requirements.txt a b rm.log mv.log docs/results.txt data.txt 'my file.txt'"
    ),
    WORDS + "melon\n": "d.txt docs/d.txt",
    NUMBERS: "n.txt VERSION",
    CSV: "data.csv a.csv b.csv data/users.csv data/sales.csv docs/data.csv docs/a.csv docs/b.csv",
    LOG: "logs/app.log logs/access.log a.log log docs/build.log docs/access.log",
    PACKAGE: "package.json web/package.json packages/one/package.json",
    LIST: "data/list.json docs/results.json out.json",
    CONFIG: "src/config.json config.json tsconfig.json a.json docs/a.json docs/b.json docs/conf.json",
    '{"users": [{"name": "ann", "age": 31}], "items": [{"name": "x", "price": 20}]}': "data/in.json data/items.json",
    '{"status": "a", "total": 20}\n{"status": "b", "total": 5}\n': "data/orders.jsonl",
    "src/app.py\nREADME.md\n": "list.txt files.txt",
    "node_modules/\ndist/\nbuild/\n": ".gitignore",
    "NAME=value\n": ".env .env.example",
    "name: demo\n# comment\nlist:\n  - one\n": "docs/conf.yml",
    "create table users (id integer);\n-- DELETE is for later\n": "docs/schema.sql migrations/0001.sql db/one.sql",
    MAKEFILE: "Makefile sub/Makefile",
    PYPROJECT: "pyproject.toml",
    "int main(void) { return 0; }\n": "a.c src/app.c",
    "<name>demo</name>\n": "a.xml",
    "export const m = 1;\n": "node_modules/lodash/index.js dist/app.js",
    "": "src/empty.py",
}  # fmt: skip
"""{content: names of the files that hold it}"""

DATABASES = ("app.db", "db.sqlite", "data/app.db")
IMAGES = ("logo.png", "docs/logo.png")
BINARIES = ("a.bin", "b.bin", "docs/data.bin", "docs/a.bin", "docs/b.bin", "build/app.bin")
TARS = ("backup.tar", "a.tar", "docs/a.tar")
TGZS = ("release.tar.gz", "archive.tar.gz", "a.tgz", "docs/release.tar.gz")
ZIPS = ("assets.zip", "bundle.zip", "a.zip", "docs/site.zip", "dist/app.whl")
GZIPS = ("a.gz", "log.gz", "logs/app.log.gz", "docs/big.json.gz", "docs/dump.sql.gz", "logs/a.z")

HISTORY = r"""
set -e
git init -q -b main
git add .gitignore README.md src docs package.json
git commit -q -m 'first'
git tag v1.0; git tag -a v1.0.0 -m 'one'
git branch base
git add -A
git commit -q -m 'rm unused hotfix' -m 'Co-authored-by: Bob <bob@example.com>'
git checkout -q -b feature/login
echo '# feature' >> lib/l.py; git commit -q -a -m 'feat: login -> parse_config'
git branch feat/a
git checkout -q main
echo '# third' >> src/utils.py; git commit -q -a -m 'third'
git tag v1.2.0
echo '# fourth' >> src/utils.py; git commit -q -a -m 'fourth'
git init -q --bare -b main /srv/origin.git
git remote add origin /srv/origin.git
git push -q -u origin main feature/login --tags 2> /dev/null
git clone -q /srv/origin.git /tmp/other
(
  cd /tmp/other; git checkout -q -b next
  echo new > remote.txt; git add remote.txt; git commit -q -m 'not fetched yet'; git push -q origin next
)
rm -r /tmp/other
echo '# five' >> src/utils.py; git commit -q -a -m 'fifth'
echo stashed >> README.md; git stash -q
echo again >> README.md; git stash -q
git notes add -m 'a note' HEAD
echo '# staged' >> src/a.py; git add src/a.py
echo '# changed' >> src/app.py
echo untracked > new.txt
echo patched >> LICENSE; git diff -- LICENSE | tee a.diff > fix.patch; git checkout -q -- LICENSE
git diff HEAD~1 HEAD > one.patch
if command -v gpg > /dev/null; then mkdir -m 700 ~/.gnupg; gpg -q --list-keys 2> /dev/null; fi
git bundle create -q a.bundle main
find . -path ./.git -prune -o -type f -exec touch -h -d @1704067200 {} +
git update-index -q --refresh || true
"""


def make(sandbox: Sandbox) -> None:
    """Fills an empty sandbox. Raises `RuntimeError` where the history could not be made."""
    project = sandbox.write / "project"
    for content, names in TEXTS.items():
        for name in _names(names):
            _write(project / name, content.encode())
    for name in (*DATABASES, *IMAGES, *BINARIES):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
    for name in DATABASES:
        _database(project / name)
    for name in IMAGES:
        _write(project / name, _image())
    for name in BINARIES:
        _write(project / name, struct.pack("<I", 7) + b"version 1.2.0 of demo" * 20)
    for names, content in ((TARS, _tar("w")), (TGZS, _tar("w:gz")), (ZIPS, _zip())):
        for name in names:
            _write(project / name, content)
    for name in GZIPS:
        _write(project / name, gzip.compress(LOG.encode() + b"INSERT TODO\n", mtime=0))
    _write(project / "docs/log.xz", lzma.compress(LOG.encode()))
    _write(project / "a.xz", lzma.compress(LOG.encode()))
    _write(project / "logs/a.bz2", bz2.compress(LOG.encode()))
    (project / "scripts/run.sh").chmod(0o755)
    (project / "link").symlink_to("README.md")
    (project / "void").mkdir()
    for folder, _, files in os.walk(project):
        for name in files:
            os.utime(Path(folder, name), (WRITTEN, WRITTEN), follow_symlinks=False)
    _write(
        sandbox.write / "home/.gitconfig",
        b"[user]\n\tname = Dev\n\temail = dev@example.com\n[alias]\n\tst = status\n[advice]\n\tdetachedHead = false\n",
    )
    sandbox.give()
    made = sandbox.run(HISTORY)
    if made.code:
        raise RuntimeError(f"the project's history: {made.stderr}")


def _names(text: str) -> list[str]:
    return shlex.split(text)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(
        "create table users (id integer primary key, name text, age integer);"
        "insert into users values (1, 'ann', 31), (2, 'bob', 25);"
        "create table t (id integer); create table settings (k text);"
    )
    connection.close()


def _image() -> bytes:
    """A picture of one point, as PNG."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0\0"))
        + chunk(b"IEND", b"")
    )


MEMBERS = {
    "README": PROSE, "README.md": PROSE, "release/README": PROSE, "src/a.py": PYTHON, "src/app.py": PYTHON,
    "bin/tool": SHELL, "assets/icon.svg": "<svg/>", "index.html": "<b>x</b>", "b": WORDS,
}  # fmt: skip


def _tar(mode: str) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as archive:
        for name, text in MEMBERS.items():
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(text.encode()), WRITTEN
            archive.addfile(member, io.BytesIO(text.encode()))
    return held.getvalue()


def _zip() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in MEMBERS.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), text)
    return held.getvalue()
