# One diagnostic for each spelling that the island's dialect does not have; what it says is analysed as it is meant.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Today:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("b"):
            #!     ^^^^^ error[RLX0902]: `T.block` is not in dialect 0.25, which has `T.sblock`
            #!     fix: write `T.sblock`
                v = T.axis.spatial(4, i)
                B[v] = A[v]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4,), "float32")):
        n = T.int64()
        cls = Today
        with R.dataflow():
            a = R.match_shape(x, (n, 4))
            #!    ^^^^^^^^^^^ error[RLX0902]: `R.match_shape` is not in dialect 0.25, which has `R.match_cast`
            #!     fix: write `R.match_cast`
            #! a: R.Tensor((n, 4), dtype="float32")
            b = R.call_tir(cls.f, (y,), (4,), dtype="float32")
            #!                                ^^^^^ error[RLX0902]: `dtype=` is not in dialect 0.25, which has `R.Tensor(…)`
            #!     fix: write `R.Tensor(…)`
            #! b: R.Tensor((4,), dtype="float32")
            c = R.call_tir(cls.f, (b,), out_sinfo=R.Tensor((4,), "float32"))
            #! c: R.Tensor((4,), dtype="float32")
            d: R.Tensor[(n, 4), "f32"] = R.ewise_add(a, c)
            #! ^^^^^^^^ error[RLX0902]: `R.Tensor[…]` is not in dialect 0.25, which has `R.Tensor(…)`
            #!     fix: write `R.Tensor(…)`
            #!                  ^^^^^ error[RLX0902]: `"f32"` is not in dialect 0.25, which has `"float32"`
            #!     fix: write `"float32"`
            #!                             ^^^^^^^^^ error[RLX0902]: `R.ewise_add` is not in dialect 0.25, which has `R.add`
            #!     fix: write `R.add`
            #! d: R.Tensor((n, 4), dtype="float32")
            R.outputs(d)
#!            ^^^^^^^ error[RLX0902]: `R.outputs` is not in dialect 0.25, which has `R.output`
            #!     fix: write `R.output`
        return d


@R.function
def typed(x: R.Tensor(("n", 4), "float32"), y: R.Any) -> R.Tensor(("n", 4), "float32"):
    z = R.call_pure_packed("g", x, sinfo_args=R.Tensor((4,), "float32"))
    #!                             ^^^^^^^^^^ error[RLX0902]: `sinfo_args=` is not in dialect 0.27, which has `ty_args=`
    #!     fix: write `ty_args=`
    #! z: R.Tensor((4,), dtype="float32")
    w = R.call_dps_packed("h", (z,), out_ty=R.Tensor((4,), "float32"))
    #! w: R.Tensor((4,), dtype="float32")
    return R.add(x, w)
    #! gv: R.Tensor((n, 4), dtype="float32")


@R.function
def old(x: Tensor((n, 4), "float32"), y: Tensor(_, "float32", ndim=2)) -> Tensor:
    z = add(x, y)
    #! z: R.Tensor(dtype="float32", ndim=2)
    w: Tensor((n, 4), "float32") = nn.relu(x)
    #! w: R.Tensor((n, 4), dtype="float32")
    relax.match_shape(y, (k, m))
    #! _: R.Tensor((k, m), dtype="float32")   (deduced R.Tensor(dtype="float32", ndim=2))
    v = relax.call_packed("f", w, type_args=(Tensor(ndim=2, dtype="float32")))
    #! v: R.Tensor(dtype="float32", ndim=2)
    return v


@T.prim_func(s_tir=True)
def gone(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (8,), "float32")
    B = T.match_buffer(b, (8,), "float32")
    T.realize(B[0:8], "shared")
#!    ^^^^^^^ error[RLX0903]: `T.realize` is not in dialect 0.25, which has nothing that can take its place as it stands
    for i in range(8):
        with T.sblock("b"):
            v = T.axis.spatial(8, i)
            B[v] = A[v]


@T.prim_func(s_tir=True)
def there(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (8,), "float32")
    B = T.match_buffer(b, (8,), "float32")
    for i in range(8):
        with T.sblock("b"):
            v = T.axis.spatial(8, i)
            B[v] = A[v]


# TVM leaves out parameters with a star, and does not read what stands behind their colon.
@R.function
def starred(x: R.Tensor((4,), "float32"), n: R.Prim(value=4), *rest: T.int32, **more: T.int64):
#!                                                            ^^^^^^^^^^^^^^ warning[RLX0456]: parameter `rest` has a star: TVM leaves it out
#!                                                                            ^^^^^^^^^^^^^^^ warning[RLX0456]: parameter `more` has two stars: TVM leaves it out
    return x
