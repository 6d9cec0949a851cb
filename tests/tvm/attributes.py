#!/usr/bin/env python3
"""Operators with random attributes, at random shapes, against Apache TVM 0.25: the same StructInfo and values, or a difference that is said.

    PYTHON attributes.py RLX [--count N] [--seed S] [--only WORD] [--list N] [--tally]     in a Python that has apache-tvm 0.25 and numpy

calls.py draws the calls. What both sides run is compared; where a call has a reference (numpy), rlx is held against that, too, and alone where TVM
does not run the call. What TVM deduces and rlx refuses, or the other way round, is a difference. Known differences stand in KNOWN, each with its
reason; where one applies, the reference is what counts. --tally says for each operator what was compared, and what TVM said of the rest.
"""
import argparse
import json
import math
import multiprocessing
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from calls import CASES, Draw  # noqa: E402

BATCH = 24
HEADER = "from tvm.script import ir as I, relax as R, tirx as T\n\n"
CLOSE = {"float64": 1e-6, "float32": 1e-4, "float16": 2e-2}


def attribute(call, name):
    """The list or word after `name=`, or None."""
    found = re.search(name + r"=(\[[^]]*\]|\([^)]*\)|\"[^\"]*\"|[^,)]*)", call)
    return None if not found else found[1].strip('"') if found[1][0] == '"' else eval(found[1])  # noqa: S307


def operator(call):
    return call[2:call.index("(")]


def uneven(call, inputs, _):
    """An adaptive mean whose windows differ in size along some axis."""
    shape, last = inputs["x0"].shape, attribute(call, "layout").endswith("C")
    sizes = shape[1:-1] if last else shape[2:]
    return any(n % m for n, m in zip(sizes, attribute(call, "output_size")))


def nothing(call, inputs, want):
    """Results of no elements at all."""
    return any(a.size == 0 for a in inputs.values()) and want[0].size


def not_a_number(call, inputs, _):
    return any(a.dtype.kind == "f" and np.isnan(a).any() for a in inputs.values())


