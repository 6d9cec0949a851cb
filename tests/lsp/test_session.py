"""The language server through pytest-lsp: what the specification does not allow is an error."""

import pytest
from lsprotocol import types as t

from session import label_of, SCRIPT, ask, diagnostics, edits_in, edits_of, here, offered, open_text, place, until

BROKEN = SCRIPT.replace("(4, 3)", "(5, 3)")


async def test_server_says_who_it_is(client):
    assert client.init_result.server_info.name == "rlx"
    assert client.init_result.capabilities.hover_provider
    open_text(client, SCRIPT)
    assert [d for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error] == []


async def test_mistake_and_its_repair(client):
    open_text(client, BROKEN)
    errors = [d for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error]
    assert len(errors) == 1 and errors[0].source == "rlx" and errors[0].code.startswith("RLX03")
    assert errors[0].range.start.line == 15
    start = place(BROKEN, "(5, 3)", inside=1)
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(uri=client.uri, version=2),
        [t.TextDocumentContentChangePartial(range=t.Range(start, t.Position(start.line, start.character + 1)), text="4")]))
    assert [d for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error] == []


async def test_hover(client):
    open_text(client, SCRIPT)
    await diagnostics(client)
    on_var = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(SCRIPT, "lv1 =")))))
    assert 'R.Tensor((n, 3), dtype="float32")' in on_var.contents.value
    on_op = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(SCRIPT, "matmul")))))
    assert "R.matmul(" in on_op.contents.value
    on_symbol = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place(SCRIPT, "n = T.int64")))))
    assert "ymbolic variable" in on_symbol.contents.value
    nothing = await ask(client.text_document_hover_async(t.HoverParams(**here(client, t.Position(1, 0)))))
    assert nothing is None


async def test_definition_references_rename(client):
    open_text(client, SCRIPT)
    await diagnostics(client)
    use = place(SCRIPT, "lv1, lv1", inside=1)
    location = await ask(client.text_document_definition_async(t.DefinitionParams(**here(client, use))))
    assert location.range.start == place(SCRIPT, "lv1 =")
    found = await ask(client.text_document_references_async(t.ReferenceParams(
        context=t.ReferenceContext(include_declaration=True), **here(client, use))))
    assert len(found) == 3
    function = await ask(client.text_document_definition_async(t.DefinitionParams(**here(client, place(SCRIPT, "cls.helper", inside=5)))))
    assert function.range.start == place(SCRIPT, "helper(x: ")
    edit = await ask(client.text_document_rename_async(t.RenameParams(new_name="product", **here(client, use))))
    assert [e.new_text for e in edits_in(edit, client.uri)] == ["product"] * 3
    with pytest.raises(Exception, match="not a Python name"):
        await ask(client.text_document_rename_async(t.RenameParams(new_name="1x", **here(client, use))))


async def test_inlay_hints(client):
    open_text(client, SCRIPT)
    await diagnostics(client)
    hints = await ask(client.text_document_inlay_hint_async(t.InlayHintParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(11, 0), t.Position(18, 0)))))
    labels = [label_of(h) for h in hints]
    assert ': (n, 3) f32' in labels
    assert all(h.kind == t.InlayHintKind.Type for h in hints)


async def test_completion_and_signature(client):
    text = SCRIPT.replace("R.add(lv1, lv1)", "R.nn.")
    open_text(client, text)
    await diagnostics(client)
    items = (await ask(client.text_document_completion_async(t.CompletionParams(**here(client, place(text, "R.nn.\n", inside=5)))))).items
    relu = next(i for i in items if i.label == "relu")
    assert relu.detail.startswith("R.nn.relu(")
    resolved = await ask(client.completion_item_resolve_async(relu))
    assert "max(x, 0)" in getattr(resolved.documentation, "value", resolved.documentation)
    scope = (await ask(client.text_document_completion_async(t.CompletionParams(**here(client, place(text, "return lv2", inside=7)))))).items
    assert {"lv", "lv1", "x", "w"} <= {i.label for i in scope}
    text = SCRIPT
    help_ = await ask(client.text_document_signature_help_async(t.SignatureHelpParams(**here(client, place(text, "R.matmul(", inside=9)))))
    assert help_ is not None or "R.nn." in text


