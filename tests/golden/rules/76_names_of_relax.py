# rlx-golden: check
# Names of R that no dialect of the wheels has, and those that their modules have.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    a = R.FloatImm(1.0)
    #!    ^^^^^^^^ error[RLX0203]: `R.FloatImm` does not exist
    b = R.DataTypeImm("int8")
    #!    ^^^^^^^^^^^ error[RLX0203]: `R.DataTypeImm` does not exist
    c = R.opengl(0)
    #!    ^^^^^^ error[RLX0203]: `R.opengl` does not exist; did you mean `R.opencl`?
    #!     fix: change to `R.opencl`
    d = R.Range(0, 4)
    #!    ^^^^^ error[RLX0203]: `R.Range` does not exist
    e = R.nn.ReLU(x)
    #!       ^^^^ error[RLX0203]: `R.nn.ReLU` does not exist
    f = R.memory.alloc_tensor
    g = R.grad.no_such(x)
    #!         ^^^^^^^ error[RLX0203]: `R.grad.no_such` does not exist; did you mean `R.grad.no_grad`?
    #!     fix: change to `R.grad.no_grad`
    h = R.image.resize2d
    i = R.vision.nms
    j = R.print("x")
    #!    ^^^^^ error[RLX0432]: `R.print` is impure (it prints), and the function is declared pure
    #!     line 7: declared pure here
    #!     fix: declare the function impure
    #!          ^^^ error[RLX0301]: R.print expects expressions as `values`, found the string "x"
    k = R.webgpu(1)
    return x
