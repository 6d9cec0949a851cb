"""Views are compiled beside the loop: other questions are answered meanwhile; progress, cancellation, and
what is compiled again after an edit."""
import asyncio
import os

import pytest
from lsprotocol import types as t

from session import ask, here, open_text, place, until
from test_views import HAS_LLVM, LONG, SCRIPT

pytestmark = pytest.mark.skipif(not HAS_LLVM, reason="no LLVM")


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
    answer = await ask(asked)
    return answer["text"] if isinstance(answer, dict) else answer.text


async def test_hover_while_a_view_compiles(client):
    open_text(client, LONG)
    asked = start(client, token="mine")
    for _ in range(3):
        assert await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(LONG, "R.matmul", 0, 3)))))
    assert not asked.done()  # the loop was free
    client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token="mine"))
    with pytest.raises(Exception, match="cancelled"):
        await ask(asked)


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
    client.progress_reports["first"] = []
    params = t.ExecuteCommandParams("rlx.view.asm", [{"uri": client.uri}], work_done_token="first")
    asked = asyncio.ensure_future(client.protocol.send_request_async(t.WORKSPACE_EXECUTE_COMMAND, params, msg_id="a view"))
    await until(lambda: client.progress_reports["first"])
    client.cancel_request(t.CancelParams(id="a view"))
    with pytest.raises(Exception, match="cancelled"):
        await ask(asked)
    asked = start(client, token="mine")
    await until(lambda: client.progress_reports["mine"])
    client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token="mine"))
    with pytest.raises(Exception, match="cancelled"):
        await ask(asked)
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
    assert await text_of(start(client, "tir", token="nothing new")) == after
    assert [message for _, message, _ in reports(client, "nothing new")[1:-1]] == []
    at = changed.index("gv = R.nn.silu")  # what means nothing compiles nothing
    commented = changed[:changed.rindex("\n", 0, at)] + "\n\n        # a comment" + changed[changed.rindex("\n", 0, at):]
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(3, client.uri), [t.TextDocumentContentChangeWholeDocument(commented)]))
    assert await text_of(start(client, "tir", token="a comment")) == after
    assert [message for _, message, _ in reports(client, "a comment")[1:-1]] == []


async def test_callees_count(client):
    script = SCRIPT.replace("gv = R.nn.relu(x)\n        return gv", "gv = Module.constant()\n        return gv")
    open_text(client, script)
    await text_of(start(client, "tir", function="sized"))
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, client.uri), [t.TextDocumentContentChangeWholeDocument(script.replace("R.ones", "R.zeros"))]))
    await text_of(start(client, "tir", token="callee", function="sized"))
    assert client.progress_reports["callee"]  # it was compiled


def children_of(pid):
    return [int(child) for task in os.listdir(f"/proc/{pid}/task") for child in open(f"/proc/{pid}/task/{task}/children").read().split()]


def slice_of(pid):
    """Nanoseconds that the scheduler gives the process at a time; None: this kernel does not say, or lets nobody choose."""
    if tuple(int(part) for part in os.uname().release.split(".")[:2]) < (6, 12):
        return None
    try:
        return next((int(row.split(":")[1]) for row in open(f"/proc/{pid}/sched") if row.startswith("se.slice")), None)
    except OSError:
        return None


async def test_what_compiles_gives_way(client):
    """The server runs as soon as there is something to answer; what it started in the background is no hindrance."""
    open_text(client, LONG)
    asked = start(client, token="mine")
    await until(lambda: reports(client, "mine"))
    server = client._server.pid
    await until(lambda: len(children_of(server)) == 1)  # another one may be about to end
    beside = children_of(server)
    await until(lambda: os.getpriority(os.PRIO_PROCESS, beside[0]) >= 5 and os.sched_getscheduler(beside[0]) == os.SCHED_BATCH)
    own = slice_of(server)
    if own is not None:
        assert own < slice_of(beside[0])
    client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token="mine"))
    with pytest.raises(Exception, match="cancelled"):
        await ask(asked)
