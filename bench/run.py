#!/usr/bin/env python3
"""What rlx costs here and now: one table. `make bench`, or bench/run.py [--json FILE] [--only WORD…]

start      process start to end: `rlx version`, `rlx check` of a small file
models     ../shared/bench/models: `rlx check` and `rlx infer`, errors, share of bindings with all dimensions known
big        generated modules of 2,000 and 20,000 bindings, in one function and in many: bindings per second
edit       edit to diagnostics in one flat function, by ../shared/bench/lsp/edit_latency.py
Times are the minimum of several runs, wall clock, in milliseconds. Parts whose command is not there are named and left out.
"""

import argparse
import json
import os
import pathlib
import re
import resource
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
        ms, done = timed([RLX, "check", "--format", "json", str(path)], rounds)
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


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json")
    p.add_argument("--only", nargs="*")
    a = p.parse_args()
    has = set(re.findall(r"^RLX_COMMAND\((\w+),", (ROOT / "cli" / "commands.def").read_text(), re.M))
    want = lambda part: not a.only or part in a.only
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")

    if want("start"):
        row("start", "rlx version", ms=round(timed([RLX, "version"], 20)[0], 2))
        if "check" in has:
            small = ROOT / "examples" / "mlp.py"
            row("start", "rlx check examples/mlp.py", ms=round(timed([RLX, "check", str(small)], 20)[0], 2))
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
