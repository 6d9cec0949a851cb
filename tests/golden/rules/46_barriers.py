# The view of another CTA's barrier: it is arrived at, and there alone. (Only 0.27 refuses `wait` and `remote_view`; this file may be written in 0.25, too.)
# rlx-golden: check
from tvm.script import tirx as T
from tvm.tirx.lang.pipeline import MBarrier, TMABar


class Own:
    def remote_view(self, rank):
        return self


@T.prim_func
def f():
    T.device_entry()
    T.cta_id([2])
    T.thread_id([128])
    pool = T.SMEMPool()
    bar = MBarrier(pool, 1)
    tma = TMABar(pool, 1)
    far = tma.remote_view(1)
    bar.init(1)
    bar.arrive(0, remote=1)
    bar.remote_view(0).arrive(0)
    far.arrive(0, remote=None)
    far.init(1)
    #!  ^^^^ error[RLX0614]: the `remote_view` of a barrier has no `init`: it stands behind the barrier itself
    far.wait(0, 0)
    bar.remote_view(0).wait(0, 0)
    far.arrive(0, remote=0)
    #!                   ^ error[RLX0614]: the `remote_view` of a barrier says whose it is: `arrive` takes no `remote`
    farther = far.remote_view(0)
    Own().remote_view(0).init(1)
    bar.remote_view(0).remote_view(1)
#!  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[RLX0614]: a barrier is no statement of TensorIR: calls of its methods are
    MBarrier(pool, 2)
#!  ^^^^^^^^^^^^^^^^^ error[RLX0614]: a barrier is no statement of TensorIR: calls of its methods are
    far
#!  ^^^ error[RLX0614]: a barrier is no statement of TensorIR: calls of its methods are
