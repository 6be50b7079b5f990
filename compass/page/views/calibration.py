"""The calibration report of a project, or which projects have one."""

from __future__ import annotations

import os
import time

from compass.page.element import Html, el, joined
from compass.page.parts import command, empty, heading
from compass.page.report import BYTES_MAX, report_of
from compass.page.scope import Chosen, Scope, here_of


def view(scope: Scope, found: Chosen) -> Html:
    top = heading("Calibration")
    if found.project is None:
        return joined((top, _of_all(scope, found)))
    path = _path(found.here.calibration)
    text = _text(path)
    report = report_of(text) if text else None
    if report is None:
        return joined(
            (
                top,
                empty(
                    "This project is not calibrated yet",
                    "A calibration measures how often the gate would hold a clear write of this project, and how often "
                    "it would catch an unclear one, and sets thresholds by that. In the project's folder:",
                    command("compass calibrate"),
                ),
            )
        )
    measured = time.strftime("%Y-%m-%d", time.localtime(os.path.getmtime(path)))
    folder = el("bdi", found.here.project_dir)
    # A tree of its own, which the script makes: the report has a style sheet of its own.
    return joined(
        (
            top,
            el("p", f"Measured on {measured} for ", folder, ".", class_="soft"),
            el("div", report, class_="report", data_sheet="/page/static/report.css"),
        )
    )


def _of_all(scope: Scope, found: Chosen) -> Html:
    rows = [
        el("li", el("button", el("bdi", one.project_dir), type="button", data_project=one.project_dir))
        for one in found.listed
        if os.path.isfile(_path(here_of(scope, one.project_dir).calibration))
    ]
    if not rows:
        return empty(
            "No project is calibrated yet",
            "In the folder of one that has some history:",
            command("compass calibrate"),
        )
    return joined((el("p", "Each project has a report of its own:"), el("ul", *rows, class_="links")))


def _path(calibration: str) -> str:
    return os.path.splitext(calibration)[0] + ".html"


def _text(path: str) -> str:
    """Empty where it is not there, or no report."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(BYTES_MAX)
    except OSError:
        return ""
