# from tvm.script import ir as I
# from tvm.script import tirx as T
# What a printed signature's strings can't be (0.27): see dialect/printed_dimensions_0_27.py.

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def declared_otherwise(A: T.Buffer(("m", "k"), "int32")):
        k = T.int64()
#!      ^ error[RLX0614]: an expression of int64, but a string of the signature makes the name a variable of int32
        A[m - 1, 0] = 1

    @T.prim_func(s_tir=True)
    def no_expression(A: T.Buffer(("m *",), "int32"), B: T.Buffer(("(m, 2)",), "int32")):
    #!                             ^^^^^ error[RLX0614]: a string that is no expression, expected a dimension
    #!                                                             ^^^^^^^^ error[RLX0614]: a tuple, expected a dimension
        A[0] = B[0]

    @T.prim_func(s_tir=True)
    def of_a_buffer(A: T.Buffer(("B",), "int32"), B: T.Buffer((4,), "int32")):
    #!                                               ^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a buffer, but a string of the signature makes the name a variable of int32
        A[0] = B[0]
