"""What of one host self-protection guards, in addition to its settings files. Data; the host's package says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evaluator.record import Record


class HostProtected(Record):
    """`files`: absolute paths of further settings, such as managed ones. `keys`: the keys of a settings file that
    decide on the gate. `words`: settings files as a command would spell them, `rare`: names of theirs that hardly any
    other file has. `programs`: the names of its own programs. `variables`: regexes of the names of variables that
    decide on its hooks, settings or session; `moving`: those that move its settings or switch its hooks off, wherever
    a shell or a session sets them at its start. `plugin_variable`: names the folder of a plugin of ours, empty for
    none. `beside`: further settings, below the home and below a project alike, in which Compass has no keys of its
    own. `placed`: files and folders that no agent may change at all, absolute or relative to the home; `within`:
    folders of a project whose files the host runs. `homes` are (variable, folder of the home that it stands for):
    where one is set, what lies there counts too.
    """

    files: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()
    plugin_variable: str = ""
    beside: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    homes: tuple[tuple[str, str], ...] = ()

    def moved(self, names: Iterable[str], env: Mapping[str, str]) -> list[str]:
        """The paths that files below the home have where a variable has moved their folder."""
        found: list[str] = []
        for variable, usual in self.homes:
            folder = env.get(variable, "")
            if folder.startswith("/"):
                prefix = f"{usual}/" if usual else ""
                found += [
                    f"{folder.rstrip('/')}/{name[len(prefix) :]}" for name in names if name.startswith(prefix)
                ]
        return found
