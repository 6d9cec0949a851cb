import tvm
from tvm.script import tir as T
tile = 4

@tvm.script.ir_module
class MyModule:
    @T.prim_func
    def main(a: T.handle, b: T.handle):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        A = T.match_buffer(a, [16, 32])
        C = T.match_buffer(b, [16, 32])
        for i, j in T.grid(16, 32):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + 1.0

log = "x"
count = 0

def write_code(code, path, fname):
    global count
    fname = str(count) + "." + fname
    count += 1
    with open(fname.split(".")[0], "w") as f:
        f.write(code)

sch = tvm.tir.Schedule(MyModule)
print(sch.mod)

def layout(i, j):
    return i // tile, j // 8, i % tile, j % 8

def extract(block, sub_i, sub_j=8):
    """notes"""
    i, j = sch.get_loops(block)[-2:]
    i, ki = sch.split(i, factors=[None, sub_i])
    j, kj = sch.split(j, factors=[None, sub_j * 2])
    sch.reorder(i, j, ki, kj)
    if sub_i > 2:
        sch.unroll(ki)
    for l in [i, j]:
        sch.annotate(l, "seen", sub_i)
    return (i, j, ki, kj)

i = sch.get_block("C")
AA = sch.cache_read(i, 0, "global")
sch.transform_layout(AA, ("write", 0), layout)
write_code(sch.mod["main"].script(), log, "tmp.py")
loops = extract(i, tile)
a, b, *rest = extract(AA, sub_i=2)
sch.vectorize(rest[-1])
sch.parallel(loops[0])
mod = tvm.build(sch.mod, target="llvm")
t = mod.time_evaluator("main", 3)(1, 2).mean
GFLOPS = 2 / (t * 1e3)
if GFLOPS > 3:
    print("fast")
