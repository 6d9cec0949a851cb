"""Schedules in the editor: steps as code actions at loops and blocks, their edits, and the loop tree."""
import re

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from session import applied, ask, diagnostics, open_text, place

KIND = "refactor.rewrite.schedule"

SCRIPT = '''\
from tvm.script import ir as I, tir as T


@I.ir_module
class Module:
    # the module's comment
    @T.prim_func
    def main(A: T.Buffer((128, 64), "float32"), W: T.Buffer((64, 32), "float32"), C: T.Buffer((128, 32), "float32")):
        """What it is for."""
        D = T.alloc_buffer((128, 32))
        # rows by columns
        for i, j, k in T.grid(128, 32, 64):  # the hot loop
            # one step of the sum
            with T.block("matmul"):
                vi = T.axis.spatial(128, i)  # row
                vj = T.axis.spatial(32, j)
                vk = T.axis.reduce(64, k)
                with T.init():
                    D[vi, vj] = T.float32(0)  # from nothing
                D[vi, vj] = D[vi, vj] + A[vi, vk] * W[vk, vj]

        for i2, j2 in T.grid(128, 32):
            with T.block("relu"):
                vi, vj = T.axis.remap("SS", [i2, j2])
                # never below zero
                C[vi, vj] = T.max(D[vi, vj], T.float32(0))  # done
'''


def resolves(client):
    support = client.capabilities.text_document.code_action.resolve_support
    return support is not None and "edit" in support.properties


async def actions(client, text, needle, skip=0, inside=0):
    at = place(text, needle, skip, inside)
    found = await ask(client.text_document_code_action_async(t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), t.Range(at, at), t.CodeActionContext(diagnostics=[], only=[KIND]))))
    return {a.title: a for a in found or []}


async def apply(client, text, action):
    done = await ask(client.code_action_resolve_async(action))
    edit = done.edit
    edits = edit.changes[client.uri] if edit.changes else edit.document_changes[0].edits
    if edit.document_changes:
        assert edit.document_changes[0].text_document.version == 1
    return applied(text, edits), edits


async def test_in_a_large_file_a_step_is_listed_and_made_as_in_a_small_one(client):
    large = SCRIPT + "# more\n" * 4000
    open_text(client, large)
    found = await actions(client, large, "j, k in", inside=0)
    assert "split j by 4" in found and not found["split j by 4"].disabled
    text, _ = (await apply(client, large, found["split j by 4"])) if resolves(client) else (None, None)
    assert text is None or ("T.grid(128, 8, 4, 64)" in text and text.endswith("# more\n" * 4000)), text[:1500]


async def test_steps_are_listed_at_loops_and_blocks(client):
    open_text(client, SCRIPT)
    at_loop = await actions(client, SCRIPT, "j, k in", inside=0)
    at_block = await actions(client, SCRIPT, 'T.block("matmul")')
    if not resolves(client):
        assert all(a.edit and not a.data for a in [*at_loop.values(), *at_block.values()]) and at_loop and at_block
        return
    legal = {title for title, a in at_loop.items() if not a.disabled}
    assert {"split j by 4", "split j by 16", "vectorize j", "run j in parallel", "unroll j", "fuse j with k", "reorder j and k"} <= legal
    assert "split j by 32" not in at_loop, "a loop of 32 is not split by 32"
    legal = {title for title, a in at_block.items() if not a.disabled}
    assert {'initialise "matmul" before k', 'initialise "matmul" before i', 'cache what "matmul" reads of A',
            'cache what "matmul" writes to D', 'compute "matmul" at i2'} <= legal
    assert all(a.edit is None and a.kind == KIND for a in [*at_loop.values(), *at_block.values()])
    assert not await actions(client, SCRIPT, "def main")
    assert not await actions(client, SCRIPT, "the module's comment")


