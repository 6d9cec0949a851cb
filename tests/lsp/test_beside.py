"""Views are compiled beside the loop: other questions are answered meanwhile; progress, cancellation, and
what is compiled again after an edit."""
import asyncio
import time

import pytest
from lsprotocol import types as t

from session import ROOT, ask, here, open_text, place
from test_views import HAS_LLVM, SCRIPT

pytestmark = pytest.mark.skipif(not HAS_LLVM, reason="no LLVM")
LONG = (ROOT / "examples" / "attention_dynamic.py").read_text()


def start(client, name="asm", token=None, **more):
    if token:
        client.progress_reports.setdefault(token, [])
    return asyncio.ensure_future(client.workspace_execute_command_async(t.ExecuteCommandParams(
        f"rlx.view.{name}", [{"uri": client.uri, **more}], work_done_token=token)))


def reports(client, token):
    """Kind, message and percentage of what came with the token."""
    read = [lambda value, key: value.get(key), lambda value, key: getattr(value, key, None)]
    return [tuple(read[not isinstance(value, dict)](value, key) for key in ("kind", "message", "percentage")) for value in client.progress_reports[token]]


async def text_of(asked):
    answer = await asyncio.wait_for(asked, 60)
    return answer["text"] if isinstance(answer, dict) else answer.text


async def test_hover_while_a_view_compiles(client):
    open_text(client, LONG)
    assert await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(LONG, "R.matmul", 0, 3)))))
    asked = start(client)
    count = 0
    while not asked.done() and count < 20:
        assert await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(LONG, "R.matmul", 0, 3)))))
        count += 1
    assert count > 1  # the loop was free
    assert "ret" in await text_of(asked)


async def test_progress_with_the_token_of_the_request(client):
    open_text(client, SCRIPT)
    await text_of(start(client, token="mine"))
    got = reports(client, "mine")
    assert [kind for kind, _, _ in got] == ["begin"] + ["report"] * 4 + ["end"]
    assert [message for _, message, _ in got[1:-1]] == ["twice", "main", "sized", "constant"]
    shares = [share for _, _, share in got[1:-1]]
    assert shares == sorted(shares) and shares[-1] <= 100


async def test_cancelled_by_request_and_by_progress(client):
    open_text(client, LONG)
    params = t.ExecuteCommandParams("rlx.view.asm", [{"uri": client.uri}])
    asked = asyncio.ensure_future(client.protocol.send_request_async(t.WORKSPACE_EXECUTE_COMMAND, params, msg_id="a view"))
    await asyncio.sleep(0.05)
    client.cancel_request(t.CancelParams(id="a view"))
    with pytest.raises(Exception, match="cancelled"):
        await asyncio.wait_for(asked, 5)
    asked = start(client, token="mine")
    await asyncio.sleep(0.05)
    client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token="mine"))
    with pytest.raises(Exception, match="cancelled"):
        await asyncio.wait_for(asked, 5)
    assert (await text_of(start(client, "graph"))).startswith("digraph")


async def test_more_than_may_run_at_a_time(client):
    open_text(client, SCRIPT)
    texts = await asyncio.gather(*[text_of(start(client, kind, function=name)) for kind in ("tir", "llvm", "asm") for name in ("twice", "main", "sized")])
    assert len(texts) == 9 and all(texts)


async def test_an_edit_compiles_what_it_concerns(client):
    changed = SCRIPT.replace("R.nn.relu(x)", "R.nn.silu(x)")
    open_text(client, SCRIPT)
    before = await text_of(start(client, "tir"))
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, client.uri), [t.TextDocumentContentChangeWholeDocument(changed)]))
    asked = start(client, "tir", token="again")
    after = await text_of(asked)
    assert [message for _, message, _ in reports(client, "again")[1:-1]] == ["sized"]
    assert "silu" in after.lower() or "sigmoid" in after.lower() or "exp(" in after.split("# sized")[1]
    assert before.split("# sized")[0] == after.split("# sized")[0] and before != after
    begin = time.perf_counter()
    assert await text_of(start(client, "tir")) == after  # nothing is new
    assert time.perf_counter() - begin < 1


async def test_callees_count(client):
    script = SCRIPT.replace("gv = R.nn.relu(x)\n        return gv", "gv = Module.constant()\n        return gv")
    open_text(client, script)
    await text_of(start(client, "tir", function="sized"))
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, client.uri), [t.TextDocumentContentChangeWholeDocument(script.replace("R.ones", "R.zeros"))]))
    await text_of(start(client, "tir", token="callee", function="sized"))
    assert client.progress_reports["callee"]  # it was compiled
