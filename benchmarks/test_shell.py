"""The shell classifier: a typical command, and growth with the size. Compare medians; no wall time is asserted."""

import pytest

from evaluator.shell.bash import analyse

TYPICAL = "cd /repo && grep -rn 'TODO' src --include='*.py' | sort | head -20 > todo.txt"
LINE = "(cd src && sed -n '1,5p' a.py | sort -u > out.txt); git add -A && git commit -m \"wip $(date)\"\n"
HEREDOC = "cat > src/a.py <<'EOF'\n{}EOF\npytest -q 2>&1 | tail -5"


def classify(command, cwd):
    """Without what `evaluator.shell.bash` remembers of a command that it has just read."""
    return analyse(command, cwd).effects


def of_size(size):
    return (LINE * (size // len(LINE) + 1))[:size].rpartition("\n")[0]


def test_typical_command(paced):
    assert paced(classify, TYPICAL, "/repo").targets == ("/repo/todo.txt",)


def test_read_only_command(paced):
    assert paced(classify, "git log --format='%h > %s' -5 2>/dev/null", "/repo").verdict == "read_only"


def test_inline_python(paced):
    command = (
        "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('a.py')\np.write_text(p.read_text())\nEOF"
    )
    assert paced(classify, command, "/repo").targets == ("/repo/a.py",)


@pytest.mark.parametrize("size", [1_000, 10_000, 30_000])
def test_growth_with_commands(paced, size):
    assert paced(classify, of_size(size), "/repo").verdict == "write"


def test_beyond_the_bound(paced):
    assert paced(classify, of_size(100_000), "/repo").verdict == "unknown"


@pytest.mark.parametrize("size", [1_000, 10_000, 30_000])
def test_growth_with_what_does_not_parse(paced, size):
    """The parser's recovery is quadratic; the bound keeps it under a check's deadline by far."""
    assert paced(classify, "!(a) " * (size // 5), "/repo").verdict == "unknown"


@pytest.mark.parametrize("size", [1_000, 10_000, 100_000])
def test_growth_with_a_heredoc(paced, size):
    body = "value = compute(1)  # plain text\n" * (size // 33)
    assert paced(classify, HEREDOC.format(body), "/repo").targets == ("/repo/src/a.py",)
