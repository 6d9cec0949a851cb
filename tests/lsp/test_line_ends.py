"""A document means the same however its lines end: "\\n", "\\r\\n" or "\\r". All that an editor asks about places gets one answer."""
import pytest
from lsprotocol import types as t
from lsprotocol.converters import get_converter

from session import ask, here, offered, open_text

pytestmark = pytest.mark.parametrize("client", ["visual-studio-code"], indirect=True)
json_of = get_converter().unstructure

SCRIPT = '''\
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def scale(A: T.Buffer((16, 32), "float32"), B: T.Buffer((16, 32), "float32")):
        C = T.sblock_alloc_buffer((16, 32))
        # twice
        for i, j in T.grid(16, 32):
            with T.sblock("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] * T.float32(2)  # behind
        for i, j in T.grid(16, 32):
            with T.sblock("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = C[vi, vj] + T.float32(1)

    @R.function(private=True)
    def inner(x: R.Tensor((16, 32), "float32")) -> R.Tensor((16, 32), "float32"):
        gv = R.nn.relu(x)
        return gv

    @R.function
    def main(x: R.Tensor((16, 32), "float32")):
        cls = Module
        y = R.call_tir(cls.scale, (x,), out_sinfo=R.Tensor((16, 32), "float32"))
        k = cls.inner(y)
        z = R.nn.relu(R.add(k, \\
                            y))
        return z
'''


def plain(found, newline):
    """The answer with "\n" for the document's ends of lines."""
    if isinstance(found, dict):
        return {key: plain(value, newline) for key, value in found.items()}
    if isinstance(found, list):
        return [plain(value, newline) for value in found]
    return found.replace(newline, "\n") if isinstance(found, str) else found


async def answers(client, newline):
    text = SCRIPT.replace("\n", newline)
    open_text(client, text)
    found = {}
    for line, words in enumerate(SCRIPT.split("\n")):
        begin = len(words) - len(words.lstrip())
        for column in sorted({begin, begin + 4, len(words) // 2, len(words)}):
            place = t.Position(line, min(column, len(words)))
            key = (line, place.character)
            found["completion", key] = await ask(client.text_document_completion_async(t.CompletionParams(**here(client, place))))
            found["hover", key] = await ask(client.text_document_hover_async(t.HoverParams(**here(client, place))))
            found["signature", key] = await ask(client.text_document_signature_help_async(t.SignatureHelpParams(**here(client, place))))
            found["uses", key] = await ask(client.text_document_document_highlight_async(t.DocumentHighlightParams(**here(client, place))))
        for start in {begin, len(words) // 2}:
            span = t.Range(t.Position(line, start), t.Position(line, len(words)))
            for action in await offered(client, t.CodeActionParams(t.TextDocumentIdentifier(client.uri), span, t.CodeActionContext([]))):
                action.data = None  # holds offsets
                written = [edit.new_text for change in action.edit.document_changes for edit in change.edits] if action.edit else []
                assert not any(end in one.replace(newline, "") for one in written for end in "\r\n"), action
                found["action", line, start, action.title] = action
    client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
    return {key: plain(json_of(answer), newline) for key, answer in found.items()}


async def test_answers_do_not_depend_on_how_lines_end(client):
    wanted = await answers(client, "\n")
    titles = {key[3] for key, answer in wanted.items() if key[0] == "action" and "edit" in answer}
    assert len(titles) > 15 and any(one.startswith("extract function") for one in titles) and any("compute" in one for one in titles)
    for newline in ("\r\n", "\r"):
        got = await answers(client, newline)
        assert wanted.keys() == got.keys(), (repr(newline), wanted.keys() ^ got.keys())
        differ = [key for key in wanted if wanted[key] != got[key]]
        assert not differ, (repr(newline), len(differ), differ[0], wanted[differ[0]], got[differ[0]])
