"""Semantic tokens as deltas: what the edits give is what a full answer gives."""
import random

from lsprotocol import types as t

from session import SCRIPT, ask, open_text, place


async def full(client):
    return await ask(client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(t.TextDocumentIdentifier(client.uri))))


async def delta(client, previous):
    return await ask(client.text_document_semantic_tokens_full_delta_async(
        t.SemanticTokensDeltaParams(t.TextDocumentIdentifier(client.uri), previous)))


def change(client, version, text):
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(version, client.uri), [t.TextDocumentContentChangeWholeDocument(text)]))


def edited(data, edits):
    data = list(data)
    for edit in sorted(edits, key=lambda e: e.start, reverse=True):
        data[edit.start:edit.start + edit.delete_count] = edit.data or []
    return data


async def test_delta_is_small(client):
    assert client.init_result.capabilities.semantic_tokens_provider.full.delta
    open_text(client, SCRIPT)
    first = await full(client)
    same = await delta(client, first.result_id)
    assert isinstance(same, t.SemanticTokensDelta) and not same.edits
    change(client, 2, SCRIPT.replace("lv2 = R.add(lv1, lv1)", "lv2 = R.add(lv1, x)"))
    one = await delta(client, same.result_id)
    assert len(one.edits) == 1 and len(one.edits[0].data) <= 10 and one.edits[0].delete_count <= 10
    assert edited(first.data, one.edits) == list((await full(client)).data)


async def test_other_ids_get_all(client):
    open_text(client, SCRIPT)
    first = await full(client)
    second = await full(client)
    for previous in (first.result_id, "", "nowhere"):
        assert list((await delta(client, previous)).data) == list(first.data)
    assert first.result_id != second.result_id


async def test_deltas_equal_full(client):
    rng = random.Random(7)
    lines = SCRIPT.split("\n")
    open_text(client, SCRIPT)
    answer = await full(client)
    data = list(answer.data)
    for version in range(2, 42):
        text = list(lines)
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(text))
            text[at:at + 1] = rng.choice(([], ["        lv9 = R.exp(x)"], [text[at], text[at]], [text[at][:rng.randrange(1 + len(text[at]))]]))
        change(client, version, "" if version % 13 == 0 else "\n".join(text))
        answer = await delta(client, answer.result_id)
        data = edited(data, answer.edits)
        whole = await full(client)
        assert data == list(whole.data), version
        answer = whole


PIECES = ["", " ", "\n", "\n        # c\n", "x", "R.add(x, x)", "(", ")", "\"\"\"", "        lv7 = R.exp(x)\n", "        n = T.int64()\n", "    ", ":", "\\\n", "é",
          "        if n > 1:\n            lv8 = x\n        else:\n            lv8 = w\n", "@R.function\n", "def f(a):\n", "; lv6 = x", "#", "import y as R\n"]


async def test_deltas_after_edits_of_ranges(client):
    """Small edits, some at a time, against the tokens of the same text in a document of its own."""
    rng = random.Random(11)
    text, version = SCRIPT, 1
    open_text(client, text)
    answer = await full(client)
    data = list(answer.data)
    fresh = t.TextDocumentIdentifier(client.uri + ".fresh.py")
    for round_ in range(150):
        if round_ % 25 == 0:
            text, version = SCRIPT, version + 1
            change(client, version, text)
        for _ in range(rng.randrange(1, 4)):
            start = rng.randrange(len(text) + 1)
            end = min(len(text), start + rng.choice((0, 0, 0, 1, 3, 9, 40)))
            new = rng.choice(PIECES)
            version += 1
            places = [t.Position(text.count("\n", 0, at), len(text[text.rfind("\n", 0, at) + 1:at])) for at in (start, end)]
            text = text[:start] + new + text[end:]
            client.text_document_did_change(t.DidChangeTextDocumentParams(
                t.VersionedTextDocumentIdentifier(version, client.uri), [t.TextDocumentContentChangePartial(t.Range(*places), new)]))
        answer = await delta(client, answer.result_id)
        data = edited(data, answer.edits)
        client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(fresh.uri, "python", 1, text)))
        whole = await ask(client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(fresh)))
        client.text_document_did_close(t.DidCloseTextDocumentParams(fresh))
        assert data == list(whole.data), (round_, text)


async def test_a_broken_line_that_means_something_else_now(client):
    """What is read of `ax)is` with its bracket too many hangs on the names above: an edit there changes the tokens of a line that it
    does not touch."""
    text = SCRIPT.replace("        lv2 = ", "        ww = R.add(x, x)\n        lv3 = R.sum(ww, ax)is=[0])\n        lv2 = ", 1)
    assert text != SCRIPT
    open_text(client, text)
    first = await full(client)
    at = place(text, "ww = ")
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(2, client.uri),
        [t.TextDocumentContentChangePartial(t.Range(at, t.Position(at.line, at.character + 2)), "vv")]))
    one = await delta(client, first.result_id)
    assert isinstance(one, t.SemanticTokensDelta)
    data = edited(first.data, one.edits)
    client.uri = client.uri.replace(".py", "_fresh.py")
    open_text(client, text.replace("ww = ", "vv = "))
    assert data == list((await full(client)).data)


async def test_a_slip_is_read_as_it_stands_when_its_function_goes(client):
    """A quote that is one too many is left out of a statement of a function; outside of one it counts."""
    slip = SCRIPT.replace("        lv2 = R.add(lv1, lv1)", "        with R.dataflow():\n            lv2 = R.sum(lv1, keepdim's=True)\n            R.output(lv2)")
    for cut in (slip.replace("    def main", "\tdef main"), slip.replace("        n = T.int64()", "n = T.int64()"),
                slip.replace("        with R", "    with R")):
        open_text(client, slip)
        await full(client)
        at = next(i for i, (a, b) in enumerate(zip(slip.split("\n"), cut.split("\n"))) if a != b)
        lines = slip.split("\n")[at], cut.split("\n")[at]
        client.text_document_did_change(t.DidChangeTextDocumentParams(
            t.VersionedTextDocumentIdentifier(2, client.uri),
            [t.TextDocumentContentChangePartial(t.Range(t.Position(at, 0), t.Position(at, len(lines[0]))), lines[1])]))
        edited_tokens = list((await full(client)).data)
        client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
        open_text(client, cut)
        assert edited_tokens == list((await full(client)).data), cut
        client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
