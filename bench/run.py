#!/usr/bin/env python3
"""What rlx costs here and now: one table. `make bench`, or bench/run.py [--json FILE] [--only WORD…]

start      process start to end: `rlx version`, `rlx check` of a small file
models     ../shared/bench/models: `rlx check` and `rlx infer`, errors, share of bindings with all dimensions known
big        generated modules of 2,000 and 20,000 bindings, in one function and in many: bindings per second
mistakes   functions in which every line is wrong in one way: `rlx check` of 4,000 such lines over that of 1,000, CPU time; 4 is linear
deduce     the analysis alone, without parsing and output (`make bench` builds bench/deduce)
ci         `rlx check` and `ruff check --select E,F` over the same files in turn: CPU time and their ratio. Folders are those of
           --python FOLDER… (TVM's Python files, the parse corpus); ruff is looked for on the PATH and in build/venv
edit       edit to diagnostics in one flat function, by ../shared/bench/lsp/edit_latency.py
Times are the minimum of several runs, wall clock, in milliseconds. Parts whose command is not there are named and left out.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RLX = str((ROOT / os.environ.get("BUILD", "build") / "rlx").resolve())
SHARED = ROOT.parent / "shared"
ROWS = []


def row(part, what, **figures):
    ROWS.append({"part": part, "what": what, **figures})
    print(f"{part:8} {what:32} " + "  ".join(f"{k} {v}" for k, v in figures.items()), flush=True)


def timed(command, rounds):
    """Least wall time in ms, and the last run."""
    best, done = float("inf"), None
    for _ in range(rounds):
        start = time.perf_counter()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
        best = min(best, (time.perf_counter() - start) * 1e3)
    return best, done


def last_json(done):
    return json.loads(done.stdout.decode().rstrip("\n").rsplit("\n", 1)[-1])


def is_full(sinfo):
    """Whether a StructInfo leaves nothing open: every tensor has its shape and dtype."""
    kind = sinfo.get("kind")
    if kind == "tensor":
        return sinfo.get("shape") is not None and bool(sinfo.get("dtype"))
    if kind == "tuple":
        return all(is_full(f) for f in sinfo.get("fields", []))
    return kind != "object"


def measure(part, path, has, rounds):
    figures = {}
    if "check" in has:
        ms, done = timed([RLX, "check", "--no-cache", "--format", "json", str(path)], rounds)
        figures["check_ms"] = round(ms, 1)
        figures["errors"] = last_json(done)["summary"]["errors"]
    if "infer" in has:
        ms, done = timed([RLX, "infer", "--format", "json", str(path)], rounds)
        bindings = [b for f in last_json(done)["files"] for m in f["modules"] for g in m["functions"]
                    for b in g.get("bindings") or []]
        figures["infer_ms"] = round(ms, 1)
        figures["bindings"] = len(bindings)
        if bindings:
            figures["full"] = f"{sum(is_full(b['sinfo']) for b in bindings) / len(bindings):.3f}"
            figures["per_s"] = round(len(bindings) / ms * 1e3)
    row(part, path.name, **figures)


def cpu_ms(command, env):
    """CPU time of one run, and whether it ended as a checker does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 1), command
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3, wall * 1e3


