"""Every request about every kind of half-typed text: it answers, and what it answers stands inside of the text.

A bar (│) marks the cursor.
"""
import os
import re

import attrs
import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from session import ask, diagnostics, open_text
from test_completion import below, prim, relax

IN_RELAX = (
    "y = R.add(x│", "y = R.add(x))│", "y = (R.add(│x, x", "y = R.reshape(x, [n, │", 'y = R.zeros((4,), "flo│', "y = R.ze│ros((4,), 'float32", "y = R.call_tir(cls.│scale, (x,",
    "y = cls.│", "y: R.Tensor((│n, 8", "if R.const(│", "with R.data│flow(", "return │", "y, │z = R.split(x", "y = x[│", "# R.add(x│", 'y = x  # "cls.│', '"""doc R.│',
    "y = \\│", "y = {│", "def inner(│", "@R.│", "x│x = = 3", "y = R.add(x,,│)", "y = 'a' f'{x│}'", "y = R.match_cast(x, R.Tensor((m│, 8)))", "from . import │a",
    "ｙ = R.add(│x, x)", 'y = "😀𝒳"; z = R.add(│x, x)', "lv = R.ad│d(x x)", "y = 3..│", "y = $│")
IN_PRIM = (
    "B[vi, vj] = A[vi, │", "T.│", "with T.sblock(│", "for k in T.grid(4, │", "if vi │", "A.│", "T.reads(A[│", "vk = T.axis.│spatial(8, j", "B[vi, vj] = A[vi vj│]",
    'T.evaluate(T.call_extern("│', "for │", "D = T.alloc_buffer((│")
BELOW = (
    "\n@│", "\n@R.function\ndef f(│", "\n@R.function\ndef f(x: R.Tensor((│", "\n@I.ir_module\nclass │", "\n@R.function(│", "\nfrom tvm.script import │", "\nimport tvm.│",
    'Module["│', "\n@T.prim_func\ndef k(a: T.handle):\n    A = T.match_buffer(a, │", "\n\t│", "\n@R.function\ndef f(x) -> │", "\n)│", "\n'''│", "\n@I.ir_module\nclass B:\n    @│")
OTHERS = ("│", "x = 1│", "\n│", "\ufeff" + relax("y = R.add(│x, x)"), relax("y = R.add(x, x)  # " + "a" * 50000 + "│"), relax("y = R.add(x, \0│)"))
TEXTS = [relax(line) for line in IN_RELAX] + [prim(line) for line in IN_PRIM] + [below(text) for text in BELOW] + list(OTHERS)

LAYOUTS = {"as Windows writes it": lambda text: text.replace("\n", "\r\n"), "with tabs": lambda text: text.replace("    ", "\t"),
           "behind letters of two units": lambda text: text.replace("x, x", "x, x  # 😀𝒳", 1)}


def units(client, text):
    """The length of `text` as positions count it."""
    encoding = client.init_result.capabilities.position_encoding
    return len(text.encode()) if encoding == t.PositionEncodingKind.Utf8 else len(text.encode("utf-16-le")) // 2


def positions(value, uri):
    """All positions in an answer, those in the data of an item and in other documents (an operator's page) left out."""
    if getattr(value, "uri", uri) != uri:
        return
    if isinstance(value, t.Position):
        yield value
    elif attrs.has(type(value)):
        for field in attrs.fields(type(value)):
            if field.name not in ("data", "command"):
                yield from positions(getattr(value, field.name), uri)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from positions(one, uri)


def outside(client, lines, value):
    return [at for at in positions(value, client.uri) if at.line > len(lines) or at.character > (units(client, lines[at.line]) if at.line < len(lines) else 0)]


async def answers(client, lines, at):
    """(what was asked, the answer), of all that can be asked at `at` and about the document."""
    document, option = t.TextDocumentIdentifier(client.uri), t.FormattingOptions(tab_size=4, insert_spaces=True)
    whole = t.Range(t.Position(0, 0), t.Position(len(lines) - 1, units(client, lines[-1])))
    place = {"text_document": document, "position": at}
    yield "hover", await ask(client.text_document_hover_async(t.HoverParams(**place)))
    yield "completion", await ask(client.text_document_completion_async(t.CompletionParams(**place)))
    yield "signature help", await ask(client.text_document_signature_help_async(t.SignatureHelpParams(**place)))
    yield "definition", await ask(client.text_document_definition_async(t.DefinitionParams(**place)))
    yield "declaration", await ask(client.text_document_declaration_async(t.DeclarationParams(**place)))
    yield "type definition", await ask(client.text_document_type_definition_async(t.TypeDefinitionParams(**place)))
    yield "references", await ask(client.text_document_references_async(t.ReferenceParams(context=t.ReferenceContext(True), **place)))
    yield "highlights", await ask(client.text_document_document_highlight_async(t.DocumentHighlightParams(**place)))
    yield "callers", await ask(client.text_document_prepare_call_hierarchy_async(t.CallHierarchyPrepareParams(**place)))
    yield "selection", await ask(client.text_document_selection_range_async(t.SelectionRangeParams(document, [at])))
    yield "on type", await ask(client.text_document_on_type_formatting_async(t.DocumentOnTypeFormattingParams(document, at, "\n", option)))
    yield "outline", await ask(client.text_document_document_symbol_async(t.DocumentSymbolParams(document)))
    yield "folding", await ask(client.text_document_folding_range_async(t.FoldingRangeParams(document)))
    yield "tokens", await ask(client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(document)))
    yield "lenses", await ask(client.text_document_code_lens_async(t.CodeLensParams(document)))
    yield "formatting", await ask(client.text_document_formatting_async(t.DocumentFormattingParams(document, option)))
    yield "hints", await ask(client.text_document_inlay_hint_async(t.InlayHintParams(document, whole)))
    try:
        yield "rename", await ask(client.text_document_rename_async(t.RenameParams(new_name="zz", **place)))
    except JsonRpcException as refused:
        assert refused.code == -32803, refused  # RequestFailed: with the reason
    actions = await ask(client.text_document_code_action_async(t.CodeActionParams(document, t.Range(at, at), t.CodeActionContext([])))) or []
    for action in actions:
        is_whole = action.edit or action.disabled or action.data is None
        yield f"action {action.title}", action.edit if is_whole else (await ask(client.code_action_resolve_async(action))).edit


