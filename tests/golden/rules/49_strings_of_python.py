# Strings that only Python knows are strings all the same; what is compared with None of its kind is decided; slices, ranges.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def strings(x: R.Tensor((2,), "float32"), y: str(R.Object)):
#!                                           ^^^^^^^^^^^^^ error[RLX0352]: a string is not a StructInfo annotation
    a = R.call_pure_packed(f"{x}", x, sinfo_args=R.Object)
    #! a: R.Object
    b = str(x).exp(x)
    #!         ^^^ error[RLX0203]: `str.exp` does not exist
    #! b: R.Object
    c = f"{x}"(x)
    #!  ^^^^^^ error[RLX0428]: a string can't be called
    #! c: R.Object
    d = str(x).upper
    #! d: R.Object
    return a


@R.function
def decided(x: R.Tensor((2,), "float32")):
    a = (R == R).exp(x)
    #!           ^^^ error[RLX0203]: `R == R.exp` does not exist
    #! a: R.Object
    b = (R not in ()).exp(x)
    #!                ^^^ error[RLX0203]: `R not in ().exp` does not exist
    #! b: R.Object
    c = R.exp(x) if 3 in [1, 2] else x
    #! c: R.Tensor((2,), dtype="float32")
    return c


@R.function
def numbers(x: R.Tensor((2,), "float32"), f: R.Callable((), R.Object, "pure")):
#!                                                                    ^^^^^^ error[RLX0446]: R.Callable: `purity` is the string "pure", expected True or False
    b = R.sum(x, axis=[*range(x)])
    #!                        ^ error[RLX0446]: Python's `range`: `argument` is R.Tensor((2,), dtype="float32"), expected an int
    #! b: R.Tensor(dtype="float32")
    c = R.hint_on_device(x, R.device(index=2))
    #!                      ^^^^^^^^^^^^^^^^^ error[RLX0423]: R.device: argument `device_type` is missing
    #! c: R.Tensor((2,), dtype="float32")
    d = R.sum(x, axis=[*{0: 1}])
    #! d: R.Tensor((), dtype="float32")
    return d


@R.function
def sliced(x: R.Tensor((2,), "float32")):
    return R.zeros((2, slice(3)), "float32")
    #!                 ^^^^^^^^ error[RLX0362]: a slice is not a dimension: expected an integer or a symbolic integer
    #! gv: R.Tensor(dtype="float32")