async def test_structure(client):
    open_text(client, SCRIPT)
    await diagnostics(client)
    identifier = t.TextDocumentIdentifier(client.uri)
    symbols = await ask(client.text_document_document_symbol_async(t.DocumentSymbolParams(identifier)))
    assert [s.name for s in symbols] == ["Module"] and [s.name for s in symbols[0].children] == ["helper", "main"]
    folds = await ask(client.text_document_folding_range_async(t.FoldingRangeParams(identifier)))
    assert len(folds) >= 3
    tokens = await ask(client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(identifier)))
    assert tokens.data and len(tokens.data) % 5 == 0
    ranges = await ask(client.text_document_selection_range_async(t.SelectionRangeParams(identifier, [place(SCRIPT, "lv1, lv1")])))
    depth, at = 0, ranges[0]
    while at.parent:
        depth, at = depth + 1, at.parent
    assert depth >= 4


async def test_code_action_fixes(client):
    text = SCRIPT.replace("R.add(lv1", "R.ad(lv1")
    open_text(client, text)
    errors = [d for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error]
    assert len(errors) == 1
    actions = await offered(client, t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), errors[0].range, t.CodeActionContext(diagnostics=errors)))
    assert any(e.new_text in ("add", "R.add") for a in actions for e in edits_of(a, client.uri))


async def test_utf16_columns(client):
    text = SCRIPT.replace("        lv = cls", '        # \U0001f600 emoji\n        lv = cls').replace("(4, 3)", "(5, 3)").replace("lv1 = R.matmul", "größe = R.matmul").replace("lv1, lv1", "größe, größe")
    open_text(client, text)
    errors = [d for d in await diagnostics(client) if d.severity == t.DiagnosticSeverity.Error]
    assert len(errors) == 1
    start = errors[0].range.start
    line = text.split("\n")[start.line]
    before = line[:line.index("R.matmul")]
    units = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}
    assert start.character == units[client.init_result.capabilities.position_encoding or "utf-16"]


async def hover_text(client, text, word, skip=0):
    """Hover over the second character of `word`, which `text` holds."""
    at = text.index(word) + skip + 1
    line = text.count("\n", 0, at)
    found = await client.text_document_hover_async(t.HoverParams(
        t.TextDocumentIdentifier(client.uri), t.Position(line, at - text.rfind("\n", 0, at) - 1)))
    return found.contents.value if found else None


async def test_hover_vocabulary_and_keywords(client):
    text = SCRIPT.replace("R.add(lv1, lv1)", "R.sum(lv1, axis=1, keepdims=True)").replace("cls.helper(x)", "Module.helper(x)")
    open_text(client, text)
    assert "symbolic dimension" in await hover_text(client, text, "R.Tensor", 2)
    assert "keepdims=False" in await hover_text(client, text, "keepdims=True")
    assert "symbolic variable" in await hover_text(client, text, "T.int64", 2)
    assert "Module `Module`" in await hover_text(client, text, "Module.helper")


async def test_implicit_match_cast_silences_what_is_not_proven(client):
    text = SCRIPT.replace("lv2 = R.add(lv1, lv1)", 'lv2: R.Tensor((n, 3), "float32") = R.unique(lv1)').replace("R.unique(lv1)", "R.call_pure_packed(\"f\", lv1, sinfo_args=R.Tensor(ndim=2, dtype=\"float32\"))")
    open_text(client, text)
    before = [d.code for d in await diagnostics(client)]
    for refresh in ("workspace/inlayHint/refresh", "workspace/diagnostic/refresh"):
        if refresh not in client.protocol.fm.features:
            client.feature(refresh)(lambda *_: None)
    client.workspace_did_change_configuration(t.DidChangeConfigurationParams({"rlx": {"implicitMatchCast": True}}))
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(uri=client.uri, version=2), [t.TextDocumentContentChangeWholeDocument(text + "\n")]))
    after = [d.code for d in await diagnostics(client)]
    assert "RLX0351" in before and "RLX0351" not in after


