# Kinds of values that TVM or numpy refuse: objects of the IR as attributes, numbers that a dtype does not hold, what is no device, no mesh and no function.
from tvm.script.parser import ir as I, relax as R, tirx as T


@R.function
def attributes(x: R.Tensor((2, 4), "float32")):
    R.func_attr({"relax.force_pure": T.int64(1), "global_symbol": R.prim_value(1)})
    #!                               ^^^^^^^^^^ error[RLX0446]: R.func_attr: `relax.force_pure` is the symbolic integer `1`, expected True or False
    return x


@R.function
def numbers(x: R.Tensor((2, 4), "float32")):
    a = R.const(3e10, "int16")
    #!          ^^^^ error[RLX0446]: R.const: `value` is the Python float 3e+10, expected a number that int16 holds
    #! a: R.Object
    b = R.const([1.5, 300.5], "uint8")
    #!                ^^^^^ error[RLX0446]: R.const: `value` is the Python float 300.5, expected a number that uint8 holds
    #! b: R.Object
    c = R.const(1e19, "uint64")
    #! c: R.Tensor((), dtype="uint64")
    d = R.const(2.5, "int32")
    #! d: R.Tensor((), dtype="int32")
    e = R.const(-1e30, "int64")
    #!          ^^^^^ error[RLX0446]: R.const: `value` is the Python float -1e+30, expected a number that int64 holds
    #! e: R.Object
    return x


@R.function
def devices(x: R.Tensor((2, 4), "float32")):
    a = R.hint_on_device(x, R.cuda)
    #!                      ^^^^^^ error[RLX0301]: R.hint_on_device expects a device, as R.cpu(0) as `dst_vdevice`, found `R.cuda`
    #! a: R.Tensor((2, 4), dtype="float32")
    b = R.hint_on_device(x, R.cuda(0))
    #! b: R.Tensor((2, 4), dtype="float32")
    c = R.hint_on_device(x, I.vdevice("llvm"))
    #!                      ^^^^^^^^^^^^^^^^^ error[RLX0301]: R.hint_on_device expects a device, as R.cpu(0) as `dst_vdevice`, found a virtual device
    #! c: R.Tensor((2, 4), dtype="float32")
    return b


@R.function
def maps(x: R.Tensor((2, 4), "float32")):
    a = R.layout_transform(x, index_map=T.index_map({lambda i, j: (j, i)}))
    #!                                              ^^^^^^^^^^^^^^^^^^^^^ error[RLX0446]: T.index_map: `mapping` is a set, expected a function
    #! a: R.Tensor(dtype="float32")
    b = R.layout_transform(x, index_map=T.index_map(lambda i, j: (j, i), index_dtype="float32"))
    #!                                                                               ^^^^^^^^^ error[RLX0446]: T.index_map: `index_dtype` is the string "float32", expected a dtype of integers
    #! b: R.Tensor(dtype="float32")
    c = R.layout_transform(x, index_map=T.index_map(lambda i, j: (j, (k := i)), index_dtype="int32"))
    #! c: R.Tensor((4, 2), dtype="float32")
    d = R.layout_transform(x, index_map=T.index_map(mapping=b"ij"))
    #!                                                      ^^^^^ error[RLX0446]: T.index_map: `mapping` is a bytes literal, expected a function
    #! d: R.Tensor(dtype="float32")
    return c


@R.function
def constants_of_nothing(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()
    a = R.shape([2, T.cast(32, "")])
    #!                         ^^ error[RLX0446]: T.cast: `dtype` is the string "", expected a dtype that numbers have
    #! a: R.Shape(ndim=2)
    b = R.prim_value(T.cast(T.int64(3), dtype="handle"))
    #!                                        ^^^^^^^^ error[RLX0446]: T.cast: `dtype` is the string "handle", expected a dtype that numbers have
    #! b: R.Object
    c = R.reshape(x, (T.cast(2, "void"), -1))
    #!                          ^^^^^^ error[RLX0446]: T.cast: `dtype` is the string "void", expected a dtype that numbers have
    #! c: R.Tensor(dtype="float32", ndim=2)
    d = R.shape([2, T.cast(32, "int64")])
    #! d: R.Shape([2, 32])
    return d


@I.ir_module
class Listed:
    I.module_global_infos({"vdevice": T.int64(3), "mesh": []})
    #!                                ^^^^^^^^^^ error[RLX0446]: I.module_global_infos: `global_infos` is the symbolic integer `3`, expected lists of devices and the like

    @R.function
    def main(x: R.Object):
        return x


@I.ir_module
class ListedIn:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), T.max(1, 2)]})
    #!                                                    ^^^^^^^^^^^ error[RLX0446]: I.module_global_infos: `global_infos` is the symbolic integer `2`, expected lists of devices and the like

    @R.function
    def main(x: R.Object):
        return x


@I.ir_module
class ListedBytes:
    I.module_global_infos({"mesh": [b"llvm"]})
    #!                              ^^^^^^^ error[RLX0446]: I.module_global_infos: `global_infos` is a bytes literal, expected lists of devices and the like

    @R.function
    def main(x: R.Object):
        return x


@R.function
def dimensions(x: R.Tensor((1, 4), "float32"), s: R.Shape({"k": 1, "m": 2})):
    a = R.reshape(x, (3 > 2, 4))
    #!                ^^^^^ error[RLX0362]: `True` is not a dimension: expected an integer or a symbolic integer
    #! a: R.Tensor((True, 4), dtype="float32")
    return a


