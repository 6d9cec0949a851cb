# Causal self-attention over a sequence whose length `n` is known only at run time.
#
# The analyzer follows `n` through reshape and permute_dims: hover over `scores` to see (2, n, n), over
# `merged` to see that (n, 2, 4) was recognised as (n, 8) again.
#
#   rlx run examples/attention_dynamic.py::main 'x=3x8:float32:random(1)' 'wqkv=8x24:float32:random(2)' \
#                                               'wo=8x8:float32:random(3)'
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 8), "float32"),
        wqkv: R.Tensor((8, 24), "float32"),
        wo: R.Tensor((8, 8), "float32"),
    ) -> R.Tensor(("n", 8), "float32"):
        n = T.int64()
        with R.dataflow():
            qkv = R.matmul(x, wqkv)
            parts = R.split(qkv, indices_or_sections=3, axis=1)
            q = R.reshape(parts[0], R.shape([n, 2, 4]))
            k = R.reshape(parts[1], R.shape([n, 2, 4]))
            v = R.reshape(parts[2], R.shape([n, 2, 4]))
            qh = R.permute_dims(q, axes=[1, 0, 2])
            kt = R.permute_dims(k, axes=[1, 2, 0])
            vh = R.permute_dims(v, axes=[1, 0, 2])
            dots = R.matmul(qh, kt)
            scores = R.multiply(dots, R.const(0.5, "float32"))
            allowed = R.tril(R.ones(R.shape([n, n]), dtype="float32"), 0)
            blocked = R.equal(allowed, R.const(0, "float32"))
            masked = R.where(blocked, R.const(-1e9, "float32"), scores)
            weights = R.nn.softmax(masked, axis=-1)
            heads = R.matmul(weights, vh)
            rows = R.permute_dims(heads, axes=[1, 0, 2])
            merged = R.reshape(rows, R.shape([n, 8]))
            gv = R.matmul(merged, wo)
            R.output(gv)
        return gv
