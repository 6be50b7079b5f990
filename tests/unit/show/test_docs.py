"""What the documents state and the code knows must be the same."""

import json
import re

from repository import ROOT

from compass.cli import COMMANDS
from evaluator.configuration.settings import KEYS


def test_every_setting_stands_in_the_documents_with_its_default():
    text = (ROOT / "docs/settings.md").read_text()
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| (.+?) \| ", text, re.M))
    assert sorted(rows) == sorted(KEYS)
    for path, key in KEYS.items():
        if not isinstance(key.default, tuple) or not key.default:
            default = [] if isinstance(key.default, tuple) else key.default
            assert rows[path] == f"`{json.dumps(default)}`", path


def test_the_readme_names_every_command():
    text = (ROOT / "README.md").read_text()
    for name in COMMANDS:
        assert f"`compass {name}" in text, name
