# Values in a module's class, bases of classes, conditions, derive_func, and strings that are unpacked.
import tvm
from tvm import topi
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Values:
    a = abs(1)
#!  ^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    b = R.Tensor((2, 3), "float32")
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    c = R.Object
#!  ^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    d = R.shape([2])
#!  ^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    e = {x for x in (1, 2)}
#!  ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    f = (1, 2) + (3,)
#!  ^^^^^^^^^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    g = R.exp
#!  ^^^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    h = R
#!  ^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    i = ...
#!  ^^^^^^^ error[RLX0455]: a name that is assigned in a module's class is a function; write constants before the class
    j = R.ExternFunc("f")

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), s: R.Tensor((), "bool")):
        l, m = "ab"
        y = R.emit_te(topi.nn.pad, x, [1], [1])
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0316]: R.nn.pad: `pad_width` has 2 values, expected 4, two for each axis
        #! y: R.Object
        z = R.emit_te(topi.nn.batch_matmul, R.reshape(x, (1, 2, 3)), R.reshape(x, (1, 3, 2)))
        #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0315]: R.matmul: the contracted dimensions differ: 3 in (1, 2, 3), 2 in (1, 2, 3)
        #!                                  ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: R.emit_te: `args` is a call, expected a variable: bind its result to a name before
        #! z: R.Object
        u = R.add(x, {k for k in (1, 2)})
        #!           ^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found a set
        #! u: R.Tensor
        v = R.concat((x for _ in range(2)), 0)
        #!           ^^^^^^^^^^^^^^^^^^^^^ error[RLX0301]: R.concat expects a tuple of tensors as `tensors`, found a range
        #! v: R.Tensor
        o = R.zeros(tuple(zz for zz in (1, 2)), "int8")
        #!                ^^ error[RLX0201]: `zz` is not defined: TVM's parser binds no name of a generator; write a list, `[… for …]`
        #! o: R.Object
        p = R.zeros([a for a in (b for b in (1, 2))], "int8")
        #! p: R.Tensor((1, 2), dtype="int8")
        q = getattr(x, "shape")[0]
        #!  ^^^^^^^^^^^^^^^^^^^^^^ error[RLX0328]: relax.inspect.tensor_shape_i: the answer is known here, 2: write it down
        #! q: R.Prim(value=2)
        t = R.add(x, getattr(x, "nope"))
        #!                      ^^^^^^ error[RLX0203]: `R.Tensor((2, 3), dtype="float32").nope` does not exist
        #! t: R.Object
        w = -{1}
        #!  ^^^^ error[RLX0421]: `-` can't be applied to a set
        #! w: R.Object
        c = {1}[0]
        #!  ^^^^^^ error[RLX0358]: only tuples can be indexed, found a set
        #! c: R.Object
        r = R.call_packed("f", x, sinfo_args=R.Object).shape
        #!    ^^^^^^^^^^^ error[RLX0432]: `R.call_packed` is impure (a packed function may do anything), and the function is declared pure
        #!     line 21: declared pure here
        #!     fix: declare the function impure
        return x


@I.ir_module
class Base(True):
#!         ^^^^ error[RLX0454]: this is no class that another derives from
    @R.function
    def main(x: R.Callable(derive_func=True), y: R.Callable(derive_func="f")):
    #!                                 ^^^^ error[RLX0446]: R.Callable: `derive_func` is `True`, expected the name of a function, a string
        return x


@R.function
def stated(x: R.Tensor((2,), "float32")):
    R.func_ret_struct_info(R.Object)
    #!                     ^^^^^^^^ error[RLX0446]: R.func_ret_struct_info: `ret_struct_info` is `R.Object`, expected an object of the IR
    return x
