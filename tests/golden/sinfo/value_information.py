# Values in StructInfo: shapes and numbers bound earlier are exact where they are used.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def shapes(x: R.Tensor(("n", 8), "float32"), flag: R.Tensor((), "bool")):
        n = T.int64()
        s = R.shape([n * 2, 4])
        #! s: R.Shape([n * 2, 4])
        y = R.reshape(x, s)
        #! y: R.Tensor((n * 2, 4), dtype="float32")
        t = (s, x)
        #! t: R.Tuple(R.Shape([n * 2, 4]), R.Tensor((n, 8), dtype="float32"))
        u = t[0]
        #! u: R.Shape([n * 2, 4])
        z = R.reshape(x, u)
        #! z: R.Tensor((n * 2, 4), dtype="float32")
        w = R.zeros(s, "float32")
        #! w: R.Tensor(s, dtype="float32")
        v = R.broadcast_to(R.zeros((1, 4), "float32"), s)
        #!                 ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((1, 4), dtype="float32")
        #! v: R.Tensor(s, dtype="float32")
        a = R.shape_of(x)
        #! a: R.Shape([n, 8])
        b = R.reshape(R.zeros((8, n), "float32"), a)
        #!            ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv1: R.Tensor((8, n), dtype="float32")
        #! b: R.Tensor((n, 8), dtype="float32")
        if flag:
        #! c: R.Shape([n, 8])
            c = R.shape([n, 8])
        else:
            c = R.shape([n, 8])
        d = R.reshape(x, c)
        #! d: R.Tensor((n, 8), dtype="float32")
        e = R.add(w, z)
        #! e: R.Tensor((n * 2, 4), dtype="float32")
        return e

    @R.function
    def numbers(x: R.Tensor(("n", 8), "float32")):
        n = T.int64()
        p = R.prim_value(n * 2)
        #! p: R.Prim(value=n * 2)
        q = R.reshape(x, R.shape([n * 2, 4]))
        #! q: R.Tensor((n * 2, 4), dtype="float32")
        g = R.tensor_to_shape(R.const([2, 3], "int64"))
        #! g: R.Shape([2, 3])
        h = R.zeros(g, "float32")
        #! h: R.Tensor(g, dtype="float32")
        o = R.take(x, R.prim_value(1), axis=0)
        #! o: R.Tensor((8,), dtype="float32")
        ss = R.strided_slice(x, axes=[0], begin=[0], end=[n // 2])
        #! ss: R.Tensor((T.min(n, n // 2), 8), dtype="float32")
        return x

    @R.function
    def given(s: R.Shape(["a", "b"]), x: R.Tensor(("a", "b"), "float32")):
        y = R.reshape(R.flatten(x), s)
        #!            ^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((a * b,), dtype="float32")
        #! y: R.Tensor((a, b), dtype="float32")
        z = R.add(x, y)
        #! z: R.Tensor((a, b), dtype="float32")
        return z
