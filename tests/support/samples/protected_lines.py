"""The commands of `fixtures/attacks/protection/lines.toml`, as tests of self-protection take them."""

import tomllib

from repository import ROOT

_TOLD = tomllib.loads((ROOT / "fixtures/attacks/protection/lines.toml").read_text(encoding="utf-8"))
WRAPPERS, EXPANSIONS = _TOLD["wrappers"], _TOLD["expansions"]
ATTACK = "rm -rf ~/.onlooker/compass"


def lines(text):
    return text.strip("\n").splitlines()


def around(forms, command=ATTACK):
    """Each form with the command in its place."""
    return [form.replace("{}", command) for form in forms]


ATTACKS = (
    *(
        line
        for kind in ("links", "reaches", "spellings", "controls", "state", "plugins")
        for line in lines(_TOLD[kind])
    ),
    *around(lines(WRAPPERS)),
    *around(lines(EXPANSIONS)),
    *around(_TOLD["expansions_of_several_lines"]),
    *_TOLD["code_in_python"],
    *_TOLD["attacks_of_several_lines"],
)
HARMLESS = (*lines(_TOLD["ordinary"]), *_TOLD["ordinary_of_several_lines"])
LAYERS = lines(_TOLD["layers"])
