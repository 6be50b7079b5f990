"""Clusters and infrastructure: rehearsals, commands and copies inside of a pod, and formatting in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from evaluator.shell.acts.inner import asking, changing
from evaluator.shell.acts.rehearsals import rehearsing
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.shell.programs import clusters as table
from evaluator.shell.rows.landing import copied
from evaluator.shell.rows.row import Row, rows, tree

SCRIPTS = (".py", ".sh", ".bash", ".rb", ".pl", ".js", ".php")
VALUED = names(f"{table.KUBE} -o --output -f --filename --raw")


def _shown(own: Row) -> Handler:
    """A format or a resource that comes from a file or an address that is not literal is not known."""
    row = replace(own, remote="addresses")

    def handle(call: Call) -> list[Outcome]:
        for name, value in read_options(call.args, VALUED).flags:
            if value is not None and (
                (name in ("-o", "--output") and "-file" in value.text)
                or (name in ("-f", "--filename", "--raw") and value.made)
            ):
                return [unlisted("cluster")]
        return row(call)

    return handle


def _exec(call: Call) -> list[Outcome]:
    texts = call.texts
    if "--" not in texts:
        return [unlisted("cluster")]
    at = texts.index("--")
    options = read_options(
        call.args[:at], names(f"{table.KUBE} -c --container -f --filename --pod-running-timeout")
    )
    mild = names(f"{table.KUBE} -c --container -i -t --stdin --tty -q --quiet --pod-running-timeout")
    found = call.shell.run_words(call.args[at + 1 :], call.stdin)
    told = [replace(one, family="cluster", targets=()) for one in found]
    return told if all(name in mild for name, _ in options.flags) else [*told, unlisted("cluster")]


def _copy(call: Call) -> list[Outcome]:
    given = read_options(call.args, names(f"{table.KUBE} -c --container --retries")).texts()
    if len(given) < 2 or ":" in given[-1]:
        return [writes("network", (), "cluster")]
    return [writes("network", copied([given[0].rsplit(":", 1)[-1]], given[-1]), "cluster")]


def _format(call: Call) -> list[Outcome]:
    options = read_options(call.args, style="single")
    last = {name.lstrip("-"): "true" if value is None else value.text for name, value in options.flags}
    checking = last.get("check") == "true" or last.get("write") == "false"
    given = options.texts()
    found = [one for one in table.FORMAT(call) if one.verdict != "read_only"]
    if (checking and last.get("write", "false") == "false") or given == ["-"]:
        return found or [reads("build")]
    return [*found, writes("overwrite", given, "format")]


def _inventoried(own: Row, handler: Handler) -> Handler:
    """An inventory that is a script is run."""

    def handle(call: Call) -> list[Outcome]:
        given = read_options(call.args, own.takes).values(own.places)
        runs = any(word.text.endswith(SCRIPTS) for word in given)
        return [*changing(handler(call)), unlisted("infrastructure")] if runs else handler(call)

    return handle


KUBECTL: Mapping[str, Handler] = {
    **{name: _shown(row) for name, row in table.KUBE_READS.items() if isinstance(row, Row)},
    **rows(table.KUBE_CHANGES, rehearsing(table.KUBE_CHANGED)),
    "delete": rehearsing(table.KUBE_DELETED),
    "exec": _exec,
    "cp": _copy,
}
HELM: Mapping[str, Handler] = {
    **table.HELM_READS,
    **rows("install, upgrade, rollback,", rehearsing(table.HELM_CHANGED)),
    **rows("uninstall, delete, del,", rehearsing(table.HELM_REMOVED)),
    **rows(table.HELM_OTHERS, table.NETWORK),
}
PROGRAMS: dict[str, Handler] = {
    **rows("kubectl oc", tree("cluster", KUBECTL, valued=table.KUBE)),
    "helm": tree("cluster", HELM, valued=table.HELM, flags="--debug"),
    **rows(
        "terraform tofu",
        tree(
            "infrastructure",
            {**table.TERRAFORM, "apply": table.APPLY, "fmt": _format},
            places="-chdir",
            flags="-help -version",
            style="single",
        ),
    ),
    "ansible-inventory": _inventoried(table.INVENTORY, table.INVENTORY),
    "ansible-playbook": _inventoried(
        table.PLAYBOOK,
        asking(table.PLAYBOOK, f"{table.PLAYBOOK_ASKS} --version --help", "network"),
    ),
    "ansible": _inventoried(table.ADHOC, asking(table.ADHOC, "--list-hosts --version --help", "network")),
}
