"""Secrets out of a text: known token shapes, private keys, connection strings, values beside secret-like names.

`redact` is the entry: it replaces what the finders find, until nothing is left to find. Finders yield spans over the
text and know nothing of each other; patterns are compiled when an anchor first asks for them. Bare hashes, UUIDs and
digests are no secrets: a value without a shape of its own must stand beside a name that says so, or be a long run of
base62. Shapes and words are tables of `evaluator/egress`, read when a text is first looked at. Pure; linear in the
text; standard library only.
"""

from __future__ import annotations

from functools import cache

from evaluator.egress.redaction import secret_names
from evaluator.egress.redaction.finders import assignments, credential_pairs, prose, shapes
from evaluator.egress.redaction.patterns import merge

__all__ = ["kinds", "mark_of", "redact", "stable_prefix", "stable_suffix"]

ROUNDS_MAX = 4
"""A replacement can lay bare one more secret, seldom a third. What does not settle is withheld as a whole."""
UNSETTLED = "text"


@cache
def kinds() -> frozenset[str]:
    """What a mark can name."""
    pairs = (credential_pairs.KIND, credential_pairs.PIN_KIND)
    own = (shapes.KEY_KIND, shapes.RUN_KIND, *(shape.kind for shape in shapes.shapes()))
    return frozenset((*own, *secret_names.KINDS.values(), *pairs, UNSETTLED))


def mark_of(kind: str) -> str:
    return f"[REDACTED:{kind}]"


def redact(text: str, mark: str | None = None) -> str:
    """The text with each secret as `[REDACTED:kind]`, or as `mark` where one is given.

    Idempotent. Expects text that is normalised (NFKC) and free of invisible characters: a secret with such
    characters inside is not recognised.
    """
    for _ in range(ROUNDS_MAX):
        redacted = _redact_once(text, mark)
        if redacted == text:
            return text
        text = redacted
    return text if _redact_once(text, mark) == text else mark or mark_of(UNSETTLED)


def stable_prefix(text: str, limit: int, mark: str | None = None) -> str:
    """The longest beginning of at most `limit` characters that `redact` leaves as it is, or a little less.

    A cut can make a secret of what was none (`${NAME}` without its end). Of a redacted text.
    """
    return text if len(text) <= limit else _settle_redacted_cut(text[:limit], mark, from_start=True)


def stable_suffix(text: str, limit: int, mark: str | None = None) -> str:
    """The end of a text that may be shown, as `stable_prefix` for its beginning."""
    return (
        text
        if len(text) <= limit
        else _settle_redacted_cut(text[len(text) - limit :], mark, from_start=False)
    )


def _redact_once(text: str, mark: str | None) -> str:
    parts: list[str] = []
    done = 0
    # Disjoint spans in order; a token's own shape names the kind before its surroundings do.
    for span in merge(
        (
            *shapes.find_keys(text),
            *shapes.find_shapes(text),
            *assignments.find_assignments(text),
            *prose.find_spoken(text),
            *credential_pairs.find_pairs(text),
            *credential_pairs.find_pins(text),
            *shapes.find_runs(text),
        )
    ):
        shown = mark or mark_of(span.kind)
        # Whether the value is a mark already, whole or cut.
        value = text[span.start : span.end]
        if not (value in shown or (value.startswith("[REDACTED:") and "]" not in value[:-1])):
            parts += text[done : span.start], shown
            done = span.end
    return "".join(parts) + text[done:]


def _settle_redacted_cut(cut: str, mark: str | None, *, from_start: bool) -> str:
    """The cut, shortened at its inner end until redaction leaves it as it is, in steps that double."""
    step = 1
    while cut and redact(cut, mark) != cut:
        cut = cut[:-step] if from_start else cut[step:]
        step *= 2
    return cut
