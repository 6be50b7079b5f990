"""Clusters, infrastructure and clouds."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.stages.shell.call import Call, Handler
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.stages.shell.spec import Commands, Rule, always, copied, programs, table

KUBE_GLOBALS = names(
    "-n --namespace --context --kubeconfig --cluster --user -s --server --as --token -l --selector"
)
READING_VERB = re.compile(
    r"(?:list|ls|describe|show|get|status|logs|log|info|whoami|version|preview|diff|view|tail|inspect|ps|history|head|query|lookup|search|validate|lint|help|doctor|dns|apps|env|filter|"
    r"batch-get|scan|test|estimate|simulate|detect|check|wait|stats|events|top)(?:[-:].*)?\Z"
)
DELETING_VERB = re.compile(
    r"(?:delete|destroy|remove|rm|rb|purge|terminate|deregister|drop|teardown|down|uninstall|cancel|revoke)(?:[-:].*)?\Z"
)


def _dry(rule: str) -> Rule:
    """A rule that a dry run turns into reading."""

    def handle(call: Call) -> list[Outcome]:
        dry = any(text.startswith("--dry-run") and not text.endswith("=none") for text in call.texts)
        return (
            [reads("cluster")]
            if dry
            else [writes("delete" if rule == "delete" else "network", (), "cluster")]
        )

    return handle


def _kube_exec(call: Call) -> list[Outcome]:
    texts = call.texts
    if "--" not in texts:
        return [unlisted("cluster")]
    found = call.shell.run_words(call.args[texts.index("--") + 1 :], call.stdin)
    cwd = call.shell.cwd.rstrip("/") + "/"
    return [
        replace(one, family="cluster", targets=tuple(t for t in one.targets if not t.startswith(cwd)))
        for one in found
    ]


def _kube_copy(call: Call) -> list[Outcome]:
    given = read_options(call.args, KUBE_GLOBALS | names("-c --container")).texts()
    if len(given) < 2 or ":" in given[-1]:
        return [writes("network", (), "cluster")]
    return [writes("network", copied([given[0].rsplit(":", 1)[-1]], given[-1]), "cluster")]


KUBECTL = Commands(
    "cluster",
    {
        **table(
            "get, describe, logs, top, explain, version, api-resources, api-versions, cluster-info, config "
            "view, config get-contexts, config current-context, config get-clusters, "
            "config get-users, auth can-i, auth whoami, diff, wait, rollout status, rollout history, "
            "events, options, plugin, kustomize, help, completion, port-forward",
            "read",
        ),
        **table(
            "apply, create, patch, edit, replace, label, annotate, scale, set, expose, run, autoscale, taint, "
            "cordon, uncordon, drain",
            _dry("network"),
        ),
        **table(
            "rollout restart, rollout undo, rollout pause, rollout resume, proxy, attach, debug, certificate, "
            "config set, config use-context, config set-context, config unset, "
            "config delete-context, auth reconcile",
            "network",
        ),
        "delete": _dry("delete"),
        "exec": _kube_exec,
        "cp": _kube_copy,
    },
    valued=KUBE_GLOBALS,
)
HELM = Commands(
    "cluster",
    {
        **table(
            "list, ls, status, get, history, show, inspect, search, template, lint, version, env, repo list, "
            "repo ls, dependency list, plugin list, verify, help, diff",
            "read",
        ),
        **table("install, upgrade, rollback, push", _dry("network")),
        **table(
            "test, pull, repo add, repo update, repo remove, dependency update, dependency build, plugin install, "
            "registry login, package, create",
            "network",
        ),
        **table("uninstall, delete, del", _dry("delete")),
    },
    valued=KUBE_GLOBALS | names("--kube-context --registry-config"),
)


def _plan(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-out -var -var-file -target -state -refresh"), style="single")
    files = [value.text for value in options.values(names("-out --out"))]
    return [writes("overwrite", files, "infrastructure")] if files else [reads("infrastructure")]


def _apply(call: Call) -> list[Outcome]:
    return [
        writes(
            "delete" if any(text in ("-destroy", "--destroy") for text in call.texts) else "network",
            (),
            "infrastructure",
        )
    ]


def _format(call: Call) -> list[Outcome]:
    options = read_options(call.args, style="single")
    checking = options.has(names("-check --check -write=false")) or any(
        value.text == "false" for value in options.values(names("-write"))
    )
    return [reads("build")] if checking else [writes("overwrite", options.texts(), "format")]


TERRAFORM = Commands(
    "infrastructure",
    {
        **table(
            "validate, show, output, state list, state show, state pull, providers, version, graph, console, "
            "workspace list, workspace show, metadata functions, help",
            "read",
        ),
        **table(
            "import, taint, untaint, refresh, state mv, state push, state replace-provider, workspace new, "
            "workspace select, force-unlock, login, logout, push",
            "network",
        ),
        **table("destroy, state rm, workspace delete", "delete"),
        **table("init, get", "install"),
        "plan": _plan,
        "test": "network",
        "providers lock": "overwrite",
        "providers mirror": "create operands",
        "apply": _apply,
        "fmt": _format,
    },
    style="single",
    valued=names("-chdir"),
)


def _aws(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names(
            "--profile --region --output --query --endpoint-url --color --bucket --key --function-name "
            "--log-group-name --filters --prefix --cli-input-json --table-name"
        ),
    )
    given = options.texts()
    if options.has(names("--version --dryrun --generate-cli-skeleton")) or len(given) < 2 or "help" in given:
        return [reads("cloud")]
    service, verb = given[0], given[1]
    if service == "configure":
        return [reads("cloud")] if verb in ("list", "get", "list-profiles") else [unlisted("cloud")]
    if service == "s3":
        return _s3(verb, given[2:], call.texts)
    if service == "s3api" and verb == "get-object":
        return [writes("network", given[2:3], "cloud")]
    return [_by_verb(verb)]


def _s3(verb: str, paths: list[str], texts: list[str]) -> list[Outcome]:
    if verb in ("ls", "presign"):
        return [reads("cloud")]
    if verb in ("rm", "rb"):
        return [writes("delete", (), "cloud")]
    local = len(paths) > 1 and not paths[-1].startswith("s3://") and paths[-1] != "-"
    targets = list(copied([path.rsplit("/", 1)[-1] for path in paths[:1]], paths[-1])) if local else []
    if verb == "cp" and paths[-1:] == ["-"]:
        return [reads("cloud")]
    if verb == "mv":
        return [
            writes("move", [*[path for path in paths[:1] if not path.startswith("s3://")], *targets], "cloud")
        ]
    return [writes("delete" if "--delete" in texts else "network", targets, "cloud")]


def _by_verb(verb: str) -> Outcome:
    if DELETING_VERB.match(verb):
        return writes("delete", (), "cloud")
    return reads("cloud") if READING_VERB.match(verb) else writes("network", (), "cloud")


def _cloud(call: Call) -> list[Outcome]:
    """Clouds whose commands are nouns and a verb: the verb decides."""
    options = read_options(call.args)
    given = options.texts()
    if options.has(names("--version --help -v -h --dry-run")) or not given:
        return [reads("cloud")]
    deletes = [text for text in given if DELETING_VERB.match(text)]
    if deletes:
        return [writes("delete", (), "cloud")]
    return (
        [reads("cloud")]
        if any(READING_VERB.match(text) for text in given)
        else [writes("network", (), "cloud")]
    )


def _pulumi(call: Call) -> list[Outcome]:
    return [reads("cloud")] if "preview" in call.texts else _cloud(call)


def _playbook(call: Call) -> list[Outcome]:
    looks = any(
        text
        in ("--check", "-C", "--syntax-check", "--list-tasks", "--list-hosts", "--list-tags", "--version")
        for text in call.texts
    )
    return [reads("infrastructure")] if looks else [writes("network", (), "infrastructure")]


def _looking(call: Call) -> list[Outcome]:
    """Viewers; the two that switch a context read only without an argument."""
    switching = call.name in ("kubectx", "kubens") and bool(call.args)
    return [writes("network", (), "cluster")] if switching else [reads("cluster")]


PROGRAMS: dict[str, Handler] = {
    **programs("kubectl oc", KUBECTL),
    **programs("helm", HELM),
    **programs("terraform tofu terragrunt", TERRAFORM),
    **programs("aws awslocal", _aws),
    **programs(
        "gcloud az doctl flyctl fly heroku vercel netlify firebase wrangler cdk sls serverless eb linode-cli "
        "hcloud oci ibmcloud railway supabase gsutil s3cmd mc minikube kind "
        "k3d argocd flux istioctl nomad consul vault eksctl kops packer vagrant multipass lxc virsh sam "
        "amplify render databricks bq",
        _cloud,
    ),
    **programs("pulumi", _pulumi),
    **programs("ansible-playbook ansible ansible-galaxy ansible-pull salt chef-client puppet", _playbook),
    **programs("kubectx kubens k9s stern kubetail", _looking),
    **programs("ansible-inventory ansible-doc ansible-config", always("read", "infrastructure")),
}
