"""Generated inputs that mean harm: each is written to a folder of its own and given to commands that must
end within 30 s of CPU and 500 MB, with an exit code that says something and what the case expects."""
import os, pathlib, resource, subprocess, sys, tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

SLOW = any(os.environ.get(k) for k in ("RLX_SANITIZED",)) or "asan" in RLX
SECONDS, BYTES = (200 if SLOW else 30), 500 << 20
HEAD = "from tvm.script import ir as I, relax as R, tir as T\n"
MAIN = '    @R.function\n    def main(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")):\n'


def module(body, before=""):
    return HEAD + before + "@I.ir_module\nclass M:\n" + body


def doubled(n, first="(x, x)", name="t", indent="        ", form="({0}, {0})"):
    return f"{indent}{name}0 = {first}\n" + "".join(
        f"{indent}{name}{i} = {form.format(f'{name}{i - 1}')}\n" for i in range(1, n + 1))


def types(n, first, form):
    return f"T0 = {first}\n" + "".join(f"T{i} = {form.format(f'T{i - 1}')}\n" for i in range(1, n + 1))


def doubling(n=40):
    """name, text: values, StructInfos and Python values that are 2^n when written out."""
    yield "tuples", module(MAIN + doubled(n) + f"        return t{n}\n")
    yield "branches", module(MAIN + doubled(n) + "        y = R.add(x, x)\n" + doubled(n, "(y, y)", "u")
                             + f"        if c:\n            z = t{n}\n        else:\n            z = u{n}\n        return z\n")
    yield "fields", module(MAIN + doubled(n) + f"        s0 = t{n}\n"
                           + "".join(f"        s{i} = s{i - 1}[0]\n" for i in range(1, n)) + f"        return s{n - 1}\n")
    yield "calls", module("    @R.function\n    def g(x: R.Tensor((\"n\", 4), \"float32\")):\n" + doubled(n)
                          + f"        return t{n}\n" + MAIN + "        a = M.g(x)\n        return a\n")
    yield "wrong", module(MAIN + doubled(n) + f'        a = R.add(t{n}, x)\n        b: R.Tensor((4,), "float32") = t{n}\n'
                          + f"        return t{n}\n")
    yield "casts", module(MAIN + doubled(n) + f"        a = R.match_cast(t{n}, R.Tuple(R.Object, R.Object))\n        return a\n")
    yield "triples", module(MAIN + doubled(n, form="({0}, ({0}, {0}))") + f"        return (t{n}, t{n - 1})\n")
    yield "annotations", module(f"    @R.function\n    def main(x: T{n}, y: T{n}) -> T{n}:\n        z: T{n} = x\n        return z\n",
                                types(n, 'R.Tuple(R.Tensor(("n", 4), "float32"), R.Object)', "R.Tuple({0}, {0})"))
    yield "callables", module(f"    @R.function\n    def main(x: T{n}) -> R.Object:\n        return x\n",
                              types(n, 'R.Callable((R.Tensor(("n", 4), "float32"),), R.Object)', "R.Callable(({0}, {0}), {0})"))
    yield "python tuples", module(MAIN + f"        b = T{n}\n        return R.reshape(x, T{n})\n", types(n, "(1, 2)", "({0}, {0})"))
    yield "python lists", module(MAIN + f"        return R.reshape(x, T{n})\n", types(n, "[1, 2]", "{0} + {0}"))
    yield "python nests", module(MAIN + f"        return R.reshape(x, T{n})\n", types(n, "[1, 2]", "[{0}] * 2"))
    yield "python dicts", module(MAIN + f"        return R.reshape(x, T{n})\n", types(n, "[1]", '{{"a": {0}, "b": {0}}}'))
    yield "python strings", module(MAIN + f"        return R.astype(x, T{n})\n", types(n, '"ab"', "{0} + {0}"))
    yield "python numbers", module(MAIN + f'        return R.zeros((T{n},), "float32")\n', types(n, "3", "{0} * {0}"))
    yield "lengths", module(MAIN + doubled(n, 'R.zeros((4, 4), "float32")', form="R.concat(({0}, {0}))") + f"        return t{n}\n")
    yield "loops in use", HEAD + '@T.prim_func\ndef f(A: T.Buffer((4,), "int32"), v0: T.int32):\n' + "".join(
        f"    v{i} = T.meta_var(v{i - 1} + v{i - 1})\n" for i in range(1, n + 1)) + f"    A[v{n}] = v{n}\n"


