"""The files that a patch names, and names and counts of a change: which names, in which order, and never other text."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from corpora import corpus

from compass.composition.effects import TARGET_BYTES_MAX, text_on_disk
from evaluator.effects import effect, folded
from evaluator.egress.change_summary import (
    BY_SUFFIX,
    PARSE_SECONDS,
    TEXT_CHARS_MAX,
    Language,
    Touched,
    touched,
)
from evaluator.egress.evidence import build_evidence
from evaluator.model import Exchange, PendingWrite
from evaluator.patches import CHARS_MAX, FILES_MAX, Patch, parsed, patch_of
from evaluator.settings.keys import Settings
from evaluator.settings.keys import build as settings_of

BEGIN, END = "*** Begin Patch\n", "*** End Patch\n"
PATCH = f"""{BEGIN}*** Add File: new.py
+x
+*** Delete File: quoted.py
*** Update File: old.py
*** Move to: moved.py
@@ def f
 kept
-a
+b
+c
@@
-d
*** End of File
*** Delete File: gone.py
{END}"""
UNIFIED = """--- a/src/a.py\t2024-01-01
+++ b/src/a.py\t2024-01-01
@@ -1 +1 @@
-a
+b
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+x
--- a/gone.py
+++ /dev/null
"""


def test_an_envelope_names_its_files_their_texts_and_their_size():
    found = parsed(PATCH)
    assert found.whole
    assert found.named == [
        ("write", "new.py"), ("move", "old.py"), ("move", "moved.py"), ("delete", "gone.py"),
    ]  # fmt: skip
    added, moved, gone = found.files
    assert added.parts == (("", "x\n*** Delete File: quoted.py\n"),)
    assert moved.parts == (("kept\na\n", "kept\nb\nc\n"), ("d\n", ""))
    assert (added.size, moved.size, gone.size, found.size) == (2, 3, None, None)


def test_a_unified_diff_names_its_files():
    assert parsed(UNIFIED) == Patch(parsed(UNIFIED).files, whole=True)
    assert parsed(UNIFIED).named == [("edit", "src/a.py"), ("write", "new.py"), ("delete", "gone.py")]


@corpus(
    "text",
    [
        f"{BEGIN}*** Add File: n\n+x\n   *** Delete File: gone.txt\n{END}",
        f"{BEGIN}*** Update File: n\n@@\n-x\n+y\n\n*** Delete File: gone.txt\n{END}",
        f"{BEGIN}*** Update File: n\n@@\n-x\n*** End of File\n*** Delete File: gone.txt\n{END}",
        "*** Begin Patch  \n*** Delete File: gone.txt  \n*** End Patch \n",
        f"\n {BEGIN}*** Delete File: gone.txt\f\n{END}\n",
        f"{BEGIN}*** Delete File: gone.txt\r\n{END}",
        f"<<'EOF'\n{BEGIN}*** Delete File: gone.txt\n{END}EOF\n",
    ],
)
def test_what_the_client_applies_is_read_as_leniently(text):
    found = parsed(text)
    assert found.whole and found.named[-1] == ("delete", "gone.txt")


@corpus(
    "text",
    [
        f"{BEGIN}*** Delete File: gone.txt\n",
        f"*** Delete File: gone.txt\n{END}",
        f"{BEGIN}{END}*** Delete File: gone.txt\n",
        f"{BEGIN}*** Environment ID: far\n*** Delete File: gone.txt\n{END}",
        f"{BEGIN}*** Add File: n\nno sign\n*** Delete File: gone.txt\n{END}",
        f"{BEGIN}*** Update File: n\nno sign\n*** Delete File: gone.txt\n{END}",
        f"{BEGIN}*** Update File: n\n@@\n-x\n*** Move to: m\n*** Delete File: gone.txt\n{END}",
        f"before\n{BEGIN}*** Delete File: gone.txt\n{END}",
        f"<<EOF\n{BEGIN}*** Delete File: gone.txt\n{END}",
    ],
)
def test_what_does_not_fit_is_not_whole_and_still_names_its_files(text):
    found = parsed(text)
    assert not found.whole and found.size is None
    assert ("delete", "gone.txt") in found.named


@corpus("text", ["", "nonsense", BEGIN + END, f"{BEGIN}*** Add File: \n+x\n{END}", "+++ b/only\n"])
def test_a_patch_without_a_file_is_not_whole(text):
    assert not parsed(text).whole


def test_no_beginning_of_a_patch_is_whole_or_hides_what_stands_in_it():
    for end in range(len(PATCH.rstrip())):
        found = parsed(PATCH[:end])
        assert not found.whole
        headers = (line for line in PATCH[:end].split("\n")[:-1] if line.startswith("*** ") and ":" in line)
        assert {line.partition(": ")[2] for line in headers} <= {path for _, path in found.named}


def test_past_the_bounds_a_patch_is_not_whole():
    many = "".join(f"*** Delete File: {number}\n" for number in range(FILES_MAX + 1))
    assert not parsed(BEGIN + many + END).whole
    assert len(parsed(BEGIN + many + END).files) == FILES_MAX
    long = f"{BEGIN}*** Delete File: a\n*** Add File: b\n+{'x' * CHARS_MAX}\n*** Delete File: c\n{END}"
    assert not parsed(long).whole and ("delete", "a") in parsed(long).named


def test_a_line_of_an_edited_file_that_could_be_a_header_is_taken_for_one():
    found = parsed(f"{BEGIN}*** Update File: n\n@@\n-x\n *** Delete File: gone.txt\n{END}")
    assert found.named == [("edit", "n"), ("delete", "gone.txt")]


def test_only_a_call_of_apply_patch_is_one():
    assert patch_of("Write", {"input": PATCH}) is None
    for field in ("input", "patch"):
        found = patch_of("apply_patch", {field: PATCH})
        assert found is not None and found.whole
    assert patch_of("apply_patch", {"input": 3}) == Patch((), whole=False)


# Names and counts of a change


PYTHON = '''"""Billing prose."""

class Invoice:
    """Quarterly secrets."""

    def total(self, rate):
        # hush hush
        return self.amount * rate + fee("hidden words")

    def void(self):
        self.state = "void"
'''

PROGRAMS = {
    ".c": "/* WORDS */\nint ledger(int x) { return post(x, \"WORDS\"); } // WORDS\n",
    ".cpp": "// WORDS\nclass Ledger { int post(int x) { return send(\"WORDS\"); } };\n",
    ".cs": "// WORDS\nclass Ledger { void Post(int x) { Send(\"WORDS\", $\"WORDS {x}\"); } }\n",
    ".go": "package ledger\n// WORDS\nfunc Ledger(x int) { send(`WORDS`, \"WORDS\") }\n",
    ".java": "/** WORDS */\nclass Ledger { void post(int x) { send(\"WORDS\"); } }\n",
    ".js": "// WORDS\nfunction Ledger(x) { send('WORDS', `WORDS ${x}`, /WORDS/); }\n",
    ".jsx": "const Ledger = () => <h1 id='WORDS'>WORDS</h1>;\n",
    ".kt": "// WORDS\nclass Ledger {\n    fun post(x: Int) {\n        send(\"WORDS $x\")\n    }\n}\n",
    ".php": "<h1>WORDS</h1>\n<?php # WORDS\nclass Ledger { function post($x) { send('WORDS', \"WORDS\"); } }\n",
    ".py": "# WORDS\nclass Ledger:\n    '''WORDS'''\n    def post(self): send('WORDS', f'WORDS {1}')\n",
    ".rb": "# WORDS\nclass Ledger\n  def post(x)\n    send_to('WORDS', \"WORDS #{x}\", :WORDS, %w[A])\n  end\nend\n",
    ".rs": "/// WORDS\nstruct Ledger {}\nfn post() { send(\"WORDS\", r#\"WORDS\"#) }\n",
    ".sh": "# WORDS\nLedger() { local x='WORDS'; cat <<END\nWORDS\nEND\n}\n",
    ".swift": "// WORDS\nclass Ledger {\n    func post(x: Int) {\n        send(\"WORDS\")\n    }\n}\n",
    ".ts": "/* WORDS */\ninterface Ledger { x: 'WORDS' }\nexport type Post = `WORDS`;\n",
    ".tsx": "export function Ledger() { return <h1>WORDS {'WORDS'}</h1>; }\n",
}  # fmt: skip


def edited(
    old: str, new: str, text: str | None = PYTHON, path: str = "/p/billing.py", **more: object
) -> Touched:
    given: Mapping[str, object] = {"old_string": old, "new_string": new, **more}
    return touched("Edit", path, given, text, time.monotonic)


def created(path: str, content: str) -> Touched:
    return touched("Write", path, {"content": content}, "", time.monotonic)


def test_a_changed_line_is_known_by_its_definition_then_by_what_differs_then_by_the_rest():
    found = edited('* rate + fee("hidden words")', '* rate + tax("other words")')
    assert found == Touched(("Invoice", "total", "tax", "fee", "amount", "rate"), 1, 1)

    found = edited('        self.state = "void"\n', "")
    assert found == Touched(("Invoice", "void", "state"), 0, 1), "what goes is looked for where it stood"
    found = created("/p/a.py", "class A:\n    def inner(self): pass\n\ndef outer(): pass\n")
    assert found == Touched(("outer", "inner"), 4, 0), "a name of one letter says nothing"


@corpus("suffix", sorted(PROGRAMS))
def test_each_language_gives_its_definition_and_none_of_its_text(suffix):
    found = created("/p/a" + suffix, PROGRAMS[suffix])
    assert any(name.casefold() == "ledger" for name in found.names)
    assert not [name for name in found.names if "WORDS" in name]


def test_every_row_of_the_table_is_tried():
    tried = {BY_SUFFIX[suffix] for suffix in PROGRAMS}
    assert tried == set(BY_SUFFIX.values())


@corpus(
    "name", ["a.json", "a.yaml", "a.toml", ".env", ".env.local", ".env.sh", ".env.js", "a.env", "a.md", "a.html",
             "Makefile", "a"],
)  # fmt: skip
def test_data_prose_and_settings_give_counts_alone(name):
    assert created("/p/" + name, "PASSWORD = 1\nsecret: two\n# Heading\n") == Touched((), 3, 0)


def test_a_language_whose_grammar_is_not_installed_gives_counts_alone(monkeypatch):
    monkeypatch.setitem(BY_SUFFIX, ".rb", Language("tree_sitter_of_nothing"))
    found = created("/p/a.rb", PROGRAMS[".rb"])
    assert not found.names and found == created("/p/a.txt", PROGRAMS[".rb"])


def test_part_of_a_file_gives_no_name_for_it_may_stand_in_a_comment():
    assert edited("one = 1", "two = 2", text=None) == Touched((), 1, 1)
    assert edited("not there", "two = 2") == Touched((), 1, 1)
    assert edited("one = 1", "two = 2", text='"""\none = 1\n"""\n') == Touched((), 1, 1)


@corpus(
    ("suffix", "text"),
    [
        (".py", "known = 1\nother = '''\nWORDS and more\n"),
        (".c", "int known;\nint y = z /* WORDS in here;\n"),
        (".js", "let known = 1;\nlet y = z /* WORDS in here;\n"),
        (".js", "let known = 1;\nlet y = `WORDS\nin here;\n"),
        (".rs", "fn known() {}\n/* /* WORDS */ in here\n"),
        (".go", "package known\nvar y = `WORDS in here\n"),
    ],
)
def test_behind_what_is_not_closed_no_name_is_believed(suffix, text):
    names = created("/p/a" + suffix, text).names
    assert "WORDS" not in names and "here" not in names and "more" not in names


def test_edits_apply_in_turn_and_everywhere_where_they_say_so():
    edits = [{"old_string": "rate", "new_string": "quota", "replace_all": True},
             {"old_string": "quota):", "new_string": "quota, cap):"}]  # fmt: skip
    found = touched("MultiEdit", "/p/a.py", {"edits": edits}, PYTHON, time.monotonic)
    assert found.names[:5] == ("Invoice", "total", "quota", "cap", "rate")
    assert (found.added, found.removed) == (2, 2)


def test_an_overwritten_file_is_compared_with_what_stands_there():
    new = PYTHON.replace("void", "annul").replace("\n", "\r\n")
    found = touched("Write", "/p/a.py", {"content": new}, PYTHON, time.monotonic)
    assert found.names[:3] == ("Invoice", "annul", "void") and (found.added, found.removed) == (2, 2)
    assert touched("Write", "/p/a.py", {"content": new}, None, time.monotonic) == Touched()


@pytest.mark.spread(3)
@pytest.mark.parametrize(
    ("suffix", "unit"),
    [(".c", "a=>"), (".ts", "/["), (".cs", "a<"), (".js", "/*"), (".cpp", "a<"), (".kt", "/*"), (".php", "<?php "),
     (".rb", "<<A\n"), (".sh", "$("), (".py", "\0"), (".py", "\ud800")],
)  # fmt: skip
def test_hostile_text_takes_no_longer_than_the_stage_allows_itself(suffix, unit):
    text = unit * (TEXT_CHARS_MAX // len(unit))
    started = time.thread_time()
    created("/p/a" + suffix, text)
    assert (time.thread_time() - started) / PARSE_SECONDS < 10


def test_no_character_of_a_script_ends_the_process():
    # One in some thousand does, and which ones differs from process to process.
    for first in range(0x100, 0x110000, 0x8000):
        codes = range(first, min(first + 0x8000, 0x110000), 64)
        shown = (chr(code) for code in codes if not 0xD800 <= code < 0xE000)
        created("/p/a.sh", "\n".join(f"echo {{{char}" for char in shown))


def test_a_text_beyond_the_bound_is_not_looked_at():
    assert created("/p/a.py", "x = 1\n" * TEXT_CHARS_MAX) == Touched()
    assert edited("a", "b" * 99, text="a" * TEXT_CHARS_MAX, replace_all=True) == Touched((), 1, 1)


PENDING = PendingWrite("test", "s", "Edit", {}, "/p", "/p")
EFFECTS = folded([effect("edit", "/p/a.py")], lines=3)


def test_what_is_sent_is_bounded_redacted_and_follows_the_settings():
    names = ("AKIAIOSFODNN7EXAMPLE", "a" * 60, *(f"name_{number}" for number in range(40)))
    known = Touched(names, 3, 0)
    sent = build_evidence(PENDING, EFFECTS, Exchange(("go",)), Settings(), touched=known)
    assert len(sent.symbols) < 20 and all(len(name) <= 40 for name in sent.symbols)
    assert not any("AKIA" in name or "REDACTED" in name for name in sent.symbols)
    assert (sent.added, sent.removed) == (3, 0)
    nothing = settings_of({"context_chars_max": 0, "transcript.prior_turn_chars_max": 0})
    near_zero = build_evidence(PENDING, EFFECTS, Exchange(("go",)), nothing, touched=known)
    assert near_zero.symbols == () and near_zero.added == 3
    plain = build_evidence(PENDING, EFFECTS, Exchange(("go",)), Settings())
    assert plain.symbols == () and plain.added is None
    assert sent.identity() == plain.identity()


def test_only_a_regular_short_text_is_read_from_disk(tmp_path: Path):
    for name, data in (("text", b"ok"), ("long", b"a" * (TARGET_BYTES_MAX + 1)), ("binary", b"\xff\xfe")):
        (tmp_path / name).write_bytes(data)
    os.mkfifo(tmp_path / "pipe")
    assert text_on_disk(str(tmp_path / "text")) == "ok"
    for name in ("long", "binary", "pipe", "missing", ".", "a\0b"):
        assert text_on_disk(str(tmp_path / name)) is None


TWO_FILES = """*** Begin Patch
*** Update File: src/a.py
@@
 kept
-one
+two
+three
*** Add File: src/b.py
+new
{more}*** End Patch
"""


def test_a_patch_of_several_files_gives_counts_and_what_it_deletes_is_not_counted():
    def counted(more, on_disk=""):
        found = touched("apply_patch", "", {"input": TWO_FILES.format(more=more)}, on_disk, time.monotonic)
        assert found.names == ()
        return found.added, found.removed

    assert counted("") == (3, 1)
    assert counted("", None) == (3, None), "what an overwritten file held is not known"
    assert counted("*** Delete File: src/c.py\n") == (3, None)
    assert counted("no header\n") == (None, None)
    assert counted(f"*** Add File: d\n+{'x' * TEXT_CHARS_MAX}\n") == (None, None)
