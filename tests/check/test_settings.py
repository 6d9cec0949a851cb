"""Settings: what the VS Code extension offers is in the table of settings, with the same choices."""

import json
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import ROOT  # noqa: E402

CLIENTS_OWN = {"rlx.path", "rlx.trace.server"}


def kebab(name):
    return re.sub(r"[A-Z]", lambda m: "-" + m.group().lower(), name)


def test_vscode_settings_are_in_the_table():
    rows = dict((key, (kind, choices.split())) for key, kind, choices in re.findall(
        r'^RLX_SETTING\(\w+,\s*"([^"]+)",\s*(\w+),\s*"(?:[^"\\]|\\.)*", "([^"]*)"', (ROOT / "config" / "settings.def").read_text(), re.M))
    assert len(rows) > 10
    manifest = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    groups = manifest["contributes"]["configuration"]
    for group in groups if isinstance(groups, list) else [groups]:
        for name, property in group["properties"].items():
            if name in CLIENTS_OWN:
                continue
            key = kebab(name.split(".")[1])
            assert key in rows, name
            kind, choices = rows[key]
            if kind == "CHOICE":
                assert property["enum"] == choices, name
            elif kind == "BOOL":
                assert property["type"] == "boolean", name