def nest(depth, kind):
    text, indent = HEAD + '@T.prim_func\ndef f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):\n', "    "
    for i in range(depth):
        text += f"{indent}for i{i} in {kind if i == 0 else 'range'}(2):\n"
        indent += " "
    text += f'{indent}with T.block("b"):\n{indent} v = T.axis.spatial(2, i{depth - 1})\n{indent} B[v] = A[v]\n'
    return text + '    for j in range(2):\n        with T.block("c"):\n            v = T.axis.spatial(2, j)\n            A[v] = B[v]\n'


def blocks(n, statement):
    return HEAD + '@T.prim_func\ndef f(A: T.Buffer((64,), "float32")):\n' + "".join(
        f'    for i in range(64):\n        with T.block("b{k}"):\n            v = T.axis.spatial(64, i)\n            {statement}\n'
        for k in range(n))


def enclosing(n=60000):
    """name, text: flat as they are written, but each statement encloses all behind it."""
    head = HEAD + '@T.prim_func\ndef f(A: T.Buffer((64,), "float32")):\n'
    for name, line in (("threads", 't{i} = T.launch_thread("threadIdx.x", 64)'), ("attributes", 'T.attr(A.data, "k", {i})'),
                       ("allocations", 'p{i} = T.allocate((64,), "float32", "global")'), ("names", "v{i} = T.int32({i})")):
        yield name, head + "".join(f"    {line.format(i=i)}\n" for i in range(n)) + "    A[0] = T.float32(0)\n"


def doubled_values(n=40):
    """Values that are 2^n when written out, in functions that run: small ones come out, what is too large is refused."""
    for name, result, body in (("results", "", f"        return t{n}\n"), ("objects", " -> R.Object", f"        return t{n}\n"),
                               ("results of calls", "", "        u = M.g(x)\n        return x\n"),
                               ("fields", "", f"        s0 = t{n}\n" + "".join(f"        s{i} = s{i - 1}[0]\n" for i in range(1, n + 2)) + f"        return s{n + 1}\n")):
        callee = '    @R.function\n    def g(x: R.Tensor((3, 4), "float32")):\n' + doubled(n) + f"        return t{n}\n" if "calls" in name else ""
        yield f"doubled {name}", module(f'{callee}    @R.function\n    def main(x: R.Tensor((3, 4), "float32")){result}:\n' + doubled(n) + body)


def cases():
    """name, text, commands"""
    for name, text in doubling():
        yield f"doubled {name}", text, ("check", "infer", "normalize", "print", "tir")
    for name, text in doubled_values():
        yield name, text, ("run",)
    for name, text in enclosing():
        yield f"60,000 {name} within one another", text, ("check", "tir", "print")
    for depth in (47, 48, 49, 56, 63, 64, 65, 80):
        for kind in ("range", "T.parallel"):
            yield f"{depth} loops, {kind}", nest(depth, kind), ("check", "tir")


def limit(size):
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    if not SLOW:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "input.py")
        for name, text, commands in cases():
            with open(path, "w") as f:
                f.write(text)
            for command in commands:
                runs = command == "run"  # LLVM is mapped, too
                done = subprocess.run([RLX, command] + ([path + "::main", "x=3x4:float32:ones"] if runs else [path]), stdin=subprocess.DEVNULL,
                                      capture_output=True, preexec_fn=lambda: limit(BYTES * 4 if runs else BYTES), cwd=folder)
                if done.returncode in (0, 1):
                    passed += 1
                else:
                    failed += 1
                    print(f"FAILED {command} of {name}: exit {done.returncode} {done.stderr[-300:].decode(errors='replace')}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
