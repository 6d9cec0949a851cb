"""Functions inlined where they are called (`rlx normalize --inline`): no new finding, and the same values for random arguments.

Every function of every script of the corpus that a Relax function calls; RLX_CORPUS names another folder.
"""

import json
import os
import pathlib
import random
import re
import subprocess

import pytest
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402

CORPUS = pathlib.Path(os.environ.get("RLX_CORPUS", ROOT.parent / "shared/corpus/relax"))
FOLDERS = ["as-written", "printed"]
LENGTHS = {}


def rlx(*args):
    return subprocess.run([RLX, *map(str, args)], capture_output=True, text=True, timeout=900)


def called(text):
    """Names of functions that are called as members of their module."""
    defined = set(re.findall(r"@R\.function[^\n]*\n\s*def (\w+)", text))
    return sorted(defined & set(re.findall(r"\b(?:cls|[A-Z]\w*)\.(\w+)\(", text)))


def length(text):
    if text.isdigit():
        return int(text)
    return LENGTHS.setdefault(text, 2 + len(LENGTHS) % 3) if text.isidentifier() else None


def arguments(function):
    """Random arguments of a function's parameters, as `rlx run` takes them; None: it has others than tensors of known lengths."""
    out = []
    LENGTHS.clear()
    for p in function["params"]:
        s = p["sinfo"]
        if s["kind"] != "tensor" or not s.get("shape") or s.get("dtype") not in ("float32", "float16", "int32", "int64"):
            return None
        dims = [length(d) for d in s["shape"]]
        if None in dims or len(dims) > 6:
            return None
        out.append(f"{p['name']}={'x'.join(map(str, dims))}:{s['dtype']}:random({len(out) + 1})")
    return out


def functions(path):
    done = rlx("infer", "--format=json", path)
    return {f["name"]: f for m in json.loads(done.stdout)["files"][0]["modules"] for f in m["functions"]}


def errors(path):
    return rlx("check", path).stdout.count(" error[")


def test_corpus(tmp_path):
    if not CORPUS.is_dir():
        pytest.skip("no corpus")
    inlined = kept = evaluated = 0
    wrong = []
    for path in sorted(p for f in FOLDERS for p in (CORPUS / f).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for name in called(text):
            after = tmp_path / "after.py"
            done = rlx("normalize", f"--inline={name}", path)
            kept += "is not inlined" in done.stderr
            if done.returncode == 2:
                continue
            after.write_text(done.stdout)
            plain = tmp_path / "plain.py"
            plain.write_text(rlx("normalize", path).stdout)
            if errors(after) > errors(plain):
                wrong.append(f"{path} {name}: new errors")
                continue
            if after.read_text() == plain.read_text():
                continue
            inlined += 1
            before, now = functions(plain), functions(after)
            for caller in sorted(set(before) & set(now)):
                values = arguments(before[caller])
                if values is None or (old := rlx("run", f"{plain}::{caller}", *values, "--time-limit=20")).returncode:
                    continue
                new = rlx("run", f"{after}::{caller}", *values, "--time-limit=20")
                evaluated += 1
                if new.returncode or new.stdout != old.stdout:
                    wrong.append(f"{path} {name} in {caller}: {old.stdout[:80]} {new.stdout[:80]} {new.stderr[:200]}")
    assert not wrong, "\n".join(wrong)
    print(f"{inlined} inlined, {kept} kept, {evaluated} evaluated")
    assert inlined > 100 and evaluated > 30


def body(rng, names, calls, pool):
    """Statements over tensors of one shape, names used again and again; `names` is what is bound, and grows."""
    lines = []

    def operand():
        return rng.choice(sorted(names))

    for _ in range(rng.randint(2, 6)):
        target = rng.choice(pool)
        kind = rng.randrange(6)
        if kind == 0 and calls:
            value = f"cls.{rng.choice(calls)}({operand()}, R.add({operand()}, {operand()}))"
        elif kind == 1 and calls:
            value = f"R.multiply(cls.{rng.choice(calls)}({operand()}, {operand()}), {operand()})"
        elif kind == 2:
            lines.append(f"pair = ({operand()}, {operand()})")
            value = f"pair[{rng.randrange(2)}]"
        else:
            value = f"R.{rng.choice(['add', 'subtract', 'maximum'])}({operand()}, {operand()})"
        lines.append(f"{target} = {value}")
        names.add(target)
    return lines


def function(rng, name, signature, names, calls, private):
    lines = [f"@R.function{'(private=True)' if private else ''}", f"def {name}({signature}):", "    cls = Module"]
    names = set(names)
    lines += ["    " + x for x in body(rng, names, calls, ["a", "b", "x", "lv", "gv"])]
    if rng.randrange(2):
        inner = set(names)
        lines += ["    with R.dataflow():"] + ["        " + x for x in body(rng, inner, calls, ["c", "d", "lv1"])]
        new = sorted(inner - names)
        lines.append(f"        R.output({', '.join(new)})")
        names |= set(new)
    return lines + [f"    return {rng.choice(sorted(names))}"]


@pytest.mark.parametrize("seed", range(12))
def test_random(seed, tmp_path):
    rng = random.Random(seed)
    lines = ["from tvm.script import ir as I, relax as R, tirx as T", "", "@I.ir_module", "class Module:"]
    calls = []
    for name in ("f", "g"):
        signature = 'x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n", "m"), "float32")'
        lines += ["    " + x for x in function(rng, name, signature, {"x", "y"}, list(calls), True)] + [""]
        calls.append(name)
    signature = 'x: R.Tensor(("m", 3), "float32"), b: R.Tensor(("m", 3), "float32")'
    lines += ["    " + x for x in function(rng, "main", signature, {"x", "b"}, calls, False)]
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text("\n".join(lines) + "\n")
    assert errors(before) == 0, before.read_text()
    text = before
    for name in ("g", "f"):
        done = rlx("normalize", f"--inline={name}", text)
        assert "is not inlined" not in done.stderr, done.stderr + text.read_text()
        after.write_text(done.stdout)
        text = after
    values = ["x=2x3:float32:random(1)", "b=2x3:float32:random(2)"]
    old, new = rlx("run", f"{before}::main", *values), rlx("run", f"{after}::main", *values)
    assert errors(after) == 0 and "def f(" not in after.read_text() or "cls.f" not in before.read_text(), after.read_text()
    assert old.returncode == 0 and old.stdout == new.stdout, before.read_text() + after.read_text() + new.stderr
