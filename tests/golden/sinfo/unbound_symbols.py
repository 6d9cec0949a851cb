# A symbolic variable that a function declares has a value from the match_cast on in which it stands bare.
from tvm.script import relax as R, tirx as T


@R.function
def used_before(x: R.Tensor(("n", 4), "float32"), o: R.Object):
    n = T.int64()
    m = T.int64()
    k = T.int64()
    early = R.reshape(x, (m, 2))
    #!                    ^ error[RLX0208]: symbolic variable `m` has no value: no parameter and no match_cast above has it as a dimension by itself
    #! early: R.Tensor((m, 2), dtype="float32")
    late = R.match_cast(o, R.Tensor((m, k * 2), "float32"))
    #!                                  ^ error[RLX0208]: symbolic variable `k` has no value: no parameter and no match_cast above has it as a dimension by itself
    #! late: R.Tensor((m, k * 2), dtype="float32")   (deduced R.Object)
    more = R.zeros((m, n), "float32")
    #! more: R.Tensor((m, n), dtype="float32")
    again = R.zeros((k, n), "float32")
    #! again: R.Tensor((k, n), dtype="float32")
    return (early, late, more, again)


@R.function
def blocks(o: R.Object, c: R.Tensor((), "bool")):
    m = T.int64()
    k = T.int64()
    with R.dataflow():
        a = R.match_cast(o, R.Shape([m]))
        #! a: R.Shape([m])   (deduced R.Object)
        b = R.zeros((m,), "float32")
        #! b: R.Tensor((m,), dtype="float32")
        R.output(a, b)
        #!       ^ warning[RLX0215]: output `a` of the dataflow block is not used after it
        #!     fix: keep it inside the block
        #!          ^ warning[RLX0215]: output `b` of the dataflow block is not used after it
    d = R.ones((m,), "float32")
    #! d: R.Tensor((m,), dtype="float32")
    if c:
    #! f: R.Tensor(dtype="float32", ndim=1)
        e = R.match_cast(o, R.Shape([k]))
        #! e: R.Shape([k])   (deduced R.Object)
        f = R.ones((k,), "float32")
        #! f: R.Tensor((k,), dtype="float32")
    else:
        f = R.ones((2,), "float32")
        #! f: R.Tensor((2,), dtype="float32")
    g = R.ones((k,), "float32")
    #!          ^ error[RLX0208]: symbolic variable `k` has no value: no parameter and no match_cast above has it as a dimension by itself
    #! g: R.Tensor((k,), dtype="float32")
    return (d, f, g)


@R.function
def outer(o: R.Object):
    m = T.int64()
    s = R.match_cast(o, R.Shape([m]))
    #! s: R.Shape([m])   (deduced R.Object)

    @R.function
    def inner(y: R.Tensor((2,), "float32")):
    #! inner: R.Callable((R.Tensor((2,), dtype="float32"),), R.Tensor(dtype="float32", ndim=2), True)
        return R.broadcast_to(y, (m, 2))
        #!                        ^ error[RLX0208]: symbolic variable `m` has no value: no parameter and no match_cast above has it as a dimension by itself
        #! gv: R.Tensor((m, 2), dtype="float32")

    ones = R.ones((2,), "float32")
    #! ones: R.Tensor((2,), dtype="float32")
    return inner(ones)
    #! gv: R.Tensor(dtype="float32", ndim=2)


@R.function(check_well_formed=False)
def unchecked():
    k = T.int64()
    return R.ones((k,), "float32")
    #! gv: R.Tensor((k,), dtype="float32")


@R.function
def ranks(x: R.Tensor(dtype="float32", ndim="1")):
#!                                          ^^^ error[RLX0446]: R.Tensor: `ndim` is the string "1", expected an integer
    return x
