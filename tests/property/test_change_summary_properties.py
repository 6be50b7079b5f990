"""Whatever a program says in comments and strings, and a file of data in its keys, none of it is among the names."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from evaluator.egress.change_summary import Change, Touched, lines_of, touched

TELLTALE = "zq"
SECRET = st.from_regex(r"zq[a-z]{2,8}( zq[a-z]{1,8}){0,3}", fullmatch=True)
NAME = st.from_regex(r"[a-p]{3,8}", fullmatch=True)

FORMS = {
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
    suffix = draw(st.sampled_from(sorted(FORMS)))
    forms = draw(st.lists(st.sampled_from(FORMS[suffix]), max_size=8))
    lines = [form.format(name=draw(NAME), text=draw(SECRET)) for form in forms]
    return suffix, "\n".join(lines) + "\n"


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
    changed = text.replace(TELLTALE, TELLTALE + "x")
    found = names(suffix, text, changed)
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
