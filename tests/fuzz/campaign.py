#!/usr/bin/env python3
"""Runs the fuzz targets of a build one after another, round and round, and keeps figures of each.

usage: tests/fuzz/campaign.py [--build FOLDER] [--turn SECONDS] [--total SECONDS] [--figures FILE] [NAME…]

Targets are FOLDER/fuzz_* (make fuzz-build); each turn starts from the corpus that earlier turns found (FOLDER/corpus/NAME)
and from seeds: tests/fuzz/seeds/NAME, examples, goldens, and the corpus beside the repository where it is there. What
crashes, hangs or takes too much memory is kept as FOLDER/findings/NAME-*, and the next turn goes on. Figures are added up
over calls: the state is FOLDER/campaign.json. Ends with 1 when something was found in this call.
"""
import argparse, json, os, re, resource, shutil, subprocess, sys, time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
FINDINGS_OF_A_TURN = 4
SEED_BYTES = 6000  # larger files make a fuzzer slow and say little more
sys.path.insert(0, str(HERE))
import seeds  # noqa: E402

LIMITS = ["-timeout=20", "-rss_limit_mb=3000", "-malloc_limit_mb=2000", "-print_final_stats=1", "-use_value_profile=0"]


def cpu_of_children():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def turn(build, name, seconds, state):
    """One run of a target; its figures go into `state`. Gives the new findings."""
    work = build / "campaign"
    work.mkdir(exist_ok=True)
    corpus = build / "corpus" / name
    fresh = not corpus.exists() or not any(corpus.iterdir())
    corpus.mkdir(parents=True, exist_ok=True)
    found = build / "findings"
    found.mkdir(exist_ok=True)
    program = work / name  # a copy: the build may be made again while it runs
    shutil.copy2(build / name, program)
    plugin = build / "librlx-llvm.so"
    if not plugin.exists(): plugin = TOP / "build" / "librlx-llvm.so"
    dictionary = work / (name + ".dict")
    dictionary.write_text(seeds.dictionary(name))
    folder = work / (name + ".seeds")
    if fresh or not folder.exists():
        seeds.write(name, folder, SEED_BYTES)
    before = set(found.iterdir())
    log = work / (name + ".log")
    cpu = cpu_of_children()
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=0:handle_segv=1", RLX_STRICT="1")
    env.setdefault("RLX_LLVM", str(plugin))
    figures = state.setdefault(name, {"cpu": 0.0, "runs": 0, "coverage": 0, "corpus": 0, "findings": 0})
    end, all_new = time.monotonic() + seconds, []
    while (left := int(end - time.monotonic())) > 2 and len(all_new) < FINDINGS_OF_A_TURN:
        with open(log, "wb") as out:
            try:
                subprocess.run([program, *LIMITS, f"-max_total_time={left}", f"-max_len={seeds.longest(name)}",
                                f"-dict={dictionary}", f"-artifact_prefix={found}/{name}-", corpus, folder],
                               stdout=out, stderr=out, env=env, cwd=work, timeout=left * 3 + 600, check=False)
            except subprocess.TimeoutExpired: pass  # a machine with other work: it may not have got through its seeds
        text = log.read_text(errors="replace")
        runs = re.findall(r"^stat::number_of_executed_units: (\d+)", text, re.M) or re.findall(r"^#(\d+)\t", text, re.M)
        if runs: figures["runs"] += int(runs[-1])
        coverage = re.findall(r"cov: (\d+)", text)
        if coverage: figures["coverage"] = max(figures["coverage"], max(map(int, coverage)))
        new = sorted(p for p in set(found.iterdir()) - before if "-slow-unit" not in p.name)
        before |= set(new)
        all_new += new
        for p in new:
            (found / (p.name + ".txt")).write_text("\n".join(text.splitlines()[-80:]))
            before.add(found / (p.name + ".txt"))
        if not new and left - int(end - time.monotonic()) < 2: break  # it does not start
    figures["cpu"] += cpu_of_children() - cpu
    figures["corpus"] = sum(1 for _ in corpus.iterdir())
    figures["findings"] += len(all_new)
    return all_new


def table(state):
    rows = [f"{'target':16} {'CPU s':>9} {'runs':>11} {'edges':>7} {'corpus':>7} {'findings':>8}"]
    for name, f in sorted(state.items()):
        rows.append(f"{name:16} {f['cpu']:9.0f} {f['runs']:11} {f['coverage']:7} {f['corpus']:7} {f['findings']:8}")
    rows.append(f"{'in all':16} {sum(f['cpu'] for f in state.values()):9.0f} {sum(f['runs'] for f in state.values()):11}")
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=TOP / "build-fuzz")
    parser.add_argument("--turn", type=int, default=300, help="seconds of one turn")
    parser.add_argument("--total", type=int, default=0, help="seconds in all; 0: one turn for each target")
    parser.add_argument("--figures", type=Path, help="a file that gets the table after each turn")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    build = args.build.resolve()
    kept = build / "campaign.json"
    state = json.loads(kept.read_text()) if kept.exists() else {}
    start, found = time.monotonic(), []
    while True:
        names = args.names or sorted(p.name for p in build.glob("fuzz_*") if p.is_file() and "." not in p.name)
        for name in names:
            if args.total and time.monotonic() - start >= args.total: break
            new = turn(build, name, args.turn, state)
            found += new
            kept.write_text(json.dumps(state, indent=1))
            if args.figures: args.figures.write_text(table(state))
            for p in new: print(f"FOUND: {p}", flush=True)
        if not args.total or time.monotonic() - start >= args.total: break
    print(table(state), end="")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
