"""Notebooks through pytest-lsp: the cells of one are one file with one namespace."""
import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from conformance import Client
from session import ask, diagnostics, place, whole_items

IMPORTS = "%load_ext autoreload\nfrom tvm.script import ir as I\nfrom tvm.script import relax as R, tir as T\n!ls"
MODULE = '''\
@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        gv = R.nn.relu(x)
        return gv
'''
FUNCTION = '''\
@R.function
def main(y: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 3), "float32")):
    lv = R.matmul(y, w)
    return lv'''
BAD = FUNCTION.replace("(4, 3)", "(5, 3)")
SIZES = "N = 4\nM = 8"
USES = '@R.function\ndef sized(z: R.Tensor((N, M), "float32")):\n    lv9 = R.add(z, z)\n    return lv9'


class Book:
    """A notebook as an editor keeps it, and tells the server about."""

    def __init__(self, client, tmp_path):
        self.client, self.uri, self.version, self.made = client, (tmp_path / "book.ipynb").as_uri(), 1, 0
        self.cells = []  # [uri, kind, text, version]

    def make(self, text, kind=t.NotebookCellKind.Code):
        self.made += 1
        return [f"vscode-notebook-cell:/book.ipynb#C{self.made}", kind, text, 1]

    def item(self, cell):
        return t.TextDocumentItem(uri=cell[0], language_id="python" if cell[1] == t.NotebookCellKind.Code else "markdown", version=cell[3], text=cell[2])

    def open(self, *texts):
        self.cells = [self.make(text) for text in texts]
        self.client.notebook_document_did_open(t.DidOpenNotebookDocumentParams(
            t.NotebookDocument(uri=self.uri, notebook_type="jupyter-notebook", version=1,
                               cells=[t.NotebookCell(kind=c[1], document=c[0]) for c in self.cells]),
            [self.item(c) for c in self.cells]))

    def change(self, cells):
        self.version += 1
        self.client.notebook_document_did_change(t.DidChangeNotebookDocumentParams(
            t.VersionedNotebookDocumentIdentifier(version=self.version, uri=self.uri),
            t.NotebookDocumentChangeEvent(cells=cells)))

    def splice(self, start, remove, new=(), opened=(), closed=()):
        self.cells[start:start + remove] = list(new)
        self.change(t.NotebookDocumentCellChanges(structure=t.NotebookDocumentCellChangeStructure(
            array=t.NotebookCellArrayChange(start=start, delete_count=remove,
                                            cells=[t.NotebookCell(kind=c[1], document=c[0]) for c in new]),
            did_open=[self.item(c) for c in opened],
            did_close=[t.TextDocumentIdentifier(c[0]) for c in closed])))

    def insert(self, at, text, kind=t.NotebookCellKind.Code):
        cell = self.make(text, kind)
        self.splice(at, 0, [cell], opened=[cell])

    def delete(self, at):
        cell = self.cells[at]
        self.splice(at, 1, closed=[cell])

    def move(self, at, to):  # as editors do: away with it, then there it is again
        order = list(self.cells)
        order.insert(to, order.pop(at))
        first, last = min(at, to), max(at, to)
        self.splice(first, last - first + 1, order[first:last + 1])

    def edit(self, at, old, new):
        cell = self.cells[at]
        start, end = place(cell[2], old), place(cell[2], old, inside=len(old))
        cell[2], cell[3] = cell[2].replace(old, new, 1), cell[3] + 1
        self.change(t.NotebookDocumentCellChanges(text_content=[t.NotebookDocumentCellContentChanges(
            document=t.VersionedTextDocumentIdentifier(version=cell[3], uri=cell[0]),
            changes=[t.TextDocumentContentChangePartial(range=t.Range(start, end), text=new)])]))

    def at(self, index, needle, skip=0, inside=0):
        return {"text_document": t.TextDocumentIdentifier(self.cells[index][0]),
                "position": place(self.cells[index][2], needle, skip, inside)}

    async def errors(self, index):
        """Code and line of each error in a cell."""
        return self.errors_of(await diagnostics(self.client, self.cells[index][0]))

    @staticmethod
    def errors_of(found):
        return [(d.code, d.range.start.line) for d in found if d.severity == t.DiagnosticSeverity.Error]


async def test_server_takes_notebooks(client):
    sync = client.init_result.capabilities.notebook_document_sync
    assert {cell.language for cell in sync.notebook_selector[0].cells} >= {"python"}


async def test_diagnostics_stand_in_their_cells(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, "# Text: 1 + + 2", MODULE, BAD)
    (code, line), = await book.errors(3)
    assert [await book.errors(i) for i in range(3)] == [[], [], []]
    assert code.startswith("RLX03") and line == 2
    book.edit(3, "(5, 3)", "(4, 3)")
    assert await book.errors(3) == []