@R.function
def members(x: R.Tensor((1, 4), "float32")):
    a = R.abs._deduce
    #!        ^^^^^^^ error[RLX0203]: `R.abs._deduce` does not exist
    #! a: R.Object
    b = "abc"._size
    #!        ^^^^^ error[RLX0203]: `"abc"._size` does not exist
    #! b: R.Object
    c = R.abs.__name__
    #! c: R.Object
    return x


@R.function
def mesh(x: R.DTensor((4, 4), "float32", True, "R")):
#!                                       ^^^^ error[RLX0446]: R.DTensor: `device_mesh` is `True`, expected a string
    return x


@I.ir_module
class Module:
    I.module_attrs({"a": 1}, {"b": 2})
    #!                       ^^^^^^^^ error[RLX0446]: I.module_attrs: `allow_overwrite` is a dict, expected True or False
    I.module_global_infos({"vdevice": [I.vdevice({"kind": "llvm", "mcpu": 3})]})
    #!                                                                    ^ error[RLX0446]: I.vdevice: `target` is the Python int 3, expected what that option takes

    @R.function
    def main(x: R.Tensor((1, 4), "float32")):
        y = Module(x)
        #!  ^^^^^^ error[RLX0428]: a module that is being read can't be called
        #! y: R.Object
        return x


@R.function
def compared(x: R.Tensor((3,), "float32"), z: R.Tensor((3,), "float32")):
    a = max(x, (z, x))
    #!      ^ error[RLX0446]: Python's `max`: `argument` is R.Tensor((3,), dtype="float32"), expected a number
    #! a: R.Object
    b = min(R.abs(x), T.int8(3))
    #!      ^^^^^^^^ error[RLX0446]: Python's `min`: `argument` is R.Tensor((3,), dtype="float32"), expected a number
    #! b: R.Object
    c = max(x, z)
    #! c: R.Object
    d = min((1, 2), (0, 3))
    #! d: R.Object
    return x


@R.function
def hashed(x: R.Tensor((3,), "float32")):
    a = {(1, [2])}
    #!   ^^^^^^^^ error[RLX0446]: a set: `item` is a list, expected a value that can be hashed
    #! a: R.Object
    b = {{"a": 1}: 2}
    #!   ^^^^^^^^ error[RLX0446]: a dict: `key` is a dict, expected a value that can be hashed
    #! b: R.Object
    c = {(1, 2), 3}
    return x


@R.function
def lambdas(x: R.Tensor((3,), "float32"), z: R.Tensor((4,), "float32")):
    a = R.add((lambda q: q)(x), z)
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0303]: R.add: shapes (3,) and (4,) can't be broadcast: dimension 0 is 3, dimension 0 of the other is 4
    #!     line 123: `x` is R.Tensor((3,), dtype="float32")
    #!     line 123: `z` is R.Tensor((4,), dtype="float32")
    #!     fix: declare dimension 0 of `z` as 3
    #! a: R.Tensor(dtype="float32", ndim=1)
    b = (lambda: x)(1)
    #!  ^^^^^^^^^^^^^^ error[RLX0422]: this lambda takes at most 0 positional arguments, 1 given
    #! b: R.Object
    with (lambda: R.dataflow())():
        c = R.abs(x)
        #! c: R.Tensor((3,), dtype="float32")
        (lambda q: R.output(q))(c)
    return c


@R.function
def strings(x: R.Tensor((3,), "float32")):
    s = f"{x}"
    a = R.multiply(x, s)
    #!                ^ error[RLX0301]: R.multiply expects a tensor as `x2`, found a string
    #! a: R.Object
    b = s.shape
    #!    ^^^^^ error[RLX0203]: `str.shape` does not exist
    #! b: R.Object
    return x


@R.function
def around(x: R.Tensor((3,), "float32")):
    @R.function
    def inner(y: R.Tensor((3,), "float32")):
    #! inner: R.Callable((R.Tensor((3,), dtype="float32"),), R.Tensor((3,), dtype="float32"), True)
        R.func_attr({"global_symbol": "inner"})
        #!           ^^^^^^^^^^^^^^^ error[RLX0212]: `inner` is private, so it can't have a `global_symbol`
        #!     fix: remove it
        return y

    z = inner(x)
    #! z: R.Tensor((3,), dtype="float32")
    return z


@R.function
def storage(x: R.Tensor((3,), "float32"), d: R.Object):
    y = R.memory.alloc_tensor(x, R.prim_value(0), R.shape([2]), R.dtype("bool"), d)
    #!                                                                           ^ error[RLX0301]: R.memory.alloc_tensor expects a number as `runtime_device_ind`, found R.Object
    #! y: R.Tensor((2,), dtype="bool")
    return y


@R.function
def listed(x: R.Tensor((3,), "float32")):
    a = R.const([[T.int64(3), 1]])
    #!          ^^^^^^^^^^^^^^^^^ error[RLX0443]: a list can't be a constant tensor
    #! a: R.Tensor
    b = R.const([T.int64(3), 1], "int64")
    #! b: R.Tensor((2,), dtype="int64")
    c = x if R.ExternFunc("f") else x
    #!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0429]: a conditional expression that a Relax value decides can't be used in a Relax function
    #! c: R.Object
    return x


@R.function
def kept(x: R.Tensor((T.reinterpret("int32", 6), T.reinterpret("int64", T.int64(2))), "float32")):
    y = R.reshape(x, (T.reinterpret("int32", 4), 3))
    #! y: R.Tensor((4, 3), dtype="float32")
    return y
