#!/usr/bin/env python3
"""Show that the single steps which TVM accepts and rlx refuses are refused with cause, and that those which rlx alone accepts are sound.

usage: refusals.py RLX [--part PART]… [--piece I/N] [--list N] [--max-open PERCENT]

What is refused of seed, or carried out otherwise than TVM does, has to be in the table of docs/differences.md, with what came of TVM's step. PART is seed, legality, cases, walks or dlight (all) of `../shared/corpus/tir`. A refusal with a witness counts as shown. Otherwise TVM carries out its step, and both
PrimFuncs run on the same numbers, where memory that nobody has written holds a number of its own: other results, or a text that TVM does not
read again, show it, too. What is left is open: the values survive there, and rlx has no proof of it. What rlx alone accepts has to give the same
results. With --piece only the I-th of N pieces of the goldens is asked. A judgement may take 10 seconds of the processor. The exit status is 1 when it does not, or when a larger part of the steps of any PART than allowed is open. Needs `../shared` and the Python packages tvm and numpy.
"""
import argparse
import json
import multiprocessing
import pathlib
import re
import resource
import sys
import tempfile
from collections import Counter

from tvm import s_tir

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT.parent / "shared" / "conformance"), str(ROOT / "tests" / "tvm")]
from lib import Rlx  # noqa: E402
from runs import as_main, compare, parse  # noqa: E402
from schedules import tvm_apply  # noqa: E402
from tir import replay, wanted  # noqa: E402

OPEN = ("same", "not run")
CPU_SECONDS = 10
WALL_SECONDS = 300  # only what waits without end gets this far
CORPUS = ROOT.parent / "shared" / "corpus" / "tir"


def judge(text, step, ours):
    """other values, invalid, same, or not run: of the text `ours`; None: of what TVM makes of the step."""
    text = as_main(text)
    if ours is None:
        sch = s_tir.Schedule(parse(text))
        if tvm_apply(sch, step) is not None:
            return "not run"
        ours = sch.mod.script()
    return compare(text, as_main(ours))


def judge_apart(text, step, ours=None):
    """The same in a process of its own: TVM may crash, or not end."""
    fork = multiprocessing.get_context("fork")
    answer, theirs = fork.Pipe(duplex=False)

    def work():
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        try:
            theirs.send(judge(text, step, ours))
        except Exception:
            theirs.send("not run")

    process = fork.Process(target=work)
    process.start()
    theirs.close()
    try:
        return answer.recv() if answer.poll(WALL_SECONDS) else "not run"
    except EOFError:
        return "not run"
    finally:
        process.kill()
        process.join()


def tabled():
    """The rows of the table in docs/differences.md: situation, step and what TVM makes of it."""
    rows = re.findall(r"^\| `(\w+)` \| (`\w+` of `\w+`[^|]*?) \| (other values|invalid) \|", (ROOT / "docs/differences.md").read_text(), re.M)
    return Counter(rows)


def row(stem, step, kind):
    """How the table names a refused step."""
    args = step["args"]
    which = ", {} {}".format(*args["buffer"]) if "buffer" in args else ""
    return stem, f"`{step['primitive']}` of `{args['block'][1]}`{which}" if "block" in args else step["primitive"], kind


def in_table(stem, step):
    """Is the step one of the table, in whatever way it came out?"""
    return row(stem, step, "")[:2] in {r[:2] for r in tabled()}


def compare_table(seen):
    """Prints what the table has too much and too little; how much that is."""
    expected = tabled()
    for r in (seen - expected).keys():
        print("refused or done otherwise, and not in docs/differences.md:", *r)
    for r in (expected - seen).keys():
        print("in docs/differences.md, and not so:", *r)
    return sum((seen - expected).values()) + sum((expected - seen).values())


