"""Requests about a whole project: their answers in parts where the client asks for that, and cancelled whether they wait, are worked out
or run beside the loop."""
import asyncio

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from session import ask, here, open_text, place

pytestmark = pytest.mark.parametrize("client", ["visual-studio-code"], indirect=True)

CANCELLED = -32800
CALLS = 30
LIBRARY = '''\
from tvm.script import ir as I, relax as R


@I.ir_module
class Library:
    @R.function
    def twice(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(x, x)
'''
FILES = 12


def user(number):
    return f"from library import Library\nfrom tvm.script import relax as R\n\n\n@R.function\ndef user{number}(x: R.Tensor((4,), \"float32\")):\n" + \
        "".join(f"    y{k} = Library.twice(x)\n" for k in range(CALLS)) + "    z = R.add(x, nothing)\n    return x\n" + \
        "".join(f"\n\n@R.function\ndef other{number}_{k}(x: R.Object):\n    return x\n" for k in range(CALLS))


@pytest.fixture
def project(client, tmp_path):
    for number in range(FILES):
        (tmp_path / f"user{number}.py").write_text(user(number))
    (tmp_path / "library.py").write_text(LIBRARY)
    client.uri = (tmp_path / "library.py").as_uri()
    open_text(client, LIBRARY)
    return tmp_path


CONVERT = t.METHOD_TO_TYPES


async def send(client, method, params, number):
    return await client.protocol.send_request_async(method, params, msg_id=number)


def questions(client):
    """Method to parameters of what may take long, about the name of the function or the whole project."""
    at = here(client, place(LIBRARY, "twice", 0, 1))
    where = {"text_document": t.TextDocumentIdentifier(client.uri)}
    span = t.Range(place(LIBRARY, "R.add"), place(LIBRARY, "R.add"))
    return {
        t.TEXT_DOCUMENT_REFERENCES: t.ReferenceParams(context=t.ReferenceContext(include_declaration=True), **at),
        t.WORKSPACE_SYMBOL: t.WorkspaceSymbolParams("other"),
        t.WORKSPACE_DIAGNOSTIC: t.WorkspaceDiagnosticParams(previous_result_ids=[]),
        t.TEXT_DOCUMENT_DOCUMENT_SYMBOL: t.DocumentSymbolParams(**where),
        t.TEXT_DOCUMENT_FOLDING_RANGE: t.FoldingRangeParams(**where),
        t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: t.DocumentHighlightParams(**at),
        t.TEXT_DOCUMENT_CODE_ACTION: t.CodeActionParams(range=span, context=t.CodeActionContext(diagnostics=[]), **where),
        t.TEXT_DOCUMENT_CODE_LENS: t.CodeLensParams(**where),
        t.TEXT_DOCUMENT_SELECTION_RANGE: t.SelectionRangeParams(positions=[place(LIBRARY, "twice")], **where),
        t.TEXT_DOCUMENT_DEFINITION: t.DefinitionParams(**at),
    }


def items_of(result):
    return result.items if hasattr(result, "items") else [result] if isinstance(result, t.Location) else result


@pytest.mark.parametrize("method", questions(type("Any", (), {"uri": "file:///a"})))
async def test_all_of_an_answer_comes_in_parts(client, project, method):
    """The first question and a later one, which finds what the first has read."""
    for number in range(2):
        params = questions(client)[method]
        params.partial_result_token = f"parts{number}"
        client.messages.parts[params.partial_result_token] = []
        last = await ask(send(client, method, params, f"in parts {number}"))
        parts = client.messages.parts[params.partial_result_token]
        params.partial_result_token = None
        whole = items_of(await ask(send(client, method, params, f"whole {number}")))
        assert whole
        if isinstance(last, t.Location):  # one place is no list
            assert not parts and [last] == whole
            continue
        assert not items_of(last) and parts
        read = client.protocol._converter.structure
        kind = CONVERT[method][1]
        got = [item for part in parts for item in items_of(read({"jsonrpc": "2.0", "id": 1, "result": part}, kind).result)]
        assert got == list(whole)


async def test_a_long_list_comes_in_several_parts(client, project):
    params = questions(client)[t.TEXT_DOCUMENT_REFERENCES]
    params.partial_result_token = 7
    client.messages.parts[7] = []
    assert not await ask(send(client, t.TEXT_DOCUMENT_REFERENCES, params, "references"))
    sizes = [len(part) for part in client.messages.parts[7]]
    assert sum(sizes) == FILES * CALLS + 1 and len(sizes) > 1 and max(sizes) < sum(sizes)


LONG = {t.TEXT_DOCUMENT_REFERENCES, t.WORKSPACE_SYMBOL, t.WORKSPACE_DIAGNOSTIC}


@pytest.mark.parametrize("method", sorted(LONG | {t.TEXT_DOCUMENT_RENAME, t.CALL_HIERARCHY_INCOMING_CALLS}))
async def test_what_runs_beside_is_cancelled(client, project, method):
    item, = await ask(client.text_document_prepare_call_hierarchy_async(t.CallHierarchyPrepareParams(**here(client, place(LIBRARY, "twice", 0, 1)))))
    params = {**questions(client), t.TEXT_DOCUMENT_RENAME: t.RenameParams(new_name="double", **here(client, place(LIBRARY, "twice", 0, 1))),
              t.CALL_HIERARCHY_INCOMING_CALLS: t.CallHierarchyIncomingCallsParams(item)}[method]
    asked = asyncio.ensure_future(send(client, method, params, "long"))
    await asyncio.sleep(0)  # it is sent
    client.cancel_request(t.CancelParams(id="long"))
    with pytest.raises(JsonRpcException) as refused:
        await ask(asked)
    assert refused.value.code == CANCELLED
    assert await ask(send(client, method, params, "again"))  # and it can be asked again


async def test_many_that_wait_are_cancelled_each(client, project):
    """More than may run at a time."""
    params = questions(client)
    asked = {number: asyncio.ensure_future(send(client, t.TEXT_DOCUMENT_REFERENCES, params[t.TEXT_DOCUMENT_REFERENCES], number)) for number in range(1000, 1008)}
    await asyncio.sleep(0)
    for number in asked:
        if number % 2:
            client.cancel_request(t.CancelParams(id=number))
    for number, one in asked.items():
        if number % 2:
            with pytest.raises(JsonRpcException) as refused:
                await ask(one)
            assert refused.value.code == CANCELLED
        else:
            assert len(await ask(one)) == FILES * CALLS + 1
