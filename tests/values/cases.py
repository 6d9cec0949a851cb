"""Calls of operators with the values that come out, as lines of text: read, and written out as programs.

A line is `CALL where PARAMETERS => RESULTS`:

    R.grad.no_grad(x) where x: 2x3:float32 => [2, 3]:float32 [-2.5, 0.5, ...]
    R.take(x, i) where x: n=4:float32, i: 2:int64 = [3, 0] => [2]:float32 [1.0, -2.5]

A parameter has its dimensions (`scalar`: none), its dtype, and its values, row-major. Without values, element i of parameter k is
(((i + k) * 37 + k * 11) % 23 - 11) / 4; for integers that times four. A dimension that is written `n=4` is the symbolic `n` in the second
program. Each call is evaluated three times, in functions whose parameters have: the shape; symbolic dimensions where they are named; an
unknown rank. What must not be asked stands behind the results: ` !rank`, where an unknown rank
is refused before it runs; ` !static`, where known lengths are.

RESULTS are separated by ` ; `, or `error TEXT`: what is said contains TEXT. Where they come from is said behind them. ` @tvm`: Apache TVM
0.25 gives these (` @tvm transposed`: for the second operand's last axis moved to place 1). ` @numpy FORMULA`: TVM does not run it, or has no defined result; the formula gives these. ` @rule`: by hand, from the
operator's definition. tests/tvm/values.py asks TVM and numpy again.
"""

import json
import math
import re

HEADER = "from tvm.script import ir as I, relax as R, tirx as T\n\n"
TOLERANCE = {"float64": 1e-6, "float32": 1e-4, "float16": 2e-2, "bfloat16": 4e-2}


def pattern(k, count, dtype):
    """The values of parameter k that has none written."""
    values = [((i + k) * 37 + k * 11) % 23 - 11 for i in range(count)]
    if dtype.startswith(("float", "bfloat")):
        return [v / 4 for v in values]
    return [v % 2 for v in values] if dtype == "bool" else [abs(v) for v in values] if dtype[0] == "u" else values


class Parameter:
    def __init__(self, text, k):
        name, rest = text.split(":", 1)
        head, _, values = rest.partition(" = ")
        dims, self.dtype = head.strip().split(":")
        self.name = name.strip()
        self.symbols, self.shape = [], []
        for dim in [] if dims == "scalar" else dims.split("x"):
            symbol, _, length = dim.rpartition("=")
            self.symbols.append(symbol)
            self.shape.append(int(length))
        self.values = json.loads(re.sub(r"-?\b(nan|inf)\b", r'"\g<0>"', values)) if values else pattern(k, math.prod(self.shape), self.dtype)

    def sinfo(self, form):
        if form == "rank":
            return f'R.Tensor(dtype="{self.dtype}")'
        dims = [f'"{s}"' if s and form == "symbolic" else str(n) for s, n in zip(self.symbols, self.shape)]
        return f'R.Tensor(({", ".join(dims)}{"," if len(dims) == 1 else ""}), dtype="{self.dtype}")'

    def literal(self):
        """As `rlx run` reads it."""
        def nested(values, shape):
            if not shape:
                return str(values[0])
            step = math.prod(shape[1:])
            return "[" + ", ".join(nested(values[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])) + "]"
        return nested(self.values, self.shape)


class Case:
    def __init__(self, line, where):
        self.where = where
        what, answer = line.rsplit(" => ", 1)
        answer, _, self.source = answer.rpartition(" @")
        flags = re.findall(r" !(\w+)", answer)
        self.answer = re.sub(r" !\w+", "", answer).strip()
        self.call, _, params = what.partition(" where ")
        self.params = [Parameter(p, k) for k, p in enumerate(re.split(r", (?=\w+: )", params))] if params else []
        self.forms = ["static"]
        if any(s for p in self.params for s in p.symbols):
            self.forms.append("symbolic")
        if "rank" not in flags and self.params:
            self.forms.append("rank")
        if "static" in flags:
            self.forms.remove("static")
        if self.answer.startswith("error"):
            self.forms = self.forms[:1]

    def function(self, form, name):
        params = ", ".join(f"{p.name}: {p.sinfo(form)}" for p in self.params)
        symbols = dict.fromkeys(s for p in self.params for s in p.symbols if s) if form == "symbolic" else ()
        call = self.call
        for p in self.params:
            for s, n in zip(p.symbols, p.shape):
                if s and form != "symbolic":
                    call = re.sub(rf"\b{s}\b(?!=)", str(n), call)
        lines = [f"    {s} = T.int64()" for s in symbols] + [f"    gv = {call}", "    return gv"]
        return f"@R.function\ndef {name}({params}):\n" + "\n".join(lines) + "\n"

    def program(self):
        """All forms in one file, and a function main that gives a tuple of their results."""
        text = HEADER + "\n".join(self.function(form, f"as_{form}") for form in self.forms)
        params = ", ".join(f"{p.name}: {p.sinfo('static')}" for p in self.params)
        names = ", ".join(p.name for p in self.params)
        calls = "\n".join(f"    r{i} = as_{form}({names})" for i, form in enumerate(self.forms))
        results = ", ".join(f"r{i}" for i in range(len(self.forms)))
        return f"{text}\n@R.function\ndef main({params}):\n{calls}\n    return ({results}{',' if len(self.forms) == 1 else ''})\n"

    def results(self):
        """[(shape, dtype, values)…] that are expected."""
        out = []
        for one in self.answer.split(" ; "):
            shape, dtype, values = re.fullmatch(r"(\[[^]]*\]):(\w+) (\[.*\])", one).groups()
            out.append((json.loads(shape), dtype, json.loads(re.sub(r"-?\b(nan|inf)\b", r'"\g<0>"', values))))
        return out


def written(results):
    """[(shape, dtype, values)…] as in a line."""
    def number(v, dtype):
        if "float" not in dtype:
            return str(int(v))
        v = float(v)
        return str(v) if not math.isfinite(v) else f"{v:.{12 if dtype == 'float64' else 6}g}"
    return " ; ".join(f"{list(s)}:{t} [{', '.join(number(v, t) for v in values)}]" for s, t, values in results)


def close(a, b, dtype):
    if dtype not in TOLERANCE and not dtype.startswith("float"):
        return int(a) == int(b)
    a, b = float(a), float(b)
    if math.isnan(b) or math.isinf(b) or not math.isfinite(a):
        return math.isnan(a) if math.isnan(b) else a == b
    t = TOLERANCE.get(dtype, 0.0)
    return abs(a - b) <= t + t * abs(b)


def differs(got, want):
    """What is wrong with [(shape, dtype, values)…], or None."""
    if len(got) != len(want):
        return f"{len(got)} results, not {len(want)}"
    for i, ((shape, dtype, values), (shape2, dtype2, values2)) in enumerate(zip(got, want)):
        if list(shape) != list(shape2) or dtype != dtype2:
            return f"result {i} is {list(shape)}:{dtype}, not {list(shape2)}:{dtype2}"
        for k, (a, b) in enumerate(zip(values, values2)):
            if not close(a, b, dtype):
                return f"result {i}, element {k} is {a}, not {b}"
    return None


def read(path):
    """The cases of a file, in order."""
    return [Case(line, f"{path.name}:{i}") for i, line in enumerate(path.read_text().splitlines(), 1) if line.strip() and not line.startswith("#")]
