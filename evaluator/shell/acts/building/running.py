"""Task runners: Gradle, Maven, rake, nx, just and their like; the names of the tasks decide."""

from __future__ import annotations

from evaluator.shell.acts.building.tasks import HANDED, builds, goals, of_any_language, task_effect
from evaluator.shell.acts.inner import changing, handing
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import NONE, names, read_options
from evaluator.shell.outcome import Outcome, reads, unlisted
from evaluator.shell.rows.row import HELP, row, rows

JVM_PROGRAMS = {
    "gradle": row(
        "build",
        flags="-q --quiet -i --info -d --debug -s --stacktrace -S --full-stacktrace --offline --parallel "
        "--no-parallel --no-daemon --daemon --build-cache --no-build-cache --rerun-tasks --continue --continuous "
        "-t --scan --no-scan --refresh-dependencies --warning-mode --console --configuration-cache "
        "--no-configuration-cache --profile -v --status --rerun --all --no-rebuild -a --stop -w --warn",
        valued="-x --exclude-task --tests --console --warning-mode --max-workers -p --project-dir --configuration "
        "--dependency",
        tells="-m --dry-run",
        loads="-I --init-script -b --build-file --settings-file --include-build -g --gradle-user-home ",
        outputs="--project-cache-dir",
    ),
    "mvn": row(
        "build",
        flags="-q --quiet -o --offline -B --batch-mode -U --update-snapshots -e --errors -X --debug -ntp "
        "--no-transfer-progress -am --also-make -amd -fae --fail-at-end -ff --fail-fast -fn --fail-never -nsu -v "
        "-V --show-version -DskipTests -DskipITs -Dmaven.test.skip -Dtest -Dit.test "
        "-Dsurefire.failIfNoSpecifiedTests -DfailIfNoTests -Dstyle.color -Dverbose -Dincludes -Dsurefire.useFile "
        "-DtrimStackTrace -Dgroups",
        valued="-pl --projects -P --activate-profiles -T --threads -rf --resume-from --color",
        outputs="-l --log-file",
        loads="-gs --global-settings -t --toolchains -Dexec.executable -Dexec.args -b",
        style="single",
    ),
    "sbt": row("build", flags="-batch -no-colors --batch -v --no-colors --error", style="single"),
    "lein": row("build"),
    "rake": row(
        "build",
        flags="-T --tasks -A --all -s --silent -q --quiet -t --trace -v -m -D --describe -P --prereqs -W",
        valued="-j --jobs",
        tells="-n --dry-run",
        loads="--rakefile -e --execute -E -p -r --require -I --libdir -R -g -G",
    ),
    "gulp": row(
        "build",
        flags="--silent -S --color --no-color --series --continue -L -T --tasks --tasks-simple",
        loads="--gulpfile --cwd --preload -r --require",
    ),
    "grunt": row(
        "build",
        flags="--no-color --verbose -v --stack --debug -d",
        loads="-b --base --gruntfile -t --tasks --npm",
    ),
}
TOLD = {
    "rake": names("-T --tasks -D --describe -P --prereqs"),
    "gulp": names("-T --tasks"),
    "gradle": names("-v"),
    "mvn": names("-v"),
}
"""Options with which it only tells, whatever tasks stand there."""
LOOKS = {
    "gradle": names(
        "tasks projects properties dependencies dependencyInsight buildEnvironment components outgoingVariants "
        "help assemble classes testClasses jar check"
    ),
    "mvn": names(
        "validate compile test-compile test package verify integration-test dependency:tree dependency:analyze "
        "dependency:list help:effective-pom help:effective-settings help:describe "
        "versions:display-dependency-updates versions:display-plugin-updates checkstyle:check spotless:check "
        "pmd:check spotbugs:check enforcer:enforce jacoco:report surefire:test failsafe:verify"
    ),
    "rake": names("db:version db:migrate:status db:check stats notes routes about middleware"),
    "sbt": names("reload update dependencyTree about projects scalafmtCheck scalafmtCheckAll"),
    "lein": names("deps :tree check classpath"),
}


