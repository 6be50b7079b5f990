"""Scanners of secrets, packages, policies and infrastructure."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

SEMGREP_SCAN = row(
    "build",
    flags="--json --sarif --quiet -q --verbose -v --error --strict --no-git-ignore --metrics --text "
    "--dataflow-traces --no-rewrite-rule-ids --severity --validate",
    valued="--severity --include --exclude --max-target-bytes --timeout -j --jobs --metrics --lang -l",
    outputs="-o --output",
    changes="--autofix -a",
    loads="-e --pattern",
    milder="--dryrun",
)


PROGRAMS: dict[str, Handler] = {
    **rows(
        "tflint tfsec",
        "build",
        flags="--recursive --no-color --force --soft-fail --call-module-type --minimum-failure-severity --compact "
        "--color",
        valued="-f --format --minimum-severity -m --filter --only --disable-rule --enable-rule --exclude -e",
        outputs="-O --out",
        changes={"--init": "install", "--fix": "overwrite"},
        loads="--chdir --custom-check-dir --langserver --var-file --var",
    ),
    "kubeconform": row(
        "build",
        flags="-summary -strict -verbose -ignore-missing-schemas -debug -exit-on-error -v",
        valued="-output -n -kubernetes-version -skip -reject -ignore-filename-pattern",
        outputs="-cache",
        style="single",
    ),
    "conftest": tree(
        "build",
        {
            **rows(
                "test, verify",
                "build",
                flags="--all-namespaces --no-color --fail-on-warn --combine --quiet --trace",
                valued="-n --namespace -o --output --parser --ignore",
                loads="-p --policy -d --data -u --update --rego-version",
            ),
            "parse": row("build", flags="--combine", valued="--parser"),
        },
    ),
    "opa": tree(
        "build",
        {
            **rows(
                "check, test, inspect, parse, deps, version, capabilities",
                "build",
                flags="-v --verbose -S --strict -c --coverage --fail --fail-defined --ignore-case -z -b --metrics "
                "--explain",
                valued="-f --format -d --data -i --input --ignore -r --run --threshold -t --timeout --package",
                loads="--server --bundle -w --watch",
            ),
            "fmt": row(
                "format",
                flags="-l --list -d --diff --fail --check-result",
                changes="-w --write",
                targets="operands",
            ),
        },
    ),
    "trivy": tree(
        "build",
        {
            **rows(
                "fs, filesystem, config, conf, image, i, repo, repository, rootfs, sbom, version",
                "build",
                flags="-q --quiet --ignore-unfixed --list-all-pkgs --no-progress -d --debug --offline-scan "
                "--skip-db-update --include-dev-deps",
                valued="-s --severity -f --format --scanners --exit-code --timeout --skip-dirs --skip-files "
                "--vuln-type --pkg-types",
                outputs="-o --output --cache-dir",
                remote="addresses",
                loads="-t --template --server --config-check --policy --module-dir",
            )
        },
        flags="-q --quiet -v",
    ),
    "gitleaks": tree(
        "build",
        rows(
            "detect, protect, git, dir, stdin, version",
            "build",
            flags="-v --verbose --no-banner --redact --staged --no-git --no-color --pre-commit",
            valued="-s --source --log-opts -f --report-format --exit-code -l --log-level --max-target-megabytes "
            "--platform",
            outputs="-r --report-path",
            loads="-b --baseline-path -i --gitleaks-ignore-path --report-template",
        ),
    ),
    "semgrep": tree("build", {"scan": SEMGREP_SCAN}),
    "safety": tree(
        "build",
        {
            "check": row(
                "build",
                flags="--full-report --short-report --json --bare --offline",
                valued="-r --file -i --ignore --output -o --policy-file",
                outputs="--save-json --save-html",
                changes="--apply-security-updates --apply-remediations",
            ),
            "scan": row(
                "build",
                flags="--detailed-output",
                valued="--output --target",
                outputs="--save-as --save-json",
                changes="--apply-fixes",
            ),
        },
    ),
    "checkov": row(
        "build",
        flags="--quiet --compact --list -l --skip-download -s --soft-fail",
        valued="-d --directory -f --file --framework -c --check --skip-check -o --output --skip-path",
        outputs="--output-file-path --create-baseline",
        loads="--external-checks-dir --external-checks-git --bc-api-key --repo-root-for-plan-enrichment "
        "--external-modules-download-path --download-external-modules",
    ),
}
