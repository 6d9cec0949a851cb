"""Schedules at a pseudo-terminal: what is completed in a step, traces that are refused, Ctrl-C."""
import terminal


def opened(name, text, last, *more):
    """A conversation that defines the PrimFunc and opens its schedule, of which `last` is the last line of the tree."""
    return [("\033[200~" + text + "\033[201~\r", "\r\nrlx> "), (f":sched {name}\r", last), ("", f"sched {name}> "), *more]


TWICE = """@T.prim_func(s_tir=True)
def twice(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("first"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
    for i in range(8):
        with T.sblock("second"):
            vi = T.axis.spatial(8, i)
            C[vi] = A[vi]

"""
NET = """@I.ir_module
class Net:
    @T.prim_func(s_tir=True)
    def twice(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("first"):
                vi = T.axis.spatial(8, i)
                B[vi] = A[vi]

"""
LONG = """@T.prim_func(s_tir=True)
def long(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i, j, k in T.grid(8, 65536, 65536):
        with T.sblock("sum"):
            vi, vj, vk = T.axis.remap("SRR", [i, j, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[(vj * 5 + vk * 3) % 8] * vk

"""
ROWS = terminal.OPEN
CASES = {
    "loops of one name are completed with their numbers": opened("twice", TWICE, 'block "second"', ('sch.unroll("i#\t', ""), ('2")\r', "unrolled"),
                                                                 (":trace\r", 'sch.unroll("i#2")')),
    "names are completed in single quotes": opened("twice", TWICE, 'block "second"', ("sch.get_loops('sec\t", ""), (")\r", "sched twice> "), (":trace\r", 'sch.get_loops("second")')),
    "a keyword's value is completed": ROWS + [('sch.fuse("i", "k", preserve_unit_iters=Tr\t', ""), (")\r", "i_k_fused in 4096"), (":trace\r", "preserve_unit_iters=True)")],
    "where a loop is taken loops are completed": ROWS + [('sch.split(loop="k\t', ""), (", factors=[None, 4])\r", "k_1 in 4")],
    "each argument is completed with what it takes": ROWS + [('sch.decompose_reduction("s\t', ""), (', "k\t', ""), (")\r", "sum_init")],
    "a storage scope is completed where one is taken": ROWS + [('sch.cache_read("sum", 0, "lo\t', ""), (')\r', 'A_local'), (":trace\r", '0, "local")')],
    "a thread axis is completed, its quotes, too": ROWS + [('sch.bind("i", "thr\t', ""), ('x")\r', "threadIdx.x"), (":trace\r", 'sch.bind("i", "threadIdx.x")')],
    "a handle whose loop is gone is not completed": ROWS + [('first, later = sch.get_loops("sum")\r', "sched rows> "), ('flat, = sch.split(first, factors=[64])\r', "i_0"), ("", "sched rows> "),
                                                            ('sch.unroll(f\t', ""), (')\r', "unrolled"), (":trace\r", 'sch.unroll(flat)')],
    "what an argument before says is not completed": ROWS + [('rest = sch.get_loops("sum")\r', "sched rows> "), ('sch.split("k", factors=[4, None], p\t', ""), ('True)\r', "k_1 in"), (":trace\r", 'preserve_unit_iters=True)')],
    "a loaded trace that is refused in the middle leaves what was before": {
        "files": {"t.trace": 'sch.unroll("k")\nsch.parallel("k")\nsch.unroll("i")\n'}, "never": 'sch.unroll("i")',
        "keys": ROWS + [('sch.parallel("i")\r', "i in 64  parallel"), ("", "sched rows> "), (":load t.trace\r", "step 2: error[RLX0709]"), ("", "sched rows> "),
                        (":trace\r", 'sch.parallel("i")\r\n'), ("", "sched rows> "), (":why\r", 'sch.parallel("k")'), ("", "rule RLX0709")]},
    "a PrimFunc of a class is timed": opened("Net.twice", NET, 'block "first"', ('sch.vectorize("i")\r', "vectorized"), ("", "sched Net.twice> "), (":time\r", "times as fast")),
    "Ctrl-C ends a measurement, and the schedule stays": opened("long", LONG, 'block "sum"', ('sch.unroll("k")\r', "unrolled"), ("", "sched long> "), (":time\r", ""),
                                                                ("once it runs", ""), ("^C", "interrupted"), ("", "sched long> "), (":trace\r", 'sch.unroll("k")')),
}
