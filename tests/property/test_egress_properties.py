"""What holds of all that goes to readers and comes back: sanitizer, redaction, prompt, answers, touched names."""

from __future__ import annotations

import json
import math
import re

import pytest
from apis.loopback_api import answer
from hypothesis import given, settings
from hypothesis import strategies as st
from samples.secret_samples import FORMS, TOKENS, jwt, password, private_key, token

from evaluator.egress import prompt
from evaluator.egress.change_summary import Change, Touched, lines_of, touched
from evaluator.egress.reader_answer import parse_answer
from evaluator.egress.redaction import redact
from evaluator.egress.sanitizer import sanitize, sanitize_path
from evaluator.model import Evidence
from evaluator.record import replace
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES, PROMPT_TAGS

ANY_CHARACTER = st.characters(codec=None, exclude_categories=())
PIECES = st.sampled_from(
    [
        *DEFAULT_STRIP_SEQUENCES, *PROMPT_TAGS, "<", ">", "|", "/", "[", "]", "INST", "SYS", "\\", " ", "\t",
        "\n", "＜", "＞", "｜", "［", "］", "／", "ｉｎｓｔ", "ＳＹＳ", "\u200b", "\u2060", "\ufeff", "\u202e",
        "\u00ad", "\ufe0f", "\U000e0041", "\U000e0100", "\ue000", "\ud800", "\udc00", "\0", "\x1b", "\ufffe",
        "\u0301", "\u0316", "\u0338", "\u0344", "\ufdfa", "ß", "ı", "İ", "\u017f", "\u212a", "[STRIPPED]",
        "STRIP", "-x1", ' a="1"', "\u1100", "\u1161", "\u11a8", "\u2028", "\r",
    ]
)  # fmt: skip


def in_mixed_case(text: str, seed: int) -> str:
    return "".join(char.upper() if seed >> index & 1 else char for index, char in enumerate(text))


MIXED_CASE = st.builds(in_mixed_case, st.sampled_from(DEFAULT_STRIP_SEQUENCES), st.integers(0, 2**25))
TEXTS = st.lists(PIECES | MIXED_CASE | ANY_CHARACTER | st.text(ANY_CHARACTER, max_size=4)).map("".join)
SEQUENCES = st.one_of(
    st.just(DEFAULT_STRIP_SEQUENCES),
    st.lists(
        st.one_of(
            PIECES,
            st.text(ANY_CHARACTER, min_size=1, max_size=4),
            st.text("[]STRIPEDabß<>/ ", min_size=1, max_size=3),
            st.sampled_from(["<s>", "</tool>", "<a.b>"]),
        ),
        max_size=5,
    ).map(tuple),
)
LIMITS = st.one_of(st.none(), st.integers(0, 60))
REMOVED = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\uf8ff\U000e0000-\U0010ffff]"
)


@given(TEXTS, LIMITS, SEQUENCES)
def test_it_is_idempotent_bounded_and_free_of_every_sequence(text, limit, listed):
    shown = sanitize(text, limit, listed)
    assert sanitize(shown, limit, listed) == shown
    assert limit is None or len(shown) <= limit
    for one in listed:
        assert one not in shown
        assert one.lower() not in shown.lower()
        assert one.upper() not in shown.upper()
        assert one.casefold() not in shown.casefold()


@given(TEXTS, LIMITS)
def test_no_prompt_tag_survives_in_any_dress(text: str, limit: int | None) -> None:
    shown = sanitize(text, limit, ())
    assert not re.search(rf"<[\s/\\]*(?:{'|'.join(PROMPT_TAGS)})", shown, re.IGNORECASE)


@given(TEXTS, LIMITS)
def test_nothing_invisible_survives_and_the_result_encodes(text: str, limit: int | None) -> None:
    shown = sanitize(text, limit, DEFAULT_STRIP_SEQUENCES)
    assert not REMOVED.search(shown)
    shown.encode("utf-8")


@given(TEXTS, LIMITS, st.integers(0, 80))
def test_a_tighter_limit_gives_a_prefix(text: str, limit: int | None, tighter: int) -> None:
    wide = sanitize(text, limit, DEFAULT_STRIP_SEQUENCES)
    assert wide.startswith(sanitize(wide, tighter, DEFAULT_STRIP_SEQUENCES))