async def check(client, marked):
    before, _, after = marked.partition("│")
    lines, above = re.split("\r\n|\r|\n", before + after), re.split("\r\n|\r|\n", before)
    open_text(client, before + after)
    wrong = [(marked[-60:], what, outside(client, lines, answer)[:2])
             async for what, answer in answers(client, lines, t.Position(len(above) - 1, units(client, above[-1]))) if outside(client, lines, answer)]
    client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
    return wrong


async def test_half_typed(client):
    assert [one for text in TEXTS for one in await check(client, text)] == []


@pytest.mark.parametrize("layout", LAYOUTS)
async def test_layouts_of_text(client, layout):
    assert [one for text in TEXTS[::5] for one in await check(client, LAYOUTS[layout](text))] == []


MODEL = '''\
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
        with R.dataflow():
            h = R.nn.relu(R.matmul(x, w))
            R.output(h)
        return h
'''


async def test_key_by_key(client):
    """A model that grows by a letter at a time, with what an editor asks meanwhile, ends as the model that is opened."""
    open_text(client, "")
    document, at = t.VersionedTextDocumentIdentifier(1, client.uri), t.Position(0, 0)
    for number, letter in enumerate(MODEL):
        document.version += 1
        client.text_document_did_change(t.DidChangeTextDocumentParams(document, [t.TextDocumentContentChangePartial(t.Range(at, at), letter)]))
        at = t.Position(at.line + 1, 0) if letter == "\n" else t.Position(at.line, at.character + 1)
        if number % 5:
            continue
        place = {"text_document": t.TextDocumentIdentifier(client.uri), "position": at}
        lines = MODEL[:number + 1].split("\n")
        for found in (await ask(client.text_document_completion_async(t.CompletionParams(**place))),
                      await ask(client.text_document_signature_help_async(t.SignatureHelpParams(**place))),
                      await ask(client.text_document_document_highlight_async(t.DocumentHighlightParams(**place)))):
            assert outside(client, lines, found) == []
    tokens = await ask(client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(t.TextDocumentIdentifier(client.uri))))
    found = await ask(client.text_document_hover_async(t.HoverParams(t.TextDocumentIdentifier(client.uri), t.Position(8, 12))))
    client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
    open_text(client, MODEL)
    assert (await ask(client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(t.TextDocumentIdentifier(client.uri))))).data == tokens.data
    fresh = await ask(client.text_document_hover_async(t.HoverParams(t.TextDocumentIdentifier(client.uri), t.Position(8, 12))))
    assert fresh == found and "R.Tensor((n, 4)" in str(found.contents)


async def test_files_that_go_while_they_are_open(client, tmp_path):
    """What the editor holds counts: the file may be deleted, or moved, and the module that it imports may go and come."""
    module, script = tmp_path / "sizes.py", tmp_path / "model.py"
    text = 'from tvm.script import relax as R\nfrom sizes import WIDTH\n\n\n@R.function\ndef f(x: R.Tensor((4, WIDTH), "float32")):\n    y = R.nn.relu(x)\n    return y\n'
    module.write_text("WIDTH = 8\n")
    script.write_text(text)
    open_text(client, text)
    await diagnostics(client)
    place = t.HoverParams(t.TextDocumentIdentifier(client.uri), t.Position(6, 4))
    assert "(4, 8)" in str((await ask(client.text_document_hover_async(place))).contents)
    script.rename(tmp_path / "other.py")
    os.remove(tmp_path / "other.py")
    client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([t.FileEvent(client.uri, t.FileChangeType.Deleted)]))
    assert "(4, 8)" in str((await ask(client.text_document_hover_async(place))).contents)
    changed = {"deleted": t.FileChangeType.Deleted, "made": t.FileChangeType.Created}
    for what, shape in (("deleted", None), ("made", "(4, 16)")):
        if what == "deleted":
            module.unlink()
        else:
            module.write_text("WIDTH = 16\n")
        client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([t.FileEvent(module.as_uri(), changed[what])]))
        found = str((await ask(client.text_document_hover_async(place))).contents)
        assert shape in found if shape else "(4, 8)" not in found, (what, found)
