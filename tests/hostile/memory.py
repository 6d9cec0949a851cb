"""Memory that runs out: every allocation of eight commands fails in turn, alone and with all behind it; address space that is too
small. The end is exit code 3 and "out of memory", or another clean message, never a signal. --all: each allocation, else some."""
import json, os, subprocess, sys, tempfile

from common import HANG, RLX, check, preloading, report

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = """from tvm.script import ir as I, relax as R, tir as T
@I.ir_module
class M:
    @T.prim_func
    def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
        for i, j in T.grid(8, 8):
            with T.block("B"):
                v, w = T.axis.remap("SS", [i, j])
                B[v, w] = A[v, w] * T.float32(2)
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), y: R.Tensor((8, "n"), "float32")):
        n = T.int64()
        with R.dataflow():
            a = R.matmul(x, R.permute_dims(x))
            b = R.reshape(a, (n * n,))
            c = R.add(b, R.nonexistent(b))
            R.output(c)
        return c
    @R.function
    def good(x: R.Tensor((8, 8), "float32")):
        cls = M
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((8, 8), "float32"))
        return R.add(y, x)
"""
# A session with functions that call one another, which stand in the texts of later entries with their heads alone.
SESSION = ["x = R.ones((3,), \"float32\")", "n = 3", "m = n * 2"] + [
    f"@R.function\ndef f{i}(x: R.Tensor((3,), \"float32\")):\n    return R.add({'f%d(x)' % (i - 1) if i else 'x'}, x)\n" for i in range(4)] + ["f3(x)", ":sinfo f3(x)", "R.zeros((m,), \"float32\")"]
TRACE = "def tile(sch, loop):\n    o, i = sch.split(loop, factors=[2, None])\n    return o, i\n" \
        "b = sch.get_block(\"B\")\ni, j = sch.get_loops(b)\no, k = tile(sch, i)\nfor l in sch.get_loops(b)[2:]:\n    sch.unroll(l)\n"
CELL = {"uri": "vscode-notebook-cell:/b.ipynb#1"}
BOOK = [{"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "notebookDocument/didOpen", "params": {
            "notebookDocument": {"uri": "file:///b.ipynb", "notebookType": "jupyter-notebook", "version": 1, "cells": [{"kind": 2, "document": CELL["uri"]}]},
            "cellTextDocuments": [{**CELL, "languageId": "python", "version": 1, "text": "%time\n" + SCRIPT}]}},
        {"id": 2, "method": "textDocument/hover", "params": {"textDocument": CELL, "position": {"line": 16, "character": 9}}},
        {"id": 3, "method": "textDocument/inlayHint", "params": {"textDocument": CELL, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 30, "character": 0}}}},
        {"id": 4, "method": "shutdown"}, {"method": "exit"}]


def framed(messages):
    bodies = [json.dumps({"jsonrpc": "2.0", **m}).encode() for m in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b) for b in bodies)


# Each with what it reads on standard input.
COMMANDS = {"check": (["check", "--no-cache", "a.py"], b""), "tir": (["tir", "a.py"], b""), "infer": (["infer", "a.py"], b""),
            "run": (["run", "a.py::good", "x=8x8:float32:iota"], b""),
            "repl": (["repl", "--isolated", "--keep-going"], "\n".join(SESSION).encode() + b"\n"),
            "kernel": (["kernel", "--isolated"], b"".join(json.dumps({"id": i, "method": "execute", "code": c}).encode() + b"\n" for i, c in enumerate(SESSION))),
            "schedule": (["schedule", "a.py::f", "-"], TRACE.encode()), "lsp": (["lsp"], framed(BOOK))}
EVALUATING = {"run", "repl", "kernel"}


def clean(done):
    """How a failure looks: a signal is none; 3 says why. Where the allocation was not needed all is as ever."""
    text = done.stdout + done.stderr
    # glibc's loader ends a process that cannot have its thread-local memory, before dlopen could say so.
    if done.returncode == 127: return b"cannot allocate memory" in text
    if done.returncode < 0 or done.returncode > 3: return False
    if done.returncode == 3: return b"out of memory" in text or b"worker died" in text or b"lack of memory" in text
    return True


def main():
    every = "--all" in sys.argv
    if "san" in os.path.basename(os.path.dirname(RLX)):
        print("skipped: a sanitizer has an allocator of its own\n0 passed, 0 failed, 1 skipped")
        return False
    with tempfile.TemporaryDirectory() as folder:
        library, counts = os.path.join(folder, "failing.so"), os.path.join(folder, "count")
        made = subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "failing.c"), "-ldl"])
        if made.returncode: return print("skipped: no compiler\n0 passed, 0 failed, 1 skipped")
        with open(os.path.join(folder, "a.py"), "w") as f: f.write(SCRIPT)

        def run(command, limit=None, **env):
            args, stdin = command
            return subprocess.run([RLX, *args], cwd=folder, input=stdin, capture_output=True, timeout=HANG,
                                  env={**os.environ, **preloading(library), **{k: str(v) for k, v in env.items()}})
        for name, command in COMMANDS.items():
            plain = run(command, COUNT_TO=counts)
            if name in EVALUATING and b"LLVM" in plain.stdout + plain.stderr: continue
            with open(counts) as f: total = int(f.read())
            most = total if every else 250 if name not in EVALUATING else 60
            step = max(1, total // most)
            bad, said = [], 0
            for once in (False, True):
                # The first allocations are the dynamic linker's and the C library's own.
                for at in range(1, total + 1, step):
                    done = run(command, FAIL_AT=at, **({"FAIL_ONCE": 1} if once else {}))
                    if not clean(done): bad.append((at, once, done.returncode, (done.stdout + done.stderr)[-200:]))
                    said += done.returncode == 3
            check(f"{name}: {len(bad)} of {total} allocations", not bad, bad[:4])
            check(f"{name}: it runs out at all", said > 0)
            print(f"# {name}: {total} allocations, {2 * len(range(1, total + 1, step))} failed in turn, {said} said so")

        def address_space(command, megabytes):
            args, stdin = command
            return subprocess.run(["bash", "-c", f'ulimit -v {megabytes * 1024}; exec "$0" "$@"', RLX, *args], cwd=folder, input=stdin, capture_output=True, timeout=HANG)
        for name, command in COMMANDS.items():
            if name not in ("check", "tir", "infer", "run"): continue
            least, bad = None, []
            for megabytes in (16, 24, 32, 40, 48, 64, 96, 128, 160, 200, 300, 500, 1000, 4000):
                done = address_space(command, megabytes)
                if done.returncode == 127 or b"loading shared libraries" in done.stderr: continue  # not started
                if not clean(done): bad.append((megabytes, done.returncode, done.stderr[-200:]))
                if least is None and done.returncode in (0, 1): least = megabytes
            check(f"{name} under an address space that is too small", not bad, bad)
            check(f"{name} under one that is large enough", least is not None, least)
    return report()


if __name__ == "__main__":
    sys.exit(main())