async def test_cells_come_go_and_move(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, BAD)
    (_, line), = await book.errors(1)
    book.insert(1, MODULE)
    book.insert(1, "# Heading\nThis is no Python: def def", t.NotebookCellKind.Markup)
    assert [len(await book.errors(i)) for i in (0, 2, 3)] == [0, 0, 1]
    assert (await book.errors(3))[0][1] == line
    book.move(3, 1)
    assert [len(await book.errors(i)) for i in (0, 1, 3)] == [0, 1, 0]
    assert (await book.errors(1))[0][1] == line
    gone = book.cells[1][0]
    book.delete(1)
    assert [len(await book.errors(i)) for i in (0, 2)] == [0, 0]
    if client.capabilities.text_document.diagnostic is None:  # it was told that this one shows nothing any more
        assert not client.diagnostics[gone]


async def test_one_namespace(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, SIZES, USES)
    assert await book.errors(2) == []
    hover = await ask(client.text_document_hover_async(t.HoverParams(**book.at(2, "lv9"))))
    assert "R.Tensor((4, 8)" in hover.contents.value
    book.edit(1, "N = 4", "N = 5")
    hover = await ask(client.text_document_hover_async(t.HoverParams(**book.at(2, "lv9"))))
    assert "R.Tensor((5, 8)" in hover.contents.value
    if hover.range:
        assert hover.range.start.line == 2


async def test_places_in_other_cells(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, MODULE, FUNCTION)
    use = book.at(2, "y, w", inside=3)
    location = await ask(client.text_document_definition_async(t.DefinitionParams(**use)))
    location = location[0] if isinstance(location, list) else location
    assert (location.uri, location.range.start) == (book.cells[2][0], place(FUNCTION, "w: R"))
    found = await ask(client.text_document_references_async(t.ReferenceParams(
        context=t.ReferenceContext(include_declaration=True), **book.at(1, "gv ="))))
    assert {f.uri for f in found} == {book.cells[1][0]} and len(found) == 2
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="weight", **use)))
    edits = edit.changes[book.cells[2][0]] if edit.changes else edit.document_changes[0].edits
    assert [e.range.start for e in edits] == [place(FUNCTION, "w: R"), place(FUNCTION, "w)")]
    symbols = await ask(client.workspace_symbol_async(t.WorkspaceSymbolParams("helper")))
    assert symbols[0].location.uri == book.cells[1][0]
    assert symbols[0].location.range.start == place(MODULE, "helper")


async def test_shape_of_a_cell(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, MODULE, FUNCTION)
    cell = t.TextDocumentIdentifier(book.cells[2][0])
    symbols = await ask(client.text_document_document_symbol_async(t.DocumentSymbolParams(cell)))
    assert symbols[0].name == "main" and all(s.name != "Module" for s in symbols)
    folds = await ask(client.text_document_folding_range_async(t.FoldingRangeParams(cell)))
    assert [(f.start_line, f.end_line) for f in folds] == [(1, 3)]
    hints = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        cell, t.Range(t.Position(0, 0), t.Position(4, 0)))))
    assert [h.position.line for h in hints] == [2]
    tokens = await ask(client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(cell)))
    assert list(tokens.data[:2]) == [0, 1] and tokens.result_id is None  # R of @R.function
    assert sum(tokens.data[0::5]) == 3
    lenses = await ask(client.text_document_code_lens_async(t.CodeLensParams(cell)))
    assert {lens.range.start.line for lens in lenses} == {1}
    assert [lens.command.title for lens in lenses if lens.command] == ["normal form", "TIR"]  # `rlx run` reads no notebook
    items = (await ask(client.text_document_completion_async(t.CompletionParams(**book.at(2, "matmul", inside=3))))).items
    assert any(i.label == "matmul" for i in items)
    selected = (await ask(client.text_document_selection_range_async(t.SelectionRangeParams(cell, [place(FUNCTION, "y, w)")]))))[0]
    while selected:
        assert 0 <= selected.range.start.line <= selected.range.end.line <= 3
        selected = selected.parent


async def test_magic_and_other_languages(client, tmp_path):
    book = Book(client, tmp_path)
    book.open("%%bash\nfor f in *; do echo 'ü' \"; done", "%timeit f(1)\nif True:\n    !ls\nR.add?", IMPORTS, FUNCTION)
    assert [await book.errors(i) for i in range(4)] == [[], [], [], []]


async def test_closed_notebook(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, BAD)
    await book.errors(1)
    client.notebook_document_did_close(t.DidCloseNotebookDocumentParams(
        t.NotebookDocumentIdentifier(book.uri), [t.TextDocumentIdentifier(c[0]) for c in book.cells]))
    other = Book(client, tmp_path)
    other.uri = (tmp_path / "other.ipynb").as_uri()
    other.open(IMPORTS, FUNCTION)
    assert await other.errors(1) == []


async def test_an_offer_brings_its_import_into_its_own_cell(client, tmp_path):
    book = Book(client, tmp_path)
    book.open("import os\n", "k = 1\nmatm", "sigm")
    for cell, line, label in ((1, 1, "R.matmul"), (2, 0, "R.sigmoid")):
        found = await ask(client.text_document_completion_async(t.CompletionParams(
            t.TextDocumentIdentifier(book.cells[cell][0]), t.Position(line, 4))))
        (item,) = [i for i in whole_items(client, found) if i.label == label]
        new = item.text_edit.new_text + "".join(e.new_text for e in item.additional_text_edits or [])
        assert "from tvm.script import relax as R" in new, item
        assert all(e.range.start == t.Position(0, 0) for e in item.additional_text_edits or [])


