"""Secrets out of a text: known token shapes, private keys, connection strings, values beside secret-like names.

`redact` is the entry. Finders yield spans over the text and know nothing of each other; patterns are
compiled when an anchor first asks for them. Bare hashes, UUIDs and digests are no secrets: a value without a
shape of its own must stand beside a name that says so, or be a long run of base62. Shapes and words are tables of
`evaluator/egress`, read when a text is first looked at. Standard library only.
"""

from evaluator.egress.redaction.replacement import kinds, mark_of, redact, stable_prefix, stable_suffix

__all__ = ["kinds", "mark_of", "redact", "stable_prefix", "stable_suffix"]