def behind(call, inputs, _):
    """A gradient of max_pool2d with elements behind the last window's begin and a stride: TVM reads a window that is not there."""
    gradient, data = inputs["x1"].shape[2:], inputs["x0"].shape[2:]
    strides, padding = attribute(call, "strides"), attribute(call, "padding")
    return any((n - 1 + p) // s >= g for g, n, s, p in zip(gradient, data, strides, padding))


def extreme(call, inputs, _):
    """Numbers whose exponential is 0 or infinite."""
    return any((np.abs(a) > {2: 9, 4: 80, 8: 700}[a.dtype.itemsize]).any() for a in inputs.values())


def lowest(call, inputs, want):
    """TVM begins a maximum with the lowest finite number, which is then what it gives of -inf, or of padding."""
    return any((w == np.finfo(w.dtype).min).any() for w in want if w.dtype.kind == "f")


# (operators, when, why): "Results of operators" in docs/differences.md. `when` is asked about the call, its operands and TVM's values.
KNOWN = [(r"nn\.adaptive_avg_pool[23]d", uneven, "TVM's windows of different sizes"),
         (r"sum|prod|matmul|linear", nothing, "a reduction over nothing is memory that nothing was written to"),
         (r"sign|maximum|minimum|nn\.relu6?|not_equal", not_a_number, "NaN"),
         (r"argmax|argmin", lambda call, inputs, want: (want[0] == -1).any(), "of nothing but the dtype's extreme TVM's place is -1"),
         (r"nn\.max_pool[123]d", lowest, "the maximum of padding"),
         (r"index_tensor", lambda call, inputs, _: any((a < 0).any() for n, a in inputs.items() if f"{n}," in call[call.index("("):] and a.dtype == "int64"),
          "a negative index reads in front of the operand"),
         (r"grad\.take_backward", lambda call, inputs, _: "axis=-" in call, "a negative axis is taken for one in front of all"),
         (r"grad\.max_pool2d_backward", behind, "windows that are not there"),
         (r"log_add_exp", extreme, "exp overflows"),
         (r"arange", lambda call, inputs, want: ", -" in call.rsplit(", dtype", 1)[0][-5:], "TVM deduces more elements of a negative step than its value has")]
# Where TVM's value has another dtype or shape than TVM deduces; then its numbers count.
BENT = r"bucketize|median|nn\.avg_pool[123]d|nn\.attention|unique"


def known(call, inputs, want):
    return any(re.fullmatch(names, operator(call)) and when(call, inputs, want) for names, when, _ in KNOWN)


def function(name, call, inputs):
    params = ", ".join(f"{n}: R.Tensor(({''.join(f'{d}, ' for d in a.shape)}), \"{a.dtype}\")" for n, a in inputs.items())
    return f"    @R.function\n    def {name}({params}):\n        gv = {call}\n        return gv\n"


def flat(x):
    return [v for y in x for v in flat(y)] if isinstance(x, list) else [x]


# TVM. An answer is a dictionary: `sinfo`, what it deduces; `stage`, how far it came (parse, compile, run, crash, done); `value` or `error`.

def tvm_answers(batch, pipe):
    import tvm
    from tvm import relax
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.dup2(null, 1)
    answers = {k: {"stage": "parse"} for k, _ in batch}

    def told(k, stage, error):
        lines = [s for s in str(error).strip().splitlines() if s.strip()]
        answers[k].update(stage=stage, error=(lines or [""])[-1][-200:])
        pipe.send((k, answers[k]))

    def fields(x):
        return [x.numpy()] if hasattr(x, "numpy") else [y for f in x for y in fields(f)]

    def run(cases):
        """Builds and runs them; what does not build is built in halves."""
        try:
            module = tvm.IRModule()
            for k, _, one in cases:
                module[f"f{k}"] = one
            vm = relax.VirtualMachine(relax.build(module, target="llvm"), tvm.cpu())
        except Exception as e:  # noqa: BLE001  whatever TVM raises is a refusal
            if len(cases) == 1:
                told(cases[0][0], "compile", e)
            else:
                run(cases[:len(cases) // 2])
                run(cases[len(cases) // 2:])
            return
        for k, inputs, _ in cases:
            try:
                pipe.send((k, {"stage": "crash", **answers[k], "error": "crash"}))
                got = vm[f"f{k}"](*[tvm.runtime.tensor(np.array(a, order="C")) for a in inputs.values()])
                answers[k].update(stage="done", value=fields(got))
                pipe.send((k, answers[k]))
            except Exception as e:  # noqa: BLE001
                told(k, "run", e)
    ready = []
    for k, (call, inputs) in batch:
        try:
            pipe.send((k, {"stage": "crash", "error": "crash"}))
            module = tvm.script.from_source("@I.ir_module\nclass Module:\n" + function(f"f{k}", call, inputs))
            answers[k].update(sinfo=module[f"f{k}"].ret_struct_info.script(), stage="compile")
            ready.append((k, inputs, module[f"f{k}"]))
        except Exception as e:  # noqa: BLE001
            told(k, "parse", e)
    if ready:
        run(ready)
    pipe.send(None)


def ask_tvm(batch):
    out, context, left = {}, multiprocessing.get_context("fork"), list(enumerate(batch))
    while left:
        ours, theirs = context.Pipe(False)
        child = context.Process(target=tvm_answers, args=(left, theirs))
        child.start()
        theirs.close()
        ended = False
        try:
            while (got := ours.recv()) is not None:
                out[got[0]] = got[1]
            ended = True
        except EOFError:
            pass
        child.join()
        before = len(left)
        left = [] if ended else [(k, c) for k, c in left if k not in out]
        if not ended and len(left) == before:  # died while building: each by itself
            if before == 1:
                out[left[0][0]] = {"stage": "crash", "error": "crash"}
                left = []
            else:
                for k, c in left:
                    out[k] = ask_tvm([c])[0]
                left = []
    return [out[k] for k in range(len(batch))]


def ask_rlx(rlx, batch, folder):
    """Lists of arrays, or what was said; a batch is one function, or halves of it when that fails."""
    inputs, calls = {}, []
    for k, (call, given) in enumerate(batch):
        calls.append(re.sub(r"\b(x\d+)\b(?!=)", rf"\1_{k}", call))
        inputs.update({f"{name}_{k}": a for name, a in given.items()})
    params = ", ".join(f"{n}: R.Tensor(({''.join(f'{d}, ' for d in a.shape)}), \"{a.dtype}\")" for n, a in inputs.items())
    body = "".join(f"    v{k} = {c}\n" for k, c in enumerate(calls))
    marks = ", ".join(f"v{k}, R.const({k}, \"uint64\")" for k in range(len(calls)))
    (folder / "script.py").write_text(f"{HEADER}@R.function\ndef main({params}):\n{body}    return ({marks})\n")
    np.savez(folder / "in.npz", **inputs)
    done = subprocess.run([rlx, "run", "--isolated", f"{folder}/script.py::main", "--inputs", f"{folder}/in.npz", "--format", "json"],
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == 0:
        out, fields = [], []
        for o in json.loads(done.stdout.splitlines()[-1])["outputs"]:
            if o["dtype"] == "uint64" and o["shape"] == [] and o["data"] in (len(out), [len(out)]) and fields:
                out.append(fields)
                fields = []
            else:
                fields.append(np.array([float(v) if isinstance(v, str) else v for v in flat(o["data"])], dtype=o["dtype"]).reshape(o["shape"]))
        return out
    if len(batch) == 1:
        return [(done.stderr.strip() or f"status {done.returncode}")[-300:]]
    half = len(batch) // 2
    return ask_rlx(rlx, batch[:half], folder) + ask_rlx(rlx, batch[half:], folder)


def infer(rlx, batch, folder):
    (folder / "infer.py").write_text(HEADER + "@I.ir_module\nclass Module:\n" + "\n".join(function(f"f{k}", c, i) for k, (c, i) in enumerate(batch)))
    done = subprocess.run([rlx, "infer", "--isolated", "--format=json", f"{folder}/infer.py"], capture_output=True, text=True, timeout=300, check=False)
    found = {f["name"]: f["ret"] for f in json.loads(done.stdout)["files"][0]["modules"][0]["functions"]}
    return [found.get(f"f{k}", "nothing") for k in range(len(batch))]


def one_differs(got, want):
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype} {got.shape}, not {want.dtype} {want.shape}"
    if want.dtype.kind == "f":
        t = CLOSE[str(want.dtype)]
        same = np.isclose(got.astype("float64"), want.astype("float64"), rtol=t, atol=t, equal_nan=True)
    else:
        same = got == want
    return None if np.all(same) else f"{np.atleast_1d(got)[~np.atleast_1d(same)][:4]}, not {np.atleast_1d(want)[~np.atleast_1d(same)][:4]}"


def differs(got, want):
    if len(got) != len(want):
        return f"{len(got)} results, not {len(want)}"
    said = [s for g, w in zip(got, want) if (s := one_differs(g, w))]
    return said[0] if said else None


def as_deduced(want, got):
    """TVM's values in the dtypes and shapes that both sides deduce (rlx's values have them), and whether its own are others."""
    bent = len(want) == len(got) and any(w.dtype != g.dtype or w.shape != g.shape for w, g in zip(want, got))
    if bent and all(w.size == g.size for w, g in zip(want, got)):
        want = [w.astype(g.dtype).reshape(g.shape) for w, g in zip(want, got)]
    return want, bent


def reference_of(draw):
    if draw.reference is None:
        return None
    with np.errstate(all="ignore"):
        got = draw.reference(*draw.inputs.values())
    return [np.asarray(a) for a in (got if isinstance(got, (list, tuple)) else [got])]


def judge(call, draw, tvm, rlx, sinfo):
    """(what it counts as, what to say)."""
    reference = reference_of(draw)
    if isinstance(rlx, str):
        return ("wrong", f"rlx: {rlx}") if tvm["stage"] == "done" or reference is not None and "sinfo" in tvm else ("refused", rlx)
    if "sinfo" not in tvm:
        return ("wrong", f"TVM refuses: {tvm['error']}") if tvm["stage"] == "parse" else ("refused", tvm["error"])
    if "".join(tvm["sinfo"].split()) != "".join(sinfo.split()):
        kind = "known" if operator(call) == "strided_slice" and "-" in tvm["sinfo"] and not differs(rlx, reference) else "wrong"
        return kind, f"deduced {sinfo}, not {tvm['sinfo']}"
    if reference is not None and (said := differs(rlx, reference)):
        return "wrong", f"numpy: {said}"
    if tvm["stage"] != "done":
        return ("numpy" if reference is not None else "refused"), tvm["error"]
    want, bent = as_deduced(tvm["value"], rlx)
    said = differs(rlx, want)
    if bent and not said and re.fullmatch(BENT, operator(call)):
        return "known", f"TVM's value is not what it deduces: {differs(rlx, tvm['value'])}"
    if not said and not bent:
        return "compared", None
    return ("known", said) if known(call, draw.inputs, want) else ("wrong", f"TVM: {said}")


def draw_batches(args):
    rng, batches, drawn = random.Random(args.seed), [[]], 0
    while drawn < args.count:
        d = Draw(rng)
        call = rng.choice(CASES)(d)
        if not call or args.only not in call:
            continue
        if len(batches[-1]) == BATCH:
            batches.append([])
        batches[-1].append((call, d))
        drawn += 1
    return batches


def main():
    args = argparse.ArgumentParser()
    args.add_argument("rlx")
    args.add_argument("--count", type=int, default=600)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--only", default="")
    args.add_argument("--list", type=int, default=20)
    args.add_argument("--tally", action="store_true")
    args = args.parse_args()
    import tvm  # noqa: F401  once, before the forks
    count, by_operator, reasons = Counter(), defaultdict(Counter), defaultdict(Counter)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for batch in draw_batches(args):
            asked = [(call, d.inputs) for call, d in batch]
            for (call, d), theirs, ours, sinfo in zip(batch, ask_tvm(asked), ask_rlx(args.rlx, asked, folder), infer(args.rlx, asked, folder)):
                kind, said = judge(call, d, theirs, ours, sinfo)
                count[kind] += 1
                by_operator[operator(call)][kind] += 1
                if kind in ("refused", "numpy", "known"):
                    reasons[operator(call)][f"{theirs['stage']}: {said}"] += 1
                if kind == "wrong" and count["wrong"] <= args.list:
                    print(f"{call} where {', '.join(f'{n}: {a.dtype} {list(a.shape)}' for n, a in d.inputs.items())}\n    {said}", flush=True)
    if args.tally:
        for op in sorted(by_operator):
            print(op, dict(by_operator[op]), *(f"\n    {n} {r}" for r, n in reasons[op].most_common(4)))
    print(f"{count['compared']} alike with TVM, {count['numpy']} with numpy alone: {count['wrong']} differ, {count['known']} by a known difference; "
          f"{count['refused']} that nobody has a value of")
    return int(count["wrong"] > 0 or count["compared"] < args.count // 2)


if __name__ == "__main__":
    raise SystemExit(main())
