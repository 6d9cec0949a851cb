from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def scratch(A: T.Buffer((64, 96), "float32"), B: T.Buffer((64, 96), "float32"), C: T.Buffer((96, 96), "float32")):
    rows = T.sblock_alloc_buffer((64, 96), scope="local")
    columns = T.sblock_alloc_buffer((64, 96), scope="local")
    for y in T.thread_binding(3, thread="blockIdx.y"):
        for x in T.thread_binding(3, thread="blockIdx.x"):
            for ty in T.thread_binding(8, thread="threadIdx.y"):
                for tx in T.thread_binding(8, thread="threadIdx.x"):
                    for k in range(64):
                        for a, j in T.grid(1, 4):
                            with T.sblock("rows"):
                                v0 = T.axis.spatial(64, k + a)
                                v1 = T.axis.spatial(96, y * 32 + ty * 4 + j)
                                rows[v0, v1] = A[v0, v1]
                        for a, j in T.grid(1, 4):
                            with T.sblock("columns"):
                                v0 = T.axis.spatial(64, k + a)
                                v1 = T.axis.spatial(96, x * 32 + tx * 4 + j)
                                columns[v0, v1] = B[v0, v1]
                        for a, i, j in T.grid(1, 4, 4):
                            with T.sblock("C"):
                                vi = T.axis.spatial(96, y * 32 + ty * 4 + i)
                                vj = T.axis.spatial(96, x * 32 + tx * 4 + j)
                                vk = T.axis.reduce(64, k)
                                with T.init():
                                    C[vi, vj] = T.float32(0)
                                C[vi, vj] = C[vi, vj] + rows[vk, vi] * columns[vk, vj]