def _tasks(call: Call) -> list[Outcome]:
    """Gradle, Maven, rake and their like: the tasks decide; cleaning before a build is part of it."""
    name = next((one for one in JVM_PROGRAMS if call.name.startswith(one)), "gulp")
    own = JVM_PROGRAMS[name]
    found = own(call)
    options = read_options(call.args, own.takes, style=own.style)
    if changing(found) or options.has(HELP | TOLD.get(name, NONE)) or options.has(frozenset(own.milder)):
        return found
    given = [word.text.rsplit(":", 1)[-1] if name == "gradle" else word.text for word in options.operands]
    cleaning = [text for text in given if text in ("clean", "cleanTest")]
    rest = [text for text in given if text not in cleaning]
    own_install = name == "mvn" and "install" in rest
    known = all(
        text in LOOKS.get(name, frozenset()) or (own_install and text == "install") or _one_builds(name, text)
        for text in rest
    )
    return [reads("build")] if known and (rest or not cleaning) else [unlisted("build")]


def _one_builds(name: str, text: str) -> bool:
    if name == "rake" and text.startswith("db:"):
        return False
    return builds(text.partition("[")[0]) and not text.startswith("exec")


RUNNER = row(
    "build",
    flags="--all --parallel --verbose --skip-nx-cache --nxBail --prod --production --watch --coverage --no-cache "
    "--force --continue --dry --dry-run --affected --no-color --ci --codeCoverage --skipNxCache --output-logs "
    "--log-order --summarize --stream --since --json -l --long -a",
    valued="-t --target --targets --filter -F -p --projects --project --base --head --exclude --configuration -c "
    "--concurrency --output-logs --parallel --scope --ignore --only --env-mode --cache",
    outputs="--graph --file --profile --log-dir --cache-dir",
    loads="--cwd --api --token --team --root-turbo-json --script-shell",
)
RUNNER_LOOKS = names(
    "graph list show report ls print-affected changed diff info projects query config --help help"
)


def _runner(call: Call) -> list[Outcome]:
    """Task runners of JavaScript monorepos: `nx test app`, `turbo run build test`."""
    found = handing(RUNNER, HANDED)(call)
    options = read_options(call.args, RUNNER.takes)
    given = [word.text for word in options.operands if word.text not in ("run", "run-many", "affected")]
    targets = [
        one for value in options.values(names("-t --target --targets")) for one in value.text.split(",")
    ]
    if changing(found) or (given and given[0] in RUNNER_LOOKS):
        return [unlisted("build")] if given[:1] == ["graph"] and "run" in call.texts else found
    if call.name == "nx" and not targets:
        targets = [given[0].split(":")[1] if ":" in given[0] else given[0]] if given else []
    elif not targets:
        targets = [text.rsplit(":", 1)[-1] if "#" in text else text for text in given]
    effects = [task_effect(target.rsplit("#", 1)[-1]) for target in targets]
    return changing(effects) or ([reads("build")] if effects or not given else [unlisted("build")])


JUST = row(
    "build",
    flags="-l --list --summary --dump --list-all -a -u --unsorted --groups --variables -q --quiet -v --verbose "
    "--no-color --color --silent -s",
    valued="--show --list-heading",
    tells="-n --dry-run --dry",
    loads="--justfile -d --working-directory --set -t --taskfile --shell --shell-arg --command --choose --edit -e "
    "--evaluate --dir -g --global",
)
JUST_SHOWS = names("-l --list --summary --dump --list-all -a --show --variables --groups -n --dry-run --dry")


def _just(call: Call) -> list[Outcome]:
    options = read_options(call.args, JUST.takes)
    if options.may_have(JUST.loads):
        return [unlisted("build")]
    found = JUST(call)
    if changing(found) or options.has(JUST_SHOWS | names("--help --version")):
        return found
    given = options.texts()
    if not given:
        return [unlisted("build")]
    first = task_effect(given[0])
    return [first] if first.verdict != "read_only" else goals(given[1:])


RAILS = row(
    "build",
    flags="-v --verbose -d -b --backtrace --fail-fast -f -c --color --expanded -g -u --unused",
    valued="-n --name -e --environment -s --seed -c --controller -g --grep",
)
RAILS_LOOKS = names(
    "test spec routes about stats notes middleware version help zeitwerk:check db:version db:migrate:status server "
    "s test:system test:all test:models test:controllers test:integration test:units"
)


def _rails(call: Call) -> list[Outcome]:
    """`rails routes` looks; generators, migrations and the console may do anything."""
    given = read_options(call.args, RAILS.valued, stop=False).texts()
    if given and given[0] not in RAILS_LOOKS:
        return [unlisted("build")]
    return RAILS(call)


PROGRAMS: dict[str, Handler] = {
    **rows("gradle gradlew mvn mvnw sbt rake grunt", _tasks),
    "rails": _rails,
    **rows("nx turbo lerna", _runner),
    **rows("just task", handing(_just, of_any_language)),
}