async def test_refused_steps_are_disabled_with_their_reason(client):
    open_text(client, SCRIPT)
    if not resolves(client):
        return
    at_loop = await actions(client, SCRIPT, "k in T.grid")
    at_block = await actions(client, SCRIPT, 'T.block("matmul")')
    if not client.capabilities.text_document.code_action.disabled_support:
        assert "vectorize k" not in at_loop and "split k by 8" in at_loop
        return
    assert "k" in at_loop["vectorize k"].disabled.reason
    assert "matmul" in at_block['inline "matmul" into its readers'].disabled.reason
    with pytest.raises(JsonRpcException, match="k"):
        await ask(client.code_action_resolve_async(at_loop["vectorize k"]))


TWICE = '''\
from tvm.script import tir as T


@T.prim_func
def twice(A: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
    B = T.alloc_buffer((8,))
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
    for i in range(8):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            C[vi] = B[vi]
'''


async def test_loops_of_one_name_are_named_with_their_lines_as_these_are_now(client):
    """In findings, which are kept while lines come and go above, and in reasons."""
    open_text(client, TWICE)
    assert "at i#2 (line 11) = 7" in " ".join(d.message for d in await diagnostics(client))
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, client.uri),
        [t.TextDocumentContentChangePartial(t.Range(t.Position(0, 0), t.Position(0, 0)), "# one\n# two\n")]))
    assert "at i#2 (line 13) = 7" in " ".join(d.message for d in await diagnostics(client))
    if not resolves(client) or not client.capabilities.text_document.code_action.disabled_support:
        return
    at_block = await actions(client, "# one\n# two\n" + TWICE, 'T.block("C")')
    assert "loop `i#1 (line 9)`" in at_block['compute "C" at i#1'].disabled.reason


async def test_a_split_keeps_comments_and_words(client):
    open_text(client, SCRIPT)
    if not resolves(client):
        return
    found = await actions(client, SCRIPT, "i, j, k in")
    text, edits = await apply(client, SCRIPT, found["split i by 8"])
    assert text == SCRIPT.replace('''\
        for i, j, k in T.grid(128, 32, 64):  # the hot loop
            # one step of the sum
            with T.block("matmul"):
                vi = T.axis.spatial(128, i)  # row
                vj = T.axis.spatial(32, j)
                vk = T.axis.reduce(64, k)
                with T.init():
                    D[vi, vj] = T.float32(0)  # from nothing
                D[vi, vj] = D[vi, vj] + A[vi, vk] * W[vk, vj]
''', '''\
        for i_0, i_1, j, k in T.grid(16, 8, 32, 64):  # the hot loop
            # one step of the sum
            with T.block("matmul"):
                vi = T.axis.spatial(128, i_0 * 8 + i_1)  # row
                vj, vk = T.axis.remap("SR", [j, k])
                with T.init():
                    D[vi, vj] = T.float32(0)  # from nothing
                D[vi, vj] = D[vi, vj] + A[vi, vk] * W[vk, vj]
''')
    lines = SCRIPT.split("\n")
    touched = {n for e in edits for n in range(e.range.start.line, e.range.end.line)}
    assert all(n < lines.index("        for i2, j2 in T.grid(128, 32):") for n in touched), "only lines that change are edited"


async def test_every_legal_step_gives_a_text_with_all_comments(client):
    open_text(client, SCRIPT)
    if not resolves(client):
        return
    comments = re.findall("#.*", SCRIPT)
    count = 0
    for needle in ("i, j, k in", "j, k in", "k in T.grid", 'T.block("matmul")', "i2, j2 in", "j2 in", 'T.block("relu")'):
        for title, action in (await actions(client, SCRIPT, needle)).items():
            if action.disabled:
                continue
            try:
                text, _ = await apply(client, SCRIPT, action)
            except JsonRpcException as refused:  # there was no time to try it when it was listed
                assert "cannot be written" not in refused.message, title
                continue
            assert text != SCRIPT, title
            assert sorted(re.findall("#.*", text)) == sorted(comments), (title, text)
            count += 1
    assert count > 30


