#!/usr/bin/env python3
"""Asks Apache TVM for the answers in tests/ops/*.txt.

usage: operators.py RLX [--write] [FILE…]

Without --write it says which lines are no longer what TVM answers; with --write it writes TVM's answers, and rlx's beside them where they
differ. A case that is new is a line `CALL where PARAMETERS => ?`. Needs the Python package tvm (pip install apache-tvm==0.25.0), nothing of
`../shared`. TVM runs in processes of its own, so one of its crashes ends one case: its answer is `error` then.
"""
import multiprocessing
import os
import pathlib
import sys
from importlib.metadata import version

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ops"))
import cases as c  # noqa: E402

VERSION = "0.25.0"


def answers(sources, first, pipe):
    """Sends (number, answer) for every source from `first` on; runs in a process of its own."""
    import tvm.script.parser as parser
    from tvm.script.parser import ir as I, relax as R, tirx as T

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    for k in range(first, len(sources)):
        try:
            found = parser.parse(sources[k], {"I": I, "R": R, "T": T})
            bound = [b.var for block in found.body.blocks for b in block.bindings if b.var.name_hint == "gv"]
            pipe.send((k, "".join(str(bound[-1].struct_info)) if bound else "nothing"))
        except BaseException:  # noqa: BLE001  whatever TVM raises is a refusal
            pipe.send((k, "error"))
    pipe.send((len(sources), ""))


def ask_tvm(cases):
    sources = ["\n".join(case.function("main")) for case in cases]
    out, context = ["error"] * len(sources), multiprocessing.get_context("fork")
    done = 0
    while done < len(sources):
        ours, theirs = context.Pipe(False)
        child = context.Process(target=answers, args=(sources, done, theirs))
        child.start()
        theirs.close()
        try:
            while done < len(sources):
                k, answer = ours.recv()
                if k < len(sources):
                    out[k] = answer
                done = k + 1
        except EOFError:  # TVM died of case `done`
            done += 1
        child.join()
    return out


def main():
    rlx, write = sys.argv[1], "--write" in sys.argv
    if version("apache-tvm") != VERSION:
        sys.exit(f"these are answers of TVM {VERSION}, and {version('apache-tvm')} is installed")
    old = total = 0
    for path in [pathlib.Path(a).resolve() for a in sys.argv[2:] if a != "--write"] or c.files():
        lines = path.read_text(encoding="utf-8").split("\n")
        where = [k for k, line in enumerate(lines) if c.is_case(line)]
        found = [c.Case(lines[k]) for k in where]
        total += len(found)
        mine = c.ask(rlx, found) if write else [case.rlx for case in found]
        for k, case, theirs, ours in zip(where, found, ask_tvm(found), mine):
            if theirs != case.tvm:
                old += 1
                print(f"{path.name}:{k + 1}: TVM {theirs}, written {case.tvm}: {case.call} where {case.params}")
            case.tvm, case.rlx = theirs, ours
            if write:
                lines[k] = case.line()
        if write:
            path.write_text("\n".join(lines), encoding="utf-8")
    print(f"{total} cases of operators: {old} {'written anew' if write else 'are not what TVM answers'}")
    return int(old > 0 and not write)


if __name__ == "__main__":
    sys.exit(main())
