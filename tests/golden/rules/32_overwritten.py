# What a call in place overwrites is not read afterwards, under no name.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def inc(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + T.float32(1)

    @R.function
    def renamed(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        b = a
        #! b: R.Tensor((4,), dtype="float32")
        c = R.call_tir_inplace(cls.inc, (b,), [0], R.Tensor((4,), "float32"))
        #! c: R.Tensor((4,), dtype="float32")
        d = R.add(c, a)
        #!           ^ warning[RLX0334]: `a` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 19: overwritten here
        #! d: R.Tensor((4,), dtype="float32")
        e = R.add(d, a)
        #! e: R.Tensor((4,), dtype="float32")
        return e

    @R.function
    def fields(x: R.Tensor((4,), "float32")):
        cls = Module
        t = R.split(x, 2)
        #! t: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"))
        u = (x, t[0], t[1])
        #! gv: R.Tensor((2,), dtype="float32")
        #! gv1: R.Tensor((2,), dtype="float32")
        #! u: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"))
        a = R.call_inplace_packed("f", u[1], inplace_indices=0, sinfo_args=R.Tensor((2,), "float32"))
        #! gv2: R.Tensor((2,), dtype="float32")
        #! a: R.Tensor((2,), dtype="float32")
        b = R.exp(t[1])
        #! gv3: R.Tensor((2,), dtype="float32")
        #! b: R.Tensor((2,), dtype="float32")
        c = R.exp(t[0])
#!      ^^^^^^^^^^^^^^^ warning[RLX0334]: `t[0]` is read here, but `R.call_inplace_packed` has overwritten it
        #!     line 29: overwritten here
        #! gv4: R.Tensor((2,), dtype="float32")
        #! c: R.Tensor((2,), dtype="float32")
        return (a, b, c)

    @R.function
    def whole(p: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32"))):
        cls = Module
        q = p[1]
        #! q: R.Tensor((4,), dtype="float32")
        a = R.call_tir_inplace(cls.inc, (q,), [0], R.Tensor((4,), "float32"))
        #! a: R.Tensor((4,), dtype="float32")
        return (a, p)
        #!         ^ warning[RLX0334]: `p` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 38: overwritten here

    @R.function
    def cast(x: R.Tensor(("n",), "float32")):
        cls = Module
        x1 = R.match_cast(x, R.Tensor((4,), "float32"))
        #! x1: R.Tensor((4,), dtype="float32")   (deduced R.Tensor((n,), dtype="float32"))
        s = R.shape_of(x)
        #! s: R.Shape([n])
        a = R.call_tir_inplace(cls.inc, (x1,), [0], R.Tensor((4,), "float32"))
        #! a: R.Tensor((4,), dtype="float32")
        s2 = R.shape_of(x)
        #! s2: R.Shape([n])
        z = x1
        #! z: R.Tensor((4,), dtype="float32")
        return R.add(a, R.reshape(x, s2))
        #!              ^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                        ^ warning[RLX0334]: `x` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 46: overwritten here
        #! gv: R.Tensor((n,), dtype="float32")
        #! gv1: R.Tensor((4,), dtype="float32")

    @R.function
    def branches(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        if c:
        #! b: R.Tensor((4,), dtype="float32")
            b = R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32"))
            #! b: R.Tensor((4,), dtype="float32")
        else:
            b = R.sin(a)
            #! b: R.Tensor((4,), dtype="float32")
        d = R.add(a, b)
        #!        ^ warning[RLX0334]: `a` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 56: overwritten here
        #! d: R.Tensor((4,), dtype="float32")
        return d

    @R.function
    def nested(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        return R.add(R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32")), a)
        #!           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #!                                                                              ^ warning[RLX0334]: `a` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 66: overwritten here
        #! gv: R.Tensor((4,), dtype="float32")
        #! gv1: R.Tensor((4,), dtype="float32")

    @R.function
    def good(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        b = R.sin(a)
        #! b: R.Tensor((4,), dtype="float32")
        a = R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32"))
        #! a: R.Tensor((4,), dtype="float32")
        c = R.add(R.sin(a), b)
        #!        ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((4,), dtype="float32")
        #! c: R.Tensor((4,), dtype="float32")
        return R.call_tir_inplace(cls.inc, (c,), [0], R.Tensor((4,), "float32"))
        #! gv1: R.Tensor((4,), dtype="float32")

    @R.function
    def through(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        y1 = y
        #! y1: R.Tensor((4,), dtype="float32")
        z = R.add(x, cls.good_of(y1))
        #!           ^^^^^^^^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((4,), dtype="float32")
        #! z: R.Tensor((4,), dtype="float32")
        return z

    @R.function
    def good_of(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        b = R.call_tir_inplace(cls.inc, (y,), [0], R.Tensor((4,), "float32"))
        #! b: R.Tensor((4,), dtype="float32")
        return b

    @R.function
    def caller(x: R.Tensor((4,), "float32")):
        cls = Module
        k = R.sin(x)
        #! k: R.Tensor((4,), dtype="float32")
        b = cls.through(x, k)
        #! b: R.Tensor((4,), dtype="float32")
        c = cls.through(x, k)
        #!                 ^ warning[RLX0334]: `k` is read here, but `through` has overwritten it
        #!     line 94: overwritten here
        #! c: R.Tensor((4,), dtype="float32")
        return c