def disagreements(rlx, part, file, tmp):
    """How many steps a golden has, and of those where rlx and TVM disagree, or that the table has: the module before, the step, rlx's answer. Behind the first
    one of a schedule the references name another module."""
    gold = json.loads(file.read_text())
    is_single = part in ("seed", "legality")
    script = CORPUS / gold["module"] if part == "legality" else file.with_suffix(".py")
    text, out = script.read_text(), []
    steps = gold["probes"] if is_single else [s for s in gold["steps"] if not s.get("query")]
    answers = replay(rlx, script, steps if is_single else gold["steps"], tmp, "--each" if is_single else "--keep-going")
    if not is_single:
        answers = [o for s, o in zip(gold["steps"], answers) if not s.get("query")]
    for step, our in zip(steps, answers):
        is_wanted, is_rule = wanted(step, file.stem if part == "seed" else ""), (step.get("error") or {}).get("kind") == "ScheduleError"
        is_otherwise = part == "seed" and is_wanted and in_table(file.stem, step)
        if "ok" in our and (is_otherwise or (our["ok"] != is_wanted and (is_wanted or is_rule))):
            out.append((text, step, our))
            if not is_single:
                break
        if not is_single:
            text = step.get("after") or text
    return len(steps), out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--part", action="append")
    p.add_argument("--piece", type=lambda s: tuple(map(int, s.split("/"))), default=(1, 1), metavar="I/N")
    p.add_argument("--list", type=int, default=0)
    p.add_argument("--max-open", type=float, default=100)
    a = p.parse_args()
    rlx, looser, otherwise, shown, seen, most_open = Rlx(a.rlx), Counter(), Counter(), 0, Counter(), 0
    parts = a.part or ["seed", "legality", "cases", "walks", "dlight"]
    piece, pieces = a.piece
    with tempfile.TemporaryDirectory() as tmp:
        for part in parts:
            total, score = 0, Counter()
            for f in sorted((CORPUS / part).glob("*.json"))[piece - 1 :: pieces]:
                count, differing = disagreements(rlx, part, f, pathlib.Path(tmp))
                total += count
                for before, step, our in differing:
                    if our["ok"]:
                        kind = judge_apart(before, step, our.get("after") or "")
                        is_tabled = part == "seed" and in_table(f.stem, step)
                        (otherwise if is_tabled else looser)[kind] += 1
                        if is_tabled:
                            seen[row(f.stem, step, judge_apart(before, step, step.get("after")))] += 1
                        if kind != "same":
                            print(f"accepted, {kind}: {f.stem} {step['primitive']} {json.dumps(step['args'])}", flush=True)
                        continue
                    error = our.get("error") or {}
                    has_witness = error.get("witness") is not None
                    kind = "witness" if has_witness and part != "seed" else judge_apart(before, step, step.get("after"))
                    score[kind] += 1
                    if part == "seed":
                        seen[row(f.stem, step, kind)] += 1
                    if kind in OPEN and shown < a.list:
                        shown += 1
                        print(f"{kind}: {part} {f.stem} {step['primitive']} {json.dumps(step['args'])}\n    {error.get('message', '')}", flush=True)
            is_open = 100 * sum(score[k] for k in OPEN) / max(1, total)
            most_open = max(most_open, is_open)
            print(f"{part}: {total} steps, {sum(score.values())} refused where TVM accepts"
                  f" ({', '.join(f'{n} {k}' for k, n in score.most_common())}); open: {is_open:.2f} %", flush=True)
    print(f"{sum(looser.values())} accepted where TVM refuses: " + ", ".join(f"{n} {k}" for k, n in looser.most_common()))
    print(f"{sum(otherwise.values())} done otherwise than by TVM: " + ", ".join(f"{n} {k}" for k, n in otherwise.most_common()))
    astray = compare_table(seen) if "seed" in parts and pieces == 1 else 0
    return int(astray > 0 or most_open > a.max_open or any((looser + otherwise)[k] for k in ("other values", "invalid")))


if __name__ == "__main__":
    sys.exit(main())
