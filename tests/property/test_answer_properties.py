"""A reply with a word that says something else, a question or a condition in it never chooses a reading."""

from hypothesis import given
from hypothesis import strategies as st

from evaluator.intervention.user_reply import Asked, understood

ASKED = Asked(
    readings=("delete src/old.py", "delete src/legacy.py"),
    targets=("/repo/src/old.py",),
    operations=("delete",),
    request=("Just delete it.",),
)
CHOICES = st.sampled_from(
    [
        "2",
        "the second",
        "legacy.py",
        "both",
        "die zweite",
        "la deuxième",
        "第二个",
        "二番目",
        "두 번째",
        "दूसरा",
        "второй",
    ]
)
ELSE = st.sampled_from(
    ["unless it breaks", "but not yet", "if nobody minds", "aber erst morgen", "mais pas tout", "pero no hoy",
     "но не сейчас",
     "except the tests", "after the release", "instead of rewriting", "?", "bananas", "keep the rest", "xyzzy"]
)  # fmt: skip


@given(CHOICES, ELSE, st.booleans())
def test_a_choice_with_something_else_beside_it_chooses_nothing(choice, other, first):
    reply = f"{other} {choice}" if first else f"{choice} {other}"
    assert understood(reply, ASKED).kind != "reading"


@given(st.text(max_size=300))
def test_any_text_is_understood_as_something_and_chooses_only_what_was_shown(text):
    answer = understood(text, ASKED)
    assert (answer.kind == "reading") == bool(answer.chosen)
    assert all(index in (0, 1) for index in answer.chosen)


@given(CHOICES, st.sampled_from(["{}", " {} ", "{}.", "({})", "{}!", "**{}**"]))
def test_case_and_marks_do_not_matter(choice, form):
    plain, marked = understood(choice, ASKED), understood(form.format(choice.upper()), ASKED)
    assert plain == marked and plain.kind == "reading"


@given(st.integers(min_value=3, max_value=10**6))
def test_a_number_that_was_not_shown_chooses_nothing(number):
    assert understood(str(number), ASKED).kind in ("nothing", "clarification")