async def test_answers_that_are_completed_later(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, MODULE.replace("gv = R.nn.relu(x)", "gv = Module.more(x)") + "    @R.function\n    def more(x: R.Tensor((\"n\", 4), \"float32\")):\n        return x\n", FUNCTION)
    cell = t.TextDocumentIdentifier(book.cells[1][0])
    lenses = await ask(client.text_document_code_lens_async(t.CodeLensParams(cell)))
    resolved = [await ask(client.code_lens_resolve_async(lens)) for lens in lenses if not lens.command]
    assert [lens.command.title for lens in resolved] == ["0 references", "1 reference"]
    assert [lens.range.start.line for lens in resolved] == [3, 7]
    uri, _, (use,) = resolved[1].command.arguments
    assert uri == use["uri"] == cell.uri and use["range"]["start"]["line"] == 4
    hints = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(book.cells[2][0]), t.Range(t.Position(0, 0), t.Position(4, 0)))))
    hint = await ask(client.inlay_hint_resolve_async(hints[0]))
    assert hint.position == hints[0].position


def test_flat_symbols_and_tokens_are_those_of_the_cell():
    """A client without trees gets the names of the cell that it asks about, and no tokens of others."""
    client = Client({"textDocument": {"documentSymbol": {}}}, False)
    cells = [(f"vscode-notebook-cell:/book.ipynb#{i}", text) for i, text in enumerate((IMPORTS, MODULE, FUNCTION))]
    client.notify("notebookDocument/didOpen", {
        "notebookDocument": {"uri": "file:///book.ipynb", "notebookType": "jupyter-notebook", "version": 1, "cells": [{"kind": 2, "document": uri} for uri, _ in cells]},
        "cellTextDocuments": [{"uri": uri, "languageId": "python", "version": 1, "text": text} for uri, text in cells]})
    names = []
    for uri, text in cells:
        found = client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"]
        assert all(symbol["location"]["uri"] == uri for symbol in found)
        names.append({symbol["name"] for symbol in found})
        data = client.call("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["result"]["data"]
        assert bool(data) == (text != IMPORTS) and sum(data[::5]) <= text.count("\n")
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}
        assert data == client.call("textDocument/semanticTokens/range", {"textDocument": {"uri": uri}, "range": whole})["result"]["data"]
    client.server.kill()
    assert not names[0] and "Module" in names[1] and "main" in names[2] and not names[1] & {"main"}


async def test_a_cell_that_comes_back_keeps_its_text(client, tmp_path):
    """Some editors move a cell in two steps: it goes without being closed, and comes elsewhere without being opened."""
    book = Book(client, tmp_path)
    book.open(IMPORTS, MODULE, BAD)
    (_, line), = await book.errors(2)
    cell = book.cells[2]
    book.splice(2, 1)
    assert [len(await book.errors(i)) for i in (0, 1)] == [0, 0]
    book.splice(1, 0, [cell])
    assert [found for _, found in await book.errors(1)] == [line]
    book.splice(1, 1, closed=[cell])
    book.splice(1, 0, [cell])  # nothing is known of it: it was closed
    assert [len(await book.errors(i)) for i in (0, 1, 2)] == [0, 0, 0]


async def test_lines_are_those_of_cells(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, "\n" + SIZES, USES, FUNCTION + "\n")
    for cell, word, where in ((1, "N", "bound on line 2."), (2, "N,", "bound on line 2 of cell 2.")):
        hover = await ask(client.text_document_hover_async(t.HoverParams(**book.at(cell, word))))
        assert where in hover.contents.value, hover.contents.value
    hover = await ask(client.text_document_hover_async(t.HoverParams(**book.at(3, "lv"))))
    assert "(line 2)" in hover.contents.value and ".ipynb" not in hover.contents.value, hover.contents.value


PRIM = '''\
@T.prim_func
def scale(a: T.handle, k: T.int32):
    m = T.int32()
    A = T.match_buffer(a, (m,), "float32")
    A[k] = A[k + 1]
    for i in range(m):
        A[i] = A[k]
'''


async def test_lines_in_primfuncs_and_reasons_are_those_of_cells(client, tmp_path):
    book = Book(client, tmp_path)
    book.open(IMPORTS, SIZES, PRIM)
    hover = await ask(client.text_document_hover_async(t.HoverParams(**book.at(2, "k]", 1))))
    assert "A[k + 1] in line 5)" in hover.contents.value, hover.contents.value
    for cell, word, new, where in ((1, "N", "M", "in line 2"), (1, "N", "scale", "in line 2 of cell 3"), (2, "i]", "m", "in line 6")):
        with pytest.raises(JsonRpcException, match=where + "$"):
            await ask(client.text_document_rename_async(t.RenameParams(**book.at(cell, word), new_name=new)))
