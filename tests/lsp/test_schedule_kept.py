"""Steps of schedules that code actions offer: each can be taken, and what comes out has no new error or warning."""
import pathlib
import random

from lsprotocol import types as t

from session import ROOT, applied, ask, edits_of, open_text

# Functions that are whole, and some that are not: these have errors, or texts that a step cannot be written into.
FILES = ("examples/call_tir_scheduled.py", "tests/golden/rules/21_regions.py", "tests/golden/rules/29_parts.py")
STEPS = 40  # of each file, drawn with a fixed seed

CARRIAGE_RETURNS = '''\
from tvm.script import tir as T
@T.prim_func
def scale(A: T.Buffer((60,), "float32"), B: T.Buffer((60,), "float32")):
    for i in range(60):
        with T.block("B"):
            vi = T.axis.spatial(60, i)
            B[vi] = A[vi] * T.float32(2)
'''.replace("\n", "\r")


def capable(client):
    action = client.capabilities.text_document.code_action
    return bool(action and action.resolve_support and action.disabled_support)


async def graver(client, text):
    """Codes of errors and warnings in `text`, each as often as it is reported."""
    open_text(client, text)
    report = await ask(client.text_document_diagnostic_async(t.DocumentDiagnosticParams(t.TextDocumentIdentifier(client.uri))))
    client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
    return sorted(d.code for d in report.items if d.severity <= t.DiagnosticSeverity.Warning)


async def offers(client, text):
    """The actions at all lines with a loop or a block."""
    found, lines = [], text.replace("\r", "\n").split("\n")
    for number, line in enumerate(lines):
        if not line.lstrip().startswith(("for ", "with ")):
            continue
        at = t.Position(number, len(line) - len(line.lstrip()) + 1)
        actions = await ask(client.text_document_code_action_async(t.CodeActionParams(
            t.TextDocumentIdentifier(client.uri), t.Range(at, at), t.CodeActionContext([], only=["refactor.rewrite.schedule"])))) or []
        found += [(number + 1, action) for action in actions]
    return found


async def test_what_is_offered_can_be_taken(client):
    if not capable(client):
        return
    wrong, taken = [], 0
    texts = [(name, (pathlib.Path(ROOT) / name).read_text()) for name in FILES]
    for name, text in [*texts, ("lines that end in a carriage return alone", CARRIAGE_RETURNS)]:
        before = await graver(client, text)
        open_text(client, text)
        listed = [(line, action) for line, action in await offers(client, text) if not action.disabled]
        chosen = random.Random(7).sample(listed, min(STEPS, len(listed)))
        edited = [(line, action.title, applied(text, edits_of(await ask(client.code_action_resolve_async(action)), client.uri)))
                  for line, action in chosen]
        client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(client.uri)))
        for line, title, after in edited:
            assert "\r" not in text or "\n" not in after, (name, line, title, after)
            new = await graver(client, after)
            left = list(new)
            for code in before:
                if code in left:
                    left.remove(code)
            wrong += [(name, line, title, left)] if left else []
            taken += 1
    assert wrong == []
    assert taken > 20


ONLY_BY_ITS_REGION = '''\
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def halves(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32"), C: T.Buffer((32,), "float32")):
    for i in range(4):
        with T.sblock("make"):
            vi = T.axis.spatial(4, i)
            T.reads(A[0:32])
            T.writes(B[0:32])
            for k in range(8):
                B[vi * 8 + k] = A[vi * 8 + k]
        with T.sblock("use"):
            vi = T.axis.spatial(4, i)
            for k in range(8):
                C[vi * 8 + k] = B[vi * 8 + k]
'''


async def test_what_would_add_a_finding_is_disabled(client):
    """A copy of B before each use takes all that "make" says it writes, of which most is not written yet."""
    if not capable(client):
        return
    open_text(client, ONLY_BY_ITS_REGION)
    reasons = {action.title: action.disabled.reason for _, action in await offers(client, ONLY_BY_ITS_REGION) if action.disabled}
    title = 'cache what "use" reads of B'
    assert title in reasons, reasons
    assert 'a new finding afterwards, RLX0610: block "make": T.writes declares more than the block writes' in reasons[title], reasons[title]


async def test_what_cannot_be_taken_says_why(client):
    if not capable(client):
        return
    open_text(client, (pathlib.Path(ROOT) / "tests/golden/rules/29_parts.py").read_text())
    reasons = {action.disabled.reason for _, action in await offers(client, (pathlib.Path(ROOT) / "tests/golden/rules/29_parts.py").read_text()) if action.disabled}
    assert "the function has errors: mend them first" in reasons
