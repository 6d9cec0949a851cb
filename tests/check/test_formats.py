"""rlx check: what the machine formats hold: valid SARIF, unique fingerprints, well-formed XML; fixes that fix."""

import json
import os
import pathlib
import shutil
import subprocess
import xml.etree.ElementTree as xml

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

SCHEMA = ROOT.parent / "shared" / "schemas" / "sarif-schema-2.1.0.json"
MISTAKES = ROOT / "examples" / "mistakes.py"
FILES = [str(MISTAKES), str(ROOT / "examples" / "mlp.py")]


def check(*args, text=None, codes=(0, 1)):
    done = subprocess.run([RLX, "check", *args], input=text, capture_output=True, timeout=900)
    assert done.returncode in codes, done.stderr.decode()
    return done.stdout.decode()


def findings(*args):
    return [d for f in json.loads(check("--format", "json", *args))["files"] for d in f["diagnostics"]]


def test_sarif_follows_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    if not SCHEMA.is_file():
        pytest.skip("no schema beside the repository")
    log = json.loads(check("--format", "sarif", *FILES))
    jsonschema.validate(log, json.loads(SCHEMA.read_text()))


def test_sarif_says_what_json_says():
    run = json.loads(check("--format", "sarif", *FILES))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    expected = findings(*FILES)
    assert [r["ruleId"] for r in run["results"]] == [d["code"] for d in expected]
    for result, d in zip(run["results"], expected):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] == d["range"]["start"]["line"] + 1
        assert region["startColumn"] == d["range"]["start"]["character"] + 1
        assert len(result.get("fixes", [])) == len(d["fixes"])


def test_sarif_has_help_and_fixes():
    run = json.loads(check("--format", "sarif", *FILES))["runs"][0]
    rules = {r["id"]: r for r in run["tool"]["driver"]["rules"]}
    assert all(r["help"]["text"] and r["help"]["markdown"] and r["fullDescription"]["text"] for r in rules.values())
    fixes = [f for r in run["results"] for f in r.get("fixes", [])]
    assert fixes
    for fix in fixes:
        for change in fix["artifactChanges"]:
            assert all("deletedRegion" in r and "insertedContent" in r for r in change["replacements"])


def test_cached_results_are_the_same(tmp_path):
    env = dict(os.environ, XDG_CACHE_HOME=str(tmp_path))
    for name in ("text", "json", "sarif", "github", "gitlab", "junit"):
        command = [RLX, "check", "--format", name, *FILES]
        cold, warm = (subprocess.run(command, env=env, capture_output=True).stdout for _ in range(2))
        plain = subprocess.run([*command, "--no-cache"], env=env, capture_output=True).stdout
        assert cold == warm == plain and plain, name


def test_gitlab_fingerprints_are_unique():
    report = json.loads(check("--format", "gitlab", *FILES, *FILES))
    assert report
    prints = [entry["fingerprint"] for entry in report]
    assert len(set(prints)) == len(prints)


def test_junit_is_xml_with_a_case_per_file():
    root = xml.fromstring(check("--format", "junit", *FILES))
    cases = root.findall("./testsuite/testcase")
    assert [c.get("name") for c in cases] == FILES
    assert len(cases[0].findall("failure")) > 0
    assert not cases[1].findall("failure")
    failed = sum(case.find("failure") is not None for case in cases)
    for counted in (root, root.find("testsuite")):
        assert (int(counted.get("tests")), int(counted.get("failures"))) == (len(cases), failed)


def of_sarif(log):
    return [(n["level"], n["message"]["text"]) for n in log["runs"][0]["invocations"][0]["toolExecutionNotifications"]]


@pytest.mark.parametrize("case", ["notebook", "empty", "plain"])
def test_what_a_folder_leaves_unread_stands_in_every_format(tmp_path, case):
    folder = tmp_path / "folder"
    folder.mkdir()
    if case == "notebook":
        shutil.copy(FILES[1], folder / "mlp.py")
        cell = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": ["@R.function\n", "def f(x: R.Tensor):\n", "    return x\n"]}
        (folder / "nb.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    if case == "plain":
        (folder / "setup.py").write_text("x = 1\n")
    told = {"notebook": "nb.ipynb: not read: a notebook", "empty": "folder: no files to read", "plain": "1 file, none of them has a script"}[case]
    read = int(case == "notebook")
    root = xml.fromstring(check("--format", "junit", str(folder)))
    skipped = [s.get("message") for s in root.iter("skipped")]
    assert len(skipped) == 1 and told in skipped[0]
    assert root.find("testsuite").get("skipped") == "1" and root.get("tests") == str(read + 1)
    [(level, text)] = of_sarif(json.loads(check("--format", "sarif", str(folder))))
    assert level == "warning" and told in text
    report = json.loads(check("--format", "json", str(folder)))
    assert len(report["unread"]) == 1 and told in report["unread"][0] and report["summary"]["files"] == read
    [entry] = json.loads(check("--format", "gitlab", str(folder)))
    assert entry["severity"] == "info" and told in entry["description"]
    github = check("--format", "github", str(folder))
    assert github.startswith("::warning title=rlx check::") and told in github


def test_a_run_that_read_all_says_nothing_of_it():
    assert "unread" not in json.loads(check("--format", "json", *FILES))
    assert of_sarif(json.loads(check("--format", "sarif", *FILES))) == []
    assert not list(xml.fromstring(check("--format", "junit", *FILES)).iter("skipped"))


def test_fix_leaves_fewer_findings_and_then_nothing_to_fix(tmp_path):
    target = tmp_path / "mistakes.py"
    shutil.copy(MISTAKES, target)
    before = findings(str(target))
    assert any(d["fixes"] for d in before)
    diff = check("--diff", str(target))
    assert target.read_bytes() == MISTAKES.read_bytes()
    check("--fix", str(target))
    assert len(findings(str(target))) < len(before)
    assert check("--diff", str(target)) == ""
    patched = tmp_path / "patched.py"
    shutil.copy(MISTAKES, patched)
    if shutil.which("patch"):
        subprocess.run(["patch", "-s", str(patched)], input=diff.encode(), check=True)
        assert patched.read_bytes() == target.read_bytes()


def test_select_and_ignore_split_the_findings():
    all_codes = [d["code"] for d in findings(*FILES)]
    one = all_codes[0]
    assert {d["code"] for d in findings("--select", one, *FILES)} == {one}
    assert sorted([d["code"] for d in findings("--ignore", one, *FILES)] + [c for c in all_codes if c == one]) == sorted(all_codes)


def test_paths_of_a_walk_have_no_dot(tmp_path):
    """GitLab matches paths from the root of the repository; a file under two names is read once, as the one that is no link."""
    (tmp_path / "a.py").write_text(
        "from tvm.script import relax as R\n\n\n@R.function\ndef f(x: R.Tensor((2,), 'float32')):\n    return R.addd(x, x)\n"
    )
    (tmp_path / "b.py").symlink_to("a.py")
    for paths in ([], ["."], ["./"]):
        out = subprocess.run([RLX, "check", "--no-cache", "--format=gitlab", *paths], cwd=tmp_path, capture_output=True, text=True).stdout
        assert {finding["location"]["path"] for finding in json.loads(out)} == {"a.py"}
    command = [RLX, "check", "--no-cache", "--baseline=known.json"]
    subprocess.run([*command, "--write-baseline"], cwd=tmp_path, check=True, capture_output=True)
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 0 and "did not come" not in again.stderr
