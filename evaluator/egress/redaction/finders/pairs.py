"""Finds the password of a user and a password told in one breath: `credentials: user / V`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from evaluator.egress.redaction.finders import syntax
from evaluator.egress.redaction.language.labels import LABELS, pairs
from evaluator.egress.redaction.language.sentences import goes_on, is_abstract
from evaluator.egress.redaction.names import Level
from evaluator.egress.redaction.patterns import beginnings, compiled, is_far, lower, matches_at, matches_of
from evaluator.egress.redaction.spans import Span
from evaluator.egress.redaction.values import ValueStyle, is_placeholder, is_secret, is_stated

KIND = "password"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STEMS = ("cred", "usuari", "usuári", "user/p")
"""Rare beginnings of several names."""
_WEAK = _words(
    """login logins account identifiant zugang anmeldung accès compte acceso cuenta acesso conta accesso доступ доступы
    账号 登录 ログイン アカウント 계정 로그인 लॉगिन खाता"""
) | {"log in", "sign-in"}
"""Also what leads in, or what is opened, without any password."""
_ACCOUNTS = _words(
    """admin administrator root demo test tester user guest gast invité qa ci deploy support sa postgres oracle dev
    staging ops service backup superuser sysadmin"""
)
_NO_USERS = _words(
    """http https file env vault arn op ref see siehe voir cf localhost get post put delete patch src lib app docs sso
    read none name vorname nom nombre nome naam utente usuario usuário utilisateur benutzer entier integer int логин имя
    чтение"""
)
_NO_PASSWORDS = _words(
    """1password bitwarden keepass lastpass vault confluence wiki notion apple google facebook oauth2 s3 k8s register
    signup logout"""
)


@cache
def _anchors() -> tuple[str, ...]:
    return beginnings((word for word in pairs() if not is_far(word[0])), _STEMS)


@cache
def _pair(far: bool) -> re.Pattern[str]:
    names = "|".join(re.escape(word) for word in pairs() if is_far(word[0]) == far)
    close = r"[\"'`*_)\]]{0,3}"
    below = r"[ \t]?[:=][ \t]{0,4}\n[ \t]{0,8}[-*]?[ \t]?"
    said = r"[ \t]are[ \t]{1,4}|[ \t]?(?:是|为|は|는|은)[ \t:]{0,2}"
    join = rf"(?:{syntax.WHOSE}(?P<which>[ \t]\w{{2,16}}(?=[ \t]?[:=]))?(?:{syntax.IS}|{below})|{said})"
    user = r"[\"'`(*«]{0,2}(?P<user>[\w@.+-]{2,60})[\"'`*»]{0,2}"
    joined = r"(?:and|und|et|y|e|и|with|mit|&|\+)"
    between = (
        r"(?P<apart>[ \t]{1,4}[/|:][ \t]{1,4}|[:|])|(?P<tight>/)"
        rf"|(?P<loose>,?[ \t]{{1,3}}{joined}[ \t]{{1,3}}|,[ \t]{{1,3}}|[ \t]{{1,3}})"
    )
    value = r"[\"'`*«]{0,2}(?P<v>[^\s\"'`<>,;»」*。、]{4,128})"
    return re.compile(rf"(?P<name>{names}){close}{join}{user}(?:{between}){value}")


def find_pairs(text: str) -> Iterator[Span]:
    lowered = lower(text)
    anchors = tuple(anchor for anchor in _anchors() if anchor in lowered)
    for found in matches_at(lowered, anchors, _single()) if anchors else ():
        value = text[found.start("v") : found.end("v")].rstrip(".?")
        if not text[max(found.start() - 1, 0) : found.start()].isalnum() and _is_single(text, found, value):
            yield Span(found.start("v"), found.start("v") + len(value), KIND)
    for found in matches_of(lowered, _anchors(), _pair(far=False), _pair(far=True)):
        before = text[max(found.start() - 1, 0) : found.start()]
        if before.isalnum() and before < "\u2fff":
            continue
        value = text[found.start("v") : found.end("v")].rstrip(".)]}?:")
        if len(value) >= 4 and _is_told(text, found, value):
            yield Span(found.start("v"), found.start("v") + len(value), KIND)


@cache
def _single() -> re.Pattern[str]:
    """Credentials of one word, behind which the line or the sentence ends, or a remark begins."""
    names = "|".join(re.escape(word) for word in pairs() if not is_far(word[0]) and word not in _WEAK)
    return re.compile(
        rf"(?:{names})[*_]{{0,2}}[ \t]?:[*_]{{0,2}}[ \t]{{1,4}}(?P<v>[^\s\"'`<>,;:/|(){{}}\[\]]{{6,64}}+)"
        r"(?=[ \t]{0,4}(?:\Z|\n)|[ \t]{1,3}\()"
    )


def _is_single(text: str, found: re.Match[str], value: str) -> bool:
    before = text[max(found.start() - 60, 0) : found.start()].rpartition("\n")[2]
    return (
        bool(before.strip() or text[found.end() : found.end() + 3].strip().startswith("("))
        and not any(char in before for char in "({=")
        and value.lower() not in _NO_PASSWORDS
        and is_secret(value, Level.PASSWORD, ValueStyle.LOOSE)
        and is_stated(value, Level.PASSWORD, quoted=False)
    )


def _is_told(text: str, found: re.Match[str], value: str) -> bool:
    user, name = found["user"], found["name"]
    if user in _NO_USERS or value.lower() in _NO_PASSWORDS or _names_password(user):
        return False
    mixed = is_secret(value, Level.PASSWORD, ValueStyle.LOOSE) and not goes_on(value)
    if found["tight"] or found["loose"]:
        blank = found["loose"] is not None and not found["loose"].strip()
        likely = user in _ACCOUNTS or (not goes_on(user) and not (blank and name in _WEAK))
        return mixed and likely and "/" not in value and not value[0].isdigit()
    if value.isdecimal() or not is_stated(value, Level.PASSWORD, quoted=False) or is_abstract(value):
        return False
    if mixed:
        return True
    if found["which"]:
        return False
    end = found.start("v") + len(value)
    if syntax.closing().match(text, end) is None or (goes_on(user) and user not in _ACCOUNTS):
        return False
    account = user in _ACCOUNTS or compiled(r".*[@._0-9-].*").fullmatch(user) is not None
    return account or (
        name not in _WEAK
        and text[found.start("user") : found.end("user")].islower()
        and (len(set(user)) < 3 or not is_placeholder(user))
    )


@cache
def _password_labels() -> frozenset[str]:
    return frozenset(word for labels in LABELS.values() for word in labels.passwords)


def _names_password(user: str) -> bool:
    return user in _password_labels()
