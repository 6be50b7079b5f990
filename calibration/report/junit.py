"""A comparison as a JUnit report: one test a label and quantity that fails if it moved, and one a
case that tells its two runs."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

from calibration.report.check import TITLES, Comparison, label_of

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(found: Comparison, seconds: float) -> str:
    """The text of the file; `seconds` is how long the run took."""
    drift = found.drift
    suite = Xml.Element("testsuite", name="compass calibrate --check", time=f"{seconds:.3f}")
    for shift in drift.shifts:
        change = shift.change
        test = _test(suite, "drift", f"{label_of(shift.ambiguous)} cases: {TITLES[shift.quantity]} as it was")
        interval = f"[{change.low:+.4f}, {change.high:+.4f}]"
        said = (
            f"{TITLES[shift.quantity]} changed by {change.value:+.4f} {interval}, p {shift.p:.3g} "
            f"(alarm at {drift.level:.2g}), {change.units} units"
        )
        if shift.alarm:
            Xml.SubElement(test, "failure", message=said, type="drift")
        else:
            Xml.SubElement(test, "system-out").text = said
    for lack in drift.untested:
        test = _test(suite, "drift", f"{lack.of.split()[0]} cases are as they were")
        Xml.SubElement(test, "skipped", message=f"{lack.units} {lack.of}, at least {lack.needed} are needed")
    for name, case in found.current.items():
        test = _test(suite, "case", name)
        if name in found.before:
            was = found.before[name]
            Xml.SubElement(test, "system-out").text = (
                f"mean {was.mean:.4f} -> {case.mean:.4f}, deviation {was.deviation:.4f} -> {case.deviation:.4f}, "
                f"blocked {was.blocked_share:.2f} -> {case.blocked_share:.2f}"
            )
        else:
            Xml.SubElement(test, "skipped", message="not in the baseline")
    for name in found.unread:
        Xml.SubElement(_test(suite, "case", name), "skipped", message="too few readers answered")
    tests = suite.findall("testcase")
    suite.set("tests", str(len(tests)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("errors", "0")
    root = Xml.Element("testsuites")
    root.append(suite)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _test(suite: Xml.Element, kind: str, name: str) -> Xml.Element:
    return Xml.SubElement(suite, "testcase", classname=f"compass.{kind}", name=_NOT_XML.sub("?", name))
