"""Package managers of systems: those whose operation is a letter, and options in front of the subcommand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from evaluator.shell.acts.inner import anywhere
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names
from evaluator.shell.outcome import Outcome
from evaluator.shell.programs.debian import APT
from evaluator.shell.programs.system_packages import BREW, BREW_READS
from evaluator.shell.rows.row import row, rows

BREW_TOLD = names("--prefix --cache --cellar --repository --repo --caskroom --env")


def _brew(call: Call) -> list[Outcome]:
    """Places are asked for as options: `brew --prefix openssl`."""
    if call.texts[:1] and call.texts[0] in BREW_TOLD:
        return BREW_READS(replace(call, args=call.args[1:]))
    return BREW(call)


def _by_letter(table: Mapping[str, Handler], otherwise: Handler) -> Handler:
    """The first option names the operation: `pacman -Qs`, `rpm -qa`."""

    def handle(call: Call) -> list[Outcome]:
        first = next((text for text in call.texts if text.startswith("-")), "")
        key = first.partition("=")[0] if first.startswith("--") else first[:2]
        return table.get(key, otherwise)(call)

    return handle


PACMAN_READS = row(
    "packages",
    flags="-Q -s -i -l -q -e -d -t -m -n -k -o -c -g -u -p -T -F -x --query --search --info --list --quiet "
    "--explicit --deps --unrequired --foreign --owns --upgrades --groups --check --files --color",
)
PACMAN_ASKS = row(
    "packages", flags="-S -s -i -l -g -q --sync --search --info --list --groups --quiet --color"
)
PACMAN_INSTALLS = row(
    "packages",
    does="install",
    flags="-S -R -U -D -y -u -c -w -n -s -q -d -k --noconfirm --needed --sync --remove --upgrade --refresh "
    "--sysupgrade --clean --nosave --recursive --cascade --asdeps --asexplicit --overwrite",
    tells="-p --print",
)


def _pacman_sync(call: Call) -> list[Outcome]:
    letters = {letter for text in call.texts if text[:1] == "-" and text[:2] != "--" for letter in text[1:]}
    asks = letters & set("silg") and not letters & set("yuwc")
    return PACMAN_ASKS(call) if asks or {"--search", "--info"} & set(call.texts) else PACMAN_INSTALLS(call)


PACMAN = _by_letter(
    {
        "-Q": PACMAN_READS,
        "--query": PACMAN_READS,
        "-F": PACMAN_READS,
        "-T": PACMAN_READS,
        "-S": _pacman_sync,
        "--sync": _pacman_sync,
    },
    PACMAN_INSTALLS,
)
RPM_READS = row(
    "packages",
    flags="-q -a -i -l -f -c -d -p -R -v -K -V -s --query --all --info --list --file --package --requires "
    "--provides --whatrequires --whatprovides --changelog --scripts --triggers --last --docfiles --configfiles "
    "--queryformat --verify --checksig --conflicts --obsoletes --nosignature --nodigest --qf --querytags --showrc",
    valued="--qf --queryformat --dbpath --root",
    remote="addresses",
)
RPM = _by_letter(
    dict.fromkeys(
        ("-q", "--query", "-V", "--verify", "-K", "--checksig", "--querytags", "--showrc"), RPM_READS
    ),
    row(
        "packages",
        does="install",
        flags="-i -U -F -e -v -h --install --upgrade --freshen --erase --nodeps --force --hash --replacepkgs "
        "--import --rebuilddb --test",
    ),
)


PROGRAMS: dict[str, Handler] = {
    **rows("pacman", PACMAN),
    "rpm": RPM,
    "brew": _brew,
    **rows("apt apt-get", anywhere(APT, "-t --target-release -o --option -c --config-file")),
}
