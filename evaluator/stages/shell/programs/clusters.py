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
    r"batch-get|scan|test|estimate|simulate|detect|check|wait|stats|events|top|cat|stat|du|hash|read|access|members"
    r"|analyze|releases|releases-info|ip|url|size|lsf|lsd|lsl|lsjson|tree|token|render|synth|synthesize|ps|find|whois)"
    r"(?:-(?!and-|or-).*)?\Z"
)
DELETING_VERB = re.compile(
    r"(?:delete|destroy|remove|rm|rb|purge|terminate|deregister|drop|teardown|down|uninstall|cancel|revoke|deletefile"
    r"|cleanup|rmdir|rmdirs|wipe|nuke|flush|reset(?!-))(?:-.*)?\Z"
)
# Words that are nothing but verbs; the others of READING_VERB may name a thing that is changed (`env add`).
ASKING_VERB = re.compile(r"(?:list|ls|describe|show|get|view|inspect|diff|preview|read|cat|whoami)(?:-.*)?\Z")
# The first verb counts: `instances create list` creates.
CHANGING_VERB = re.compile(
    r"(?:create|set|unset|update|apply|add|start|stop|restart|reboot|enable|disable|put|push|cp|mv|rsync|sync|copy|move"
    r"|patch|publish|attach|detach|submit|upload|write|edit|resize|reset|rollback|promote|scale|migrate|init|login"
    r"|logout|import|restore|rename|invite|grant|lock|unlock|link|unlink|use|use-context|connect|replace|failover)"
    r"(?:-.*)?\Z"
)
RUNS_THERE = names("heroku fly flyctl railway eb vagrant multipass lxc virsh")
PRINTS = re.compile(r"print-[\w-]+\Z")
DRY = names("--dry-run --dryrun --generate-cli-skeleton --help --version -h -help")


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
    return [replace(one, family="cluster", targets=()) for one in found]


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
            "apply, create, patch, edit, replace, label, annotate, scale, set, expose, run, autoscale, "
            "taint, "
            "cordon, uncordon, drain",
            _dry("network"),
        ),
        **table(
            "rollout restart, rollout undo, rollout pause, rollout resume, proxy, attach, debug, "
            "certificate, "
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
            "test, pull, repo add, repo update, repo remove, dependency update, dependency build, plugin "
            "install, "
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
    given = options.texts()
    return [reads("build")] if checking or given == ["-"] else [writes("overwrite", given, "format")]


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
    milder=names("-help --help"),
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
    if options.has(DRY) or len(given) < 2 or "help" in given:
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


VERBS_MAX = 5
"""A verb stands among the first words; what follows is names, which may look like one."""
CLOUD_VALUED = names(
    "--project --region --zone --format --filter --limit --query -o --output -g --resource-group -n --name "
    "--subscription --app -a --remote --profile --stack -s --context --org --team --scope --token --config -c"
)
ASKS_BARE = {
    "heroku": names("config"),
    "pulumi": names("stack config"),
    "minikube": names("profile addons config"),
}


def _cloud(call: Call) -> list[Outcome]:
    """Clouds whose commands are nouns and a verb: the verb decides."""
    options = read_options(call.args, CLOUD_VALUED)
    given = options.texts()
    if options.has(DRY) or call.texts == ["-v"] or (not call.args and call.name != "vercel"):
        return [reads("cloud")]
    # `config:set`: the part behind the colon is the verb.
    verbs = [text.rpartition(":")[2] if re.match(r"[a-z-]+(?::[a-z-]+)+\Z", text) else text for text in given]
    if any(DELETING_VERB.match(verb) for verb in verbs):
        return [writes("delete", (), "cloud")]
    if given and given[0] in ASKS_BARE.get(call.name, ()) and _only_asks(given[1:]):
        return [reads("cloud")]
    if given[:1] and given[0] in ("run", "exec", "ssh", "up") and call.name in RUNS_THERE:
        return [writes("network", (), "cloud")]
    seen = False
    for verb in verbs[:VERBS_MAX]:
        if CHANGING_VERB.match(verb) or (verb == "deploy" and call.name != "gcloud"):
            seen = False
            break
        if ASKING_VERB.match(verb):
            return [reads("cloud")]
        seen = seen or READING_VERB.match(verb) is not None or PRINTS.match(verb) is not None
    if seen:
        return [reads("cloud")]
    if verbs[:1] and verbs[0] in ("build", "local", "dev", "synth") and call.name != "packer":
        return [reads("build")]
    local = (
        given[-1]
        if len(given) > 2 and given[-3:][0] in ("cp", "mv", "copy") and "://" not in given[-1]
        else ""
    )
    targets = copied([given[-2].rsplit("/", 1)[-1]], local) if local and "://" in given[-2] else ()
    return [writes("network", targets, "cloud")]


def _only_asks(rest: list[str]) -> bool:
    return not rest or rest[0] in ("get", "output", "history", "ls", "graph", "export") or len(rest) > 3


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
    **programs(
        "kustomize",
        Commands(
            "cluster", {**table("build, version, help, cfg", "read"), **table("edit, create", "overwrite")}
        ),
    ),
    **programs(
        "crictl",
        Commands(
            "cluster",
            table("ps, pods, images, logs, inspect, inspecti, inspectp, stats, info, version", "read"),
        ),
    ),
    **programs("rclone", _cloud),
    **programs("terraform tofu terragrunt", TERRAFORM),
    **programs("aws awslocal", _aws),
    **programs(
        "gcloud az doctl flyctl fly heroku vercel netlify firebase wrangler cdk sls serverless eb linode-cli "
        "hcloud oci ibmcloud railway supabase gsutil s3cmd mc minikube kind "
        "k3d argocd flux istioctl nomad consul vault eksctl kops packer vagrant multipass lxc virsh sam "
        "amplify render databricks",
        _cloud,
    ),
    **programs("pulumi", _pulumi),
    **programs("ansible-playbook ansible ansible-galaxy ansible-pull salt chef-client puppet", _playbook),
    **programs("kubectx kubens k9s stern kubetail", _looking),
    **programs("ansible-inventory ansible-doc ansible-config", always("read", "infrastructure")),
}
