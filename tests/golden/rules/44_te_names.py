# R.emit_te adds a PrimFunc to the module: under primfunc_name_hint, else under the name of the function that it calls. TVM's parser
# refuses a name that the module has already, be it of a function that stands there or of another R.emit_te.
import tvm
from tvm import te, topi
from tvm.script import ir as I, relax as R, tirx as T


def double(x):
    return topi.add(x, x)


@I.ir_module
class Twice:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
        a = R.emit_te(topi.add, x, x)
        #! a: R.Tensor((2, 3), dtype="float32")
        b = R.emit_te(tvm.topi.add, a, x)
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Twice` has a function `add` already
        #!     line 16: the first one
        #! b: R.Tensor((2, 3), dtype="float32")
        d = R.emit_te(topi.subtract, b, x)
        #! d: R.Tensor((2, 3), dtype="float32")
        e = R.emit_te(topi.nn.relu, d, primfunc_name_hint="subtract")
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Twice` has a function `subtract` already
        #!     line 18: the first one
        #! e: R.Tensor((2, 3), dtype="float32")
        f = R.emit_te(topi.exp, e, primfunc_name_hint="exp1")
        #! f: R.Tensor((2, 3), dtype="float32")
        g = R.emit_te(topi.exp, f)
        #! g: R.Tensor((2, 3), dtype="float32")
        h = R.emit_te(lambda t: topi.abs(t), g)
        #! h: R.Object
        i = R.emit_te(lambda t: topi.sin(t), h)
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Twice` has a function `<lambda>` already
        #!     line 22: the first one
        #! i: R.Object
        j = R.emit_te(double, i)
        #!            ^^^^^^ hint[RLX0202]: the value of `double` is known to Python only: it may be anything here
        #! j: R.Object
        k = R.emit_te(double, j)
        #!  ^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Twice` has a function `double` already
        #!     line 24: the first one
        #!            ^^^^^^ hint[RLX0202]: the value of `double` is known to Python only: it may be anything here
        #! k: R.Object
        if c:
        #! l: R.Tensor((2, 3), dtype="float32")
            l = R.emit_te(topi.cos, x)
            #! l: R.Tensor((2, 3), dtype="float32")
        else:
            l = R.emit_te(topi.cos, x)
            #!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Twice` has a function `cos` already
            #!     line 27: the first one
            #! l: R.Tensor((2, 3), dtype="float32")
        return k

    @R.function
    def other(x: R.Tensor((2, 3), "float32")):
        a = R.emit_te(topi.exp, x)
        #!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Twice` has a function `exp` already
        #!     line 21: the first one
        #! a: R.Tensor((2, 3), dtype="float32")
        b = R.emit_te(topi.tan, x, primfunc_name_hint="main")
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0213]: module `Twice` has a function `main` already
        #!     line 15: the first one
        #! b: R.Tensor((2, 3), dtype="float32")
        c = R.emit_te(topi.tan, x, primfunc_name_hint="tan_%d" % 1)
        #! c: R.Tensor((2, 3), dtype="float32")
        return a


@R.function
def alone(x: R.Tensor((2, 3), "float32")):
    a = R.emit_te(topi.add, x, x)
    #!  ^^^^^^^^^ error[RLX0455]: R.emit_te adds a function to the module, and this function stands in none
    #! a: R.Tensor((2, 3), dtype="float32")
    return a


@I.ir_module
class NoFunctions:
    @R.function
    def other(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        cls = NoFunctions
        a = R.emit_te(lambda t: topi.tanh(t), x)
        #! a: R.Object
        b = R.emit_te(cls.other, x)
        #!            ^^^^^^^^^ error[RLX0446]: R.emit_te: `func` is R.Callable((R.Tensor((2, 3), dtype="float32"),), R.Tensor((2, 3), dtype="float32"), True), expected a function of Python that computes with TE tensors
        #! b: R.Object
        c = R.emit_te(x, x)
        #!            ^ error[RLX0446]: R.emit_te: `func` is R.Tensor((2, 3), dtype="float32"), expected a function of Python that computes with TE tensors
        #! c: R.Object
        d = R.emit_te("add", x, x)
        #!            ^^^^^ error[RLX0446]: R.emit_te: `func` is the string "add", expected a function of Python that computes with TE tensors
        #! d: R.Object
        e = R.emit_te(R.negative, x)
        #!            ^^^^^^^^^^ error[RLX0446]: R.emit_te: `func` is an operator that is not called, expected a function of Python that computes with TE tensors
        #! e: R.Object
        f = R.emit_te((double, x))
        #!             ^^^^^^ hint[RLX0202]: the value of `double` is known to Python only: it may be anything here
        #! f: R.Object
        g = R.emit_te()
        #!  ^^^^^^^^^^^ error[RLX0423]: R.emit_te: argument `func` is missing
        #! g: R.Object
        h = R.emit_te(double, x)
        #!            ^^^^^^ hint[RLX0202]: the value of `double` is known to Python only: it may be anything here
        #! h: R.Object
        return h
