"""What keeps an installed plugin loaded is the user's to change: `enabledPlugins`, and the client's own list."""

import json

import pytest
from corpora import corpus
from running.guarded import Guarded

OFF = {"enabledPlugins": {"compass@compass-gate": False}}
PLUGINS = "$HOME/.claude/plugins"


def new_guarded(tmp_path):
    found = Guarded(tmp_path)
    (found.project / ".claude").mkdir(exist_ok=True)
    return found


guarded = pytest.fixture(new_guarded, name="guarded")


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_no_tool_turns_a_plugin_off_or_adds_a_marketplace(guarded, name):
    path = guarded.project / ".claude" / name
    assert "enabledPlugins" in guarded.write(path, json.dumps(OFF))
    assert guarded.write(path, json.dumps({"extraKnownMarketplaces": {"compass-gate": {"source": {}}}}))
    path.write_text(json.dumps({"enabledPlugins": {"compass@compass-gate": True}, "model": "a"}))
    assert guarded.write(path, json.dumps(OFF))
    assert guarded.write(path, "{}"), "left out it says nothing any more"
    edit = {"file_path": str(path), "old_string": "true", "new_string": "false"}
    assert guarded.judge("Edit", edit)
    same = {"enabledPlugins": {"compass@compass-gate": True}, "model": "b"}
    assert guarded.write(path, json.dumps(same)) == "", "other keys are ordinary writes"


@corpus(
    "command",
    [
        f"rm {PLUGINS}/installed_plugins.json",
        "rm -rf ~/.claude/plugins/cache/compass-gate",
        "echo '{}' > ~/.claude/plugins/known_marketplaces.json",
        "sed -i s/exec/exit/ ~/.claude/plugins/cache/compass-gate/compass/0.1.0/hooks/plugin.sh",
        "mv ~/.claude/plugins ~/.claude/plugins-old",
        "rm -rf ~/.claude/plugins/marketplaces/compass-gate",
        "claude plugin disable compass@compass-gate",
        "claude plugin uninstall compass",
        "claude plugins marketplace remove compass-gate",
        "claude plugin marketplace add /tmp/other",
    ],
    each={"guarded": new_guarded},
)
def test_no_command_takes_it_out(guarded, command):
    assert guarded.bash(command)


@pytest.mark.parametrize(
    "command",
    ["claude plugin list", "cat ~/.claude/plugins/installed_plugins.json", "ls ~/.claude/plugins/cache"],
)
def test_looking_at_it_is_nobodys_harm(guarded, command):
    assert guarded.bash(command) == ""
