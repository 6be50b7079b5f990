"""A pytest plugin: a project's own labelled cases run in its suite, one test a case, by the public `judge_case`.

Loaded by `-p compass.measure.pytest_plugin`; the cases come from `--compass-cases FILE` or from `compass_cases` in the
ini file. A clear case must be let through and an ambiguous one blocked, at the thresholds in force for the project. The
embedded readers judge unless `--compass-backend` names others, which are then asked. Before there is a
case it imports the names of the backends and nothing else of Compass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from compass import Verdict

_FILES = pytest.StashKey[frozenset[Path]]()
UNJUDGED = ("sampler_error", "circuit_open", "evaluator_budget_exhausted", "turn_budget_exhausted")
"""Why those who were asked for did not judge; rules may have judged in their place."""


class WrongVerdictError(AssertionError):
    """The gate does the opposite of what the label asks for, or could not judge."""


def pytest_addoption(parser: pytest.Parser) -> None:
    from evaluator.backends import EMBEDDED, Backends

    group = parser.getgroup("compass")
    group.addoption(
        "--compass-cases", action="append", default=[], metavar="FILE", help="labelled cases to judge"
    )
    group.addoption(
        "--compass-backend",
        choices=tuple(Backends(EMBEDDED)),
        default=EMBEDDED,
        help=f"who reads them (default: {EMBEDDED})",
    )
    parser.addini("compass_cases", "labelled cases for Compass, JSON lines", type="paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    given = cast(list[str], config.getoption("--compass-cases"))
    named = [Path(config.invocation_params.dir, name).resolve() for name in given]
    listed = [Path(path).resolve() for path in cast(list[Path], config.getini("compass_cases"))]
    config.stash[_FILES] = frozenset((*named, *listed))
    # Somebody who asks for one test by name does not get the cases of the ini file with it.
    asked = named if config.args_source is pytest.Config.ArgsSource.ARGS else [*named, *listed]
    config.args += [str(path) for path in asked if str(path) not in config.args]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.resolve() not in parent.config.stash[_FILES]:
        return None
    made = cast(Callable[..., pytest.Collector], CasesFile.from_parent)  # pyright: ignore[reportUnknownMemberType]
    return made(parent, path=file_path)


class CasesFile(pytest.File):
    """A file of cases. Rows on which its labellers disagreed, and reads, are no tests."""

    def collect(self) -> Iterator[pytest.Item]:
        from calibration.cases.case import UNDECIDED
        from calibration.cases.sources import from_rows, numbered
        from calibration.measurement.runner import is_write
        from compass import enable_packages
        from compass.composition.effects import classify

        enable_packages()
        try:
            rows = list(numbered(self.path))
            found = from_rows(rows, classify, self.path.stem)
        except (ValueError, OSError) as error:
            raise self.CollectError(str(error)) from None
        make = cast(Callable[..., CaseItem], CaseItem.from_parent)  # pyright: ignore[reportUnknownMemberType]
        decided = [row for _, row in rows if row.get("label") not in UNDECIDED]
        for case, row in zip(found.cases, decided, strict=True):
            if is_write(case):
                item = make(self, name=case.id)
                item.row = row
                yield item


class CaseItem(pytest.Item):
    """One case through the gate."""

    row: Mapping[str, object]

    def runtest(self) -> None:
        from compass import judge_case
        from hooks.registry import DEFAULT

        backend = cast(str, self.config.getoption("--compass-backend"))
        found = judge_case(self.row, host=DEFAULT, backend=backend, project=self.config.rootpath)
        cause = _unjudged(found)
        if cause:
            raise WrongVerdictError(f"{self.name} could not be judged: {cause}")
        if (found.verdict == "failed") != (self.row["label"] == "ambiguous"):
            raise WrongVerdictError(f"{self.name} is {self.row['label']} and was {_told(found)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, WrongVerdictError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.name}: {self.name}"


def _unjudged(found: Verdict) -> str:
    """Why those who were asked for did not judge; empty where they did."""
    if found.reason not in UNJUDGED and not any(note.startswith(UNJUDGED) for note in found.notes):
        return ""
    causes = dict.fromkeys([*(answer.error or "" for answer in found.answers), *found.notes])
    return "; ".join(cause for cause in causes if cause)[:400] or found.reason


def _told(found: Verdict) -> str:
    did = "blocked" if found.verdict == "failed" else "let through"
    request = f"\n  request: {' '.join(found.request.split())[:200]}"
    if found.confidence is None or found.deviation is None:
        return f"{did}: {found.reason}{request}"
    gate = f"mean at least {found.least_confidence:.2f}, deviation at most {found.most_deviation:.2f}"
    figures = f"mean {found.confidence:.3f}, deviation {found.deviation:.3f} ({gate})"
    return f"{did}: {figures}{request}\n  readers: {found.concern}: {found.rationale}"
