"""Steps of schedules as code actions in scripts of another spelling: block heads of 2021."""
import pytest

from session import open_text
from test_schedule import actions, apply, resolves

OF_2021 = '''\
import tvm
from tvm.script import tir as T


@T.prim_func
def main(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, [128, 64])
    B = T.match_buffer(b, [128])
    # rows
    for i, k in T.grid(128, 64):
        with T.block([128, T.reduce_axis(0, 64)], "sum") as [vi, vk]:
            T.bind(vi, i)  # row
            T.bind(vk, k)
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]  # add
'''


FROM_LOOPS = OF_2021.index("    for i, k")


async def changed(client, title, needle="i, k in"):
    """The loops as they are after the step."""
    found = await actions(client, OF_2021, needle)
    return (await apply(client, OF_2021, found[title]))[0][FROM_LOOPS:]


@pytest.mark.asyncio
async def test_binds_stay_binds(client):
    if not resolves(client):
        return
    open_text(client, OF_2021)
    assert await changed(client, "split i by 8") == '''\
    for i_0, i_1, k in T.grid(16, 8, 64):
        with T.block([128, T.reduce_axis(0, 64)], "sum") as [vi, vk]:
            # row
            T.bind(vi, i_0 * 8 + i_1)
            T.bind(vk, k)
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]  # add
'''
    assert await changed(client, "fuse i with k") == '''\
    for i_k_fused in range(8192):
        with T.block([128, T.reduce_axis(0, 64)], "sum") as [vi, vk]:
            # row
            T.bind(vi, i_k_fused // 64)
            T.bind(vk, i_k_fused % 64)
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]  # add
'''
    assert await changed(client, "run i in parallel") == '''\
    for i in T.parallel(128):
        for k in range(64):
            with T.block([128, T.reduce_axis(0, 64)], "sum") as [vi, vk]:
                T.bind(vi, i)  # row
                T.bind(vk, k)
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]  # add
'''


@pytest.mark.asyncio
async def test_blocks_of_other_variables_are_written_as_today(client):
    if not resolves(client):
        return
    open_text(client, OF_2021)
    after = await changed(client, "blockize from i down")
    assert "T.bind" not in after and "as [" not in after
    assert 'with T.block("sum"):\n                vi_i, vk_i = T.axis.remap("SR", [i, k])  # row\n' in after
