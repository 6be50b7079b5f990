"""How people speak of secrets, by language: labels, and which words only go on with the sentence after one. Pure.

A password can be a word that people say of passwords (`the password is wrong`), and is then left: a reader needs the
sentence. The words stand in `egress/secret_words.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, cast

from evaluator.egress.redaction.patterns import compiled
from evaluator.tables import table

_WORDS = "egress/secret_words"


@cache
def vocabulary(name: str) -> frozenset[str]:
    """A list of the table."""
    return frozenset(cast(Mapping[str, str], table(_WORDS)["words"])[name].split())


class Labels(NamedTuple):
    """What names a secret in one language, as the table says of each field."""

    passwords: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    towards: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    users: tuple[str, ...] = ()


@cache
def labels() -> dict[str, Labels]:
    """By language."""
    found = cast(Mapping[str, Mapping[str, list[str]]], table(_WORDS)["labels"])
    return {
        code: Labels(**{field: tuple(words) for field, words in row.items()}) for code, row in found.items()
    }


JOINED = ("zh", "ja", "ko")
"""The languages that write words without spaces, or join particles to them."""


@cache
def joins(*, spaced: bool = True) -> tuple[str, ...]:
    """The joining words of the languages that write words apart, or of the others."""
    return _united("joins", tuple(code for code in labels() if (code not in JOINED) is spaced))


@cache
def named(field: str) -> tuple[str, ...]:
    """What all languages have in this field of the labels, the longest first."""
    return _united(field, tuple(labels()))


def _united(field: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    found = {word for code in codes for word in getattr(labels()[code], field)}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


_ENDINGS = (
    r"\w{3,}(?<!e)ed|\w{3,}(?:[^f]l|[aeiou]l)y|\w{4,}(?:able|ible|less|ful|ized|ised)|[a-z]{4,}ing|"
    r"(?:un|in|non|re|pre|mis)\w{3,}(?:ed|able|al)"
    r"|\w{3,}(?:lich|iert|ierbar)|(?:ab|an|auf|aus|ein|hinter|vor|zurück|über|ver|zer|un)ge\w{2,}(?:t|en)|ver\w{3,}t"
    r"|\w{3,}(?:é|ée|és|ées)|\w{4,}oire"
    r"|\w{5,}(?:ad|id|at|ut)[oa]s?"
    r"|\w{3,}(?:ый|ий|ая|ое|ые|ован|ирован|ется|ится|ются)"
)
_PARTS_MAX = 3
_ABSTRACT = (
    r"\w{3,}(?:ness|ity|tion|sion|ance|ence|ency|ship|work|heit|keit|ung|ität|ité|dad|dade|tà|ción|ção|zione"
    r"|ость|ение|ание)"
)

_JOINED_TALK = (
    r"[不无無未没沒错錯误誤空必须須填请請的是否已了吗嗎同见見需应應可会會将將请勿或和与及]|输入|輸入|长度|長|字符|文字|字母|数字|數字|以上|以下|至少|最少|最多|位$"
    r"|加密|暗号化|明文|平文|过期|失效|有效|有効|期限|正确|正しい|修改|变更|変更|重置|再設定|忘|设置|设定|設定|保存|强度|強度|弱|短|随机|默认"
    r"|初期|登录|登陆|确认|確認|验证|検証|认证|認証|管理|安全|隐藏|表示|入力|任意|省略|一致|类型|型$|字段|项|欄|保密|非公開|公開|秘密|共通|共有"
    r"|环境|環境|メール|テスト|画面|邮箱|手机|账|帐|用户|ユーザ|数据|服务|サーバ|あり|なし|ない|です|ます|する|して|した|ください|こと|もの|または"
)


@cache
def _known() -> frozenset[str]:
    return vocabulary("function") | vocabulary("told")


def goes_on(value: str) -> bool:
    """Whether the value is a word of the sentence, or is put together with one (`case-sensitive`)."""
    word = value.lower().strip(".,:;!?()[]{}\"'`*_")
    if not word or _is_said(word):
        return True
    parts = compiled("[-_/]").split(word)
    return 1 < len(parts) <= _PARTS_MAX and (parts[0] in vocabulary("leads") or _is_said(parts[-1]))


def is_listed(word: str) -> bool:
    """Whether the table has the word itself, in lower case; what endings make of a word does not count."""
    return word in _known()


def is_joined_talk(value: str) -> bool:
    """Whether the value, in a script without spaces, tells or asks something of a secret: `不能为空`, `入力必須`."""
    return compiled(_JOINED_TALK).search(value) is not None


def is_abstract(value: str) -> bool:
    """A noun for what is never typed: `the secret is consistency`."""
    return compiled(_ABSTRACT).fullmatch(value.lower()) is not None


def _is_said(word: str) -> bool:
    if word in _known():
        return True
    return word not in vocabulary("no_endings") and compiled(_ENDINGS).fullmatch(word) is not None


@cache
def _continuing() -> frozenset[str]:
    continuing = cast(Mapping[str, str], table(_WORDS)["continues"])
    return frozenset(word for words in continuing.values() for word in words.split())


def _singulars(word: str) -> tuple[str, ...]:
    """What an Italian plural may be of: `errate`, `lunghe`, `semplici`."""
    if len(word) < 5 or word[-1] not in "ei":
        return ()
    stem = word[:-2] if word[-2] == "h" else word[:-1]
    return (f"{stem}a",) if word[-1] == "e" else (f"{stem}o", f"{stem}e")


def continues(value: str, languages: tuple[str, ...]) -> bool:
    """Whether the value is a word that goes on after a label; the forms of verbs are those of these languages."""
    lowered = value.lower().strip(".,:;!?()[]{}\"'`*_")
    if goes_on(value) or is_abstract(value) or lowered in _continuing():
        return True
    parts = compiled("[-_/]").split(lowered)
    if len(parts) > 1 and not any(map(str.isdigit, lowered)) and parts[-1] in _continuing():
        return True
    if lowered.endswith("s") and goes_on(lowered[:-1]):
        return True
    if any(is_listed(one) or one in _continuing() for one in _singulars(lowered)):
        return True
    endings = cast(Mapping[str, str], table(_WORDS)["endings"])
    return value.islower() and any(
        compiled(endings[language]).fullmatch(value) for language in languages if language in endings
    )