@given(TEXTS, LIMITS, SEQUENCES)
def test_a_path_is_one_line_idempotent_bounded_and_free(text, limit, listed):
    shown = sanitize_path(text, limit, listed)
    assert "\n" not in shown
    assert "\t" not in shown
    assert sanitize_path(shown, limit, listed) == shown
    assert limit is None or len(shown) <= limit
    assert not any(one.casefold() in shown.casefold() for one in listed)


@given(st.text(st.characters(codec="ascii", min_codepoint=32, max_codepoint=126), max_size=200))
def test_printable_ascii_without_delimiters_is_untouched(text: str) -> None:
    if not re.search(r"[<>\[|]", text):
        assert sanitize(text, None, DEFAULT_STRIP_SEQUENCES) == text


SEEDS = st.integers(0, 2**32)
REDACTION_PIECES = st.sampled_from(
    [
        "password", "passwd", "pwd", "PASS", "secret", "client_secret", "token", "api_key", "key", "auth", "cookie",
        "credentials", "login", "Authorization", "Bearer", "Basic", "mysql", "curl", "sshpass", "docker login",
        "-p", "-u", "--password", "export", "value", "name", "=", ": ", ":", " = ", '"', "'", "`", '\\"', "\\n", "\n",
        " ", ",", ";", "(", ")", "{", "}", "[", "]", "<", ">", "/", "//", "://", "@", "${", "}", "$VAR", "%s", "|",
        "is", "to", "hunter2", "Winter2024!", "a1b2c3d4e5f6a7b8c9d0", "abcd", "x" * 12, "user", "host.example",
        "[REDACTED:", "[REDACTED:password]", "[REDACTED:aws-key]", "REDACTED", "[STRIPPED]", "-----BEGIN",
        " RSA PRIVATE KEY-----", "-----END", "PRIVATE KEY", "MIIEpAIBAAKCAQEA4ej0p7bQ7L", "eyJ", ".", "-", "_", "é",
        "密码", "是", "пароль", "mot de passe", "clé api", "パスワードは", "です", "비밀번호",
        "पासवर्ड", " है", "marmalade", "lautet",
        " est ", "->", " which", " for the", "set ", "«", "»", "「", "」", "default", "wrong", "X-Api-Key",
        "PIN", "PIN: 4071", "4071", "ПИН-код", "credentials: ", "Zugangsdaten: ", "admin / ", "with ", "mit dem ",
        " and ", "用", "login: admin:", "“", "”", "// ", "55012", "user demo ", " for the zip ", "b!rdhouse in my soul",
        "@db.example.com:5432", "https://", "0123456789abcdef" * 2,
    ]
)  # fmt: skip
KEYS_AND_WORDS = SEEDS.map(jwt) | SEEDS.map(password) | SEEDS.map(lambda seed: private_key(seed)[0])
SECRETS = st.builds(token, st.sampled_from(sorted(TOKENS)), SEEDS) | KEYS_AND_WORDS
REDACTION_TEXTS = st.lists(
    st.one_of(REDACTION_PIECES, REDACTION_PIECES, REDACTION_PIECES, SECRETS, st.text(max_size=4)), max_size=25
).map("".join)


@given(REDACTION_TEXTS)
def test_redaction_is_idempotent_and_bounded(text: str) -> None:
    shown = redact(text)
    assert redact(shown) == shown
    assert len(shown) <= 5 * len(text) + 30


@given(REDACTION_TEXTS, st.integers(0, 120))
def test_the_sanitizer_stays_idempotent_and_within_its_limit_at_every_cut(text: str, limit: int) -> None:
    whole = sanitize(text, None, DEFAULT_STRIP_SEQUENCES)
    shown = sanitize(text, limit, DEFAULT_STRIP_SEQUENCES)
    assert sanitize(whole, None, DEFAULT_STRIP_SEQUENCES) == whole
    assert sanitize(shown, limit, DEFAULT_STRIP_SEQUENCES) == shown
    assert len(shown) <= limit
    assert whole.startswith(shown)


@pytest.mark.spread(20)
@pytest.mark.parametrize("kind", sorted(TOKENS))
@given(seed=SEEDS, form=st.sampled_from(FORMS), limit=st.one_of(st.none(), st.integers(0, 300)))
@settings(max_examples=25)
def test_no_token_of_any_kind_survives_whole_or_cut(kind, seed, form, limit):
    secret = token(kind, seed)
    shown = sanitize(form.replace("@@", secret), limit, DEFAULT_STRIP_SEQUENCES)
    assert secret[-16:] not in shown
    assert secret[: len(secret) - 4] not in shown


