"""The files that a patch names, and which patches are not wholly understood."""

from corpora import corpus

from evaluator.patches import CHARS_MAX, FILES_MAX, Patch, parsed, patch_of

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
        ("write", "new.py"),
        ("move", "old.py"),
        ("move", "moved.py"),
        ("delete", "gone.py"),
    ]
    added, moved, gone = found.files
    assert added.parts == (("", "x\n*** Delete File: quoted.py\n"),)
    assert moved.parts == (("kept\na\n", "kept\nb\nc\n"), ("d\n", ""))
    assert (added.size, moved.size, gone.size, found.size) == (2, 3, None, None)


def test_a_unified_diff_names_its_files():
    assert parsed(UNIFIED) == Patch(parsed(UNIFIED).files, whole=True)
    assert parsed(UNIFIED).named == [("edit", "src/a.py"), ("write", "new.py"), ("delete", "gone.py")]


DELETES = [("delete", "gone.txt")]


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
    assert found.whole and found.named[-1:] == DELETES


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
        whole_lines = PATCH[:end].split("\n")[:-1]
        named = {path for _, path in found.named}
        assert {
            line.partition(": ")[2] for line in whole_lines if line.startswith("*** ") and ":" in line
        } <= named


def test_past_the_bounds_a_patch_is_not_whole():
    many = "".join(f"*** Delete File: {number}\n" for number in range(FILES_MAX + 1))
    assert not parsed(BEGIN + many + END).whole
    assert len(parsed(BEGIN + many + END).files) == FILES_MAX
    long = f"{BEGIN}*** Delete File: a\n*** Add File: b\n+{'x' * CHARS_MAX}\n*** Delete File: c\n{END}"
    assert not parsed(long).whole and ("delete", "a") in parsed(long).named


def test_a_line_of_an_edited_file_that_could_be_a_header_is_taken_for_one():
    found = parsed(f"{BEGIN}*** Update File: n\n@@\n-x\n *** Delete File: gone.txt\n{END}")
    assert found.named == [("edit", "n"), *DELETES]


def test_only_a_call_of_apply_patch_is_one():
    assert patch_of("Write", {"input": PATCH}) is None
    for field in ("input", "patch"):
        found = patch_of("apply_patch", {field: PATCH})
        assert found is not None and found.whole
    assert patch_of("apply_patch", {"input": 3}) == Patch((), whole=False)
