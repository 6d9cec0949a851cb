# rlx-golden: check
# `# rlx: ignore[…]` silences findings of its line by code or name; what silences nothing is a hint, what is no code a warning.
from tvm.script import ir as I, relax as R, tirx as T


@R.function
def by_code(x: R.Tensor((2,), "float32")):
    y = R.abs(z)  # rlx: ignore[RLX0201]
    return x


@R.function
def by_name(x: R.Tensor((2,), "float32")):
    y = R.abs(z)  # why: generated  # rlx: ignore[name-undefined]
    return x


@R.function
def everything(x: R.Tensor((2,), "float32")):
    y = R.abs(z)  # rlx: ignore
    return x


@R.function
def several(x: R.Tensor((2,), "float32")):
    y = R.sum(R.abs(x), axis=3)  # rlx: ignore[RLX0305, nested-call]
    return x


@R.function
def one_too_many(x: R.Tensor((2,), "float32")):
    y = R.sum(x, axis=3)  # rlx: ignore[RLX0201, RLX0305]
    #!                                  ^^^^^^^ hint[RLX0901]: this suppression of `RLX0201` suppresses nothing
    #!     fix: remove it
    return x


@R.function
def another_code(x: R.Tensor((2,), "float32")):
    y = R.abs(z)  # rlx: ignore[RLX0305]
    #!        ^ error[RLX0201]: `z` is not defined
    #!     fix: change to `x`
    #!            ^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0901]: this suppression of `RLX0305` suppresses nothing
    #!     fix: remove it
    return x


@R.function
def another_line(x: R.Tensor((2,), "float32")):
    # rlx: ignore[RLX0201]
#!  ^^^^^^^^^^^^^^^^^^^^^^ hint[RLX0901]: this suppression of `RLX0201` suppresses nothing
    #!     fix: remove it
    y = R.abs(z)
    #!        ^ error[RLX0201]: `z` is not defined
    #!     fix: change to `x`
    return x


@R.function
def unknown_code(x: R.Tensor((2,), "float32")):
    y = R.abs(x)  # rlx: ignore[RLX9999]
    #!                          ^^^^^^^ warning[RLX0904]: no diagnostic is called `RLX9999`
    #!     fix: remove it
    z = R.abs(x)  # rlx: ignore[name-undefind]
    #!                          ^^^^^^^^^^^^^ warning[RLX0904]: no diagnostic is called `name-undefind`; did you mean `name-undefined`?
    #!     fix: change to `name-undefined`
    return x


@R.function
def in_a_string(x: R.Tensor((2,), "float32")):
    y = R.call_pure_packed("# rlx: ignore[RLX0201]", z, sinfo_args=R.Object)
    #!                                               ^ error[RLX0201]: `z` is not defined
    #!     fix: change to `x`
    return x


@R.function
def over_lines(x: R.Tensor((2,), "float32")):
    y = R.sum(  # rlx: ignore[RLX0305]
        x,
        axis=3,
    )
    return x
