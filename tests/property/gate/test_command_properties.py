"""What holds of every command: the classifier ends, hides nothing, tells no content; no disguise helps an attack."""

import json
import re
import shlex

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from repository import ROOT
from running.guarded import EXPANSIONS, WRAPPERS, Guarded, lines

from evaluator.shell.bash import classify, explain
from evaluator.shell.parse.grammar import Unreadable
from evaluator.shell.parse.lexer import lex
from evaluator.shell.rows.tables import field_of

CORPUS = [json.loads(line) for line in ROOT.joinpath("fixtures/bash/cases.jsonl").read_text().splitlines()]
COMMANDS = [row["command"] for row in CORPUS]
MARKER = "PLANTEDxMARKER"

PIECES = st.sampled_from(
    [
        "rm ", "ls ", "echo ", "x", " ", "\n", "\t", ";", "|", "&", "&&", "||", ">", ">>", "<", "<<E\n",
        "\nE\n", "<<<", "'", '"', "\\", "`", "$", "$(", "${", "$((", "))", ")", "}", "{", "(", "#", "*", "[[ ",
        " ]]", "if ", "; then ", "; fi", "for i in ", "; do ", "; done", "case x in ", ") ", ";; esac",
        "f() { ", "; }", "!", "~", "=", "A=", "$A", "sudo ", "xargs ", "bash -c ", "python3 -c ", "awk ",
        "sed ", "find . ", "git ", "-exec ", "\\;", "eval ", "$'", "\r", "\0", "\u00a0", "\ud800", "é", "2>&1",
        "&>", "<>", "<(", ">(", "{a,b}", "{1..3}", "time ", "coproc ", "$[", "]", "!(", "@(", "\\\n", "\\>",
        "[ ", "psql -c ", "mysql -e ", "sqlite3 a ", "--", "/*",
    ]
)  # fmt: skip
SEVERAL = st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=3).map("; ".join)
NOISE = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=80) | SEVERAL


@st.composite
def mutated(draw):
    """A command of the corpus with a few cuts, doublings and insertions."""
    text = draw(st.sampled_from(COMMANDS))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.sampled_from(["cut", "insert", "double", "swap"]))
        if kind == "cut":
            text = text[:at] + text[at + draw(st.integers(1, 4)) :]
        elif kind == "insert":
            text = text[:at] + draw(PIECES) + text[at:]
        elif kind == "double":
            text = text[:at] + text[max(0, at - 5) : at] + text[at:]
        else:
            text = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
    return text


@given(st.one_of(NOISE, mutated()), st.sampled_from(["/", "/repo", "/a b/c"]))
def test_any_text_gets_a_whole_answer(command, cwd):
    found = explain(command, cwd)
    effects = found.effects
    assert effects.verdict in ("read_only", "write", "unknown")
    assert effects.verdict != "read_only" or (effects.targets == () and effects.operation == "read")
    assert effects.verdict != "unknown" or effects.operation_class == "destructive" or found.segments
    assert len(set(effects.targets)) == len(effects.targets)
    assert all(target and (target[0] in "/~$" or "$" in target) for target in effects.targets)
    assert classify(command, cwd) == effects


@given(NOISE)
def test_the_grammar_is_given_ascii_of_the_same_length(command):
    """Its scanner hands characters to C functions that are only defined for ASCII; others crashed the process."""
    source = command.encode("utf-8", "surrogatepass")
    try:
        lexed = lex(source)
    except Unreadable:
        return
    assert lexed.text.isascii()
    assert len(lexed.text) == len(source)


@given(st.lists(PIECES, min_size=1, max_size=6).map("".join), st.integers(1, 12))
def test_repetition_stays_within_bounds(piece, power):
    assert classify(piece * 2**power, "/repo").verdict in ("read_only", "write", "unknown")


# Ways to write `rm x` that every shell runs as `rm x`.
SPELLINGS = st.sampled_from(
    [
        "rm x", "r''m x", '"rm" x', "\\rm x", "r\\m x", "$'\\x72m' x", "/bin/rm x", "rm -rf -- x", "rm\tx",
        "rm \\\n x", "'r'\"m\" x", "r\\\nm x", "rm\\\n x",
    ]
)  # fmt: skip
WRAPPINGS = st.sampled_from(
    [
        "sudo {}", "env A=1 {}", "nice -n 5 {}", "nohup {}", "timeout 5 {}", "command {}", "exec {}", "time {}",
        "stdbuf -oL {}", "busybox {}", "xargs {} < list", "find . -maxdepth 0 -exec {} \\;", "! {}", "({})",
        "{{ {}; }}", "true && {}", "false || {}", "ls; {}", "ls | ( {} )", "ls\n{}", "ls & {}",
        "{} > /dev/null 2>&1", "{} # ls", "if {}; then :; fi", "if :; then {}; fi", "while {}; do break; done",
        "for i in 1; do {}; done", "case a in *) {};; esac", "f() {{ {}; }}; f", "ls() {{ {}; }}; ls",
        "echo $( {} )", 'echo "$({})"', "A=$({})", "cat <({})", "ls > >({})", "[ -n \"$({})\" ]", "[[ $({}) ]]",
        "echo ${{A:-$({})}}", "cat <<E\n$( {} )\nE", "bash <<'E'\n{}\nE", "trap {} EXIT; ls", "export A=$({})",
        "cd /tmp; {}", "coproc {}", "coproc N {{ {}; }}", "echo $[ $({}) ]", "ls\n\\\n{}",
        "[ a 2>/dev/null ]; {}", "ls !(a); {}", "[ a \\> $({}) ]", "docker exec web {}", "flock l {}",
        "nix develop -c {}", "adb shell {}",
    ]
)  # fmt: skip


