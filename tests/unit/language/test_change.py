"""What a pending write would change, taken apart."""

from evaluator.effects import effect, folded
from evaluator.language.change import change_of
from evaluator.model import Evidence, Exchange, PendingWrite, Subject

PATCH = """*** Begin Patch
*** Update File: src/ledger.py
@@
-def post_entry():
+def post_all():
*** Delete File: src/totals.py
*** End Patch
"""


def test_a_patch_has_the_old_and_the_new_text_of_its_parts():
    pending = PendingWrite("codex", "s", "apply_patch", {"input": PATCH}, cwd="/p", project_dir="/p")
    effects = folded([effect("edit", "/p/src/ledger.py"), effect("delete", "/p/src/totals.py")])
    evidence = Evidence("apply_patch", effects.operation, effects.operation_class, effects.targets, "")
    found = change_of(Subject(pending, effects, Exchange(), evidence))
    assert [target.path for target in found.targets] == ["src/ledger.py", "src/totals.py"]
    assert (found.old.strip(), found.new.strip()) == ("def post_entry():", "def post_all():")
    assert {"post_entry", "post_all"} <= set(found.names)
