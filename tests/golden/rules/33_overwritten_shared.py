# Values that share memory: what an `if` gives, results of calls, variables that a local function uses, one argument given twice.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def inc(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + T.float32(1)

    @T.prim_func(s_tir=True)
    def shift(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("b"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + B[3 - vi]

    @R.function
    def of_an_if(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        if c:
        #! m: R.Tensor((4,), dtype="float32")
            m = a
        else:
            m = R.exp(y)
            #! m: R.Tensor((4,), dtype="float32")
        d = R.call_tir_inplace(cls.inc, (m,), [0], R.Tensor((4,), "float32"))
        #! d: R.Tensor((4,), dtype="float32")
        return R.add(d, a)
        #!              ^ warning[RLX0334]: `a` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 29: overwritten here
        #! gv: R.Tensor((4,), dtype="float32")

    @R.function
    def inside_an_if(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        if c:
        #! r: R.Tensor((4,), dtype="float32")
            b = R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32"))
            #! b: R.Tensor((4,), dtype="float32")
            r = R.add(a, b)
            #!        ^ warning[RLX0334]: `a` is read here, but `R.call_tir_inplace` has overwritten it
            #!     line 37: overwritten here
            #! r: R.Tensor((4,), dtype="float32")
        else:
            r = R.exp(a)
            #! r: R.Tensor((4,), dtype="float32")
        return r

    @R.function
    def result_in_place(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        b = R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32"))
        #! b: R.Tensor((4,), dtype="float32")
        c = R.call_tir_inplace(cls.inc, (b,), [0], R.Tensor((4,), "float32"))
        #! c: R.Tensor((4,), dtype="float32")
        return (c, a)
        #!         ^ warning[RLX0334]: `a` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 47: overwritten here

    @R.function
    def earlier_result(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        b = R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32"))
        #! b: R.Tensor((4,), dtype="float32")
        c = cls.back(b, x)
        #! c: R.Tensor((4,), dtype="float32")
        d = R.call_tir_inplace(cls.inc, (c,), [0], R.Tensor((4,), "float32"))
        #! d: R.Tensor((4,), dtype="float32")
        return (d, b)
        #!         ^ warning[RLX0334]: `b` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 57: overwritten here

    @R.function
    def back(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        z = x
        #! z: R.Tensor((4,), dtype="float32")
        return z

    @R.function
    def pair(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        return (R.exp(x), y)
        #!      ^^^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((4,), dtype="float32")

    @R.function
    def field_of_a_result(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        b = R.sin(x)
        #! b: R.Tensor((4,), dtype="float32")
        t = cls.pair(a, b)
        #! t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))
        u = R.call_tir_inplace(cls.inc, (t[0],), [0], R.Tensor((4,), "float32"))
        #! gv: R.Tensor((4,), dtype="float32")
        #! u: R.Tensor((4,), dtype="float32")
        v = R.call_tir_inplace(cls.inc, (t[1],), [0], R.Tensor((4,), "float32"))
        #! gv1: R.Tensor((4,), dtype="float32")
        #! v: R.Tensor((4,), dtype="float32")
        w = R.add(u, a)
        #! w: R.Tensor((4,), dtype="float32")
        return (v, w, b)
        #!            ^ warning[RLX0334]: `b` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 76: overwritten here

    @R.function
    def twice(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        b = a
        #! b: R.Tensor((4,), dtype="float32")
        c = R.call_tir_inplace(cls.shift, (a, b), [0], R.Tensor((4,), "float32"))
        #! c: R.Tensor((4,), dtype="float32")
        d = R.call_tir_inplace(cls.shift, (c, c), [0, 1], [R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        #!                                    ^ warning[RLX0334]: `c` is read here, but the same call of `R.call_tir_inplace` has overwritten it
        #!     line 86: overwritten here
        #! d: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))
        return d

    @R.function
    def first_then_second(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        a = R.call_tir_inplace(cls.inc, (x,), [0], R.Tensor((4,), "float32"))
        #! a: R.Tensor((4,), dtype="float32")
        return R.add(a, y)
        #! gv: R.Tensor((4,), dtype="float32")

    @R.function
    def second_then_first(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        cls = Module
        b = R.exp(y)
        #! b: R.Tensor((4,), dtype="float32")
        a = R.call_tir_inplace(cls.inc, (x,), [0], R.Tensor((4,), "float32"))
        #! a: R.Tensor((4,), dtype="float32")
        return R.add(a, b)
        #! gv: R.Tensor((4,), dtype="float32")

    @R.function
    def twice_to_a_function(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        b = cls.second_then_first(a, a)
        #! b: R.Tensor((4,), dtype="float32")
        c = R.sin(x)
        #! c: R.Tensor((4,), dtype="float32")
        d = cls.first_then_second(c, c)
        #!                           ^ warning[RLX0334]: `c` is read here, but the same call of `first_then_second` has overwritten it
        #!     line 108: overwritten here
        #! d: R.Tensor((4,), dtype="float32")
        return (b, d)

    @R.function
    def captured(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")

        @R.function
        def change(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        #! change: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
            b = R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32"))
            #! b: R.Tensor((4,), dtype="float32")
            return R.add(b, y)
            #! gv: R.Tensor((4,), dtype="float32")

        before = R.exp(a)
        #! before: R.Tensor((4,), dtype="float32")
        c = change(before)
        #! c: R.Tensor((4,), dtype="float32")
        return R.add(c, a)
        #!              ^ warning[RLX0334]: `a` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 118: overwritten here
        #! gv: R.Tensor((4,), dtype="float32")

    @R.function
    def captured_and_read(x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")

        @R.function
        def use(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        #! use: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
            return R.add(a, y)
            #!           ^ warning[RLX0334]: `a` is read here, but `R.call_tir_inplace` has overwritten it
            #!     line 135: overwritten here
            #! gv: R.Tensor((4,), dtype="float32")

        c = use(x)
        #! c: R.Tensor((4,), dtype="float32")
        d = R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32"))
        #! d: R.Tensor((4,), dtype="float32")
        return R.add(use(c), d)
        #!           ^^^^^^ hint[RLX0501]: nested call: in normal form it is bound to a variable
        #!     fix: bind to a variable
        #! gv: R.Tensor((4,), dtype="float32")
        #! gv1: R.Tensor((4,), dtype="float32")

    @R.function
    def argument_of_a_local_function(x: R.Tensor((4,), "float32")):
        cls = Module

        @R.function
        def change(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        #! change: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True)
            return R.call_tir_inplace(cls.inc, (y,), [0], R.Tensor((4,), "float32"))
            #! gv: R.Tensor((4,), dtype="float32")

        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        b = R.sin(x)
        #! b: R.Tensor((4,), dtype="float32")
        c = change(a)
        #! c: R.Tensor((4,), dtype="float32")
        d = change(b)
        #! d: R.Tensor((4,), dtype="float32")
        e = change(c)
        #! e: R.Tensor((4,), dtype="float32")
        return (d, e, b)
        #!            ^ warning[RLX0334]: `b` is read here, but `R.call_tir_inplace` has overwritten it
        #!     line 144: overwritten here

    @R.function
    def good(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
        cls = Module
        a = R.exp(x)
        #! a: R.Tensor((4,), dtype="float32")
        if c:
        #! m: R.Tensor((4,), dtype="float32")
            m = R.call_tir_inplace(cls.inc, (a,), [0], R.Tensor((4,), "float32"))
            #! m: R.Tensor((4,), dtype="float32")
        else:
            m = cls.back(a, a)
            #! m: R.Tensor((4,), dtype="float32")
        n = R.call_tir_inplace(cls.inc, (m,), [0], R.Tensor((4,), "float32"))
        #! n: R.Tensor((4,), dtype="float32")
        o = R.exp(x)
        #! o: R.Tensor((4,), dtype="float32")
        p = cls.pair(o, n)
        #! p: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32"))
        q = R.call_tir_inplace(cls.shift, (p[0], p[1]), [0], R.Tensor((4,), "float32"))
        #! gv: R.Tensor((4,), dtype="float32")
        #! gv1: R.Tensor((4,), dtype="float32")
        #! q: R.Tensor((4,), dtype="float32")
        return (q, o, n)
