"""What is shipped for containers, and what the release's workflows promise beyond what their linters hold."""

import importlib.util
import os
import re
import shutil
import subprocess
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from zipfile import ZipFile

import pytest
import yaml
from repository import ROOT
from running import haproxy, install
from running.wheels import built, tree

from evaluator.settings.environment import COMPASS, RESERVED
from evaluator.settings.keys import KEYS

DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
FILES = [*(ROOT / ".github/workflows").glob("*.yml")]


def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_haproxy_takes_its_configuration_without_a_warning(tmp_path):
    """With a certificate and addresses that are there."""
    program = install.haproxy()
    if program is None:
        pytest.skip("no HAProxy here")
    _, pem = haproxy.certificate(tmp_path)
    configuration = tmp_path / "haproxy.cfg"
    configuration.write_text(haproxy.rendered(8443, (8790, 8790, 8790), pem))
    words = [program, "-c", "-V", "-f", str(configuration)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "WARNING" in done.stdout + done.stderr) == (0, False), done.stderr


def test_haproxy_shows_nobody_outside_the_counts_of_a_replica(tmp_path):
    if install.haproxy() is None:
        pytest.skip("no HAProxy here")

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format, *args):
            """Nothing is kept of it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with haproxy.HAProxy(tmp_path / "proxy", [server.server_port] * 3) as proxy:
            paths = "/metrics", "/%6Detrics", "/livez", "/v1/me"
            found = {path: status_of(proxy.port, path) for path in paths}
        server.shutdown()
    assert found == {"/metrics": 404, "/%6Detrics": 404, "/livez": 404, "/v1/me": 200}


def status_of(port, path):
    line = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        line.request("GET", path)
        return line.getresponse().status
    finally:
        line.close()


def copied():
    """Sources of the image's first stage."""
    stage = CONTAINERFILE.split("\nFROM ")[1]
    return [word for line in re.findall(r"^COPY (.+) \S+$", stage, re.M) for word in line.split()]


@pytest.mark.full
def test_the_image_copies_all_that_the_wheel_is_built_from(tmp_path):
    source = tmp_path / "source"
    for name in copied():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    with ZipFile(built(source, tmp_path / "dist")) as wheel:
        members = set(wheel.namelist())
    assert "calibration/corpus/cases/test.jsonl" in members
    packages = [ROOT / name for name in ("compass", "evaluator", "calibration", "hooks")]
    assert {str(path.relative_to(ROOT)) for one in packages for path in one.rglob("*.py")} <= members


def test_what_the_image_copies_is_let_in_and_nothing_beside_it():
    words = (DEPLOY / "Containerfile.dockerignore").read_text().split()
    assert {word[1:] for word in words if word.startswith("!")} == {*copied(), "deploy/start.sh"}


def test_the_image_runs_as_nobody_special_and_holds_no_secret():
    assert re.search(r"^USER 10001:10001$", CONTAINERFILE, re.M)
    assert not re.search(r"(?i)(key|password|secret|token)\s*=", CONTAINERFILE)
    bases = re.findall(r"^FROM (\S+)", CONTAINERFILE, re.M)
    assert all("latest" not in base and ":" in base for base in bases)


def test_replicas_and_proxy_agree_on_names_and_ports():
    services, text = compose()["services"], haproxy.SHIPPED.read_text(encoding="utf-8")
    servers = dict(re.findall(r"^    server \S+ (\w+):(\d+)$", text, re.M))
    assert set(servers) == {name for name in services if name.startswith("replica")}
    (port,) = set(servers.values())
    assert f'"--port", "{port}"' in CONTAINERFILE and f"EXPOSE {port}" in CONTAINERFILE
    assert services["proxy"]["ports"] == ["443:8443"] and "bind :8443 ssl" in text


def test_every_secret_is_a_file_and_no_variable_has_one():
    found = compose()
    used = {name for service in found["services"].values() for name in service["secrets"]}
    assert used == set(found["secrets"])
    assert all(set(one) == {"file"} for one in found["secrets"].values())
    for service in found["services"].values():
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or name.endswith("_FILE")
            assert not re.search(r":[^/@]+@", value), value
            if name.startswith(COMPASS):
                assert name in RESERVED or name[len(COMPASS) :].lower().replace("__", ".") in KEYS, name
    assert "/deploy/secrets/" in (ROOT / ".gitignore").read_text().split()


def test_what_starts_a_replica_takes_its_secrets_from_files_and_passes_words_on(tmp_path):
    secrets, programs = tmp_path / "secrets", tmp_path / "bin"
    secrets.mkdir()
    programs.mkdir()
    (programs / "compass").write_text('#!/bin/sh\necho "$ANTHROPIC_API_KEY" "$PGPASSWORD" "$@"\n')
    (programs / "compass").chmod(0o755)
    env = {"PATH": f"{programs}:{os.environ['PATH']}", "COMPASS_SECRETS": str(secrets)}

    def start():
        words = [str(DEPLOY / "start.sh"), "--init", "a team"]
        return subprocess.run(words, env=env, capture_output=True, text=True, check=False)

    (secrets / "anthropic_api_key").write_text("a-key\n")
    without = start()
    assert without.returncode != 0 and "database_password" in without.stderr and "a-key" not in without.stderr
    (secrets / "database_password").write_text("a password\n")
    assert start().stdout == "a-key a password serve --team --init a team\n"


def read(name):
    return yaml.safe_load((ROOT / ".github/workflows" / name).read_text())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_actions_of_others_are_pinned_by_hash_with_their_version_beside_it(file):
    for line in re.findall(r"uses: (.+)", file.read_text()):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_no_workflow_grants_more_than_a_job_names_and_publishes_unless_the_repository_says_so():
    for file in FILES:
        workflow = read(file.name)
        assert workflow["permissions"] == {}
        assert all("permissions" in job for job in workflow["jobs"].values())
    jobs = read("release.yml")["jobs"]
    writing = {name for name, job in jobs.items() if "write" in job["permissions"].values()}
    # What builds, and so runs code of other packages, may sign and publish nothing.
    assert writing == {"attest", "publish", "release"}
    assert not any("checkout" in str(jobs[name]) for name in writing)
    assert [name for name, job in jobs.items() if "pypi-publish" in str(job)] == ["publish"]
    assert jobs["publish"]["if"] == "vars.PUBLISH == 'yes'"
    assert "password" not in str(jobs) and "secrets." not in str(jobs)


def test_what_workflows_run_is_a_task_of_the_makefile():
    tasks = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    run = {name for file in FILES for name in re.findall(r"\bmake ([a-z]+)\b", file.read_text())}
    assert run and run <= tasks


def test_a_release_whose_places_disagree_is_refused(tmp_path):
    source = tree(tmp_path / "source")
    for name in (".github", ".claude-plugin"):
        shutil.copytree(ROOT / name, source / name)
    spec = importlib.util.spec_from_file_location("release_version", source / ".github/release_version.py")
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    base = script.stated(source)["the build"]
    (source / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{base}] - 2026-01-01\n")
    assert script.problems(source, f"v{base}") == []
    found = script.problems(source, "v9.9.9")
    assert len(found) == 5 and "CHANGELOG.md has no section [9.9.9]" in found
    plugin = source / ".claude-plugin/plugin.json"
    plugin.write_text(plugin.read_text().replace(base, "8.8.8"))
    (problem,) = script.problems(source, f"v{base}")
    assert problem.startswith(".claude-plugin/plugin.json ")
