"""Precedents in the state: `ports.PrecedentStore` over a developer's own database. A team's database has none."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.precedents.precedent import Precedent
    from evaluator.state.transactions import Transactions


class KeptPrecedents:
    """Every method is one transaction. On failure nothing was kept or deleted, and nothing is found."""

    _own: Transactions

    def has_precedents(self, project: str) -> bool:
        from evaluator.state.tables import precedents

        return self._own.read("has_precedents", lambda db: precedents.any_of(db, project), False)

    def keep_precedent(self, found: Precedent) -> None:
        from evaluator.precedents.relevance import found_under
        from evaluator.state.tables import precedents

        words = found_under(found)
        self._own.write("keep_precedent", lambda db: precedents.keep(db, found, words), None)

    def precedents_of(
        self, project: str, words: Collection[str], since: float, limit: int
    ) -> tuple[Precedent, ...]:
        from evaluator.state.tables import precedents

        return self._own.read(
            "precedents_of", lambda db: precedents.bearing(db, project, words, since, limit), ()
        )

    def precedent(self, precedent_id: str) -> Precedent | None:
        from evaluator.state.tables import precedents

        return self._own.read("precedent", lambda db: precedents.one(db, precedent_id), None)

    def all_precedents(self, project: str | None) -> tuple[Precedent, ...]:
        from evaluator.state.tables import precedents

        return self._own.read("all_precedents", lambda db: precedents.every(db, project), ())

    def forget_precedents(self, ids: Collection[str]) -> int:
        from evaluator.state.tables import precedents

        return self._own.write("forget_precedents", lambda db: precedents.forget(db, ids), 0)

    def sweep_precedents(self, project: str, before: float) -> None:
        from evaluator.state.tables import precedents

        self._own.write("sweep_precedents", lambda db: precedents.sweep(db, project, before), None)
