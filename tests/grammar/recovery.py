#!/usr/bin/env python3
"""Break every statement of a script in every place: what else is lost?

usage: recovery.py [--list]     (BUILD=folder; --list shows each loss)

Each line of the script below is cut short at each token, and loses each token. The grammar's tree of the broken script must
have every other function, and every other simple statement as a node of its own at its place. A cut that leaves a bracket or
a head open may take the line behind it along; more than 2 % of all variants losing anything fails the test.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import BUILD  # noqa: E402

SCRIPT = '''\
@I.ir_module
class Module:
    I.module_attrs({"a": 1})

    @R.function
    def f(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
        with R.dataflow():
            a: R.Tensor((2, 3)) = R.add(x, y)
            b = R.multiply(a, R.const([1, 2], "float32"))
            c = R.permute_dims(b, axes=[1, 0])
            R.output(c)
        if x:
            d = R.abs(c)
        else:
            d = c
        return d

    @T.prim_func
    def g(A: T.Buffer((16,), "float32")):
        for i in range(16):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                A[vi] = A[vi] + T.float32(1)

@R.function
def h(x):
    y = x[0], {"k": (x, 1)}
    z = f"{y} and {x:>{w}}" if y else -x ** 2
    assert y, "text"
    return z
'''

check = BUILD / "tests" / "grammar" / "parse_check"
token = re.compile(r'"[^"]*"|\w+|\*\*|->|[^\w\s]')
head = re.compile(r"\s*(@|class\b|def\b|with\b|for\b|if\b|else\b)")
node = re.compile(r" *(?:\w+: )?(\w+) \[(\d+):(\d+)-(\d+):(\d+)\]")
simple = {"expression_statement", "return_statement", "assert_statement"}


def variants():
    """(line, script) with that line broken."""
    lines = SCRIPT.split("\n")
    for i, line in enumerate(lines):
        spans = [m.span() for m in token.finditer(line)]
        for k, (start, end) in enumerate(spans):
            cuts = [line[:start] + line[end:]]
            if k:
                cuts.append(line[:start].rstrip())
            for cut in cuts:
                yield i, "\n".join(lines[:i] + [cut] + lines[i + 1:])


def lost(i, script, tree):
    """What of the other lines the tree does not have."""
    lines = script.split("\n")
    found, functions = set(), set()
    rows = tree.split("\n")
    for at, row in enumerate(rows):
        m = node.match(row)
        if m and m[1] in simple and m[2] == m[4]:
            found.add((int(m[2]) - 1, lines[int(m[2]) - 1].encode()[int(m[3]):int(m[5])].decode()))
        if m and m[1] == "function_definition":
            functions.add(rows[at + 1].split()[-1])
    for k, line in enumerate(lines):
        if k == i or not line.strip():
            continue
        d = re.match(r"\s*def (\w+)", line)
        if d and d[1] not in functions:
            yield "function " + d[1]
        if not head.match(line) and (k, line.strip()) not in found:
            yield line.strip()


def main():
    total, losses, functions = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        broken = list(variants())
        for n, (_, script) in enumerate(broken):
            pathlib.Path(folder, f"{n}.py").write_text(script)
        for n, (i, script) in enumerate(broken):
            tree = subprocess.run([check, "--tree", os.path.join(folder, f"{n}.py")], capture_output=True, text=True, check=True).stdout
            gone = list(lost(i, script, tree))
            total += 1
            losses += bool(gone)
            functions += any(x.startswith("function") for x in gone)
            if gone and "--list" in sys.argv:
                print(f"{script.splitlines()[i] if i < len(script.splitlines()) else '':60} lost {gone}")
    share = 100 * losses / total
    print(f"{total} broken scripts, {losses} lost something else ({share:.1f} %), {functions} a function")
    ok = share <= 2 and functions == 0
    print("1 passed, 0 failed, 0 skipped" if ok else "0 passed, 1 failed, 0 skipped")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
