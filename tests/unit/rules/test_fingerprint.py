"""What rules go by is told by a fingerprint: measurements of other rules are stale."""

import shutil

import pytest

from evaluator.readers.kinds.embedded import PARTS, ROOT, TEXT, fingerprint


@pytest.fixture
def copied(tmp_path):
    for part in PARTS:
        shutil.copytree(f"{ROOT}/{part}", tmp_path / part, dirs_exist_ok=True)
    shutil.copy2(f"{ROOT}/{TEXT}", tmp_path / TEXT)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("rules/bans.py", "\nMORE = 1\n"),
        ("text.py", "\nMORE = 1\n"),
        ("rules/words/en.toml", '\n[more]\nword = ["x"]\n'),
    ],
)
def test_a_module_and_a_word_count(copied, name, more):
    with (copied / name).open("a", encoding="utf-8") as file:
        file.write(more)
    assert fingerprint(str(copied)) != fingerprint()


def test_an_installation_that_has_json_alone_has_the_fingerprint_of_a_checkout(copied):
    assert fingerprint(str(copied)) == fingerprint()
    for source in (copied / "rules/words").glob("*.toml"):
        assert source.with_suffix(".json").exists(), "the tables were built"
        source.unlink()
    assert fingerprint(str(copied)) == fingerprint()
