#!/usr/bin/env python3
"""CPU time of schedule primitives, beside that of Apache TVM 0.25 on the same modules, in one run.

    PYTHON schedule_speed.py RLX [--repeat N] [--only WORD] [--slower-than R]      in a Python that has apache-tvm 0.25

A row of STEPS is a module, what is asked first (not timed) and the step that is timed; both programs read the same text. TVM's time is that of
the one call, on a fresh schedule; ours is that of `rlx schedule --each`, which carries the step out and takes it back, N times less one time, so
that reading and starting are left out, and analysis, which TVM did when the schedule was made, is not. Medians. The exit code is 1 when the
median over all primitives, or that of refusals, is above TVM's, or a single primitive takes more than `--slower-than` times TVM's.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import tvm
from tvm.script import from_source

HEAD = "@I.ir_module\nclass Module:\n    @T.prim_func(s_tir=True)\n"
DENSE = HEAD + """\
    def main(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), D: T.Buffer((128,), "float32"), C: T.Buffer((128, 128), "float32")):
        M = T.sblock_alloc_buffer((128, 128))
        for i, j, k in T.grid(128, 128, 128):
            with T.sblock("matmul"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    M[vi, vj] = T.float32(0)
                M[vi, vj] = M[vi, vj] + A[vi, vk] * B[vk, vj]
        for i, j in T.grid(128, 128):
            with T.sblock("relu"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.max(M[vi, vj] + D[vj], T.float32(0))
"""
CHAIN = HEAD + """\
    def main(A: T.Buffer((130, 64), "float32"), D: T.Buffer((128, 64), "float32")):
        B = T.sblock_alloc_buffer((130, 64))
        C = T.sblock_alloc_buffer((128, 64))
        for i, j in T.grid(130, 64):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(128, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + B[vi + 2, vj]
        for i, j in T.grid(128, 64):
            with T.sblock("D"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = C[vi, vj] + T.float32(1)
"""
PLAIN = HEAD + """\
    def main(A: T.Buffer((128, 64), "float32"), C: T.Buffer((128, 64), "float32")):
        B = T.sblock_alloc_buffer((128, 64))
        for i, j in T.grid(128, 64):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for i, j in T.grid(128, 64):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)
"""
MATMUL = 'b = sch.get_sblock("matmul")\ni, j, k = sch.get_loops(b)\n'
RELU = 'r = sch.get_sblock("relu")\ni, j = sch.get_loops(r)\n'
B, C, D = (f'{n.lower()} = sch.get_sblock("{n}")\ni{n}, j{n} = sch.get_loops({n.lower()})\n' for n in "BCD")
STEPS = [  # module, what is asked first, the step
    (DENSE, MATMUL, "sch.unroll(k)"),
    (DENSE, MATMUL, "sch.parallel(i)"),
    (DENSE, RELU, "sch.vectorize(j)"),
    (DENSE, RELU, 'sch.bind(i, "blockIdx.x")'),
    (DENSE, MATMUL, "i0, i1 = sch.split(i, factors=[None, 16])"),
    (DENSE, MATMUL, "i0, i1 = sch.split(i, factors=[None, 12])"),
    (DENSE, RELU, "x = sch.fuse(i, j)"),
    (DENSE, MATMUL, "sch.reorder(k, i, j)"),
    (DENSE, MATMUL, "sch.add_unit_loop(b)"),
    (DENSE, MATMUL, "x = sch.decompose_reduction(b, k)"),
    (DENSE, MATMUL, "x = sch.rfactor(k, 0)"),
    (DENSE, MATMUL, 'x = sch.cache_read(b, 0, "shared")'),
    (DENSE, MATMUL, 'x = sch.cache_write(b, 0, "local")'),
    (DENSE, MATMUL, 'x = sch.reindex(b, ("read", 0))'),
    (DENSE, MATMUL, "x = sch.blockize(j)"),
    (DENSE, MATMUL, 'sch.annotate(i, "pragma_auto_unroll_max_step", 16)'),
    (DENSE, MATMUL, 'sch.transform_layout(b, ("write", 0), lambda i, j: (i // 16, j, i % 16))'),
    (DENSE, MATMUL, 'sch.set_scope(b, 0, "shared")'),
    (DENSE, MATMUL, "sch.storage_align(b, 0, axis=0, factor=32, offset=8)"),
    (DENSE, MATMUL + 'r = sch.get_sblock("relu")\n', "sch.reverse_compute_at(r, i)"),
    (CHAIN, B + C, "sch.compute_at(b, iC)"),
    (CHAIN, C + D, "sch.reverse_compute_at(d, iC)"),
    (PLAIN, B, "sch.compute_inline(b)"),
    (PLAIN, C, "sch.reverse_compute_inline(c)"),
    (CHAIN, B, "sch.compute_inline(b)"),
]
REFUSED = [
    (DENSE, MATMUL, "sch.parallel(k)"),
    (DENSE, MATMUL, "x = sch.fuse(i, k)"),
    (DENSE, RELU, "x = sch.rfactor(i, 0)"),
    (DENSE, MATMUL, "sch.compute_inline(b)"),
    (CHAIN, B + C, "sch.reverse_compute_at(c, iB)"),
    (CHAIN, C + D, "sch.compute_at(d, iC)"),
]


def theirs(module, before, step, repeat):
    """Microseconds of CPU time of the step in TVM; whether it was carried out."""
    mod, times, ok = from_source(module), [], True
    code, prelude = compile(step, "step", "exec"), compile(before, "before", "exec")
    for _ in range(repeat):
        names = {"sch": tvm.s_tir.Schedule(mod)}
        exec(prelude, names)
        start = time.process_time_ns()
        try:
            exec(code, names)
        except Exception:
            ok = False
        times.append((time.process_time_ns() - start) / 1e3)
    return statistics.median(times), ok


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def ours(rlx, folder, module, before, step, repeat):
    script, trace = os.path.join(folder, "module.py"), os.path.join(folder, "steps.trace")
    pathlib.Path(script).write_text("from tvm.script import ir as I\nfrom tvm.script import tirx as T\n\n" + module)
    seconds = []
    for count in (1, repeat) * 5:
        pathlib.Path(trace).write_text(before + (step + "\n") * count)
        took, done = cpu([rlx, "schedule", "--each", "--check", "--no-text", script, trace])
        if done.returncode not in (0, 1) or done.stdout.count("✗") not in (0, count):
            sys.exit(f"{step}: {done.stdout[-300:]}{done.stderr[-300:]}")
        seconds.append(took)
    least, most = statistics.median(seconds[::2]), statistics.median(seconds[1::2])
    return max(most - least, 0) / (repeat - 1) * 1e6, done.returncode == 0


def table(title, rows, options, folder):
    print(f"{title:56s} {'TVM us':>9s} {'rlx us':>9s} {'ratio':>7s}")
    found, failed = [], 0
    for module, before, step in rows:
        if options.only not in step:
            continue
        a, done = theirs(module, before, step, options.repeat // 5)
        b, carried = ours(options.rlx, folder, module, before, step, options.repeat)
        found.append((a, b))
        said = "" if done == carried else f"   TVM {'accepts' if done else 'refuses'}, rlx {'accepts' if carried else 'refuses'}"
        failed += bool(said) or b > options.slower_than * a
        print(f"{step:56s} {a:9.1f} {b:9.1f} {b / a:7.2f}{said}")
    if not found:
        return 0
    a, b = (statistics.median(x[i] for x in found) for i in (0, 1))
    print(f"{'median':56s} {a:9.1f} {b:9.1f} {b / a:7.2f}\n")
    return failed + (b > a)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rlx")
    parser.add_argument("--repeat", type=int, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--slower-than", type=float, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        failed = table("step", STEPS, options, folder)
        failed += table("refused", REFUSED, options, folder)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
