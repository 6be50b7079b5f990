"""A pytest plugin: a project's own labelled cases run in its suite, one test a case.

Loaded by `-p compass.measure.pytest_plugin`; the cases come from `--compass-cases FILE` or from `compass_cases` in the
ini file. A clear case must be let through and an ambiguous one blocked, at the thresholds in force for the project. The
embedded readers judge unless `--compass-backend` names others, which are then asked. Before there is a
case it imports the names of the backends and nothing else of Compass.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from calibration.cases.labelled import LabelledCase
    from calibration.measurement.judging import CaseOutcome
    from compass.measure.parts import Bench

_FILES = pytest.StashKey[frozenset[Path]]()
_BENCH = pytest.StashKey["Bench"]()


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


def pytest_unconfigure(config: pytest.Config) -> None:
    found = config.stash.get(_BENCH, None)
    if found is not None:
        found.close()


class CasesFile(pytest.File):
    """A file of cases. Rows on which its labellers disagreed, and reads, are no tests."""

    def collect(self) -> Iterator[pytest.Item]:
        from calibration.cases.sources import from_file
        from calibration.measurement.judging import is_write
        from compass.joining.packages import enable
        from compass.joining.shell import classify

        enable()
        try:
            found = from_file(self.path, classify)
        except (ValueError, OSError) as error:
            raise self.CollectError(str(error)) from None
        make = cast(Callable[..., CaseItem], CaseItem.from_parent)  # pyright: ignore[reportUnknownMemberType]
        for case in found.cases:
            if is_write(case):
                item = make(self, name=case.id)
                item.case = case
                yield item


class CaseItem(pytest.Item):
    """One case through the gate's steps."""

    case: LabelledCase

    def runtest(self) -> None:
        from calibration.measurement.case_results import verdict_of
        from calibration.measurement.judging import prepare, read

        at = _bench(self.config)
        outcome = read(prepare(at.parts, self.case))
        wanted = "failed" if self.case.ambiguous else "passed"
        if not outcome.was_read:
            raise WrongVerdictError(f"{self.case.id} could not be judged: {outcome.error}")
        if verdict_of(outcome, at.gate) != wanted:
            raise WrongVerdictError(_told(self.case, outcome, at))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, WrongVerdictError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.name}: {self.case.id}"


def _told(case: LabelledCase, outcome: CaseOutcome, at: Bench) -> str:
    did = "let through" if case.ambiguous else "blocked"
    gate = f"mean at least {at.gate.confidence:.2f}, deviation at most {at.gate.deviation:.2f}"
    return (
        f"{case.id} is {case.label} and was {did}: mean {outcome.mean:.3f}, deviation {outcome.stddev:.3f} ({gate})\n"
        f"  request: {' '.join(case.exchange.request_text.split())[:200]}\n"
        f"  readers: {outcome.concern}: {outcome.rationale}"
    )


def _bench(config: pytest.Config) -> Bench:
    found = config.stash.get(_BENCH, None)
    if found is None:
        from compass.joining.surroundings import home_of, load
        from compass.measure.parts import bench

        env, directory = dict(os.environ), str(config.rootpath)
        home = home_of(env)
        loaded = load(env, home, directory)
        found = bench(env, home, directory, loaded, config.getoption("--compass-backend"))
        config.stash[_BENCH] = found
    return found