@given(seed=SEEDS, kind=st.sampled_from(sorted(TOKENS)), data=st.data())
def test_invisible_characters_and_full_width_letters_hide_no_token(seed: int, kind: str, data) -> None:
    secret = token(kind, seed)
    at = data.draw(st.integers(1, len(secret) - 1))
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in secret)
    for dressed in (secret[:at] + "\u200b" + secret[at:], secret[:at] + "\u00ad\ufeff" + secret[at:], wide):
        shown = sanitize(f"use {dressed} now", None, DEFAULT_STRIP_SEQUENCES)
        assert "[REDACTED:" in shown
        assert secret[-16:] not in shown


@given(
    REDACTION_TEXTS,
    st.sampled_from(["[", "]", "REDACTED", "password", "d]", "=[", ":", "[REDACTED:password]", "r"]),
)
def test_a_listed_sequence_never_comes_back_by_a_mark(text: str, sequence: str) -> None:
    shown = sanitize(text, None, (sequence,))
    assert sequence.casefold() not in shown.casefold()
    assert sanitize(shown, None, (sequence,)) == shown


NONCE = "zq81kd02"

SLASHES, ENDS = st.sampled_from(["", "/", "/ "]), st.sampled_from(["", "-0", "-zq"])
TAGS = st.builds("<{}{}{}>".format, SLASHES, st.sampled_from(PROMPT_TAGS), ENDS)
HOSTILE = st.lists(TAGS | st.text(max_size=12) | st.just("\n"), max_size=6).map("".join)


SEVERAL = st.lists(HOSTILE, max_size=3).map(tuple)
EVIDENCE = st.builds(
    Evidence, HOSTILE, st.just("delete"), st.just("destructive"), SEVERAL, HOSTILE, HOSTILE,
    command=HOSTILE, lines=st.none() | st.integers(0, 10**6), delegated_task=HOSTILE, resolved_option=HOSTILE,
    plan=HOSTILE, turn_so_far=SEVERAL, contents=HOSTILE, looked_up=SEVERAL, precedents=SEVERAL,
)  # fmt: skip


@given(EVIDENCE)
def test_each_slot_opens_once_closes_once_and_is_never_nested(evidence: Evidence) -> None:
    asked = prompt.build_prompt(evidence, NONCE)
    found = re.findall(rf"<(/?)([a-z_]+)-{NONCE}>", asked.user)
    opened = [name for closing, name in found if not closing]
    assert found == [(closing, name) for name in opened for closing in ("", "/")]
    assert len(set(opened)) == len(opened)
    assert opened[-1] == "pending_write"
    assert set(opened) <= set(PROMPT_TAGS)
    assert ("prior_assistant_turn" in opened) == bool(evidence.prior_assistant_turn.strip())
    (asked.system + asked.user).encode()


@given(EVIDENCE)
def test_the_system_part_depends_on_nothing_but_the_presence_of_a_prior_turn(evidence: Evidence) -> None:
    prior = "y" if evidence.prior_assistant_turn.strip() else ""
    plain = Evidence("Edit", "edit", "modifying", (), "x", prior)
    assert prompt.build_prompt(evidence, NONCE).system == prompt.build_prompt(plain, NONCE).system


@given(EVIDENCE)
def test_a_blind_reader_is_told_nothing_of_the_write(evidence: Evidence) -> None:
    """Two writes after the same exchange give the same prompt, to the letter."""
    other = replace(
        evidence, tool_name="ZQTOOL", targets=("zqtarget.py",), command="zqcommand", turn_so_far=("zqwritten.py",),
        operation="create", operation_class="additive", lines=77, contents="zqcontents",
    )  # fmt: skip
    assert prompt.build_prompt(evidence, NONCE, blind=True) == prompt.build_prompt(other, NONCE, blind=True)


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted(json.loads(answer())))


def assert_sound(text: str) -> None:
    sample = parse_answer(text, "reader-1")
    assert sample.valid == (sample.error is None)
    if sample.valid:
        assert sample.score is not None
        assert math.isfinite(sample.score)
        assert 0.0 <= sample.score <= 1.0
        assert sample.reading is not None
        shown = [sample.rationale, sample.reading.target, sample.rival or ""]
    else:
        assert sample.score is None
        shown = [sample.error or ""]
    assert all(line == "" or (line.isprintable() and len(line) <= 240) for line in shown)
    assert len(sample.rationale.split()) <= 20


