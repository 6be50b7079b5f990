"""Of a stored report only what draws and tells is shown."""

from samples.reportresults import result

from calibration.report.html import STYLE
from calibration.report.page import render
from compass.page.pages import report_of, report_style

HOSTILE = (
    "<html><head><title>x</title></head><body><main><p class='a' onclick='x()' style='color:red'>one</p>"
    "<script>alert(1)</script><style>p{}</style><iframe src='https://evil.example'></iframe>"
    "<a href='javascript:x()'>two</a><img src=x onerror=y()><svg viewBox='0 0 1 1' onload=z()><path d='M0 0'/>"
    "<text>three</text><foreignObject><p>four</p></foreignObject></svg><form action='/x'><input></form>"
    "<template><p>no</p></template></main><p>outside</p></body></html>"
)


def test_a_report_is_shown_whole():
    found = report_of(render(result()))
    assert found is not None
    assert "False blocks" in found and "The noise floor" in found
    assert found.count("<svg") == render(result()).count("<svg")
    assert 'viewBox="' in found
    assert found.count("<div") == found.count("</div>")


def test_nothing_else_comes_through():
    found = report_of(HOSTILE)
    assert found == (
        '<div><p class="a">one</p>two<svg viewBox="0 0 1 1"><path d="M0 0"></path><text>three</text><p>four</p></svg>'
        "</div>"
    )


def test_what_is_no_report_is_none():
    assert report_of("") is None
    assert report_of("<p>x</p>") is None
    assert report_of("<main") is None


def test_an_unfinished_report_ends_nowhere_else():
    assert report_of("<main><p>a<b>b</main>c") == "<div><p>a<b>b</b></p></div>"


def test_its_sheet_is_of_its_own_tree():
    sheet = report_style().decode()
    assert ":root" not in sheet and "body {" not in sheet
    assert sheet.count(":host {") >= 3
    assert len(sheet) > len(STYLE) * 0.9
