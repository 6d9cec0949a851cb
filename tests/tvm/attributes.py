#!/usr/bin/env python3
"""Operators with random attributes, at random shapes, against Apache TVM 0.25: the same values, or a difference that is said.

    PYTHON attributes.py RLX [--count N] [--seed S] [--only WORD] [--list N]      in a Python that has apache-tvm 0.25 and numpy

A row of CASES draws a call: axes from both ends, keepdims, layouts, strides, padding, dilation, groups, modes; dimensions are 0, 1 or small. What
TVM does not compile or refuses is not compared. Known differences stand in KNOWN, each with its reason.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import random
import subprocess
import tempfile

import numpy as np

BATCH = 10
HEADER = "from tvm.script import ir as I, relax as R, tirx as T\n\n"
CLOSE = {"float64": 1e-9, "float32": 1e-4, "float16": 2e-2}


class Draw:
    """What the rows draw from; remembers the operands."""

    def __init__(self, rng):
        self.rng, self.inputs = rng, {}

    def dim(self, least=0):
        return max(least, self.rng.choice([0, 1, 1, 2, 3, 4, 5, 7]))

    def shape(self, low=1, high=4, least=0):
        return [self.dim(least) for _ in range(self.rng.randint(low, high))]

    def tensor(self, shape, dtype=None, low=-3, high=3):
        dtype = dtype or self.rng.choice(["float32", "float32", "float64", "int32", "int64"])
        data = np.random.default_rng(self.rng.getrandbits(32))
        a = data.uniform(low, high, shape) if dtype.startswith("float") else data.integers(low, max(high, low + 1), shape)
        name = f"x{len(self.inputs)}"
        self.inputs[name] = np.round(a * 8) / 8 if dtype.startswith("float") else a
        self.inputs[name] = np.asarray(self.inputs[name]).astype(dtype)
        return name

    def axis(self, rank):
        return self.rng.randrange(-rank, rank)

    def axes(self, rank):
        some = self.rng.sample(range(rank), self.rng.randint(1, rank))
        return [a - rank * self.rng.randrange(2) for a in some]

    def flag(self):
        return self.rng.random() < 0.5

    def pick(self, *of):
        return self.rng.choice(of)

    def ints(self, count, low, high):
        return [self.rng.randint(low, high) for _ in range(count)]


def reduction(name, least=0, dtypes=None):
    def draw(d):
        s = d.shape(1, 4, least)
        x = d.tensor(s, d.pick(*dtypes) if dtypes else None, -2, 3)
        axis = d.pick(None, d.axis(len(s)), d.axes(len(s)))
        return f"R.{name}({x}, axis={axis}, keepdims={d.flag()})"
    return draw


def arg_reduction(name):
    def draw(d):
        s = d.shape(1, 4, 1)
        return f"R.{name}({d.tensor(s)}, axis={d.pick(None, d.axis(len(s)))}, keepdims={d.flag()})"
    return draw


def scan(name):
    def draw(d):
        s = d.shape()
        return f"R.{name}({d.tensor(s)}, axis={d.pick(None, d.axis(len(s)))}, exclusive={d.flag()})"
    return draw


def conv(rank):
    def draw(d):
        groups, per, out = d.pick(1, 1, 2, 3), d.pick(1, 2, 3), d.pick(1, 2)
        kernel, size = d.ints(rank, 1, 3), d.ints(rank, 5, 8)
        letters = "DHW"[3 - rank:]
        channels_last = d.flag()
        x = [d.pick(1, 2)] + (size + [groups * per] if channels_last else [groups * per] + size)
        kernel_layout = d.pick("OI" + letters, letters + "IO", "O" + letters + "I")
        sizes = dict(zip(letters, kernel), O=groups * out, I=per)
        w = [sizes[c] for c in kernel_layout]
        layout = "N" + letters + "C" if channels_last else "NC" + letters
        padding = d.pick([0] * rank, d.ints(rank, 0, 2), d.ints(2 * rank, 0, 2))
        return (f"R.nn.conv{rank}d({d.tensor(x, 'float32')}, {d.tensor(w, 'float32')}, strides={d.ints(rank, 1, 3)}, padding={padding}, "
                f"dilation={d.ints(rank, 1, 2)}, groups={groups}, data_layout=\"{layout}\", kernel_layout=\"{kernel_layout}\")")
    return draw


def conv_transpose(rank):
    def draw(d):
        groups, per, out = d.pick(1, 1, 2), d.pick(1, 2), d.pick(1, 2)
        letters = "DHW"[3 - rank:]
        strides = d.ints(rank, 1, 3)
        x, w = [d.pick(1, 2), groups * per] + d.ints(rank, 3, 5), [groups * per, out] + d.ints(rank, 1, 3)
        extra = [d.rng.randrange(s) for s in strides]
        return (f"R.nn.conv{rank}d_transpose({d.tensor(x, 'float32')}, {d.tensor(w, 'float32')}, strides={strides}, padding={d.ints(rank, 0, 1)}, "
                f"output_padding={extra}, groups={groups}, data_layout=\"NC{letters}\", kernel_layout=\"IO{letters}\")")
    return draw


def pool(name, rank):
    def draw(d):
        letters = "DHW"[3 - rank:]
        size = d.ints(rank, 4, 8)
        last = d.flag()
        x = [d.pick(1, 2)] + (size + [2] if last else [2] + size)
        window = d.ints(rank, 2, 3)
        layout = "N" + letters + "C" if last else "NC" + letters
        padding = d.pick([0] * rank, d.ints(2 * rank, 0, 1))
        return (f"R.nn.{name}_pool{rank}d({d.tensor(x, 'float32')}, pool_size={window}, strides={d.ints(rank, 1, 3)}, padding={padding}, "
                f"dilation={d.pick([1] * rank, d.ints(rank, 1, 2))}, ceil_mode={d.flag()}, count_include_pad={d.flag()}, layout=\"{layout}\")")
    return draw


def adaptive(rank):
    def draw(d):
        letters = "DHW"[3 - rank:]
        size = d.ints(rank, 1, 7)
        last = d.flag()
        x = [1] + (size + [2] if last else [2] + size)
        layout = "N" + letters + "C" if last else "NC" + letters
        return f"R.nn.adaptive_avg_pool{rank}d({d.tensor(x, 'float32')}, output_size={d.ints(rank, 1, 5)}, layout=\"{layout}\")"
    return draw


def resize(d):
    last = d.flag()
    x = [1] + (d.ints(2, 2, 6) + [2] if last else [2] + d.ints(2, 2, 6))
    method = d.pick("nearest_neighbor", "linear", "cubic")
    how = d.pick("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel")
    rounding = d.pick("round", "floor", "ceil", "round_prefer_floor", "round_prefer_ceil") if method == "nearest_neighbor" else ""
    return (f"R.image.resize2d({d.tensor(x, 'float32')}, size={tuple(d.ints(2, 1, 8))}, layout=\"{'NHWC' if last else 'NCHW'}\", method=\"{method}\", "
            f"coordinate_transformation_mode=\"{how}\", rounding_method=\"{rounding}\", cubic_alpha={d.pick(-0.5, -0.75)}, cubic_exclude={d.pick(0, 1)})")


def strided_slice(d):
    s = d.shape(1, 4, 1)
    axes = d.rng.sample(range(len(s)), d.rng.randint(1, len(s)))
    begin, end, strides = [], [], []
    for a in axes:
        step = d.pick(1, 1, 2, 3, -1, -2)
        low, high = sorted((d.rng.randint(-s[a] - 2, s[a] + 2), d.rng.randint(-s[a] - 2, s[a] + 2)))
        begin.append(low if step > 0 else high)
        end.append(high if step > 0 else low)
        strides.append(step)
    axes = [a - len(s) * d.rng.randrange(2) for a in axes]
    return f"R.strided_slice({d.tensor(s)}, {axes}, {begin}, {end}, {strides})"


def softmax(name):
    def draw(d):
        s = d.shape(1, 4, 1)
        return f"R.nn.{name}({d.tensor(s, d.pick('float32', 'float64'))}, axis={d.axis(len(s))})"
    return draw


def layer_norm(d):
    s = d.shape(2, 4, 1)
    axes = list(range(len(s) - d.rng.randint(1, len(s) - 1), len(s)))
    inner = [s[a] for a in axes]
    axes = [a - len(s) for a in axes] if d.flag() else axes
    t = "float32"
    return (f"R.nn.layer_norm({d.tensor(s, t)}, {d.tensor(inner, t)}, {d.tensor(inner, t)}, axes={axes}, epsilon={d.pick(1e-5, 0.1)}, "
            f"center={d.flag()}, scale={d.flag()})")


def group_norm(d):
    groups, per = d.pick(1, 2, 3), d.pick(1, 2)
    rest, t = d.ints(d.pick(1, 2), 1, 4), "float32"
    s = [2, groups * per, *rest]
    axes = list(range(2, len(s)))
    return (f"R.nn.group_norm({d.tensor(s, t)}, {d.tensor([groups * per], t)}, {d.tensor([groups * per], t)}, num_groups={groups}, channel_axis=1, "
            f"axes={axes}, epsilon=0.01, center={d.flag()}, scale={d.flag()})")


def take(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    n, mode = s[axis], d.pick("fast", "clip", "wrap")
    low, high = (-n, n) if mode == "fast" else (-2 * n - 1, 2 * n + 1)
    return f"R.take({d.tensor(s)}, {d.tensor(d.shape(0, 2), d.pick('int32', 'int64'), max(low, 0) if mode == 'fast' else low, high)}, axis={axis}, mode=\"{mode}\")"


def gather_elements(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    i = list(s)
    i[axis] = d.dim(1)
    return f"R.gather_elements({d.tensor(s)}, {d.tensor(i, 'int64', 0, s[axis])}, axis={axis})"


def scatter_elements(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    i, t = list(s), d.pick("float32", "int32")
    i[axis] = min(d.dim(1), s[axis])
    places = d.tensor(i, "int64", 0, s[axis])
    ways = ["add", "mul", "min", "max", "mean"]
    way = d.pick(*ways)
    if way in ("min", "max", "add", "mul", "mean"):
        return f"R.scatter_elements({d.tensor(s, t)}, {places}, {d.tensor(i, t)}, axis={axis}, reduction=\"{way}\")"
    return ""


def permute(d):
    s = d.shape(1, 4)
    order = d.rng.sample(range(len(s)), len(s))
    return f"R.permute_dims({d.tensor(s)}, axes={[a - len(s) * d.rng.randrange(2) for a in order]})"


def tiles(d):
    s = d.shape(1, 3)
    return f"R.tile({d.tensor(s)}, repeats={tuple(d.ints(d.rng.randint(1, 4), 1, 3))})"


def repeats(d):
    s = d.shape(1, 3)
    return f"R.repeat({d.tensor(s)}, repeats={d.pick(1, 2, 3)}, axis={d.pick(None, d.axis(len(s)))})"


def flips(d):
    s = d.shape(1, 4)
    return f"R.flip({d.tensor(s)}, axis={d.axis(len(s))})"


def concat(d):
    s = d.shape(1, 3)
    axis, t = d.axis(len(s)), d.pick("float32", "int64")
    parts = []
    for _ in range(d.rng.randint(1, 3)):
        one = list(s)
        one[axis] = d.dim()
        parts.append(d.tensor(one, t))
    return f"R.concat(({', '.join(parts)},), axis={axis})"


def stack(d):
    s, t = d.shape(0, 3), d.pick("float32", "int64")
    return f"R.stack(({', '.join(d.tensor(s, t) for _ in range(d.rng.randint(1, 3)))},), axis={d.axis(len(s) + 1)})"


def split(d):
    s = d.shape(1, 3, 1)
    axis = d.axis(len(s))
    how = d.pick(d.rng.randint(1, s[axis]), sorted(d.ints(2, 0, s[axis])))
    return f"R.split({d.tensor(s)}, {how}, axis={axis})[0]"


def expand(d):
    s = d.shape(0, 3)
    count = d.rng.randint(1, 2)
    rank = len(s) + count
    return f"R.expand_dims({d.tensor(s)}, axis={[a - rank * d.rng.randrange(2) for a in d.rng.sample(range(rank), count)]})"


def pads(d):
    s = d.shape(1, 3, 1)
    mode = d.pick("constant", "reflect", "replicate", "circular")
    width = [d.rng.randint(0, n - 1 if mode == "reflect" else n if mode == "circular" else 3) for n in s for _ in range(2)]
    return f"R.nn.pad({d.tensor(s, 'float32')}, {width}, pad_mode=\"{mode}\", pad_value={d.pick(0.0, -1.5)})"


def ordering(d):
    s = d.shape(1, 3, 1)
    x = f"x{len(d.inputs)}"
    count = int(np.prod(s))
    d.inputs[x] = np.random.default_rng(d.rng.getrandbits(32)).permutation(count).astype(d.pick("float32", "int32")).reshape(s)
    axis = d.axis(len(s))
    return d.pick(f"R.sort({x}, axis={axis}, descending={d.flag()})",
                  f"R.argsort({x}, axis={axis}, descending={d.flag()}, dtype=\"{d.pick('int32', 'int64')}\")",
                  f"R.topk({x}, k={d.rng.randint(1, s[axis])}, axis={axis}, ret_type=\"{d.pick('values', 'indices')}\", largest={d.flag()}, dtype=\"int32\")")


def broadcasts(d):
    s = d.shape(0, 4)
    other = [1 if d.rng.random() < 0.3 else n for n in s][d.rng.randint(0, len(s)):] if s else []
    t = d.pick("float32", "int32", "int64", "float64")
    name = d.pick("add", "subtract", "multiply", "maximum", "minimum", "less", "greater_equal", "equal", "not_equal")
    pair = [d.tensor(s, t), d.tensor(other, t)]
    d.rng.shuffle(pair)
    return f"R.{name}({pair[0]}, {pair[1]})"


def divides(d):
    s, t = d.shape(0, 3), d.pick("float32", "int32", "int64")
    y = d.tensor(s, t, 1, 5)
    if d.flag():
        d.inputs[y] = -d.inputs[y]
    return f"R.{d.pick('floor_divide', 'mod', 'floor_mod', 'divide')}({d.tensor(s, t, -9, 9)}, {y})"


def matmul(d):
    a = d.shape(0, 2) + [d.dim(), d.dim()]
    b = ([1 if d.rng.random() < 0.3 else n for n in a[:-2]])[d.rng.randint(0, len(a) - 2):] + [a[-1], d.dim()]
    t = d.pick("float32", "float64", "int32")
    return f"R.matmul({d.tensor(a, t)}, {d.tensor(b, t)}, out_dtype=\"{d.pick('void', t)}\")"


def trilu(d):
    s = d.shape(2, 4)
    return f"R.{d.pick('tril', 'triu')}({d.tensor(s)}, {d.rng.randint(-4, 4)})"


def hot(d):
    s = d.shape(0, 3)
    depth = d.rng.randint(1, 4)
    return (f"R.one_hot({d.tensor(s, d.pick('int32', 'int64'), 0, depth)}, R.prim_value(T.float32(2)), R.prim_value(T.float32(-1)), depth={depth}, "
            f"axis={d.axis(len(s) + 1)})")


def casts(d):
    return f"R.astype({d.tensor(d.shape(0, 3), d.pick('float32', 'int32', 'int64', 'float64'), 0, 9)}, \"{d.pick('int8', 'uint8', 'float16', 'int64', 'float64', 'bool')}\")"


def shuffle(d):
    r = d.pick(1, 2, 3)
    return f"R.nn.pixel_shuffle({d.tensor([d.pick(1, 2), r * r * d.pick(1, 2), *d.ints(2, 1, 3)], 'float32')}, upscale_factor={r})"


def unary(d):
    name = d.pick("exp", "tanh", "sigmoid", "abs", "negative", "sin", "cos", "floor", "ceil", "round", "trunc", "square", "sign", "erf", "atan",
                  "nn.relu", "nn.silu", "nn.gelu", "nn.gelu_tanh", "nn.relu6", "nn.selu", "nn.softplus", "nn.leakyrelu")
    return f"R.{name}({d.tensor(d.shape(0, 3), d.pick('float32', 'float64'))})"


CASES = [reduction("sum"), reduction("prod"), reduction("max", 1), reduction("min", 1), reduction("mean", 1, ["float32", "float64"]),
         reduction("std", 1, ["float32"]), reduction("variance", 1, ["float32", "float64"]), arg_reduction("argmax"), arg_reduction("argmin"),
         scan("cumsum"), scan("cumprod"), conv(1), conv(2), conv(3), conv_transpose(1), conv_transpose(2), conv_transpose(3),
         *[pool(n, r) for n in ("max", "avg") for r in (1, 2, 3)], adaptive(1), adaptive(2), adaptive(3), resize, resize, strided_slice,
         strided_slice, softmax("softmax"), softmax("log_softmax"), layer_norm, group_norm, take, gather_elements, scatter_elements, permute, tiles, repeats,
         flips, concat, stack, split, expand, pads, ordering, ordering, broadcasts, broadcasts, divides, matmul, trilu, hot, casts, shuffle, unary, unary]

# Words of the call, and why: "Results of operators" in docs/differences.md.
KNOWN = [(("adaptive_avg_pool2d",), "TVM's windows of different sizes"), (("adaptive_avg_pool3d",), "as above"),
         (("resize2d", "nearest_neighbor"), "a place just between two elements: TVM rounds the product and the sum at once")]


def function(name, call, inputs):
    params = ", ".join(f"{n}: R.Tensor(({''.join(f'{d}, ' for d in a.shape)}), \"{a.dtype}\")" for n, a in inputs.items())
    return f"    @R.function\n    def {name}({params}):\n        gv = {call}\n        return gv\n"


def tvm_answers(batch, pipe):
    import tvm
    from tvm import relax
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.dup2(null, 1)

    def build(cases):
        text = "@I.ir_module\nclass Module:\n" + "\n".join(function(f"f{k}", c, i) for k, (c, i) in cases).replace("tirx", "T")
        module = relax.transform.LegalizeOps()(tvm.script.from_source(text))
        return relax.VirtualMachine(relax.build(module, target="llvm"), tvm.cpu())

    def run(vm, cases):
        for k, (_, inputs) in cases:
            try:
                got = vm[f"f{k}"](*[tvm.runtime.tensor(a) for a in inputs.values()])
                pipe.send((k, got.numpy()))
            except Exception as e:  # noqa: BLE001
                pipe.send((k, str(e)[-200:]))
    cases = list(enumerate(batch))
    try:
        run(build(cases), cases)
    except Exception:  # noqa: BLE001  one of them
        for one in cases:
            try:
                run(build([one]), [one])
            except Exception as e:  # noqa: BLE001
                pipe.send((one[0], str(e)[-200:]))
    pipe.send(None)


def ask_tvm(batch):
    out, context = ["crash"] * len(batch), multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(False)
    child = context.Process(target=tvm_answers, args=(batch, theirs))
    child.start()
    theirs.close()
    try:
        while (got := ours.recv()) is not None:
            out[got[0]] = got[1]
    except EOFError:
        pass
    child.join()
    return out


def flat(x):
    return [v for y in x for v in flat(y)] if isinstance(x, list) else [x]


def ask_rlx(rlx, batch, folder):
    """Arrays, or what was said; a batch is one function, or each case one when that fails."""
    inputs, calls = {}, []
    for k, (call, given) in enumerate(batch):
        for name in reversed(given):
            call = call.replace(name, f"{name}_{k}")
        inputs.update({f"{name}_{k}": a for name, a in given.items()})
        calls.append(call)
    params = ", ".join(f"{n}: R.Tensor(({''.join(f'{d}, ' for d in a.shape)}), \"{a.dtype}\")" for n, a in inputs.items())
    body = "".join(f"    v{k} = {c}\n" for k, c in enumerate(calls))
    (folder / "script.py").write_text(f"{HEADER}@R.function\ndef main({params}):\n{body}    return ({', '.join(f'v{k}' for k in range(len(calls)))},)\n")
    np.savez(folder / "in.npz", **inputs)
    done = subprocess.run([rlx, "run", "--isolated", f"{folder}/script.py::main", "--inputs", f"{folder}/in.npz", "--format", "json"],
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == 0:
        return [np.array([float(v) if isinstance(v, str) else v for v in flat(o["data"])]).astype(o["dtype"]).reshape(o["shape"])
                for o in json.loads(done.stdout.splitlines()[-1])["outputs"]]
    return [done.stderr.strip()[-300:]] if len(batch) == 1 else [ask_rlx(rlx, [one], folder)[0] for one in batch]


def differs(got, want):
    if isinstance(got, str):
        return got
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype} {got.shape}, not {want.dtype} {want.shape}"
    if want.dtype.kind == "f":
        t = CLOSE[str(want.dtype)]
        same = np.isclose(got.astype("float64"), want.astype("float64"), rtol=t, atol=t, equal_nan=True)
    else:
        same = got == want
    return None if np.all(same) else f"{np.atleast_1d(got)[~np.atleast_1d(same)][:4]}, not {np.atleast_1d(want)[~np.atleast_1d(same)][:4]}"


def main():
    args = argparse.ArgumentParser()
    args.add_argument("rlx")
    args.add_argument("--count", type=int, default=600)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--only", default="")
    args.add_argument("--list", type=int, default=20)
    args = args.parse_args()
    rng, batches = random.Random(args.seed), [[]]
    rows = CASES
    while sum(map(len, batches)) < args.count:
        d = Draw(rng)
        call = rng.choice(rows)(d)
        if args.only not in call or not call:
            continue
        if len(batches[-1]) == BATCH:
            batches.append([])
        batches[-1].append((call, d.inputs))
    compared = refused = wrong = known = 0
    with tempfile.TemporaryDirectory() as folder:
        for batch in batches:
            for (call, inputs), want, got in zip(batch, ask_tvm(batch), ask_rlx(args.rlx, batch, pathlib.Path(folder))):
                if isinstance(want, str):
                    refused += 1
                    continue
                compared += 1
                said = differs(got, want)
                # A reduction over nothing: TVM's result is memory that nothing was written to.
                is_known = any(all(w in call for w in words) for words, _ in KNOWN) or any(a.size == 0 for a in inputs.values())
                if said and is_known:
                    known += 1
                elif said:
                    wrong += 1
                    if wrong <= args.list:
                        shapes = ", ".join(f"{n}: {a.dtype} {list(a.shape)}" for n, a in inputs.items())
                        print(f"{call} where {shapes}\n    {said}", flush=True)
    print(f"{compared} compared with TVM: {wrong} differ, {known} by a known difference; {refused} that TVM has no value of")
    return int(wrong > 0 or compared < args.count // 2)


if __name__ == "__main__":
    raise SystemExit(main())
