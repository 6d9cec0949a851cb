#!/usr/bin/env python3
"""Hold the steps of schedules against an installed Apache TVM, on random PrimFuncs.

usage: schedules.py RLX [--count N] [--seed N] [--steps N] [--probes N] [--primitive NAME]… [--list N] [--save FOLDER]
                        [--max-looser PERCENT] [--max-stricter PERCENT]

A PrimFunc is a chain of two to five blocks, each of a random form (element by element, transposed, shifted, with a stencil, padded, reduced, with
loops taken apart or put together by hand, with a predicate, with a binding that is not one to one). Up to --steps random steps that TVM accepts
come first; then --probes single steps are asked of both. Where both accept, their texts are compared up to names; where they differ, or rlx
alone accepts, TVM compiles what was and what came out and runs both: other numbers are "wrong" and fail the run, the same numbers make what rlx
alone accepts "finer", and what does not run is "looser". Where rlx alone refuses, a
witness, other numbers of TVM's result, or a text that TVM does not read again make it "theirs wrong"; else rlx is "stricter". The exit status is 1 then, or
when more calls are looser or stricter than allowed. Needs `../shared/conformance/tir.py` and the Python packages tvm and numpy.
"""
import argparse
import json
import multiprocessing
import pathlib
import random
import subprocess
import sys
import tempfile
from collections import Counter

from tvm import s_tir, tirx

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT.parent / "shared" / "conformance"))
sys.path.insert(0, str(ROOT / "tests" / "tvm"))
from runs import compare, parse  # noqa: E402
from tir import canonical  # noqa: E402

BLOCK_REALIZE = tirx.SBlockRealize if hasattr(tirx, "SBlockRealize") else s_tir.SBlockRealize  # 0.25, 0.27
HEADER = "from tvm.script import ir as I\nfrom tvm.script import tirx as T\n\n\n"
SIZES = [1, 2, 3, 4, 4, 6, 7, 8, 8, 12, 16]


# ---- PrimFuncs