@given(st.text() | st.text(alphabet='{}[]":,0123456789.eE-NaInfity \n`'))
def test_any_text_parses_to_a_sound_sample(text: str) -> None:
    assert_sound(text)


@given(KEYS, VALUES, st.text(max_size=20), st.text(max_size=20))
def test_an_answer_with_any_value_in_any_field_parses_to_a_sound_sample(key, value, before, after):
    assert_sound(before + json.dumps({**json.loads(answer()), key: value}) + after)


@given(st.floats().filter(lambda score: not 0.0 <= score <= 1.0))
def test_a_score_out_of_range_is_never_clamped(score: float) -> None:
    assert not parse_answer(answer(score), "reader-1").valid


TELLTALE = "zq"
SECRET = st.from_regex(r"zq[a-z]{2,8}( zq[a-z]{1,8}){0,3}", fullmatch=True)
NAME = st.from_regex(r"[a-p]{3,8}", fullmatch=True)

PROGRAM_FORMS = {
    ".py": ("{name} = 1", "# {text}", "{name} = '{text}'",
            'def {name}():\n    """{text}\n    {text}"""', "{name}(f'{text}')"),
    ".js": ("let {name} = 1;", "// {text}", "/* {text}\n{text} */",
            "{name}('{text}', `{text}\n{text}`);", "{name}(/{text}/);"),
    ".tsx": ("let {name} = 1;", "// {text}",
             "let {name} = <p title='{text}'>{text}</p>;", "{name}({{ '{text}': 1 }});"),
    ".c": ("int {name};", "// {text}", "/* {text}\n {text} */", 'char *{name} = "{text}";', "#error {text}"),
    ".go": ("var {name} int", "// {text}", "/* {text} */", 'var {name} = "{text}"', "var {name} = `{text}\n{text}`"),
    ".rb": ("{name} = 1", "# {text}", "=begin\n{text}\n=end", "{name} = '{text}'", "{name} = <<~END\n  {text}\nEND"),
    ".sh": ("{name}=1", "# {text}", "{name}='{text}'", "cat <<'END'\n{text}\nEND"),
    ".rs": ("fn {name}() {{}}", "/// {text}", "/* /* {text} */ {text} */", 'const {name}: &str = "{text}";'),
}  # fmt: skip


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, str]:
    suffix = draw(st.sampled_from(sorted(PROGRAM_FORMS)))
    forms = draw(st.lists(st.sampled_from(PROGRAM_FORMS[suffix]), max_size=8))
    return suffix, "\n".join([form.format(name=draw(NAME), text=draw(SECRET)) for form in forms]) + "\n"


def names(suffix: str, before: str, after: str) -> Touched:
    return touched("Write", "/p/a" + suffix, {"content": after}, before, lambda: 0.0)


@given(programs(), st.data())
def test_no_comment_and_no_string_is_a_name(program, data):
    suffix, text = program
    assert not [name for name in names(suffix, "", text).names if TELLTALE in name]
    cut = text[: data.draw(st.integers(0, len(text)))]
    for before, after in ((text, cut), (cut, text)):
        assert len(names(suffix, before, after).names) <= 20


@given(programs())
def test_an_edit_inside_of_text_gives_no_word_of_it(program):
    suffix, text = program
    found = names(suffix, text, text.replace(TELLTALE, TELLTALE + "x"))
    assert not [name for name in found.names if TELLTALE in name]


@given(st.dictionaries(SECRET, SECRET), st.sampled_from([".json", ".yaml", ".toml", ".env", ".ini", ""]))
def test_no_key_of_data_is_a_name(held, suffix):
    assert names(suffix, "", json.dumps(held, indent=1)).names == ()


@given(st.text("ab\n", max_size=40), st.text("ab\n", max_size=40))
def test_counts_are_those_of_lines_that_one_side_has_more_often(before, after):
    lines = lines_of(Change(before, after, whole=True))
    old, new = (text.split("\n")[: None if text[-1:] not in ("", "\n") else -1] for text in (before, after))
    assert len(new) - len(old) == len(lines.added) - len(lines.removed)
    for line in {*old, *new}:
        surplus = new.count(line) - old.count(line)
        assert sum(new[row] == line for row in lines.added) == max(0, surplus)
        assert sum(old[row] == line for row in lines.removed) == max(0, -surplus)
