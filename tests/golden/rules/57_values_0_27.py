# rlx-golden: check
# Of 0.27: what I.meta_var holds, numbers annotated as scalars, lists and strings under annotations, indices of tuples.
from tvm import relax
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def main(x: R.Tensor((4,), "float32"), t: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))) -> R.Any:
    n = I.meta_var(4)
    m = T.meta_var([n, 2])
    a = R.zeros((n, n * 2), "float32")
    b = R.zeros(m, "float32")
    c: R.Prim("float32") = 2
    #! ^^^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Prim("float32"), but the value is the Python int 2: an int is an integer scalar
    d: R.Prim("int32") = 2.0
    #! ^^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Prim("int32"), but the value is the Python float 2: a float is a floating-point scalar
    e: R.Prim("int8") = 300
    #! ^^^^^^^^^^^^^^ error[RLX0350]: annotated as R.Prim("int8"), but the value is the Python int 300: the dtype does not hold it
    f: R.Prim("float16") = 0.5
    g: T.int32 = True
    h: R.Tensor((5,), "float32") = [x, x]
    i = R.concat(h, axis=0)
    j: R.Tensor((5,), "float32") = "float16"
    k = t[(1,)]
    l = t[(0, 0)]
    #!    ^^^^^^ error[RLX0446]: a tuple's field: `index` is a tuple, expected a Python int
    o = relax.PrimValue(1)
    #!        ^^^^^^^^^ error[RLX0203]: `relax.PrimValue` does not exist
    p = T.int8().output
    #!           ^^^^^^ error[RLX0203]: `a symbolic variable.output` does not exist
    q = I[0:2]
    #!  ^^^^^^ error[RLX0358]: only tuples can be indexed, found `I`
    return i


@R.function
def annotated(x: relax.TensorType(1, "float32")) -> R.Any:
#!               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0352]: an object of the IR, made before the signature is read, is not a StructInfo annotation
    return x
