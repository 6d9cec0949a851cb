# One step of decoding with a key/value cache that grows by one row: the lengths are m, then m + 1.
#
# `main` returns the new caches, so that their StructInfo (m + 1, 4) is checked against the signature.
#
#   rlx run examples/kv_cache_step.py::main 'q=1x4:float32:random(1)' 'k=1x4:float32:random(2)' \
#       'v=1x4:float32:random(3)' 'k_cache=2x4:float32:random(4)' 'v_cache=2x4:float32:random(5)'
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        q: R.Tensor((1, 4), "float32"),
        k: R.Tensor((1, 4), "float32"),
        v: R.Tensor((1, 4), "float32"),
        k_cache: R.Tensor(("m", 4), "float32"),
        v_cache: R.Tensor(("m", 4), "float32"),
    ) -> R.Tuple(
        R.Tensor((1, 4), "float32"),
        R.Tensor(("m + 1", 4), "float32"),
        R.Tensor(("m + 1", 4), "float32"),
    ):
        with R.dataflow():
            keys = R.concat((k_cache, k), axis=0)
            values = R.concat((v_cache, v), axis=0)
            kt = R.permute_dims(keys)
            dots = R.matmul(q, kt)
            scaled = R.multiply(dots, R.const(0.5, "float32"))
            weights = R.nn.softmax(scaled, axis=-1)
            out = R.matmul(weights, values)
            R.output(keys, values, out)
        return (out, keys, values)

    @R.function
    def last_rows(cache: R.Tensor(("m", 4), "float32")) -> R.Tensor((2, 4), "float32"):
        # A window of constant size from an end that is known only at run time.
        gv = R.strided_slice(cache, axes=[0], begin=[0], end=[2], assume_inbound=True)
        return gv
