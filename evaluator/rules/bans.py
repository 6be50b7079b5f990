"""What the user forbids outright, in their own words: a thing, a kind of act, or acting at all. Pure.

Read are the current request, what still stands of earlier messages, and the lines of instruction files that forbid. Only
what a person typed counts: quotations, logs, code, pasted text, reports and questions forbid nothing. A later order that
names the same thing lifts a ban. Whatever is unsure is no ban: readers see the exchange as well.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal

from evaluator.exchange import verbs
from evaluator.exchange.fold import fold, is_unspaced
from evaluator.exchange.pasted import parted
from evaluator.model import Effect, Effects
from evaluator.record import Record
from evaluator.rules import words

Sort = Literal["thing", "only", "act", "halt"]
TEXT_CHARS_MAX, CLAUSES_MAX, QUOTE_CHARS_MAX = 8_000, 120, 90
LINE_CHARS_MAX = 300
_FORBIDS = re.compile(
    r"\b(?:never|don'?t|do not|must ?n[o']t|should not|avoid|leave|keep|no|off[- ]limits|nicht|nie|niemals|keine?|ne|pas|jamais|nunca|no|não|non|mai)\b"
    r"|не|нельзя|никогда|不|别|禁止|勿|ない|禁|지 ?마|금지|मत|न"
)
"""What a line of an instruction file has to hold to be read at all."""
_MARKS = {
    "de": r"\b(?:nicht|nichts|nur|kein\w*|finger|hände|lass|außer|ohne|niemals|nie|erst|warte|wart|stopp|aufhören|unverändert|tabu|noch|bitte|zeig|bleib\w*|unangetastet|unberührt|verboten|das|der|ich|selber"
    r"|ausschließlich)\b",
    "fr": r"\b(?:pas|jamais|sans|seulement|uniquement|laisse\w*|sauf|aucune?|rien|arr[eê]te\w*|attends|attendez|d'abord|juste|stop"
    r"|avant|interdi\w*|le|les|fichier|dossier|réponds|propose|lecture|limite\w*|exclusivement|hormis|bas)\b|\bn[e']",
    "es": r"\b(?:no|nunca|sin|sólo|solo|solamente|deja\w*|salvo|menos|ningun\w*|ningún|nada|para|espera|alto|primero|todavía|jamás|únicamente"
    r"|excepto|prohibid\w*|carpeta|archivo|el|los|antes|muéstrame|responde|explica\w*|dime|analiza|manos|límit\w*|basta|detente|intocables?)\b",
    "pt": r"\b(?:não|nao|nunca|sem|só|somente|apenas|deix\w*|exceto|menos|nenhum\w*|nada|par[ae]|espera|espere|primeiro|ainda|jamais|pera"
    r"|aguarde|chega|nem|é|pasta|arquivo|proibid\w*|antes|mostre|responda|explique)\b",
    "it": r"\b(?:non|mai|senza|solo|soltanto|lascia\w*|tranne|eccetto|nessun\w*|niente|nulla|ferma\w*|aspetta\w*|prima|giù|basta|fermati"
    r"|attendi|vietat\w*|è|il|cartella|basta|sola|limitati|unicamente|esclusivamente)\b",
}
_SENTENCE = re.compile(r"(?<=[.!?…])(?=\s|$)|(?<=[。！？؟।])|\n+|;\s|；")
_CLAUSE = re.compile(
    r",(?=\s)|:\s|[，、,：；](?=[^\x00-\x7f])|[，：；、]|\s[-–—]+\s|—|[()（）]|(?<=말고)\s|\s(?=(?:but|however|although|without|except|excluding|and"
    r" (?:then |please |also )?(?:don'?t|do not|never|no|not|leave|keep|only|stop|wait|stay)|aber|und (?:nicht|kein\w*|lass)|ohne|außer"
    r"|mais|sans|sauf|et (?:ne|laisse)|pero|sin|salvo|excepto|y (?:no|deja)|mas|sem|exceto|e (?:não|nao|non|deixe|lascia)|ma|senza|tranne"
    r"|но|кроме|а не|и не|without|rather|instead)\s)|(?=(?:但是|但|不过|ただし|でも|하지만|लेकिन|पर )\S)"
)
_QUOTED = re.compile(
    r"\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|(?<!\w)'[^'\n]{3,}'(?!\w)|‘[^’\n]*’"
)
_EDGES = " \t.!…*_-•>。！"
_INTERJECTION = re.compile(
    r"(?:please |bitte |ok |oh )?(?:stop+|wait|hold|halt|pause|freeze|warte?|moment|attend|arr[eê]te|une? (?:minute|seconde|instant)|para|espera|espere|alto|pera|par[ae]\b|aguarde|calma"
    r"|ferm|aspetta|un (?:attimo|momento)|стоп|стой|подожд|погод|停|等|慢|打住|待|止|ストップ|ちょっと|一旦|잠깐|잠시|멈|기다|스톱|रुक|ठहर|थोड़ा)"
)
_NAME = re.compile(
    r"(?<![\w/.])(?:~?[\w@.*+-]*(?:/[\w@.*+\[\]-]*)+|\*+\.[a-z0-9.*]+|\.[a-z]\w[\w.-]*|[\w@+-]+(?:\.[\w*+-]+)*\.[a-z*]\w{0,8}|(?<![\w-])(?:make|docker|jenkins|gem|rake|proc|vagrant|brew|just)file)(?![\w/])",
    re.ASCII,
)
_NO_NAMES = frozenset(
    (
        "e.g",
        "i.e",
        "etc.",
        "and/or",
        "n/a",
        "w/o",
        "/",
        "ci/cd",
        "read/write",
        "on/off",
        "either/or",
        "a.m",
        "p.m",
    )
)
_KIND_OF = re.compile(
    r"(?<![\w.])\.?([a-z][a-z0-9]{0,5})[- ](?:files?|dateien|scripts?)\b|(?:файлы|файлов|archivos|ficheros|arquivos|fichiers|file) \.?([a-z]{1,5})\b"
)
_ENDINGS = frozenset(
    [
        "py",
        "js",
        "ts",
        "tsx",
        "jsx",
        "go",
        "rs",
        "java",
        "kt",
        "rb",
        "php",
        "c",
        "h",
        "cpp",
        "cs",
        "swift",
        "sql",
        "json",
        "yaml",
        "yml",
        "toml",
        "xml",
        "html",
        "css",
        "scss",
        "md",
        "txt",
        "csv",
        "proto",
        "graphql",
        "sh",
        "tf",
        "lock",
        "env",
        "ini",
        "cfg",
        "vue",
        "svelte",
        "ipynb",
        "ex",
        "lua",
    ]
)
_FOLDER = re.compile(
    r"\b(?:the |my |our |der |den |das |le |la |el |il |o |a )?([\w@-]{2,40}) (?:folder|directory|dir|package|module|file|ordner|verzeichnis)\b"
    r"|\b(?:folder|directory|dir|package|module|ordner|dossier|répertoire|carpeta|directorio|pasta|diretório|cartella|папк[ауие]|каталог)"
    r" `?([\w@-]{2,40})|([\w@-]{2,40})(?:\s*)(?:文件夹|目录|フォルダー?|ディレクトリ|폴더|디렉터리|디렉토리|फ़ोल्डर|फोल्डर)"
)
_REPORTED = re.compile(
    r"\b(?:says|said|wrote|writes|reads(?= )|claims|warns|warned|complains|prints|returns|shows|quot\w+|saying|message|titled|called|named|label\w*"
    r"|errors?|logs?|sagt\w*|schreibt|steht|heißt|meldet|dit|affiche|indique|dice|decía|muestra|diz|mostra|dicono|пишет|говорит|сказал\w*|написано|называется)\b"
    r"|(?:说|写着|提示|显示|と言っ|と書|という|と表示|라고|라는|कहा|लिखा)"
)
_OWN_WORDS = re.compile(
    r"\b(?:i (?:said|told|asked|repeat)|as i said|like i said|ich (?:sagte|hab)|j'ai dit|te dije|dije|eu disse|ho detto|я (?:сказал\w*|просил\w*))|我说|言った|말했"
)
_CONDITION = re.compile(
    r"\b(?:if|unless(?! i | you are told| asked| told| explicitly)|in case|wenn|falls|si(?! te)|se(?! |$)|sauf si|если|quando|when)\b|如果|要是|もし|たら|(?<=다)면|अगर|यदि"
)
_TALK = re.compile(
    r"\b(?:plan\w*|propos\w*|vorschl\w*|summar\w*|outline|options?|answers?|explain\w*|review|list|liste?\w*|questions?|frage\w*|design|approach|thoughts"
    r"|opinion|analys\w*|analyz\w*|describe\w*|propuesta|proposta|riassum\w*|erklär\w*|expliqu\w*|explica\w*|spiega\w*|diff|plano|piano|tell|show|wait|stop)\b"
    r"|план\w*|предлож\w*|объясн\w*|анализ\w*|计划|方案|解释|分析|回答|説明|計画|プラン|レビュー|案|설명|계획|분석|리뷰|योजना|समझा"
)
_TO_TALK = re.compile(
    r"(?:^|/)[^/]*(?:plan|design|proposal|notes?|review|analysis|research|rfc|adr)[^/]*\.(?:md|txt|mdx|rst)$|/plans?/"
)
_SUITES = re.compile(
    r"\b(integration|e2e|end-to-end|api|ui|frontend|backend|smoke|snapshot|acceptance|performance|db|database)[- ]tests?\b"
)
_ADJECTIVES = frozenset(
    [
        "existing",
        "old",
        "new",
        "current",
        "failing",
        "passing",
        "broken",
        "legacy",
        "production",
        "prod",
        "public",
        "shared",
        "own",
        "generated",
        "big",
        "whole",
        "entire",
        "complete",
        "actual",
        "other",
        "flaky",
        "green",
        "red",
        "bestehenden",
        "alten",
        "existants",
        "anciens",
        "existentes",
        "viejos",
        "antiguas",
        "esistenti",
        "vecchi",
        "test",
        "unit",
        "database",
        "db",
        "sql",
        "schema",
    ]
)
"""Before a kind of file they do not tell which."""
_CONDITION_OF_ACT = re.compile(
    r"(?<=\w) (?:until|till|before|unless|without|bis|bevor|avant|jusqu\w*|hasta|antes|até|finché|prima|пока я)\b.*"
)
"""When an act may be done after all: that is for the user to say."""
_NOT_ONLY = re.compile(
    r"\bnot only|nicht nur|pas seulement|no sólo|no solo|não só|non solo|не только|不只|不仅|だけでなく|뿐만"
)
_ONLY_OF = re.compile(r"\S+(?:지 ?말고|ないで)")
_NOTHING_ELSE = re.compile(
    r"\b(?:nothing (?:else|more|other)|no other (?:files?|changes?)|sonst nichts|nichts (?:anderes|weiter)|rien d'autre|nada m[áa]s|nada mais|nient'altro|niente altro|e basta)\b"
    r"|(?:больше ничего|ничего (?:больше|другого))|(?:别的|其他|其它)(?:文件|地方)?(?:都|一律)?(?:不要|别|不)(?:动|改|碰)|他(?:の\w*)?は(?:触ら|変え|そのまま)|다른 (?:파일|것|건|데)은?는? ?(?:손대|건드리|그대로)|और कुछ (?:नहीं|मत)"
)
_WORD = re.compile(r"[^\W_][\w'-]*|[\u0900-\u097f]+")
_PREPOSITION = re.compile(
    r"\b(?:for|of|in|under|from|about|on|inside|within|für|von|de|du|des|del|da|do|di|для|из)\s+(?:the |der |die |das |la |le |el |il )?([\w-]{3,})"
)
_OTHERS = re.compile(
    r"\b(?:other|others|else|rest|remaining|anderen?|übrigen|autres?|otr[oa]s?|outr[oa]s?|altr[ieoa]|друг\w+|остальн\w+)\b|其他|其它|その他|他の|다른|나머지|बाकी|दूसर"
)


class Ban(Record):
    """`quote` is how the user put it, `source` the instruction file that it stands in, empty for what they typed.

    `names`, `endings` and `kinds` say which files, `acts` which acts (keys of `words.ACTS`); `needs` are words that a path
    or a command has to hold as well. `spares` are names that the same message allows.
    """

    sort: Sort
    quote: str
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    source: str = ""


class Clause(Record):
    """`text` is folded, `said` as it was written; `asks`: it belongs to a question that is no polite order."""

    text: str
    said: str
    asks: bool
    first: bool
    doubted: bool = False
    """Its sentence reports what somebody said."""
    conditional: bool = False
    limits: bool = False
    """Nothing but what it names may be touched."""
    remarks: bool = False
    """Its sentence goes on to tell something: what opens it ("wait, so the issue was ...") is an interjection."""


class Message(Record):
    """A message as what it forbids, and what it orders or allows, clause by clause."""

    bans: tuple[Ban, ...]
    orders: tuple[str, ...]
    says: tuple[str, ...]
    goes: bool
    text: str


def objection(
    messages: Sequence[str], current: Sequence[str], effects: Effects, project_dir: str,
    *, rules: Sequence[tuple[str, str]] = (), settled: Sequence[str] = (), taken_up: str = "", approved: bool = False,
    agreed: bool = False,
) -> tuple[Ban, Effect] | None:  # fmt: skip
    """The first ban that an effect breaks, the newest first.

    `messages` are what the user typed in this session, oldest first; `current` those of them that are acted on now. `rules`
    are (file, line) of instruction files. `settled` is what the user chose of what the agent offered, `taken_up` what they
    agreed to, `approved` whether a plan was. `agreed`: they answered a hold, and agreement is an order.
    """
    if agreed and messages and agrees(messages[-1]):
        return None
    said = [_read(text) for text in messages]
    now = {text.strip() for text in current}
    after = [
        Message((), (fold(text),), (fold(text),), True, fold(text)) for text in (*settled, taken_up) if text
    ]
    for at in range(len(said) - 1, -1, -1):
        later = [*said[at + 1 :], *after]
        for ban in said[at].bans:
            if ban.sort in ("halt", "only") and messages[at].strip() not in now:
                continue
            if ban.sort == "halt" and (approved or settled or _is_released(said[at + 1 :]) or taken_up):
                continue
            found = _broken(ban, effects, project_dir, said[at], later)
            if found is not None:
                return ban, found
    for file, line in rules:
        if len(line) > LINE_CHARS_MAX or not _FORBIDS.search(line.casefold()):
            continue
        for ban in _read(line, in_file=True).bans:
            found = _broken(ban, effects, project_dir, None, [*said, *after])
            if found is not None:
                return Ban(ban.sort, line.strip()[:QUOTE_CHARS_MAX], source=file), found
    return None


def agrees(text: str) -> bool:
    """Whether a message opens with words that let the agent go on."""
    folded = fold(text)
    return any(_compiled(words.LANGUAGES[one]["goes"]).search(folded) for one in _languages(folded))


def _is_released(later: Sequence[Message]) -> bool:
    return any(one.goes or (one.orders and not any(ban.sort == "halt" for ban in one.bans)) for one in later)


def _broken(
    ban: Ban, effects: Effects, project_dir: str, own: Message | None, later: Sequence[Message]
) -> Effect | None:
    for one in effects.each:
        path = _relative(one.target, project_dir)
        outside = path.startswith("/")
        if one.stakes == "own" and (outside or not one.target):
            continue
        if _breaks(ban, one, path, effects.command, outside=outside) and not _is_lifted(
            ban, path, effects.command, own, later
        ):
            return one
    return None


def _breaks(ban: Ban, one: Effect, path: str, command: str, *, outside: bool) -> bool:
    if ban.sort == "act":
        low = " ".join(command.casefold().split())
        if not all(need in low for need in ban.needs):
            return False
        return any(_does(act, one, low) for act in ban.acts)
    if ban.sort == "halt":
        acts = (
            one.operation in ("create", "append", "edit", "overwrite", "delete", "move", "vcs", "install")
            or one.stakes == "outward"
        )
        return acts and not (one.target and outside) and not _TO_TALK.search(path)
    if not path or one.operation == "run":
        return False
    if ban.sort == "only":
        return not outside and one.operation != "vcs" and not any(_is_under(path, ban))
    return any(_is_under(path, ban)) or (
        one.operation in ("delete", "move")
        and any(name.strip("/").startswith(f"{path}/") for name in ban.names)
    )


def _does(act: str, one: Effect, command: str) -> bool:
    if act == "create":
        return one.operation == "create"
    if act == "delete" and one.operation == "delete":
        return True
    if act == "rename" and one.operation == "move":
        return True
    found = re.search(words.DOES[act], command)
    return found is not None and one.operation in (
        "vcs",
        "network",
        "install",
        "delete",
        "move",
        "unknown",
        "run",
    )


def _is_under(path: str, ban: Ban) -> Iterator[bool]:
    """Whether each of a ban's names, or kinds, is the path's."""
    low = path.casefold()
    if ban.needs and not all(_squashed(need) in _squashed(low) for need in ban.needs):
        return
    yield from (_names(name, low) for name in ban.names)
    yield from (re.search(words.KINDS[kind][1], low) is not None for kind in ban.kinds)


def _names(name: str, path: str) -> bool:
    """Whether a name is the path, a folder that holds it, its base, its stem or its ending."""
    name = name.removeprefix("./").rstrip("/")
    base = path.rpartition("/")[2]
    if "*" in name:
        whole = name.removesuffix("/**").removesuffix("/*")
        return (
            fnmatch.fnmatch(base, name)
            or fnmatch.fnmatch(path, name)
            or ("*" not in whole and _names(whole, path))
        )
    if name in (".yml", ".yaml") and base.endswith((".yml", ".yaml")):
        return True
    if name.startswith(".") and "/" not in name:
        return (
            base == name
            or base.startswith(f"{name}.")
            or (base.endswith(name) and name[1:] in _ENDINGS)
            or f"/{name}/" in f"/{path}"
        )
    if "/" in name or "." in name:
        return f"/{path}/".endswith(f"/{name.strip('/')}/") or f"/{name.strip('/')}/" in f"/{path}/"
    wanted = _squashed(name)
    parts = path.split("/")
    stem = parts[-1].partition(".")[0]
    return len(wanted) > 2 and any(
        _squashed(part) in (wanted, f"{wanted}s", wanted.removesuffix("s"))
        for part in (*parts[:-1], stem, parts[-1])
    )


def _squashed(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _relative(target: str, project_dir: str) -> str:
    root = project_dir.rstrip("/") + "/"
    return target[len(root) :] if target.startswith(root) else target


def _is_lifted(ban: Ban, path: str, command: str, own: Message | None, later: Sequence[Message]) -> bool:
    """Whether the same message spares what is touched, or a later one orders or allows it."""
    low = path.casefold()
    if own is not None and path and ban.sort in ("thing", "only"):
        named = [*ban.spares, *(name for order in own.orders for name in _paths_in(order))]
        if any(_names(name, low) and len(name) >= max(map(len, ban.names), default=0) for name in named):
            return True
    if own is not None and ban.sort == "halt":
        base = low.rpartition("/")[2]
        return bool(base) and any(base in order and _TALK.search(order) for order in own.orders)
    for message in later:
        if ban.sort == "act" and any(
            re.search(words.ACTS[act], each) for each in message.says for act in ban.acts
        ):
            return True
        for order in message.orders if ban.sort != "act" else ():
            if (
                any(_names(name, low) for name in _paths_in(order))
                or any(name.strip("/*") in order for name in ban.names if len(name) > 2)
                or any(re.search(words.KINDS[kind][0], order) for kind in ban.kinds)
            ):
                return True
    return False


# --- reading a message --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _read(text: str, *, in_file: bool = False) -> Message:
    own = parted(text[:TEXT_CHARS_MAX])[0]
    clauses = _clauses(own)
    bans: list[Ban] = []
    orders: list[str] = []
    says: list[str] = []
    ordered = in_file
    lifts_halt = False
    for clause in clauses:
        found = None if clause.asks or clause.doubted else _ban(clause, ordered=ordered, in_file=in_file)
        if found is not None and not (in_file and found.sort in ("halt", "only")):
            bans.append(found)
            continue
        if found is not None:
            continue
        if not clause.asks:
            says.append(clause.text)
        if not clause.asks and (_is_order(clause.text) or agrees(clause.text)):
            orders.append(clause.text)
        if not clause.asks and _is_order(clause.text):
            ordered = True
            if not _TALK.search(clause.text):
                lifts_halt = any(ban.sort == "halt" for ban in bans)
    if lifts_halt:
        bans = [ban for ban in bans if ban.sort != "halt"]
    spared = tuple(name for ban in bans if ban.sort == "only" for name in ban.names)
    if spared:
        bans = [ban if ban.sort == "only" else _sparing(ban, spared) for ban in bans]
    halts = any(ban.sort == "halt" for ban in bans)
    return Message(tuple(bans), tuple(orders), tuple(says), agrees(own) and not halts, fold(own))


def _sparing(ban: Ban, names: tuple[str, ...]) -> Ban:
    return Ban(
        ban.sort, ban.quote, ban.names, ban.kinds, ban.acts, ban.needs, (*ban.spares, *names), ban.source
    )


def _clauses(text: str) -> list[Clause]:
    found: list[Clause] = []
    plain = _QUOTED.sub(_unquoted, text)
    for sentence in _SENTENCE.split(plain):
        if not sentence.strip():
            continue
        low = fold(sentence)
        if _NOTHING_ELSE.search(low) and (_paths_in(low) or _kinds_in(low)):
            said = sentence.strip(_EDGES)
            found.append(Clause(low.replace("`", ""), said, False, not found, limits=True))
            continue
        languages = _languages(low)
        asks = low.rstrip(" \"')").endswith(("?", "？", "؟")) and not any(
            re.search(words.LANGUAGES[one]["polite"], low) for one in languages
        )
        asks = asks or re.search(r"(?:吗|呢|ですか|ますか|でしょうか|까요)[?？。]?$", low) is not None
        doubted = _REPORTED.search(low) is not None and _OWN_WORDS.search(low) is None
        conditional = _CONDITION.search(low) is not None
        parts = [part for part in _CLAUSE.split(sentence) if part.strip(_EDGES)]
        opening = len(_CLAUSE.split(sentence.partition(": ")[0])) if asks and ": " in sentence else 0
        for at, part in enumerate(parts):
            said = part.strip(_EDGES)
            interjected = at == 0 and len(parts) > 1 and _INTERJECTION.match(fold(said)) is not None
            remarks = (
                not asks
                and interjected
                and not all(_INTERJECTION.match(fold(one.strip(_EDGES))) for one in parts)
            )
            asked = asks and at >= opening and not interjected
            found.append(
                Clause(
                    fold(said).replace("`", ""), said, asked, not found, doubted, conditional, remarks=remarks
                )
            )
            if len(found) >= CLAUSES_MAX:
                return found
    return found


def _unquoted(found: re.Match[str]) -> str:
    inner = found.group()[1:-1]
    return (
        inner
        if _NAME.fullmatch(inner.strip().casefold()) or re.fullmatch(r"[\w@./*-]{1,40}", inner)
        else " … "
    )


def _languages(low: str) -> tuple[str, ...]:
    if low.isascii() or not any(char > "\u024f" for char in low):
        return ("en", *(one for one, marks in _MARKS.items() if _compiled(marks).search(low)))
    found = ["en"]
    if re.search(r"[\u3040-\u30ff]", low):
        found.append("ja")
    elif re.search(r"[\u4e00-\u9fff]", low):
        found.append("zh")
    for name, span in (("ko", "[\uac00-\ud7af]"), ("ru", "[\u0400-\u04ff]"), ("hi", "[\u0900-\u097f]")):
        if re.search(span, low):
            found.append(name)
    return tuple(found)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _ban(clause: Clause, *, ordered: bool, in_file: bool) -> Ban | None:
    if clause.limits:
        return Ban(
            "only",
            _quote(clause),
            names=_paths_in(clause.text),
            kinds=() if _paths_in(clause.text) else _kinds_in(clause.text),
        )
    best: Ban | None = None
    for language in _languages(clause.text):
        table = words.LANGUAGES[language]
        found = (
            _english(clause, table, ordered=ordered)
            if language == "en"
            else _other(clause, table, ordered=ordered)
        )
        if found is not None and (best is None or (best.needs and not found.needs)):
            best = found
    return best


def _quote(clause: Clause) -> str:
    said = " ".join(clause.said.split())
    return said if len(said) <= QUOTE_CHARS_MAX else said[: QUOTE_CHARS_MAX - 1].rstrip() + "…"


def _english(clause: Clause, table: dict[str, str], *, ordered: bool) -> Ban | None:
    """Where a denial opens the clause. A denial further in tells of something."""
    text = _compiled(rf"(?:(?:{table['lead']})\b[ ,]*)*").sub("", clause.text, count=1)
    text = re.sub(r"^i (?:do not|don'?t|dont) want (?:you to|any) ", "don't ", text)
    if not text:
        return None
    if _is_halt(clause, text, table):
        return Ban("halt", _quote(clause))
    limits = _compiled(rf"{table['beyond']}$").search(text)
    only = _compiled(rf"(?:{table['only']})$").match(text)
    if limits:
        found = _things("only", clause, _what(limits), table, bare=False)
        if found is not None:
            return found
    if only and not _compiled(rf"{table['neg']}\b").match(text):
        found = _things("only", clause, _what(only), table, bare=False, strict=True)
        if found is not None:
            return found
    neg = _compiled(rf"(?:you )?{table['neg']}(?: (?:ever|even|also|you|dare|to|be|in any case))*\s+").match(
        text
    )
    if neg and not _compiled(table["subject"]).match(text):
        rest = _CONDITION_OF_ACT.sub("", text[neg.end() :])
        touched = _compiled(table["touch"]).match(rest)
        # What is denied of a thing inside another is its own: "commit" comes first.
        acts = None if clause.conditional else _acts(clause, rest, table)
        if acts is not None and not (touched and _NAME.search(rest)):
            return acts
        if touched:
            found = _things("thing", clause, rest[touched.end() :], table, bare=True)
            if found is not None:
                return found
        if acts is not None:
            return acts
    alone = _compiled(rf"(?:{table['alone']})$").match(text)
    if alone and not text.startswith(("keep it", "let it")):
        strong = not text.startswith(("let ", "ignore "))
        found = _things("thing", clause, _what(alone), table, bare=strong)
        if found is not None:
            return found
    mine = re.match(r"leave (?:the |any )?(.+?) (?:to|for) me$", text)
    if mine and (acts := _acts(clause, mine[1], table)):
        return acts
    left = (
        None
        if clause.conditional
        else re.match(r"leave (?:it|them|everything|the changes|that) (?:un)(commit|push|stag)", text)
    )
    if left is not None:
        return Ban("act", _quote(clause), acts=("push" if left[1] == "push" else "commit",))
    mine = re.match(
        r"i(?:'ll| will| want to|'d like to| do the)? (?:do the )?(.+?)(?: it| this| that| them)? (?:myself|by myself|on my own)$",
        clause.text,
    )
    if mine:
        return _acts(clause, mine[1], table)
    excepted = _compiled(rf"(?:{table['except']})$").match(text)
    if excepted and ordered:
        return _things("thing", clause, _what(excepted), table, bare=False, strict=True)
    if neg and ordered:
        return _things("thing", clause, text[neg.end() :], table, bare=False, strict=True)
    return None


def _other(clause: Clause, table: dict[str, str], *, ordered: bool) -> Ban | None:
    """A denial and what it denies, wherever they stand: the verb comes last in half of these languages."""
    text = re.sub(rf"^(?:(?:{table['lead']})[\s,]*)*", "", clause.text) or clause.text
    if _is_halt(clause, text, table):
        return Ban("halt", _quote(clause))
    if _compiled(table["subject"]).search(clause.text):
        return None
    denies = _compiled(table["neg"]).search(clause.text)
    touches = _compiled(table["touch"]).search(clause.text)
    if _compiled(table["beyond"]).search(clause.text):
        return _things("only", clause, clause.text, table, bare=False)
    if _compiled(table["alone"]).search(clause.text):
        found = _things("thing", clause, clause.text, table, bare=False)
        if found is not None:
            return found
    if (
        _compiled(table["only"]).search(clause.text)
        and _NAME.search(clause.text)
        and not _NOT_ONLY.search(clause.text)
    ):
        found = _things("only", clause, _ONLY_OF.sub(" ", clause.text), table, bare=False)
        if found is not None:
            return found
    bounded = _CONDITION_OF_ACT.sub("", clause.text)
    if (
        denies
        and not clause.conditional
        and (acts := _acts(clause, _compiled(table["neg"]).sub(" ", bounded), table))
    ):
        if not (touches and _NAME.search(clause.text)):
            return acts
    if denies and touches:
        return _things("thing", clause, clause.text, table, bare=False)
    if _compiled(table["only"]).search(clause.text) and not denies:
        return _things("only", clause, clause.text, table, bare=False, strict=True)
    excepted = _compiled(rf"(?:{table['except']})").match(text)
    if excepted and (ordered or "＾" in text or not clause.first):
        return _things("thing", clause, _what(excepted), table, bare=False)
    return None


def _what(found: re.Match[str]) -> str:
    return next((group for group in found.groups() if group), "")


def _is_halt(clause: Clause, text: str, table: dict[str, str]) -> bool:
    if clause.conditional or (clause.remarks and len(text.split()) < 6):
        return False
    return _halts(text, table) or _halts(clause.text, table)


def _halts(text: str, table: dict[str, str]) -> bool:
    found = _compiled(rf"(?:{table['halt']})").fullmatch(text)
    if found is None or _NAME.search(text):
        return False
    until = next((group for group in found.groups() if group), None) if found.groups() else None
    vague = re.search(
        r"\b(?:do|change|write|touch|edit|make|start|begin|act|proceed) (?:it|this|that|the code|code)\b",
        text,
    )
    if (
        vague
        and "un" not in (until or "")
        and not re.search(r"yet|until|before|without|for now|still|first", text)
    ):
        return re.search(r"(?:write|touch|edit|implement|start) (?:code|the code|any code)", text) is not None
    if until is not None:
        return (
            re.search(
                r"\b(?:yet|for now|until|before|without|at all|please|still|today|first|now|to|in|on|unless|till|and)\b",
                until,
            )
            is not None
        )
    return True


def _acts(clause: Clause, rest: str, table: dict[str, str]) -> Ban | None:
    """The acts that what is denied names; nothing where it says more of them than a command can show."""
    found = tuple(act for act, spoken in words.ACTS.items() if _compiled(spoken).search(rest))
    if not found:
        return None
    left = rest
    for act in found:
        left = _compiled(words.ACTS[act]).sub(" ", left)
    needs = _content(left, table)
    if found == ("delete",) or found == ("rename",) or found == ("create",):
        if _NAME.search(rest) or _kinds_in(left) or needs:
            return None
    names = tuple(name for name in _paths_in(left))
    if "delete" in found and names:
        return None
    return Ban("act", _quote(clause), acts=found, needs=(*needs, *names))


def _content(text: str, table: dict[str, str]) -> tuple[str, ...]:
    """The words that say something of an object."""
    plain = _NAME.sub(" ", text)
    if any(is_unspaced(char) or "\u0900" <= char <= "\u097f" for char in plain):
        for key in ("neg", "touch", "filler", "lead", "only", "polite"):
            plain = _compiled(table[key]).sub(" ", plain)
        return tuple(
            word for word in re.findall(r"[\u3041-\u9fff\uac00-\ud7a3\u0900-\u097f]{2,}|[a-z]{3,}", plain)
        )
    for key in ("only", "beyond", "neg") if table is not words.LANGUAGES["en"] else ():
        plain = _compiled(table[key]).sub(" ", plain)
    filler = _compiled(rf"(?:{table['filler']}|{table['lead']})")
    return tuple(word for word in _WORD.findall(plain) if len(word) > 1 and not filler.fullmatch(word))


def _kinds_in(text: str) -> tuple[str, ...]:
    plain = _NAME.sub(" ", text)
    return tuple(kind for kind, (spoken, _) in words.KINDS.items() if _compiled(spoken).search(plain))


def _paths_in(text: str) -> tuple[str, ...]:
    found = [name.strip(",;:").rstrip(".") for name in _NAME.findall(text)]
    return tuple(
        name
        for name in found
        if name not in _NO_NAMES and len(name.strip("./*")) > 0 and not re.fullmatch(r"[\d./]+", name)
    )


def _things(
    sort: Sort, clause: Clause, what: str, table: dict[str, str], *, bare: bool, strict: bool = False
) -> Ban | None:
    """What is named in `what`; None where nothing is, or (`strict`) where more is said than a name.

    `bare`: a plain word may name a file or folder.
    """
    names = [*_paths_in(what)]
    names += [f".{one}" for pair in _KIND_OF.findall(what) for one in pair if one in _ENDINGS]
    kinds = _kinds_in(what)
    for groups in _FOLDER.findall(what):
        names += [
            one
            for one in groups
            if one and not _compiled(table["filler"]).fullmatch(one) and not _kinds_in(one)
        ]
    if _OTHERS.search(what) and sort == "thing":
        return None
    plain = what
    for kind in kinds:
        plain = _compiled(words.KINDS[kind][0]).sub(" ", plain)
    left = _content(_compiled(table["touch"]).sub(" ", plain), table)
    left = tuple(word for word in left if word not in names)
    needs: tuple[str, ...] = ()
    if kinds and not names:
        before = [
            word for kind in kinds for word in re.findall(rf"([\w-]+) (?:{words.KINDS[kind][0]})", what)
        ]
        needs = tuple(
            word
            for word in (*_PREPOSITION.findall(plain), *before)
            if word in left and word not in _ADJECTIVES
        )
        needs += tuple(word for word in _SUITES.findall(what) if "tests" in kinds)
    if strict and [word for word in left if word not in needs]:
        return None
    if not names and not kinds:
        if (
            not bare
            or not 1 <= len(left) <= 2
            or re.search(r"\b(?:that|which|because|so|behaviou?r|api|way)\b", what)
        ):
            return None
        names = ["-".join(left)] if len(left) == 2 else list(left)
    return Ban(sort, _quote(clause), names=tuple(dict.fromkeys(names)), kinds=kinds, needs=needs)


@cache
def _orders() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The verbs of an order where it begins, and those of scripts without blanks, anywhere."""
    entries = [entry.strip() for listed in verbs.ORDERS.values() for entry in listed.split(",")]
    inner = [entry.rstrip("*") for entry in entries if any(map(is_unspaced, entry))]
    spaced = [
        re.escape(entry.rstrip("*")) + (r"\w*" if entry.endswith("*") else "")
        for entry in entries
        if not any(map(is_unspaced, entry))
    ]
    leads = "|".join(re.escape(entry.strip()) for entry in verbs.LEADS.split(","))
    return (
        re.compile(rf"(?:(?:{leads})(?!\w)[\s,]*)*(?:{'|'.join(spaced)}|use|try|take|put|keep|call|go with|go for|go ahead|feel free|you (?:can|may)|du (?:kannst|darfst)|tu peux|puedes|pode|puoi|можешь|можно)(?!\w)"),
        re.compile("|".join(map(re.escape, inner))),
    )  # fmt: skip


def _is_order(text: str) -> bool:
    begins, inner = _orders()
    if begins.match(text) is not None:
        return True
    if any(is_unspaced(char) for char in text):
        return inner.search(text) is not None
    return re.search(r"[a-zäöü]{3,}en$", text) is not None and " " in text