class Writer:
    """The lines of one random PrimFunc."""

    def __init__(self, rng):
        self.rng, self.lines, self.params, self.count = rng, [], [], 0
        self.dtype = rng.choice(["int32", "int32", "float32"])

    def number(self, n):
        return str(n) if self.dtype == "int32" else f"T.float32({n})"

    def buffer(self, shape, is_param):
        name = chr(ord("A") + self.count)
        self.count += 1
        self.has_contents = is_param  # elements that nobody writes have a value
        if is_param:
            self.params.append(f'{name}: T.Buffer({self.tuple(shape)}, "{self.dtype}")')
        else:
            self.lines.insert(0, f'    {name} = T.sblock_alloc_buffer({self.tuple(shape)}, "{self.dtype}")')
        return name, shape

    @staticmethod
    def tuple(items):
        return "(" + "".join(f"{x}, " for x in items) + ")"

    def block(self, name, domains, kinds, body, init=None):
        """Loops over `domains` in one of the ways in which they are written, and a block with variables v0, v1…"""
        rng, n = self.rng, len(domains)
        loops = [(f"i{d}", size) for d, size in enumerate(domains)]
        bindings, where = [f"i{d}" for d in range(n)], []
        for d in range(n):
            way = rng.random()
            if way < 0.12 and domains[d] > 1:  # taken apart
                f = rng.choice([2, 3, 4])
                outer = -(-domains[d] // f)
                loops[d] = (f"i{d}o, i{d}i", f"{outer}, {f}")
                bindings[d] = f"i{d}o * {f} + i{d}i"
                if outer * f != domains[d]:
                    where.append(f"i{d}o * {f} + i{d}i < {domains[d]}")
            elif way < 0.16 and domains[d] > 2 and kinds[d] == "spatial":  # some run twice
                loops[d] = (f"i{d}o, i{d}i", f"{domains[d] - 1}, 2")
                bindings[d] = f"i{d}o + i{d}i"
            elif way < 0.19 and domains[d] > 1 and self.has_contents:  # some do not run
                loops[d] = (f"i{d}", domains[d] - 1)
            elif way < 0.22:
                bindings[d] = f"{domains[d] - 1} - i{d}"
        if n >= 2 and rng.random() < 0.1 and all("o" not in str(l[0]) for l in loops[:2]) and bindings[:2] == ["i0", "i1"]:
            loops[0:2] = [("i01", domains[0] * domains[1])]  # put together
            bindings[0], bindings[1] = f"i01 // {domains[1]}", f"i01 % {domains[1]}"
        elif n >= 2 and rng.random() < 0.15:
            loops[0], loops[1] = loops[1], loops[0]
        names = ", ".join(str(l[0]) for l in loops)
        sizes = ", ".join(str(l[1]) for l in loops)
        self.lines.append(f"    for {names} in T.grid({sizes}):" if "," in names else f"    for {names} in range({sizes}):")
        self.lines.append(f'        with T.sblock("{name}"):')
        for d in range(n):
            self.lines.append(f"            v{d} = T.axis.{kinds[d]}({domains[d]}, {bindings[d]})")
        if where:
            self.lines.append(f"            T.where({' and '.join(where)})")
        if init:
            self.lines += ["            with T.init():", f"                {init}"]
        self.lines.append(f"            {body}")

    def stage(self, source, is_last):
        """A block that reads `source` = (name, shape); gives what it writes."""
        rng = self.rng
        name, shape = source
        v = [f"v{d}" for d in range(len(shape))]
        number = self.number(rng.choice([1, 2, 3]))
        form = rng.choice(["plain", "plain", "shift", "stencil", "transposed", "pad", "sum", "sum", "product", "max", "broadcast", "strided",
                           "guarded", "twice", "reversed", "merged", "split"])
        spatial = ["spatial"] * len(shape)
        if form == "transposed" and len(shape) == 2:
            out, oshape = self.buffer(shape[::-1], is_last)
            self.block(out, shape[::-1], spatial, f"{out}[v0, v1] = {name}[v1, v0] + {number}")
        elif form == "shift" and shape[0] > 1:
            out, oshape = self.buffer([shape[0] - 1] + shape[1:], is_last)
            self.block(out, oshape, spatial, f"{out}[{', '.join(v)}] = {name}[{', '.join(['v0 + 1'] + v[1:])}] * {number}")
        elif form == "stencil" and shape[-1] > 2:
            out, oshape = self.buffer(shape[:-1] + [shape[-1] - 2], is_last)
            reads = " + ".join(f"{name}[{', '.join(v[:-1] + [v[-1] + s])}]" for s in ("", " + 1", " + 2"))
            self.block(out, oshape, spatial, f"{out}[{', '.join(v)}] = {reads}")
        elif form == "pad":
            out, oshape = self.buffer([shape[0] + 2] + shape[1:], is_last)
            inside = ", ".join(["v0 - 1"] + v[1:])
            self.block(out, oshape, spatial,
                       f"{out}[{', '.join(v)}] = T.if_then_else(1 <= v0 and v0 < {shape[0] + 1}, {name}[{inside}], {self.number(0)})")
        elif form in ("sum", "max") and (len(shape) > 1 or rng.random() < 0.5):
            k = rng.randrange(len(shape))
            oshape = shape[:k] + shape[k + 1:] or [1]
            out, oshape = self.buffer(oshape, is_last)
            kinds = ["reduce" if d == k else "spatial" for d in range(len(shape))]
            at = ", ".join(f"v{d}" for d in range(len(shape)) if d != k) or "0"
            value, zero = f"{name}[{', '.join(v)}]", self.number(0)
            if rng.random() < 0.3:
                value = f"{value} * {number}"
            update = f"{out}[{at}] + {value}" if form == "sum" else f"T.max({out}[{at}], {value})"
            zero = zero if form == "sum" else self.number(-100)
            self.block(out, shape, kinds, f"{out}[{at}] = {update}", f"{out}[{at}] = {zero}" if rng.random() < 0.9 or not is_last else None)
        elif form == "product" and len(shape) == 2:
            n = rng.choice(SIZES)
            weight, _ = self.buffer([shape[1], n], True)
            out, oshape = self.buffer([shape[0], n], is_last)
            self.block(out, [shape[0], n, shape[1]], ["spatial", "spatial", "reduce"],
                       f"{out}[v0, v1] = {out}[v0, v1] + {name}[v0, v2] * {weight}[v2, v1]", f"{out}[v0, v1] = {self.number(0)}")
        elif form == "broadcast":
            other, _ = self.buffer([shape[0]], True)
            out, oshape = self.buffer(shape, is_last)
            self.block(out, shape, spatial, f"{out}[{', '.join(v)}] = {name}[{', '.join(v)}] + {other}[v0]")
        elif form == "strided" and shape[0] > 3:
            out, oshape = self.buffer([shape[0] // 2] + shape[1:], is_last)
            self.block(out, oshape, spatial, f"{out}[{', '.join(v)}] = {name}[{', '.join(['v0 * 2'] + v[1:])}] - {number}")
        elif form == "guarded":
            out, oshape = self.buffer(shape, is_last)
            self.block(out, shape, spatial, f"{out}[{', '.join(v)}] = T.if_then_else(v0 < {max(1, shape[0] // 2)}, {name}[{', '.join(v)}], {number})")
        elif form == "twice" and len(shape) == 1:
            out, oshape = self.buffer([shape[0], shape[0]], is_last)
            self.block(out, oshape, ["spatial"] * 2, f"{out}[v0, v1] = {name}[v0] * {name}[v1]")
        elif form == "reversed":
            out, oshape = self.buffer(shape, is_last)
            self.block(out, shape, spatial, f"{out}[{', '.join(v)}] = {name}[{', '.join([f'{shape[0] - 1} - v0'] + v[1:])}]")
        elif form == "merged" and len(shape) == 2:
            out, oshape = self.buffer([shape[0] * shape[1]], is_last)
            self.block(out, oshape, ["spatial"], f"{out}[v0] = {name}[v0 // {shape[1]}, v0 % {shape[1]}]")
        elif form == "split" and len(shape) == 1 and shape[0] % 2 == 0:
            out, oshape = self.buffer([shape[0] // 2, 2], is_last)
            self.block(out, oshape, ["spatial"] * 2, f"{out}[v0, v1] = {name}[v0 * 2 + v1]")
        else:
            out, oshape = self.buffer(shape, is_last)
            self.block(out, shape, spatial, f"{out}[{', '.join(v)}] = {name}[{', '.join(v)}] * {number}")
        return out, oshape

    def text(self):
        rng = self.rng
        shape = [rng.choice(SIZES) for _ in range(rng.choice([1, 2, 2, 2, 3]))]
        known = [self.buffer(shape, True)]
        stages = rng.choice([1, 2, 2, 3, 3, 4])
        for k in range(stages):
            source = known[-1] if rng.random() < 0.75 else rng.choice(known)
            known.append(self.stage(source, k == stages - 1 or rng.random() < 0.15))
        if rng.random() < 0.3:
            known.append(self.stage(rng.choice(known), True))
        head = ["@I.ir_module", "class Module:", "    @T.prim_func(s_tir=True)", f"    def main({', '.join(self.params)}):"]
        return "\n".join(head + ["    " + l for l in self.lines]) + "\n"


# ---- steps

class Places:
    """Blocks and loops of `main`, in the order in which they are written."""

    def __init__(self, sch):
        self.blocks, self.loops = [], []
        self.sch = sch
        self.walk(sch.mod["main"].body)

    def walk(self, s):
        if isinstance(s, BLOCK_REALIZE):
            self.blocks.append(s.block)
            if s.block.init is not None:
                self.walk(s.block.init)
            self.walk(s.block.body)
        elif isinstance(s, tirx.For):
            self.loops.append(s)
            self.walk(s.body)
        elif isinstance(s, tirx.SeqStmt):
            for x in s.seq:
                self.walk(x)
        elif isinstance(s, tirx.IfThenElse):
            self.walk(s.then_case)
            if s.else_case is not None:
                self.walk(s.else_case)
        elif isinstance(s, (tirx.AttrStmt,)):
            self.walk(s.body)

    def block(self, ref):
        named = [i for i, b in enumerate(self.blocks) if b.name_hint == ref[1]]
        if len(named) != 1:
            raise LookupError(ref[1])
        return self.sch.get_sblock(ref[1], func_name="main")

    def loop(self, ref):
        for b in {b.name_hint for b in self.blocks[1:]}:
            try:
                loops = self.sch.get_loops(self.sch.get_sblock(b, func_name="main"))
            except Exception:  # the name is not unique
                continue
            for l in loops:
                if self.sch.get(l).same_as(self.loops[ref[2]]):
                    return l
        raise LookupError(ref[1])


def random_step(rng, places, only):
    names = only or ["split", "fuse", "reorder", "parallel", "vectorize", "unroll", "bind", "compute_at", "compute_at", "compute_at",
                     "reverse_compute_at", "reverse_compute_at", "compute_inline", "reverse_compute_inline", "rfactor", "decompose_reduction",
                     "cache_read", "cache_write", "reindex", "blockize", "transform_layout", "pad_einsum", "storage_align", "set_scope",
                     "transform_block_layout", "decompose_padding", "reorder_block_iter_var", "add_unit_loop", "loop_partition", "merge",
                     "rolling_buffer", "set_axis_separator", "read_at", "write_at", "fuse_reduction_epilogue", "annotate_buffer_access",
                     "reindex_cache_read", "reindex_cache_write", "cache_inplace", "cache_index"]
    name = rng.choice([n for n in names if hasattr(places.sch, n)] or [None])  # 0.27 has fewer
    if name is None or len(places.blocks) < 2 or not places.loops:
        return None

    def block():
        i = rng.randrange(1, len(places.blocks))
        return ["B", places.blocks[i].name_hint, i]

    def loop(i=None):
        i = rng.randrange(len(places.loops)) if i is None else i
        return ["L", places.loops[i].loop_var.name, i]

    def nest(first):
        out = [first]
        while isinstance(places.loops[out[-1]].body, tirx.For):
            out.append(out[-1] + 1)
        return out

    b = block()
    if name == "split":
        f = rng.choice([[None, 2], [None, 3], [None, 4], [2, None], [3, None], [2, 2, None], [None, 1]])
        args = {"loop": loop(), "factors": f, "preserve_unit_iters": rng.random() < 0.7, "disable_predication": False}
    elif name in ("fuse", "merge"):
        chain = nest(rng.randrange(len(places.loops)))
        n = rng.randrange(2, 4)
        args = {"loops": [loop(i) for i in chain[:n]]}
        if name == "merge":
            args = {"loops": [loop() for _ in range(2)]}
        elif rng.random() < 0.5:
            args["preserve_unit_iters"] = rng.random() < 0.5
        if len(args["loops"]) < 2:
            return None
    elif name == "reorder":
        chain = nest(rng.randrange(len(places.loops)))
        rng.shuffle(chain)
        args = {"ordered_loops": [loop(i) for i in chain[:rng.randrange(2, 5)]]}
        if len(args["ordered_loops"]) < 2:
            return None
    elif name in ("parallel", "vectorize", "unroll"):
        args = {"loop": loop()}
    elif name == "bind":
        args = {"loop": loop(), "thread_axis": rng.choice(["threadIdx.x", "blockIdx.x", "vthread.x"])}
    elif name in ("compute_at", "reverse_compute_at"):
        args = {"block": b, "loop": loop(), "preserve_unit_loops": rng.random() < 0.3, "index": rng.choice([-1, -1, -1, -2, 0, 1])}
    elif name in ("compute_inline", "reverse_compute_inline"):
        args = {"block": b}
    elif name == "rfactor":
        args = {"loop": loop(), "factor_axis": rng.choice([0, 0, 0, 1, -1, 2])}
    elif name == "decompose_reduction":
        args = {"block": b, "loop": loop()}
    elif name in ("cache_read", "cache_write"):
        args = {"block": b, "read_buffer_index" if name == "cache_read" else "write_buffer_index": rng.choice([0, 0, 0, 1]),
                "storage_scope": "global"}
    elif name == "cache_inplace":
        args = {"block": b, "read_buffer_index": 0, "storage_scope": "global"}
    elif name == "cache_index":
        args = {"block": b, "storage_scope": "global", "cse_thresh": rng.choice([0, 1])}
    elif name == "reindex":
        args = {"block": b, "buffer": [rng.choice(["read", "write"]), rng.choice([0, 0, 1])]}
    elif name == "blockize":
        args = {"target": loop(), "preserve_unit_iters": rng.random() < 0.7}
        if rng.random() < 0.2:
            args["target"] = [block(), block()]
    elif name == "transform_layout":
        side = rng.choice(["read", "write"])
        regions = places.blocks[b[2]].reads if side == "read" else places.blocks[b[2]].writes
        if not regions:
            return None
        i = rng.randrange(len(regions))
        d = len(regions[i].region)
        maps = {1: ["lambda i: (i // 4, i % 4)", "lambda i: (i // 2, i % 2)", "lambda i: (i,)", "lambda i: (0, i)"],
                2: ["lambda i, j: (j, i)", "lambda i, j: (i // 2, j, i % 2)", "lambda i, j: (i // 4, j // 4, i % 4, j % 4)",
                    "lambda i, j: (i * 16 + j,)"],
                3: ["lambda i, j, k: (k, i, j)", "lambda i, j, k: (i, j // 2, k, j % 2)"]}
        if d not in maps:
            return None
        pad = rng.choice([None, None, 0, 1, 0.5])
        args = {"block": b, "buffer": [side, i], "index_map": rng.choice(maps[d]), "pad_value": pad, "assume_injective_transform": False}
    elif name == "transform_block_layout":
        d = len(places.blocks[b[2]].iter_vars)
        maps = {1: ["lambda i: (i // 4, i % 4)", "lambda i: (i // 2, i % 2)"],
                2: ["lambda i, j: (j, i)", "lambda i, j: (i * 4 + j,)", "lambda i, j: (i // 2, j, i % 2)"],
                3: ["lambda i, j, k: (k, i, j)", "lambda i, j, k: (i, j, k // 2, k % 2)"]}
        if d not in maps:
            return None
        args = {"block": b, "index_map": rng.choice(maps[d])}
    elif name == "pad_einsum":
        args = {"block": b, "padding": [rng.choice([1, 2, 4, 8]) for _ in places.blocks[b[2]].iter_vars]}
    elif name == "storage_align":
        args = {"block": b, "buffer_index": 0, "axis": rng.choice([0, -1, 1]), "factor": rng.choice([4, 16]), "offset": rng.choice([0, 1])}
    elif name == "set_scope":
        args = {"block": b, "buffer_index": rng.choice([0, 0, 1]), "storage_scope": rng.choice(["local", "shared", "global"])}
    elif name == "decompose_padding":
        args = {"block": b, "loop": loop()}
    elif name == "reorder_block_iter_var":
        order = list(range(len(places.blocks[b[2]].iter_vars)))
        rng.shuffle(order)
        args = {"block": b, "new_order": order}
    elif name == "add_unit_loop":
        args = {"block_or_loop": rng.choice([b, loop()])}
    elif name == "loop_partition":
        args = {"loop": loop(), "factors": rng.choice([[2, None], [1, None], [None, 3]]), "preserve_unit_iters": True}
    elif name == "rolling_buffer":
        args = {"block": b, "write_buffer_index": 0}
    elif name == "set_axis_separator":
        args = {"block": b, "buffer": [rng.choice(["read", "write"]), 0], "axis_separators": rng.choice([[], [1]])}
    elif name in ("read_at", "write_at"):
        args = {"loop": loop(), "block": b, "read_buffer_index" if name == "read_at" else "write_buffer_index": 0, "storage_scope": "shared"}
    elif name == "fuse_reduction_epilogue":
        args = {"reduction_block": b, "epilogue_block": block()}
    elif name in ("reindex_cache_read", "reindex_cache_write"):
        d = len(places.blocks[b[2]].iter_vars)
        maps = {1: ["lambda i: (i,)"], 2: ["lambda i, j: (i, j)", "lambda i, j: (j, i)", "lambda i, j: (i,)"],
                3: ["lambda i, j, k: (i, j)", "lambda i, j, k: (k, j, i)", "lambda i, j, k: (i, k)"]}
        if d not in maps:
            return None
        side = "read_buffer_index" if name == "reindex_cache_read" else "write_buffer_index"
        args = {"block": b, side: 0, "storage_scope": "global", "index_map": rng.choice(maps[d])}
    elif name == "annotate_buffer_access":
        return None
    else:
        raise ValueError(name)
    return {"primitive": name, "args": args}


def tvm_value(places, key, v):
    if isinstance(v, list) and v and v[0] == "B":
        return places.block(v)
    if isinstance(v, list) and v and v[0] == "L":
        return places.loop(v)
    if key == "buffer":
        return tuple(v)
    if key == "index_map":
        return eval(v)  # one of the lambdas above
    if isinstance(v, list):
        return [tvm_value(places, "", x) for x in v]
    return v


def tvm_apply(sch, step):
    """None when accepted, else (is it a rule of TVM, its words)."""
    places = Places(sch)
    try:
        args = {k: tvm_value(places, k, v) for k, v in step["args"].items()}
        name = step["primitive"]
        if name in ("fuse", "reorder"):
            loops = args.pop("loops" if name == "fuse" else "ordered_loops")
            getattr(sch, name)(*loops, **args)
        elif name == "merge":
            sch.merge(*args["loops"])
        else:
            getattr(sch, name)(**args)
    except LookupError:
        return "no place", ""
    except s_tir.ScheduleError as e:
        return "rule", str(e).split("Error message:")[-1].strip().split("\n")[0]
    except Exception as e:
        return "internal", (str(e).strip().split("\n") or [""])[-1]
    return None


# ---- one module

def ask(rlx, text, steps, folder):
    script, trace = folder / "module.py", folder / "trace.json"
    script.write_text(HEADER + text)
    trace.write_text(json.dumps({"steps": steps}))
    done = subprocess.run([rlx, "schedule", "--each", "--format", "json", str(script), str(trace)], capture_output=True, text=True, timeout=120)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return [{"ok": None, "error": {"message": (done.stdout + done.stderr)[-300:]}} for _ in steps]
    return answer["steps"]


def one(job):
    rlx, seed, max_steps, probes, only = job
    rng = random.Random(seed)
    found = []
    text = Writer(rng).text()
    try:
        mod = parse(text)
        sch = s_tir.Schedule(mod)
    except Exception as e:
        return [("unread", "", seed, text, {}, str(e)[-300:], "", "")]
    for _ in range(rng.randrange(max_steps + 1)):
        for _ in range(10):
            step = random_step(rng, Places(sch), None)
            if not step:
                continue
            copy = sch.copy()
            if tvm_apply(copy, step) is None:
                break
        else:
            continue
        try:
            again = s_tir.Schedule(parse(copy.mod.script()))
        except Exception:
            continue
        sch = again
    text = "\n".join(l for l in sch.mod.script().splitlines() if not l.startswith("# from"))
    steps, theirs, after = [], [], []
    for _ in range(probes):
        step = random_step(rng, Places(sch), only)
        if not step:
            continue
        copy = sch.copy()
        answer = tvm_apply(copy, step)
        if answer and answer[0] == "no place":
            continue
        steps.append(step)
        theirs.append(answer)
        after.append(copy.mod)
    with tempfile.TemporaryDirectory() as folder:
        ours = ask(rlx, text, steps, pathlib.Path(folder))
    for step, their, mod, our in zip(steps, theirs, after, ours):
        ok = our.get("ok")
        words = (our.get("error") or {}).get("message", "")
        name = step["primitive"]
        if ok is None:
            found.append(("no answer", name, seed, text, step, words, their and their[1], ""))
            continue
        if their and their[0] == "internal" and not ok:
            found.append(("agree", name, seed, text, step, words, their[1], ""))
            continue
        numbers = None
        mine = our.get("after") or ""
        is_open = ok and (their is not None or canonical(mine) != canonical(mod.script()))
        if is_open and name not in ("set_scope", "bind", "unsafe_set_dtype"):
            numbers = compare(text, mine)
        if numbers == "other values" and name == "transform_layout":
            numbers = None  # a parameter may lie otherwise now
        has_witness = (our.get("error") or {}).get("witness") is not None
        theirs_wrong = not ok and their is None and (has_witness or compare(text, mod.script()) in ("other values", "invalid"))
        if numbers == "other values" and their is None and compare(text, mod.script()) == numbers:
            kind = "both wrong"
        elif numbers in ("other values", "invalid"):
            kind = "wrong"
        elif ok and their is None:
            kind = "text" if is_open else "agree"
        elif (not ok and their is not None) or (ok and their[0] == "internal"):
            kind = "agree"
        elif ok:
            kind = "finer" if numbers == "same" else "looser"
        else:
            kind = "theirs wrong" if theirs_wrong else "stricter"
        found.append((kind, name, seed, text, step, words, their[1] if their else "", mine if ok else mod.script() if their is None else ""))
        if ok and their is None and kind in ("text", "wrong"):
            found[-1] = found[-1][:6] + (mod.script(), mine)
    return found


def answers(jobs):
    """What `one` gives for each job, each in a process of its own: TVM may crash, or not end."""
    fork = multiprocessing.get_context("fork")
    for job in jobs:
        ours, theirs = fork.Pipe(duplex=False)
        process = fork.Process(target=lambda: theirs.send(one(job)))
        process.start()
        theirs.close()
        try:
            yield ours.recv() if ours.poll(60) else [("TVM does not end", "", job[1], "", {}, "", "", "")]
        except EOFError:
            yield [("TVM crashes", "", job[1], "", {}, "", "", "")]
        process.kill()
        process.join()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rlx")
    p.add_argument("--count", type=int, default=200)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--steps", type=int, default=3)
    p.add_argument("--probes", type=int, default=25)
    p.add_argument("--primitive", action="append")
    p.add_argument("--list", type=int, default=3)
    p.add_argument("--save", type=pathlib.Path)
    p.add_argument("--max-looser", type=float, default=100)
    p.add_argument("--max-stricter", type=float, default=100)
    a = p.parse_args()
    rlx = str(pathlib.Path(a.rlx).resolve())
    jobs = [(rlx, a.seed * 1000003 + k, a.steps, a.probes, a.primitive) for k in range(a.count)]
    score, per, shown = Counter(), {}, Counter()
    if a.save:
        a.save.mkdir(parents=True, exist_ok=True)
    for found in answers(jobs):
        for kind, name, seed, text, step, ours, theirs, after in found:
            score[kind] += 1
            per.setdefault(name, Counter())[kind] += 1
            if kind == "agree":
                continue
            key = (kind, name)
            shown[key] += 1
            if shown[key] <= a.list:
                print(f"{kind}: seed {seed} {json.dumps(step)}\n    ours: {ours}\n    TVM: {theirs if kind not in ('text', 'wrong') else ''}")
            if a.save:
                at = a.save / f"{kind.replace(' ', '-')}-{name}-{shown[key]}"
                at.with_suffix(".py").write_text(HEADER + text)
                at.with_suffix(".json").write_text(json.dumps({"steps": [step]}))
                at.with_suffix(".txt").write_text(f"seed {seed} {json.dumps(step)}\n\nours: {ours}\n\nTVM: {theirs}\n\nafter:\n{after}\n")
    total = sum(score.values())
    print(", ".join(f"{k} {v} ({100 * v / max(total, 1):.2f} %)" for k, v in score.most_common()))
    for name, c in sorted(per.items()):
        if set(c) - {"agree"}:
            print(f"  {name}: " + ", ".join(f"{k} {v}" for k, v in c.most_common()))
    bad = score["wrong"] or 100 * score["looser"] > a.max_looser * total or 100 * score["stricter"] > a.max_stricter * total
    if 4 * score["TVM crashes"] > total:
        print("more than a quarter was not compared: TVM crashed, or is of a version that this script does not know")
        bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