async def test_the_words_of_the_file_are_kept(client):
    if not resolves(client):
        return
    text = '''\
from tvm.script import tirx as tir


@tir.prim_func(s_tir=True)
def scale(A: tir.Buffer((60,), "float32"), B: tir.Buffer((60,), "float32")):
  for i in range(60):
    with tir.sblock("B"):
      vi = tir.axis.spatial(60, i)
      tir.reads(A[vi])
      tir.writes(B[vi])
      B[vi] = A[vi] * tir.float32(2)
'''
    open_text(client, text)
    new, _ = await apply(client, text, (await actions(client, text, "i in"))["split i by 16"])
    assert new == text.replace('''\
  for i in range(60):
    with tir.sblock("B"):
      vi = tir.axis.spatial(60, i)
      tir.reads(A[vi])
''', '''\
  for i_0, i_1 in tir.grid(4, 16):
    with tir.sblock("B"):
      vi = tir.axis.spatial(60, i_0 * 16 + i_1)
      tir.where(i_0 * 16 + i_1 < 60)
      tir.reads(A[vi])
''')
    text = text.replace("tir.sblock", "tir.block").replace("tirx as", "tir as").replace("(s_tir=True)", "")
    open_text(client, text)
    new, _ = await apply(client, text, (await actions(client, text, "i in"))["run i in parallel"])
    assert new == text.replace("for i in range(60)", "for i in tir.parallel(60)")


async def test_a_changed_document_is_refused(client):
    open_text(client, SCRIPT)
    if not resolves(client):
        return
    action = (await actions(client, SCRIPT, "j, k in"))["split j by 4"]
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(version=2, uri=client.uri),
        [t.TextDocumentContentChangeWholeDocument(SCRIPT.replace("32", "48"))]))
    with pytest.raises(JsonRpcException, match="changed"):
        await ask(client.code_action_resolve_async(action))


async def test_actions_that_are_whole_come_back_as_they_are(client):
    open_text(client, SCRIPT)
    whole = t.CodeAction(title="ä", kind="quickfix", edit=t.WorkspaceEdit(changes={}))
    assert await ask(client.code_action_resolve_async(whole)) == whole
    bare = t.CodeAction(title="b", data={"other": [1, None, "x"]})
    assert await ask(client.code_action_resolve_async(bare)) == bare


async def test_the_loop_tree(client):
    open_text(client, SCRIPT)
    where = {"textDocument": {"uri": client.uri}, "position": {"line": 11, "character": 4}}
    tree = await ask(client.protocol.send_request_async("rlx/scheduleTree", where))
    nodes = tree.nodes
    assert tree.function == "main"
    assert [n.label.split("  ")[0] for n in nodes] == ["for i in 128", "for j in 32", "for k in 64", 'block "matmul"', "for i2 in 128", "for j2 in 32",
                                                       'block "relu"']
    assert [n.parent for n in nodes] == [-1, 0, 1, 2, -1, 4, 5]
    assert [(n.range.start.line, n.range.start.character) for n in nodes[:3]] == [(11, 12), (11, 15), (11, 18)]
    titles = [a.title for a in nodes[1].actions]
    assert "split j by 4" in titles if resolves(client) else True
    named = await ask(client.protocol.send_request_async("rlx/scheduleTree", {"textDocument": {"uri": client.uri}, "function": "main"}))
    assert len(named.nodes) == len(nodes)
    head = {"textDocument": {"uri": client.uri}, "position": {"line": 0, "character": 0}}
    assert await ask(client.protocol.send_request_async("rlx/scheduleTree", head)) is None
    with pytest.raises(JsonRpcException, match="PrimFunc"):
        await ask(client.protocol.send_request_async("rlx/scheduleTree", {"textDocument": {"uri": client.uri}, "function": "none"}))


UNROLLED = '''\
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def copy(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(2):
        for j in T.unroll(8):
            with T.sblock("B"):
                vi = T.axis.spatial(16, i * 8 + j)
                B[vi] = A[vi]
'''


async def test_what_a_loop_is_already_is_not_offered(client):
    open_text(client, UNROLLED)
    found = await actions(client, UNROLLED, "j in T.unroll")
    assert "split j by 4" in found and "vectorize j" in found and "unroll j" not in found, sorted(found)
