# What words of R and I that are no operators refuse of their arguments, by the rows of word_kinds.def: kinds, numbers and names.
from tvm.script import ir as I, relax as R, tirx as T


@R.function(pure=False)
def emitted(x: R.Tensor((2, 3), "float32"), y: R.Tensor(("n", 3), "float32")):
    n = T.int64()
    a = R.emit(R.abs(x))
    #! a: R.Tensor((2, 3), dtype="float32")
    b = R.emit(R.abs(x), R.Tensor((2, 3), "float32"))
    #! b: R.Tensor((2, 3), dtype="float32")
    c = R.emit(R.abs(x), "float32")
    #!                   ^^^^^^^^^ error[RLX0446]: R.emit: `annotate_struct_info` is the string "float32", expected an annotation or None
    #! c: R.Object
    d = R.emit([x, x])
    #!         ^^^^^^ error[RLX0446]: R.emit: `value` is a list, expected a Relax expression
    #! d: R.Object
    e = R.emit(R.abs(x), n + 1)
    #!                   ^^^^^ error[RLX0446]: R.emit: `annotate_struct_info` is the symbolic integer `n + 1`, expected an annotation or None
    #! e: R.Object
    f = R.emit(R.abs(x), R.Object)
    #!                   ^^^^^^^^ error[RLX0446]: R.emit: `annotate_struct_info` is `R.Object`, expected an annotation or None
    #! f: R.Object
    g = R.emit(x, None, None)
    #!    ^^^^ error[RLX0422]: R.emit takes at most 2 positional arguments, 3 given
    #! g: R.Object
    h = R.emit()
    #!    ^^^^ error[RLX0423]: R.emit: argument `value` is missing
    #! h: R.Object
    return b


@R.function(pure=False)
def named(x: R.Tensor((2, 3), "float32"), t: R.Tuple(R.Object, R.Object)):
    a = R.arg("a", R.Tensor((2, 3), "float32"))
    #! a: R.Object
    b = R.arg(x, R.Object())
    #!        ^ error[RLX0446]: R.arg: `name` is R.Tensor((2, 3), dtype="float32"), expected a string
    #! b: R.Object
    c = R.arg("c", lambda: 1)
    #!             ^^^^^^^^^ error[RLX0446]: R.arg: `struct_info` is a lambda, expected an annotation
    #! c: R.Object
    d = R.arg("d")
    #!    ^^^ error[RLX0423]: R.arg: argument `struct_info` is missing
    #! d: R.Object
    e = R.emit_match_cast(x, R.Tensor("float32"))
    #! e: R.Object
    f = R.emit_match_cast({1}, R.Tensor("float32"))
    #!                    ^^^ error[RLX0446]: R.emit_match_cast: `value` is a set, expected a Relax expression
    #! f: R.Object
    g = R.emit_match_cast(x, x)
    #!                       ^ error[RLX0446]: R.emit_match_cast: `struct_info` is R.Tensor((2, 3), dtype="float32"), expected an annotation
    #! g: R.Object
    h = R.emit_match_cast(*[x])
    #!    ^^^^^^^^^^^^^^^ error[RLX0423]: R.emit_match_cast: argument `struct_info` is missing
    #! h: R.Object
    return x


@R.function(pure=False)
def made(x: R.Tensor((2, 3), "float32"), t: R.Tuple(R.Object, R.Object)):
    a = R.ExternFunc("f", None, None)
    #! a: R.Callable
    b = R.ExternFunc("f", span=x)
    #!                         ^ error[RLX0446]: R.ExternFunc: `span` is R.Tensor((2, 3), dtype="float32"), expected None
    #! b: R.Object
    c = R.ExternFunc(f"{x}")
    #! c: R.Object
    d = R.ExternFunc(x)
    #!               ^ error[RLX0446]: R.ExternFunc: `global_symbol` is R.Tensor((2, 3), dtype="float32"), expected a string
    #! d: R.Object
    e = R.TupleGetItem(t, True)
    #! e: R.Object
    f = R.TupleGetItem(t, 0.5)
    #!                    ^^^ error[RLX0446]: R.TupleGetItem: `index` is the Python float 0.5, expected an int
    #! f: R.Object
    g = R.TupleGetItem(t, f"{x}")
    #!                    ^^^^^^ error[RLX0446]: R.TupleGetItem: `index` is a string, expected an int
    #! g: R.Object
    h = R.TupleGetItem(t, 0, span=1)
    #!                            ^ error[RLX0446]: R.TupleGetItem: `span` is the Python int 1, expected None
    #! h: R.Object
    i = R.TupleGetItem({}, 0)
    #!                 ^^ error[RLX0446]: R.TupleGetItem: `tuple_value` is a dict, expected a Relax expression
    #! i: R.Object
    j = R.TupleGetItem(nothing_there, [0])
    #!                 ^^^^^^^^^^^^^ error[RLX0201]: `nothing_there` is not defined
    #!     fix: change to `i`
    #! j: R.Object
    k = R.ShapeExpr([2, 3], span=print)
    #!                           ^^^^^ error[RLX0446]: R.ShapeExpr: `span` is Python's `print`, expected None
    #! k: R.Object
    return x


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        I.module_set_attr("a", x, False)
        I.module_set_attr("b", 1)
        #!                     ^ error[RLX0446]: I.module_set_attr: `attr_value` is the Python int 1, expected an object of TVM
        I.module_set_attr(None, x)
        #!                ^^^^ error[RLX0446]: I.module_set_attr: `attr_key` is `None`, expected a string
        I.module_set_attr("c", x, x)
        #!                        ^ error[RLX0446]: I.module_set_attr: `allow_overwrite` is R.Tensor((2, 3), dtype="float32"), expected an int
        y = I.module_get_attr(T)
        #!                    ^ error[RLX0446]: I.module_get_attr: `attr_key` is `T`, expected a string
        #! y: R.Object
        return x
