"""What the tests of the server do alike: a script, places in it, questions with a time limit, edits."""
import asyncio
import pathlib
import re
import sys

from lsprotocol import types as t

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402, F401

HANG = 900  # seconds: what has not come then does not come any more, however slow or busy the machine is

SCRIPT = '''\
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        gv = R.nn.relu(x)
        return gv

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 3), "float32")):
        cls = Module
        n = T.int64()
        lv = cls.helper(x)
        lv1 = R.matmul(lv, w)
        lv2 = R.add(lv1, lv1)
        return lv2
'''


def open_text(client, text, version=1):
    client.text_document_did_open(t.DidOpenTextDocumentParams(
        t.TextDocumentItem(uri=client.uri, language_id="python", version=version, text=text)))


async def until(holds):
    """Waits until something holds that messages of the server bring about."""
    async def looks():
        while not holds():
            await asyncio.sleep(0.01)
    await ask(looks())


async def settled(client):
    """Waits until what the server publishes of all that it was told has come: what a client holds may be of before, and a count or a
    version that fits may be, too. Two empty documents are opened, one behind the other: the diagnostics of the first come when the server
    has asked for what it wants to know (settings), those of the second when it has the answers; what it answers then comes behind the
    diagnostics of all other documents."""
    for name in ("untitled:first", "untitled:second"):
        client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri=name, language_id="python", version=1, text="")))
        await until(lambda: client.published.pop(name, None))
    await ask(client.text_document_hover_async(t.HoverParams(t.TextDocumentIdentifier(name), t.Position(0, 0))))
    for name in ("untitled:first", "untitled:second"):
        client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(name)))


async def diagnostics(client, uri=None):
    """Diagnostics of a document as it was told last: pushed ones, or pulled ones where the client asks for them."""
    uri = uri or client.uri
    if client.capabilities.text_document.diagnostic is not None:
        report = await ask(client.text_document_diagnostic_async(t.DocumentDiagnosticParams(t.TextDocumentIdentifier(uri))))
        return report.items
    await settled(client)
    return client.diagnostics[uri]


def place(text, needle, skip=0, inside=0):
    """Position of the skip-th occurrence of `needle`, `inside` characters in."""
    at = -1
    for _ in range(skip + 1):
        at = text.index(needle, at + 1)
    at += inside
    line = text.count("\n", 0, at)
    return t.Position(line, at - (text.rfind("\n", 0, at) + 1))


def here(client, position):
    return {"text_document": t.TextDocumentIdentifier(client.uri), "position": position}


async def ask(awaitable):
    return await asyncio.wait_for(awaitable, HANG)


async def offered(client, params):
    """The code actions there, with their edits: a client that resolves edits gets none before it asks."""
    action = client.capabilities.text_document.code_action
    resolves = bool(action and action.resolve_support and "edit" in action.resolve_support.properties)
    found = []
    for one in await ask(client.text_document_code_action_async(params)) or []:
        assert one.disabled or one.data is None or resolves, one
        if resolves and not one.disabled:
            assert one.edit is None, one
            one = await ask(client.code_action_resolve_async(one))
        found.append(one)
    return found


def whole_items(client, found):
    """The items of a completion with the edits that they stand for: a client that knows defaults of a list gets what all replace once."""
    lists = client.capabilities.text_document.completion.completion_list
    knows = bool(lists and "editRange" in (lists.item_defaults or []))
    assert knows == (found.item_defaults is not None), found.item_defaults
    for item in found.items if knows else []:
        assert item.text_edit is None and item.insert_text is None, item
        span, text = found.item_defaults.edit_range, item.text_edit_text or item.label
        item.text_edit = t.TextEdit(span, text) if isinstance(span, t.Range) else t.InsertReplaceEdit(text, span.insert, span.replace)
    return found.items


def label_of(hint):
    """The label of an inlay hint, its parts put together."""
    return hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label)


def edits_of(action, uri):
    return edits_in(action.edit, uri)


def edits_in(edit, uri):
    """The edits of one document, with its version or without."""
    if edit.document_changes is None:
        return edit.changes[uri]
    return [e for change in edit.document_changes if change.text_document.uri == uri for e in change.edits]


def applied(text, edits):
    """`text`, which is ASCII, after LSP edits."""
    starts = [0] + [end.end() for end in re.finditer("\r\n|\n|\r", text)]

    def offset(position):
        return starts[position.line] + position.character

    for edit in sorted(edits, key=lambda e: (offset(e.range.start), offset(e.range.end)), reverse=True):
        text = text[:offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end):]
    return text