def measure_ci(folders, rounds=5):
    ruff = shutil.which("ruff", path=f"{ROOT / 'build' / 'venv' / 'bin'}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as cache:
        env = dict(os.environ, XDG_CACHE_HOME=cache)
        for folder in folders:
            commands = {"cold": [RLX, "check", "--no-cache", folder], "one_thread": [RLX, "check", "--no-cache", "--jobs", "1", folder],
                        "warm": [RLX, "check", folder]}
            if ruff:
                commands["ruff"] = [ruff, "check", "--no-cache", "--isolated", "--select", "E,F", folder]
            best = {name: (float("inf"), float("inf")) for name in commands}
            for _ in range(rounds):  # in turn, so that both meet the same load
                for name, command in commands.items():
                    cpu, wall = cpu_ms(command, env)
                    best[name] = (min(best[name][0], cpu), min(best[name][1], wall))
            lines = sum(f.read_bytes().count(b"\n") for f in pathlib.Path(folder).rglob("*.py"))
            figures = {f"{name}_cpu_ms": round(cpu) for name, (cpu, _) in best.items()}
            figures["lines_per_cpu_s"] = round(lines / best["one_thread"][0] * 1e3)
            if ruff:
                figures["cpu_ratio"] = f"{best['cold'][0] / best['ruff'][0]:.2f}"
                figures["wall_ratio"] = f"{best['cold'][1] / best['ruff'][1]:.2f}"
            row("ci", pathlib.Path(folder).name, **figures)
        many = pathlib.Path(cache) / "tree"
        many.mkdir()
        for i in range(2000):
            (many / f"f{i}.py").write_text(f'@R.function\ndef main(x: R.Tensor((2, {i + 1}), "float32")):\n    return R.abs(x)\n')
        cpu_ms([RLX, "check", str(many)], env)
        best = min(cpu_ms([RLX, "check", str(many)], env) for _ in range(rounds))
        row("ci", "2,000 unchanged files", cpu_ms=round(best[0]), wall_ms=round(best[1]))


WRONG = {
    "undefined names": "lv{i} = R.add(x, undefined{i})",
    "shapes": "lv{i} = R.matmul(x, R.zeros(({i} + 17, 3), \"float32\"))",
    "unparseable": "lv{i} = R.add(x, , x)",
    "closing brackets": "lv{i} = R.add(x, x))",
    "one signature": "lv{i} = Module.g(x, R.zeros((2,), \"int8\"))",
    "suppressed": "lv{i} = R.add(x, undefined{i})  # rlx: ignore",
}
WRONG_SCRIPT = """from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    @R.function
    def g(y: R.Tensor((3, 3), "float32")):
        return y
    @R.function
    def f(x: R.Tensor((2, 16), "float32")):
{body}
        return x
"""


def measure_mistakes(rounds=3):
    env = dict(os.environ)
    with tempfile.TemporaryDirectory() as tmp:
        for what, line in WRONG.items():
            took = []
            for n in (1000, 4000):
                path = pathlib.Path(tmp) / f"{n}.py"
                path.write_text(WRONG_SCRIPT.format(body="\n".join("        " + line.format(i=i) for i in range(n))))
                took.append(min(cpu_ms([RLX, "check", "--no-cache", str(path)], env)[0] for _ in range(rounds)))
            row("mistakes", what, ratio=round(took[1] / took[0], 1))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json")
    p.add_argument("--only", nargs="*")
    p.add_argument("--python", nargs="*", default=[], metavar="FOLDER", help="Python files for the part ci")
    a = p.parse_args()
    has = set(re.findall(r"^RLX_COMMAND\((\w+),", (ROOT / "cli" / "commands.def").read_text(), re.M))
    want = lambda part: not a.only or part in a.only
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")

    if want("start"):
        row("start", "rlx version", ms=round(timed([RLX, "version"], 20)[0], 2))
        if "check" in has:
            small = ROOT / "examples" / "mlp.py"
            row("start", "rlx check examples/mlp.py", ms=round(timed([RLX, "check", "--no-cache", str(small)], 20)[0], 2))
    if want("models") and SHARED.exists() and has & {"check", "infer"}:
        for path in sorted((SHARED / "bench" / "models").glob("*.py")):
            measure("models", path, has, 5)
    if want("big") and SHARED.exists() and has & {"check", "infer"}:
        with tempfile.TemporaryDirectory() as tmp:
            for n in (2000, 20000):
                for how in ("one", "many"):
                    path = pathlib.Path(tmp) / f"big_{n}_{how}.py"
                    with path.open("wb") as f:
                        subprocess.run([sys.executable, str(SHARED / "bench" / "gen_big.py"), str(n), how], stdout=f, check=True)
                    measure("big", path, has, 3)
        row("big", "peak of all of these", rss_mb=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
    deduce = pathlib.Path(RLX).parent / "bench" / "deduce"
    if want("deduce") and SHARED.exists() and deduce.exists():
        with tempfile.TemporaryDirectory() as tmp:
            big = pathlib.Path(tmp) / "big_2000_one.py"
            with big.open("wb") as f:
                subprocess.run([sys.executable, str(SHARED / "bench" / "gen_big.py"), "2000", "one"], stdout=f, check=True)
            for path in [*sorted((SHARED / "bench" / "models").glob("*.py")), big]:
                row("deduce", path.name, says=subprocess.run([str(deduce), str(path)], capture_output=True, text=True).stdout.strip())
    if want("mistakes") and "check" in has:
        measure_mistakes()
    if want("ci") and "check" in has:
        measure_ci(a.python)
    if want("edit") and SHARED.exists():
        if "lsp" in has:
            done = subprocess.run([sys.executable, str(SHARED / "bench" / "lsp" / "edit_latency.py"), RLX, "2000:5", "20000:25"],
                                  capture_output=True, text=True)
            for line in done.stdout.strip().split("\n"):
                row("edit", line.strip())
        else:
            print("edit     left out: no rlx lsp")
    if not SHARED.exists():
        print("left out without ../shared: models, big, edit")
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(ROWS, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
