# Some namespaces of T are called, too: their members are functions beside them.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "int32")):
    T.ptx.cp_async(A.data, A.data, 4)
    T.ptx.fence("acq_rel", "gpu")
    T.ptx.fence.mbarrier_init()
    T.nvshmem.putmem_nbi(A.data, A.data, 4, 0)
    T.nvshmem.putmem_nbi.warp(A.data, A.data, 4, 0)
