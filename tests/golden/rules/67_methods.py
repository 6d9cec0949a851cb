# Methods of Python's strings, lists, tuples and dicts give values, as operands and attributes.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def strings(x: R.Tensor((2, 3), "float32")):
    a = R.astype(x, "-".join(["int", "16"]).replace("-", ""))
    #! a: R.Tensor((2, 3), dtype="int16")
    b = R.astype(x, " UINT8\n".strip().lower())
    #! b: R.Tensor((2, 3), dtype="uint8")
    c = R.sum(x, axis="width,height".split(",").index("height"))
    #! c: R.Tensor((2,), dtype="float32")
    d = R.sum(x, axis="hw".find("d"), keepdims="keep".endswith("p"))
    #! d: R.Tensor((2, 1), dtype="float32")
    e = R.astype(x, "float16 float64".split()[1].rstrip("4") + "4")
    #! e: R.Tensor((2, 3), dtype="float64")
    f = R.abs("x".title())
    #!        ^^^^^^^^^^^ error[RLX0301]: R.abs expects a tensor as `x`, found a string
    #! f: R.Object
    g = R.add(x, "axis".upper())
    #!           ^^^^^^^^^^^^^^ error[RLX0301]: R.add expects a tensor as `x2`, found the string "AXIS"
    #! g: R.Tensor
    h = "axis".split(",", 1, 2)
    #!                       ^ error[RLX0422]: Python's `split` takes at most 2 positional arguments, 3 given
    #! h: R.Object
    i = R.astype(x, "a,b,c".split(",", 1)[1])
    #! i: R.Tensor((2, 3))
    return x


@R.function
def lists(x: R.Tensor((2, 3), "float32")):
    sizes = {"rows": 4, "columns": 6}
    a = R.reshape(x, (sizes.get("columns"), sizes.get("planes", 1)))
    #! a: R.Tensor((6, 1), dtype="float32")
    b = R.sum(x, axis=sizes.get("planes"))
    #! b: R.Tensor((), dtype="float32")
    c = R.zeros(list(sizes.values()), "float32")
    #! c: R.Tensor((4, 6), dtype="float32")
    d = R.zeros([size for _, size in sizes.items()], "float32")
    #! d: R.Tensor((4, 6), dtype="float32")
    e = R.sum(x, axis=[1, 2, 2].count(2))
    #!                ^^^^^^^^^^^^^^^^^^ error[RLX0305]: R.sum: axis 2 is out of range for rank 2: expected -2 to 1
    #!     fix: change to `1`
    #! e: R.Tensor(dtype="float32")
    f = R.abs((1, 2).index(2))
    #!        ^^^^^^^^^^^^^^^ error[RLX0301]: R.abs expects a tensor as `x`, found the int 1
    #! f: R.Tensor
    return x