@given(SPELLINGS, st.lists(WRAPPINGS, max_size=4))
def test_a_deletion_is_never_read_only_however_it_is_wrapped(spelling, wrappings):
    command = spelling
    for wrapping in wrappings:
        command = wrapping.format(shlex.quote(command) if wrapping.startswith("trap") else command)
    assert classify(command, "/repo").verdict != "read_only", command


CONTENT = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=40)
TEMPLATES = st.sampled_from(
    [
        "cat > f <<'EOF'\n{}\nEOF\nrm a", "cat <<EOF | tee f\n{}\nEOF",
        "git commit -m \"$(cat <<'EOF'\n{}\nEOF\n)\"",
        "cat <<-'EOF' > f && rm a\n{}\n\tEOF", "python3 - <<'EOF'\n{}\nEOF", "sqlite3 a.db <<'EOF'\n{}\nEOF",
        "if true; then\n cat > f <<'EOF'\n{}\nEOF\nfi", "ssh h bash <<'EOF'\n{}\nEOF",
    ]
)  # fmt: skip


@given(TEMPLATES, CONTENT, CONTENT)
def test_no_heredoc_body_leaves(template, before, after):
    body = f"{before}{MARKER}{after}".replace("EOF", "eof")
    assert MARKER not in classify(template.format(body), "/repo").command


QUOTABLE = st.text(st.characters(codec="utf-8", exclude_characters="'\r\0"), max_size=40)
CODE = st.sampled_from(
    [
        "python3 -c '{}'", "node -e '{}'", "bash -c '{}'", "perl -pi -e '{}' f", "ruby -e '{}'",
        "awk '{}' f > g", "sed -i '{}' f", "eval '{}'", "psql -c '{}'", "ssh h '{}'", "sudo sh -c '{}'",
        "trap '{}' EXIT; rm a", "echo '{}' > f", "printf '%s' '{}' >> f", "echo '{}' | tee f",
        "echo '{}' | python3", "cat > f <<< '{}'", "A='{}'; echo \"$A\" > f", "A='{}'; python3 -c \"$A\"",
        "( echo '{}' ) > f", "for i in 1 2; do echo '{}'; done > f", "php -r '{}'", "su -c '{}'",
        "find . -exec sh -c '{}' \\;", "mongosh --eval '{}'", "watch '{}'", "deno eval '{}'",
        "f() {{ echo '{}'; }}; f > g", "xargs -I% sh -c '{}' < l", "flock l -c '{}'", "bq query '{}'",
        "nix-shell --run '{}'", "bun -e '{}'", "python3 -m timeit '{}'", "black --code '{}'", "adb shell '{}'",
        "mlr --csv put '{}' a", "sqlite3 a '{}'", "vim -es -c '{}' -c q a", "mysql -e '{}'",
        "coproc sh -c '{}'",
    ]
)  # fmt: skip


@given(CODE, QUOTABLE, QUOTABLE)
def test_no_inline_code_and_no_text_of_a_file_leaves(template, before, after):
    before = before.lstrip("-+")  # with a sign in front the programs take it for an option, not for code
    assert MARKER not in classify(template.format(f"{before}{MARKER}{after}"), "/repo").command


def test_what_is_hidden_in_the_corpus_stays_hidden_with_other_content():
    planted = 0
    for row in CORPUS:
        command = row["command"]
        shown = classify(command, "/repo").command
        for found in re.finditer(r"'[^']*'|\n[^\n]*(?=\n)", command):
            piece = found.group().strip("'\n")
            if piece and piece not in shown:
                planted += 1
                at = found.start() + 1
                changed = f"{command[:at]}{MARKER} {command[at:]}"
                assert MARKER not in classify(changed, "/repo").command, changed
    assert planted > 100


