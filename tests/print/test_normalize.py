"""rlx normalize, all its forms: done once is done, the result has no violation and no new finding, StructInfo of names that stay
is the same, what is in normal form comes out as it is (modules that TVM prints are)."""

import ast
import collections
import glob
import json
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RLX = os.environ.get("RLX", str(ROOT / os.environ.get("BUILD", "build") / "rlx"))
CORPUS = ROOT.parent / "shared" / "corpus" / "relax"
OURS = sorted(glob.glob(str(ROOT / "examples/*.py")) + glob.glob(str(ROOT / "tests/golden/rules/*.py")) + glob.glob(str(ROOT / "tests/golden/design/*.py")))
# Not tests/golden/sinfo: where an annotation is coarser than its call, TVM forgets it once an operand is nested, as t-anf's accesses are.
FORMS = {"anf": ([], "anf"), "t-anf": (["--t-anf"], "t-anf"), "canonical": (["--canonicalize"], "anf"),
         "canonical-t-anf": (["--t-anf", "--canonicalize"], "t-anf")}
KINDS = ["as-written", "printed", "stripped", "mutated", "needs-python"]


def rlx(*args):
    done = subprocess.run([RLX, *map(str, args)], capture_output=True, timeout=300)
    assert done.returncode in (0, 1), (args, done.stderr.decode())
    return done.stdout.decode()


def last_json(*args):
    return json.loads(rlx(*args).strip().split("\n")[-1])


def files_of(answer):
    found = collections.defaultdict(lambda: {"diagnostics": [], "modules": []})  # a file without scripts has no entry
    found.update((pathlib.Path(f["file"]).name, f) for f in answer["files"])
    return found


def targets(path):
    """(function, name) of all names that assignments bind: not the temporaries."""
    found = set()

    def visit(node, function):
        for child in ast.iter_child_nodes(node):
            inside = child.name if isinstance(child, ast.FunctionDef) and not function else function
            names = child.targets if isinstance(child, ast.Assign) else [child.target] if isinstance(child, ast.AnnAssign) else []
            for target in names:
                found.update((inside, n.id) for n in ast.walk(target) if isinstance(n, ast.Name))
            visit(child, inside)

    try:
        visit(ast.parse(path.read_bytes()), None)
    except SyntaxError:
        return set()
    return found


def sinfo(answer, *keys):
    known = collections.defaultdict(set)
    for module in answer["modules"]:
        for function in module["functions"]:
            for binding in function.get("bindings", []):
                known[function["name"], binding["name"]].update(binding.get(key) for key in ("struct_info", *keys))
    return known


def severe(answer):
    """How many of each code but those of normal form. A hint counts: what is one in a fully annotated module is a warning else."""
    # Inlining shows what was dead before: a block whose only output was another name for a parameter, a field that nobody took.
    unused = ("RLX0217",)
    return collections.Counter(d["code"] for d in answer["diagnostics"] if not d["code"].startswith("RLX05") and d["code"] not in unused)


def violations(answer):
    return [d["code"] for d in answer["diagnostics"] if d["code"].startswith("RLX05")]


def problems(paths, form, folder):
    args, level = FORMS[form]
    source, work = folder / "source", folder / "work"
    for where in (source, work):
        where.mkdir()
        for number, path in enumerate(paths):
            shutil.copy(path, where / f"{number:05}_{pathlib.Path(path).name}")
    check = ("check", "--format", "json", "--normal-form", level)
    before, found = files_of(last_json("infer", "--format", "json", source)), files_of(last_json(*check, source))
    rlx("normalize", "--write", *args, work)
    again = {pathlib.Path(line).name for line in rlx("normalize", "--check", *args, work).split("\n") if line}
    after, left = files_of(last_json("infer", "--format", "json", work)), files_of(last_json(*check, work))
    bad = {}
    for name in before:
        # TVM forgets an annotation that is coarser than its call once an operand is nested, as t-anf's accesses are.
        old, new = sinfo(before[name], *(["deduced"] if level == "t-anf" else [])), sinfo(after[name])
        stay = targets(source / name) & targets(work / name)
        changed = (source / name).read_bytes() != (work / name).read_bytes()
        if name in again:
            bad[name] = "twice is not once"
        elif violations(left[name]):
            bad[name] = f"still {violations(left[name])}"
        elif severe(left[name]) - severe(found[name]):
            bad[name] = f"new {severe(left[name]) - severe(found[name])}"
        elif any(not new[key] <= old[key] for key in stay):
            bad[name] = "StructInfo changed"
        elif changed and "canonical" not in form and not violations(found[name]):
            bad[name] = "changed, though it was in normal form"
    return bad


@pytest.mark.parametrize("form", FORMS)
def test_ours(form, tmp_path):
    assert OURS
    assert not problems(OURS, form, tmp_path)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_corpus(kind, form, tmp_path):
    assert not problems(sorted(map(str, CORPUS.glob(f"{kind}/*.py"))), form, tmp_path)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the repository")
def test_printed_modules_are_in_normal_form():
    listed = map(pathlib.Path, rlx("normalize", "--check", str(CORPUS / "printed")).split())
    # TVM's own tests of its well-formedness rule print three modules that are not.
    assert all(p.name.startswith("analysis_well_formed__") for p in listed)
