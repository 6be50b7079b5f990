"""One simple command: its redirections, assignments and words, and which table or function answers for it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from evaluator.model import Operation
from evaluator.shell.call import Call, Outcome, Ran, Stdin, dynamic, handed_on, reads, unlisted, writes
from evaluator.shell.parse.grammar import Unreadable
from evaluator.shell.rows.tables import handler_of, is_known_anywhere, program_of
from evaluator.shell.scope import ITEM, Hazard, worse_hazard
from evaluator.shell.walk.builtins import BUILTINS
from evaluator.shell.walk.walker import ShellWalker, assign, before, extents
from evaluator.shell.words import Word

if TYPE_CHECKING:
    from tree_sitter import Node

WORDS = frozenset(
    (
        "word", "number", "string", "raw_string", "ansi_c_string", "translated_string", "concatenation",
        "simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion",
        "brace_expression", "extglob_pattern", "regex", "variable_name", "special_variable_name", "command_name",
    )
)  # fmt: skip
RESERVED = frozenset(
    (
        "{", "}", "!", "[[", "]]", "if", "then", "elif", "else", "fi", "do", "done", "while", "until", "for", "select",
        "case", "esac", "function", "coproc",
    )
)  # fmt: skip
"""Words of the shell, which are no programs: a tree that has one for a command was misread."""
NOT_WORDS = frozenset(("subshell", "compound_statement", "test_command", "function_definition"))
FILE_WRITES = frozenset(("create", "append", "overwrite"))
OPERATIONS: dict[str, Operation] = {">>": "append", "&>>": "append"}
DESCRIPTOR = re.compile(r"\d+-?\Z|-\Z")
AFTER_WORD = frozenset((b"", b" ", b"\t", b"\n", b";", b"&", b"|", b")", b"<", b">", b"`", b"\\"))
SPEAKING = frozenset(("echo", "printf"))
HANDS_ON = frozenset(("eval", "source", ".", "command", "builtin", "exec", "time"))
"""What they run sees the variables in front of them."""
FETCHING = frozenset(("curl", "wget", "http", "https", "xh", "aria2c"))
PIPE = Stdin("pipe")

VERBS_MAX = 3
TERMINAL_INPUT = re.compile(r"/dev/(?:tty\w*|console|pts/\d+)\Z")
SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh"))
TAKE_CODE = frozenset(("node", "ruby", "perl", "php"))
PYTHONS = re.compile(r"(?:python|pypy)[\d.]*\Z")
IMPORTS = re.compile(r"\bimport\s+(\w+)|\bfrom\s+(\w+)")
SHEBANG = re.compile(r"#!\s*(?:/usr/bin/env\s+(?:-S\s+)?)?(\S+)")
SCRIPT_WORDS = 8
"""A script stands among the first words of the command that runs it."""
OF_BUILDS = frozenset(("build", "task"))


@dataclass(slots=True)
class Opened:
    """What the redirections of a command do: its input, whether its output is kept, and what they write."""

    stdin: Stdin
    sink: bool
    outcomes: list[Outcome]
    extra: list[tuple[int, int]]
    diverted: bool = False


def command(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool, redirects: Sequence[Node]) -> Stdin:
    """Returns what the command hands on in a pipeline. `A=1 2>x ls` may be an assignment to the grammar."""
    assignments: list[Node] = []
    inner: list[Node] = []
    nodes: list[Node] = []
    substituted = walker.lexed.substitutions
    for child in [node] if node.type == "variable_assignment" else node.children:
        kind = child.type
        if kind == "variable_assignment" and not nodes:
            if walker.lexed.text[child.end_byte : child.end_byte + 1] not in AFTER_WORD:
                raise Unreadable("a word that begins like an assignment")
            assignments.append(child)
        elif kind == "file_redirect":
            inner.append(child)
        elif kind in NOT_WORDS:
            # What is no word here was misread.
            walker.walk(child, stdin, sink)
            walker.add([dynamic()], walker.text(node))
        else:
            nodes.append(child)
        if substituted and kind != "file_redirect":
            walker.substitutions(child)
    opened = open_redirects(walker, [*inner, *redirects], stdin, sink)
    reader = walker.reader()
    places = extents(nodes)
    if opened.extra:
        places = sorted([*places, *opened.extra])
    known = walker.scope.hazard
    words = [word for start, end in places for word in reader.words(start, end)]
    text = walker.text(node)
    if walker.scope.hazard == "unknown" != known:
        # Its own words assign or compute what the shell evaluates.
        walker.add([dynamic("shell")], text)
    handed = PIPE
    if words:
        if words[0].text in RESERVED:
            raise Unreadable("a reserved word that the grammar mistakes for a program")
        hazard = _assign_before_command(walker, assignments, opened)
        walker.sink = opened.sink
        outcomes = dispatch(walker, words, opened.stdin, functions=True, hazard=hazard)
        alone = opened.stdin.kind == "none" and not assignments
        walker.add(_add_command_identity(walker, outcomes, words, alone), text)
        program = program_of(words[0].text)
        for path in [target for one in opened.outcomes for target in one.targets]:
            walker.run.written[path] = program in FETCHING
            note_text(walker.run.texts, path, program, words[1:], opened.stdin)
        said = words[1:] if program in SPEAKING and opened.sink else []
        for word in (one for one in said if not re.fullmatch(r"-[neE]{1,3}", one.text)):
            walker.hide(word.spans, f"[text: {len(word.text)} chars]")
        if not opened.diverted:
            handed = handed_on(program, words[1:], opened.stdin)
        walker.scope.last = words[-1].text if words[-1].plain else None
    else:
        walker.run.spend()
        for one in assignments:
            assign(walker, one)
    walker.add(opened.outcomes, text)
    return handed


def _assign_before_command(walker: ShellWalker, assignments: Sequence[Node], opened: Opened) -> Hazard:
    """What the assignments in front of a command make of it."""
    hazard: Hazard = ""
    for one in assignments:
        weight, file = before(walker, one)
        hazard = worse_hazard(hazard, weight)
        opened.outcomes += file
        if opened.stdin.told == "colon" and walker.text(one) in ("IFS=:", "IFS=':'"):
            opened.stdin = replace(opened.stdin, told="first")
    return hazard


def dispatch(
    walker: ShellWalker, words: list[Word], stdin: Stdin, *, functions: bool, hazard: Hazard = ""
) -> list[Outcome]:
    """What the command does, with absolute targets. `functions` is false behind a wrapper, which knows none."""
    if not words:
        return []
    walker.run.spend()
    before, cwd = len(walker.run.ran), walker.scope.cwd
    done = _command_outcomes(walker, words, stdin, functions=functions, hazard=hazard)
    inner = len(walker.run.ran) - before
    text = stdin.text if stdin.kind == "text" else ""
    walker.run.ran.append(
        Ran(tuple([word.text for word in words]), cwd, tuple(done), inner, text, stdin.kind == "none")
    )
    return done


def _command_outcomes(
    walker: ShellWalker, words: list[Word], stdin: Stdin, *, functions: bool, hazard: Hazard
) -> list[Outcome]:
    first = words[0]
    if first.text != "[" and not first.plain:
        return [dynamic()]
    program = program_of(first.text)
    args = words[1:]
    scope = walker.scope
    if hazard and (first.text in HANDS_ON or (functions and first.text in scope.functions)):
        scope.hazard = worse_hazard(scope.hazard, hazard)
    if functions and first.text in scope.functions:
        found = walker.call(first.text, [word.text for word in args], stdin)
    elif functions and first.text in scope.aliases:
        found = [dynamic("alias")]
    elif first.text in BUILTINS:
        found = BUILTINS[first.text](walker, args, stdin)
    elif "unknown" in (hazard, scope.hazard):
        found = [dynamic("hazard")]
    else:
        handler = handler_of(program)
        if handler is None and not _command_asks_for_help(program, args):
            program, found = _command_by_base_name(program, args, stdin, walker)
        elif handler is None or (len(args) == 1 and args[0].text in ("--help", "--version")):
            found = [reads()]
        else:
            found = handler(Call(program, tuple(args), stdin, walker))
        if hazard or scope.hazard:
            found = [unlisted("hazard") if one.verdict == "read_only" else one for one in found]
    found = [_judge_command_by_words(one, words) for one in found]
    run = walker.run
    if run.written:
        found = of_written_scripts(walker, words, found)
    done = [resolved(walker, one.named(program)) for one in run.rules.judge(words, program, found)]
    for one in done:
        # What is built of files that this line did not write runs no text of it.
        if one.operation != "permissions" and (run.written or one.family != "build"):
            for path in one.targets:
                run.written[path] = one.operation == "network"
    return done


def _command_asks_for_help(program: str, args: Sequence[Word]) -> bool:
    """`X --version`, `X VERB --help`: of an installed program, not of one by its path."""
    if not args or "/" in program or not all(word.plain for word in args):
        return False
    verbs = [word.text for word in args[:-1]]
    asks = args[-1].text == "--help" or (args[-1].text == "--version" and not verbs)
    named = all(verb[:1].isalpha() and verb.replace("-", "").isalnum() for verb in verbs)
    return asks and named and len(verbs) <= VERBS_MAX


def _judge_command_by_words(outcome: Outcome, words: Sequence[Word]) -> Outcome:
    """What nobody listed is unknown where it says that it destroys. What a wrapper runs was looked at there."""
    if outcome.operation != "unknown" or outcome.operation_class != "modifying" or outcome.program:
        return outcome
    from evaluator.shell.rows.destructive_words import destroys

    unknown = replace(dynamic(outcome.family, outcome.targets), offence=outcome.offence)
    return unknown if destroys(words) else outcome


def _command_by_base_name(
    program: str, args: Sequence[Word], stdin: Stdin, walker: ShellWalker
) -> tuple[str, list[Outcome]]:
    """An agent, or Compass, is one wherever it lies; what lies where anybody may put it never only reads."""
    last = program.rpartition("/")[2]
    handler = handler_of(last) if last != program and is_known_anywhere(last) else None
    if handler is None:
        return program, [unlisted()]
    found = handler(Call(last, tuple(args), stdin, walker))
    return last, [unlisted(one.family) if one.verdict == "read_only" else one for one in found]


def resolved(walker: ShellWalker, outcome: Outcome) -> Outcome:
    if not outcome.targets:
        return outcome
    paths = dict.fromkeys(walker.scope.path(target) for target in outcome.targets)
    paths.pop("", None)
    no_file = outcome.operation in FILE_WRITES and not any(ITEM in target for target in outcome.targets)
    if not paths and no_file:
        return Outcome("read_only", outcome.family, program=outcome.program)
    return outcome.at(paths)


def _add_command_identity(
    walker: ShellWalker, outcomes: list[Outcome], words: list[Word], alone: bool
) -> list[Outcome]:
    """What has no target is known again by its words and folder, where nothing else of the line decides on it."""
    if all(one.verdict == "read_only" or one.targets for one in outcomes):
        return outcomes
    scope = walker.scope
    alone = alone and walker.root and all(word.plain for word in words)
    known = alone and not (scope.variables or scope.functions or scope.aliases or scope.hazard)
    does = "\x1f".join((scope.cwd, *(word.text for word in words))) if known else ""
    return [
        one if one.verdict == "read_only" or one.targets or one.does == does else one.but(does=does)
        for one in outcomes
    ]


def open_redirects(walker: ShellWalker, nodes: Sequence[Node], stdin: Stdin, sink: bool) -> Opened:
    opened = Opened(stdin, sink, [], [])
    for node in nodes:
        if node.type != "file_redirect":
            raise Unreadable("an unrecognized form of redirection")
        walker.substitutions(node)
        sign = next((child for child in node.children if not child.is_named), None)
        if sign is None:
            raise Unreadable("a redirection without an operator")
        destinations = extents(node.children_by_field_name("destination"))
        if sign.type in (">&-", "<&-"):
            opened.extra += destinations
        elif destinations:
            opened.extra += destinations[1:]
            if sign.type.startswith("<"):
                _open_command_input(walker, opened, sign, destinations[0])
            else:
                _open_command_output(walker, opened, node, sign.type, destinations[0])
    return opened


def _open_command_input(walker: ShellWalker, opened: Opened, sign: Node, extent: tuple[int, int]) -> None:
    heredoc = walker.heredoc(sign.start_byte)
    if heredoc is not None:
        opened.stdin = heredoc
        return
    word = walker.reader().value(*extent)
    if sign.start_byte in walker.lexed.herestrings:
        walker.hide(word.spans, f"[text: {len(word.text)} chars]")
        hidden = word.dynamic and word.text.startswith(("$", "`"))
        opened.stdin = PIPE if hidden else Stdin("text", word.text, made=word.dynamic)
    elif sign.type == "<" and TERMINAL_INPUT.match(word.text):
        opened.stdin = Stdin()
    elif sign.type == "<":
        path = walker.scope.path(word.text)
        known = "" if word.text == "/dev/null" else walker.run.texts.get(path)
        piped = word.text.startswith("<(") or path in walker.run.written
        opened.stdin = Stdin("text", known) if known is not None else PIPE if piped else Stdin("file")


def _open_command_output(
    walker: ShellWalker, opened: Opened, node: Node, sign: str, extent: tuple[int, int]
) -> None:
    word = walker.reader().value(*extent)
    descriptor = next((walker.text(child) for child in node.children if child.type == "file_descriptor"), "1")
    if sign == ">&" and DESCRIPTOR.match(word.text):
        return
    kept = not word.text.startswith("/dev/")
    if descriptor == "1" or sign.startswith("&"):
        opened.diverted = True
        opened.sink = kept or (opened.sink and word.text.startswith(("/dev/stdout", "/dev/fd")))
    if word.text.startswith(("/dev/tcp/", "/dev/udp/")):
        opened.outcomes.append(writes("network", (), "redirect"))
    elif path := walker.scope.path(word.text):
        done = writes(OPERATIONS.get(sign, "overwrite"), (path,), "redirect").named(sign)
        opened.outcomes.append(done)
        walker.run.ran.append(Ran((sign, word.text), walker.scope.cwd, (done,)))


def note_text(
    texts: MutableMapping[str, str], path: str, program: str, words: Sequence[Word], stdin: Stdin
) -> None:
    """Keep what a redirection puts into a file, where the words or the input of its command say it."""
    if program in ("cat", "tee") and not words and stdin.kind == "text":
        texts[path] = texts.get(path, "") + stdin.text
    elif program in ("echo", "printf") and all(word.plain for word in words):
        said = " ".join(word.text for word in words if not re.fullmatch(r"-[neE]{1,3}", word.text))
        texts[path] = texts.get(path, "") + said.replace("\\n", "\n") + "\n"
    else:
        texts.pop(path, None)


def of_written_scripts(walker: ShellWalker, words: Sequence[Word], found: list[Outcome]) -> list[Outcome]:
    """`found` is what the command does as far as its words say; what it runs is looked up in what was written."""
    # Python code may take up a module that the same line writes.
    taken = [pair for word in words[1:SCRIPT_WORDS] for pair in IMPORTS.findall(word.text)]
    imported = {f"{name}.py" for pair in taken for name in pair if name}
    if not imported.isdisjoint(map(posixpath.basename, walker.run.written)):
        return [dynamic("script")]
    unlisted = any(
        one.operation == "unknown" and one.verdict == "write" and one.family != "hazard" for one in found
    )
    builds = any(one.family in OF_BUILDS for one in found)
    for word in words[:SCRIPT_WORDS] if unlisted or builds else ():
        path = walker.scope.path(word.text)
        fetched = walker.run.written.get(path)
        if fetched is not None:
            return [dynamic("script")] if fetched or builds else _walk_written_script(walker, words, path)
    return found


def _walk_written_script(walker: ShellWalker, words: Sequence[Word], path: str) -> list[Outcome]:
    text = walker.run.texts.get(path)
    if text is None:
        return [dynamic("script")]
    program = interpreter_of(words[0].text, text, runs_itself=walker.scope.path(words[0].text) == path)
    if program in SHELLS or program in ("source", "."):
        return walker.run_code(text)
    inline = inline_form(program)
    return walker.run_words([*map(Word, inline), Word(text)]) if inline else [dynamic("script")]


def interpreter_of(word: str, text: str, *, runs_itself: bool) -> str:
    """What runs the script: the command's own program, or what its first line names."""
    told = SHEBANG.match(text) if runs_itself else None
    return posixpath.basename(told.group(1) if told else "sh" if runs_itself else word)


def inline_form(program: str) -> tuple[str, ...]:
    """The words with which an interpreter takes a script's text as an argument; empty for one that is not known."""
    if PYTHONS.match(program):
        return ("python3", "-c")
    return (program, "-r" if program == "php" else "-e") if program in TAKE_CODE else ()