async def test_configuration_file_holds_and_is_checked(client, tmp_path):
    for request in ("workspace/inlayHint/refresh", "workspace/diagnostic/refresh"):
        if request not in client.protocol.fm.features:
            client.feature(request)(lambda *_: None)
    config = tmp_path / "rlx.toml"
    config.write_text('[severity]\nRLX03 = "information"\n')
    open_text(client, BROKEN)
    first = await diagnostics(client)
    assert first and all(d.severity == t.DiagnosticSeverity.Information for d in first if d.code.startswith("RLX03"))
    config.write_text('ignore = ["ALL"]\nslect = []\n')
    client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([t.FileEvent(config.as_uri(), t.FileChangeType.Changed)]))
    await until(lambda: client.diagnostics.get(config.as_uri()))
    problem = client.diagnostics[config.as_uri()][0]
    assert problem.code == "RLX0912" and problem.range.start == t.Position(1, 0) and problem.range.end == t.Position(1, 5)
    assert not await diagnostics(client)


async def test_what_can_be_read_of_a_broken_configuration_holds(client, tmp_path):
    config = tmp_path / "rlx.toml"
    config.write_text('show = warning\n[severity]\nRLX03 = "information"\nRLX05 = "hint\n[per-file-ignores\n"**" = ["ALL"]\n')
    open_text(client, BROKEN)
    found = await diagnostics(client)
    assert found and all(d.severity == t.DiagnosticSeverity.Information for d in found if d.code.startswith("RLX03"))
    await until(lambda: client.diagnostics.get(config.as_uri()))
    assert [(d.code, d.range.start) for d in client.diagnostics[config.as_uri()]] == [
        ("RLX0911", t.Position(0, 7)), ("RLX0911", t.Position(3, 8)), ("RLX0911", t.Position(4, 17))]


async def test_dialect_words_and_conversion(client):
    script = SCRIPT.replace("gv = R.nn.relu(x)", "gv = R.nn.relu(x)\n        T.")
    open_text(client, script)
    line = next(i for i, text in enumerate(script.split("\n")) if text.strip() == "T.")
    items = await ask(client.text_document_completion_async(t.CompletionParams(**here(client, t.Position(line, 10)))))
    labels = {i.label for i in (items.items if hasattr(items, "items") else items)}
    assert "block" in labels and "sblock" not in labels  # `tir as T`: classic

    old = SCRIPT.replace("lv2 = R.add(lv1, lv1)", "lv2 = R.call_dps_packed(\"f\", (lv1,), out_sinfo=R.Tensor((4, 3), \"float32\"))")
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(uri=client.uri, version=2), [t.TextDocumentContentChangeWholeDocument(text=old)]))

    async def conversions(line, character=0):
        at = t.Position(line=line, character=character)
        return await offered(client, t.CodeActionParams(
            text_document=t.TextDocumentIdentifier(uri=client.uri), range=t.Range(start=at, end=at),
            context=t.CodeActionContext(diagnostics=[], only=["refactor.rewrite"])))
    actions = await conversions(3)
    titles = [a.title for a in actions]
    assert titles == ["convert dialect to 0.25", "convert dialect to 0.27"]
    edit = edits_of(actions[1], client.uri)[0]
    assert "out_ty" in edit.new_text and edit.new_text.startswith("x as T\n")  # import and keyword
    assert [edits_of(a, client.uri) for a in await conversions(3, 2)] == [edits_of(a, client.uri) for a in actions]

    # The same version number, another text: what was worked out for the old one is not offered.
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(uri=client.uri, version=2), [t.TextDocumentContentChangeWholeDocument(text="# one more line\n" + old)]))
    later = edits_of((await conversions(4))[1], client.uri)[0]
    assert later.new_text == edit.new_text and later.range.start.line == edit.range.start.line + 1


async def test_a_suggestion_does_not_hang_on_what_was_open_before(client):
    """Two names are as near to the misspelt one; which is suggested follows from the text alone."""
    script = '''\
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((2, 3), "float32")):
    q = R.add(x, x)
    return xq
'''
    suggested = []
    for before in ("q = 1", "x = 1"):
        client.uri = client.uri.replace(".py", f"_{len(suggested)}.py")
        open_text(client, before)
        client.uri = client.uri.replace(".py", "_then.py")
        open_text(client, script)
        suggested.append([d.message for d in await diagnostics(client)])
        for uri in (client.uri, client.uri.replace("_then.py", ".py")):
            client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(uri)))
    assert suggested == [["`xq` is not defined; did you mean `x`?"]] * 2
