"""`compass completion`, sourced by the real shells; those that are not here are skipped by name."""

import json
import shutil
import subprocess
import sys

import pytest
from corpora import corpus
from running.hookrun import MAIN, Place
from running.shells import typing_at

SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """The file of each shell."""
    place = Place(tmp_path_factory.mktemp("completion"))
    files = {}
    for shell in ("bash", "zsh", "fish"):
        done = place.command("completion", shell)
        assert done.returncode == 0, done.stderr
        files[shell] = place.root / shell
        files[shell].write_bytes(done.stdout)
    return files


def needs(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def environment(folder):
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "TERM": "vt100", "PS1": "> "}


@corpus("shell", list(SHELLS))
@corpus(
    ("typed", "completed"),
    [
        ("compass doct", "compass doctor "),
        ("compass config uns", "compass config unset "),
        ("compass config set evaluator.mod", "compass config set evaluator.model "),
        ("compass check --back", "compass check --backend "),
        ("compass check --backend embe", "compass check --backend embedded "),
        ("compass explain --egress --case ro", "compass explain --egress --case rows.jsonl "),
    ],
)
def test_it_completes_in_a_terminal(scripts, tmp_path, shell, typed, completed):
    needs(shell)
    (tmp_path / "rows.jsonl").touch()
    with typing_at(SHELLS[shell], environment(tmp_path), tmp_path, columns=200) as terminal:
        ready = "autoload -U compinit; compinit -D -u; " if shell == "zsh" else ""
        terminal.type(f'{ready}eval "$(cat {scripts[shell]})"; echo rea""dy\n')
        terminal.until("ready")
        terminal.type(f"{typed}\t")
        terminal.until(completed.removeprefix(typed))


def test_fish_completes(scripts, tmp_path):
    needs("fish")
    (tmp_path / "rows.jsonl").touch()

    def offered(line):
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source {scripts['fish']}; complete -C '{line}'"],
            capture_output=True, text=True, cwd=tmp_path, env=environment(tmp_path), check=True,
        )  # fmt: skip
        return [row.partition("\t")[0] for row in done.stdout.splitlines()]

    assert offered("compass doct") == ["doctor"]
    assert offered("compass config s") == ["set"]
    assert "evaluator.model" in offered("compass config set evaluator.mod")
    assert offered("compass check --backend em") == ["embedded"]
    assert "rows.jsonl" in offered("compass check --case ro")


def test_the_script_is_for_the_shell_that_is_named(scripts, tmp_path):
    assert scripts["zsh"].read_text().startswith("#compdef compass")
    place = Place(tmp_path)
    found = json.loads(place.command("completion", "fish", "--json").stdout)
    assert found["shell"] == "fish" and found["script"].strip() == scripts["fish"].read_text().strip()


def test_it_says_where_its_help_says_it_is_saved(scripts, tmp_path):
    for path in scripts.values():
        text = path.read_text()
        assert "Usage:" not in text.partition("compass completion --help")[0]
        assert "https://github.com/tqdm/shtab" in text and "AUTOMATICALLY" not in text
        assert "Copy this" not in text
    missing = Place(tmp_path).command("completion")
    assert missing.returncode == 2 and b"required: bash|zsh|fish" in missing.stderr


def test_without_the_package_it_says_the_line_that_installs_it(tmp_path):
    code = (
        "import sys; sys.modules['shtab'] = None; sys.argv = ['compass', 'completion', 'bash']\n"
        "from compass.entry import start; start()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env=Place(tmp_path).environment(), cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1 and "pip install shtab" in done.stderr, MAIN
