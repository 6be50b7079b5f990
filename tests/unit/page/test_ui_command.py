"""`compass ui` as a process: which service it finds or starts, and who may not run it."""

import re
import subprocess
import sys

import pytest
from running import paged
from running.httpserving import start
from running.serving import serving


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("ui")) as found:
        found.start()
        yield found


def test_the_command_prints_a_link_and_opens_nothing(service):
    done = service.place.command("ui", "--no-browser")
    assert done.returncode == 0
    assert re.fullmatch(rb"http://127\.0\.0\.1:\d+/#link=cpsp_[\w-]{43}\n", done.stdout)
    assert done.stderr == b"It works once, within 60 seconds.\n"


def test_the_browser_of_the_user_is_given_the_link(service, tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/url\n')
    browser.chmod(0o755)
    env = service.place.environment() | {"BROWSER": str(browser)}
    done = service.place.ran(("ui",), env=env)
    assert b"cpsp_" not in done.stdout + done.stderr
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#link=cpsp_[\w-]{43}\n", (tmp_path / "url").read_text())


def test_without_the_right_to_start_one_it_says_what_to_do(tmp_path):
    with serving(tmp_path, {"COMPASS_SERVICE__ENABLED": "false"}) as here:
        done = here.place.command("ui", "--json")
        assert done.returncode == 1 and b"`compass serve` runs one" in done.stderr


def test_a_service_of_another_version_is_replaced(tmp_path):
    with serving(tmp_path) as here:
        script = (
            "import sys, compass; compass.__version__ = '0.0.1'; sys.argv = ['compass', 'serve', '--idle', '600']; "
            "from compass.entry import start; start()"
        )
        words, env = [sys.executable, "-c", script], here.place.environment()
        here.process = subprocess.Popen(
            words, env=env, cwd=here.place.project, stdout=subprocess.PIPE, text=True
        )
        old = here.wait_for()
        link = paged.link_of(here.place)
        assert link.get("/page/view/checks", link.exchange()).status == 200
        assert here.wait_for(old["pid"])["version"] != "0.0.1"


def test_an_agent_may_not_run_it(service):
    env = service.place.env
    env["CLAUDECODE"] = "1"
    try:
        done = service.place.command("ui", "--json")
    finally:
        del env["CLAUDECODE"]
    assert done.returncode == 1 and b"only you may do this" in done.stderr
    assert b"cpsp_" not in done.stdout + done.stderr


def test_a_service_for_other_machines_has_its_page_on_loopback_alone(tmp_path):
    with serving(tmp_path) as here:
        api = start(here, "--host", "0.0.0.0")
        assert api.ask("GET", "/").status == 404
        link = paged.link_of(here.place)
        assert link.port != api.port
        assert link.get("/page/view/checks", link.exchange()).status == 200
