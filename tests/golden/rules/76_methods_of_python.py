# rlx-golden: check
# What methods of Python's strings, bytes, lists and dicts take.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    a = "left right".rsplit(" ", 1, 2)
    #!                              ^ error[RLX0422]: Python's `rsplit` takes at most 2 positional arguments, 3 given
    b = b"left".rsplit(axis=0)
    #!                 ^^^^ error[RLX0424]: Python's `rsplit` has no parameter `axis`
    c = b"left".casefold()
    #!          ^^^^^^^^ error[RLX0203]: `a bytes literal.casefold` does not exist
    d = b"left".hex()
    e = "left".split(maxsplit=1)
    f = {"k": 2}.setdefault()
    #!  ^^^^^^^^^^^^^^^^^^^^^ error[RLX0423]: Python's `setdefault`: argument `1` is missing
    g = (1, 2).count()
    #!  ^^^^^^^^^^^^^^ error[RLX0423]: Python's `count`: argument `1` is missing
    h = "left".partition("e", sep="e")
    #!                        ^^^ error[RLX0424]: Python's `partition` has no parameter `sep`
    return x
