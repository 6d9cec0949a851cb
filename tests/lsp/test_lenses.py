"""Lenses that count uses, formatting of several ranges and while typing, through pytest-lsp."""
import pytest
from lsprotocol import types as t

from session import SCRIPT, applied, ask, diagnostics, open_text, place


def change(client, text, version=2):
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(uri=client.uri, version=version), [t.TextDocumentContentChangeWholeDocument(text)]))


async def uses(client):
    lenses = await ask(client.text_document_code_lens_async(t.CodeLensParams(t.TextDocumentIdentifier(client.uri))))
    assert all(lens.command or lens.data for lens in lenses)
    return [lens for lens in lenses if not lens.command]


async def test_references_are_counted_when_a_lens_is_seen(client):
    open_text(client, SCRIPT)
    await diagnostics(client)
    helper, main = [await ask(client.code_lens_resolve_async(lens)) for lens in await uses(client)]
    assert (helper.command.title, main.command.title) == ("1 reference", "0 references")
    assert helper.range.start == place(SCRIPT, "helper(x: ")
    uri, position, places = helper.command.arguments
    assert uri == client.uri and helper.command.command == "rlx.showReferences"
    assert position["line"] == helper.range.start.line
    assert [p["range"]["start"] for p in places] == [{"line": p.line, "character": p.character} for p in [place(SCRIPT, "helper(x)\n")]]


async def test_what_is_not_on_disk_cannot_be_run(client):
    for uri, wanted in ((client.uri, ["run with inputs…", "normal form", "TIR"] * 2), ("untitled:Untitled-1", ["normal form", "TIR"] * 2)):
        client.uri = uri
        open_text(client, SCRIPT)
        lenses = await ask(client.text_document_code_lens_async(t.CodeLensParams(t.TextDocumentIdentifier(uri))))
        assert [lens.command.title for lens in lenses if lens.command] == wanted


async def test_a_lens_of_an_older_text(client):
    open_text(client, SCRIPT)
    lens = (await uses(client))[0]
    change(client, "\n\n" + SCRIPT)
    found = await ask(client.code_lens_resolve_async(lens))
    assert found.command.title == "1 reference" and found.range.start.line == lens.range.start.line + 2
    change(client, SCRIPT.replace("helper", "other"), 3)
    with pytest.raises(Exception, match="changed"):
        await ask(client.code_lens_resolve_async(lens))


async def test_resolving_twice_changes_nothing(client):
    open_text(client, SCRIPT)
    lenses = await ask(client.text_document_code_lens_async(t.CodeLensParams(t.TextDocumentIdentifier(client.uri))))
    whole = next(lens for lens in lenses if lens.command)
    assert await ask(client.code_lens_resolve_async(whole)) == whole


def range_of(text, needle):
    start = place(text, needle)
    return t.Range(start, t.Position(start.line, start.character + len(needle)))


async def test_ranges_are_formatted_and_nothing_else(client):
    text = SCRIPT.replace("R.nn.relu(x)", "R.nn.relu( x )").replace("R.matmul(lv, w)", "R.matmul(lv ,w)").replace("R.add(lv1, lv1)", "R.add(lv1,lv1)")
    open_text(client, text)
    edits = await ask(client.text_document_ranges_formatting_async(t.DocumentRangesFormattingParams(
        text_document=t.TextDocumentIdentifier(client.uri), options=t.FormattingOptions(4, True),
        ranges=[range_of(text, "R.nn.relu( x )"), range_of(text, "relu( x )"), range_of(text, "R.add(lv1,lv1)")])))
    assert applied(text, edits) == SCRIPT.replace("R.matmul(lv, w)", "R.matmul(lv ,w)")


async def typed(client, text, after):
    """The edits for a line end that was typed behind `after`, which `text` holds with it."""
    position = place(text, after + "\n", inside=len(after))
    return await ask(client.text_document_on_type_formatting_async(t.DocumentOnTypeFormattingParams(
        t.TextDocumentIdentifier(client.uri), t.Position(position.line + 1, 0), "\n", t.FormattingOptions(4, True))))


async def test_a_line_is_formatted_when_the_next_one_begins(client):
    text = SCRIPT.replace("R.matmul(lv, w)", "R.matmul(lv ,w)").replace("R.add(lv1, lv1)", "R.add(lv1,lv1)")
    open_text(client, text)
    edits = await typed(client, text, "R.matmul(lv ,w)")
    assert applied(text, edits) == SCRIPT.replace("R.add(lv1, lv1)", "R.add(lv1,lv1)")
    assert not await typed(client, text, "def main(x: R.Tensor((\"n\", 4), \"float32\"), w: R.Tensor((4, 3), \"float32\")):")


async def test_nothing_is_formatted_in_an_open_bracket_or_outside(client):
    text = SCRIPT.replace("R.add(lv1, lv1)", "R.add(lv1 ,\n            lv1)") + "x = ( 1 )\n"
    open_text(client, text)
    assert not await typed(client, text, "R.add(lv1 ,")
    assert not await typed(client, text, "x = ( 1 )")