WEIGHTS = ("read_only", "write", "unknown")
# A command, and the folder in which the next one runs.
BESIDE = st.sampled_from(
    [
        ("ls -la", "/repo"), ("cd build", "/repo/build"), ("rm -rf out 2>/dev/null", "/repo"), ("./foo --all", "/repo"),
        ("git push origin main", "/repo"), ("npm publish", "/repo"), ("echo x > dist/a.js", "/repo"),
        ("cat <<'E'\nrm a\nE", "/repo"), ("cat <<E > f\n$(rm g)\nE", "/repo"), ("kubectl delete ns prod", "/repo"),
        ("curl -X POST https://x/deploy 2>&1", "/repo"), ("mise run fmt", "/repo"),
        ("time touch c", "/repo"), ("! make", "/repo"),
        ("grep -rn 'a b' src | sort | uniq", "/repo"), ("cd /srv && ls 2>&1 | tail -3", "/srv"), ("$RUN now", "/repo"),
        ("(cd docs; touch new)", "/repo"), ("while read f; do touch a; done < list", "/repo"),
        ("if ls; then rm b; fi", "/repo"), ("cd web && npm test > log.txt 2>&1", "/repo/web"),
        ("git log | sort | head -3", "/repo"), ("{ ls; touch d; } 2>&1 | tee e", "/repo"),
    ]
)  # fmt: skip
# What stands on the first command's line behind it.
BETWEEN = st.sampled_from(
    [
        "", ";", "&&", "2>/dev/null", "| sort | head", "| head 2>&1;", "&", "|| true;", "# note",
        "| sort | head -3 # note; ls", "&& ls 2>&1 | head",
    ]
)  # fmt: skip


def holds(whole, part):
    """Whether all that is asked of a command is asked of the line that holds it, too."""
    heavier = WEIGHTS.index(whole.verdict) >= WEIGHTS.index(part.verdict)
    return heavier and set(part.targets) <= set(whole.targets)


@given(BESIDE, BETWEEN, BESIDE, st.sampled_from(["\n", "\n\n", " "]))
def test_what_stands_beside_a_command_takes_nothing_away(first, between, second, end):
    command, folder = first
    opened, line_end, body = command.partition("\n")
    if line_end or between[-1:] not in (";", "&"):
        end = "\n"
    line = f"{opened} {between}{line_end}{body}{end}{second[0]}"
    if between == "&" or (between.startswith("| ") and " && " not in opened):
        folder = "/repo"
    whole = classify(line, "/repo")
    assert holds(whole, classify(command, "/repo")), line
    assert holds(whole, classify(second[0], folder)), line


SPELLED = (
    "~/.onlooker/compass", "~/.onlooker", "$HOME/.onlooker/compass", '"${HOME}"/.onlooker/compass', "~/.onl*",
    "~/.onlooker/c*", "~/{.onlooker,x}/compass", "../.onlooker/compass", "./../.onlooker/compass/compass.db",
    ".claude/settings.local.json", "./.claude", "linked/compass.db",
)  # fmt: skip
HARMS = ("rm -rf {}", "rm -r -f -- {}", "shred -u {}", "mv {} /tmp/x", "chmod -R 000 {}")
BEFORE = (
    "", "cd src && cd .. && ", "ls; ", "true && ", "git status && ", "cat README.md | wc -l; ",
    "mkdir -p dist && ",
)  # fmt: skip
CALLED = {
    row["command"].replace(inner, "{}")
    for row in map(json.loads, (ROOT / "fixtures/bash/rows-run.jsonl").read_text().splitlines())
    for inner in ("rm -rf src", "rm -rf dist", "rm x")
    if inner in row["command"] and " -C " not in row["command"] and " -D " not in row["command"]
}
"""How each program that runs another is called."""
LINES_OF_NAMES = {"npm-run-all", "run-p", "run-s", "sudoedit"}
"""They take names of scripts, or of files."""
FORMS = tuple(
    form
    for form in (*lines(WRAPPERS), *lines(EXPANSIONS), *sorted(CALLED), "{}")
    # Two of a kind would end each other's quotation, and what they stand for is not the command any more.
    if not form.endswith("&") and not form.startswith("BASH_ENV")
)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    return Guarded(tmp_path_factory.mktemp("guarded"))


def fits(form, command):
    """Whether the command can stand there: quotation inside of the same quotation would end it."""
    before = form.partition("{}")[0]
    return not any(before.count(quote) % 2 and quote in command for quote in ("'", '"'))


def test_each_wrapper_is_among_the_forms():
    named = {form.split()[0] for form in CALLED}
    assert set(field_of("wrappers").programs) - named - LINES_OF_NAMES == set()


@corpus("form", sorted(CALLED))
def test_no_program_that_runs_another_hides_the_state_folder(guarded, form):
    assert guarded.bash(form.replace("{}", "rm -rf ~/.onlooker/compass"))


@given(
    place=st.sampled_from(SPELLED),
    harm=st.sampled_from(HARMS),
    form=st.sampled_from(FORMS),
    before=st.sampled_from(BEFORE),
    after=st.sampled_from(("", " && echo done", "; ls", " || true", " 2>/dev/null")),
)
def test_no_wrapper_and_no_spelling_hides_a_protected_place(guarded, place, harm, form, before, after):
    command = harm.format(place)
    if not fits(form, command):
        return
    line = before + form.replace("{}", command + after if form == "{}" else command)
    assert guarded.bash(line), line


@given(
    harm=st.sampled_from(HARMS),
    form=st.sampled_from(FORMS),
    before=st.sampled_from(BEFORE),
    place=st.sampled_from(("build", "src/old.py", "./dist/a.js", "~/notes.txt", "/tmp/x/y")),
)
def test_the_same_with_another_place_is_no_offence(guarded, harm, form, before, place):
    line = before + form.replace("{}", harm.format(place))
    assert guarded.bash(line) == "", line
