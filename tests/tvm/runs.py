"""Modules run by TVM before and after a step: what the parameters hold then. Needs the Python packages tvm and numpy."""
import re

import numpy as np
import tvm


def parse(text):
    return tvm.script.from_source("\n".join(l for l in text.splitlines() if not l.startswith(("from ", "import "))))


def with_old_contents(text):
    """The module with 77 in all that its root allocates: what stands there before anything is written."""
    lines, out, fills = text.splitlines(), [], []
    for line in lines:
        m = re.match(r"^(\s*)(\w+) = T\.sblock_alloc_buffer\(\(([\d, ]*)\)(?:, \"(\w+)\")?", line)
        is_root = m and len(m.group(1)) == 8
        if fills and not is_root:
            out += fills
            fills = []
        out.append(line)
        if is_root:
            sizes = [s for s in m.group(3).replace(" ", "").split(",") if s]
            names = [f"p{d}" for d in range(len(sizes))]
            value = f'T.{m.group(4) or "float32"}({1 if m.group(4) == "bool" else 77})'
            pad = m.group(1)
            fills += [f"{pad}for {', '.join(names)} in T.grid({', '.join(sizes)}):", f"{pad}    {m.group(2)}[{', '.join(names)}] = {value}"]
    return "\n".join(out) + "\n"


def is_signed(dtype):
    return not str(dtype).startswith(("uint", "bool"))


def buffer_of(function, p):
    """The buffer behind a parameter, None for a number. From 0.27 on the parameter is it."""
    if hasattr(function, "buffer_map"):
        return function.buffer_map.get(p)
    return p if hasattr(p, "shape") else None


def results(text):
    """What the parameters hold after a run; None where the module does not run here, a text where TVM refuses it."""
    try:
        mod = parse(text)
    except Exception as e:
        return str(e).strip().splitlines()[-1][:120]
    try:
        lib = tvm.compile(parse(with_old_contents(text)), target="llvm")
        rng, args = np.random.default_rng(3), []
        scalars = iter([-3, 5, 2, 4] * 8)
        for p in mod["main"].params:
            b = buffer_of(mod["main"], p)
            if b is None:
                args.append(float(next(scalars)) if "float" in str(getattr(p, "dtype", p.ty)) else next(scalars))
            else:
                values = rng.integers(-4 if is_signed(b.dtype) else 1, 9, [int(x) for x in b.shape])
                args.append(tvm.runtime.tensor(values.astype(b.dtype)))
        lib["main"](*args)
        return [a.numpy() for a in args if isinstance(a, tvm.runtime.Tensor)]
    except Exception:
        return None


def as_main(text):
    """A module of one function, which is called main then."""
    return re.sub(r"    def \w+\(", "    def main(", text) if text.count("    def ") == 1 else text


def compare(before, after):
    """other values, invalid (TVM does not read `after`), same, or not run: two texts of one function."""
    a, b = results(before), results(after)
    if isinstance(b, str):
        return "invalid"
    if a is None or b is None or isinstance(a, str) or [x.shape for x in a] != [x.shape for x in b]:
        return "not run"
    return "same" if all(np.allclose(x, y, 1e-3, 1e-3, equal_nan=True) for x, y in zip(a, b)) else "other values"
