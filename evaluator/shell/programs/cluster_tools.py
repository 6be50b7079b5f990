"""What makes clusters, or delivers to them."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.programs.platforms import CHANGE, DELETE
from evaluator.shell.rows.row import row, rows, tree

LOOKS_THERE = row(
    "cloud",
    flags="-A --all-namespaces -a --all -q --quiet -v --verbose -json -verbose -stats -detailed -short --short "
    "--json --no-color -l -n -tail -f -stderr -status -recurse -keys -evals --refresh --hard-refresh --client "
    "--watch -w",
    valued="-o --output --format -t --revision --namespace --context -p --profile -job -type --tail --selector -c "
    "--container --since --since-time --server-side-diff --local",
)


PLATFORMS: dict[str, Handler] = {
    "minikube": tree(
        "cluster",
        {
            **rows(
                "status, ip, profile list, addons list, version, service list, node list, image ls, ssh-key, "
                "config view,",
                LOOKS_THERE,
            ),
            **rows(
                "start, stop, pause, unpause, addons enable, addons disable, image load, tunnel, config set, "
                "profile,",
                CHANGE,
            ),
            "delete": DELETE,
        },
        valued="-p --profile",
    ),
    "kind": tree(
        "cluster",
        {
            **rows(
                "get clusters, get nodes, get kubeconfig, version,",
                "cluster",
                flags="-q --quiet --internal -A",
                valued="-n --name -v",
                most=0,
            ),
            **rows(
                "create cluster, load docker-image, load image-archive, export kubeconfig, export logs,",
                CHANGE,
            ),
            **rows("delete cluster, delete clusters,", DELETE),
        },
    ),
    "k3d": tree(
        "cluster",
        {
            **rows(
                "cluster list, cluster ls, node list, registry list, version, kubeconfig get,", LOOKS_THERE
            ),
            **rows(
                "cluster create, cluster start, cluster stop, image import, node create, kubeconfig merge,",
                CHANGE,
            ),
            **rows("cluster delete, node delete, registry delete,", DELETE),
        },
    ),
    "argocd": tree(
        "cluster",
        {
            **rows(
                "app sync, app create, app set, app rollback, app patch, login, logout, repo add, cluster add, "
                "proj create,",
                CHANGE,
            ),
            **rows("app delete, repo rm, cluster rm, proj delete, appset delete,", DELETE),
        },
    ),
    "eksctl": tree(
        "cloud",
        {
            **rows("create, upgrade, scale, enable, utils,", CHANGE),
            **rows("delete, drain,", DELETE),
        },
    ),
}
