"""What cannot be extracted or inlined is there, too, with its reason, for clients that show it."""
import pytest
from lsprotocol import types as t

from session import ask, open_text, place

TEXT = '''\
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Net:
    @R.function
    def body(x: R.Tensor(("b", 8), "float32"), k: R.Shape(["m"]), f: R.Callable((R.Object,), R.Object)):
        b = T.int64()
        m = T.int64()
        a = R.exp(x)
        size = R.reshape(a, (b, 8))
        grown = R.zeros((m, 8), "float32")
        called = f(a)
        wide = R.concat((size, a), axis=1)
        wrong = R.matmul(wide, R.ones((3, 3), "float32"))
        below = R.add(wrong, wrong)
        bound = R.match_cast(wide, R.Tensor((b, 16), "float32"))
        dead = R.negative(bound)
        return (grown, called, below, bound)


@R.function
def alone(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y


@R.function(pure=False)
def loud(x: R.Tensor((4,), "float32")):
    _ = R.print(x, format="{}")
    return x
'''

# (the first and the last line of what is selected, part of the reason; None: it can be extracted)
SELECTED = {
    "bindings": ("a = R.exp(x)\n        size", "a, (b, 8))", None),
    "a return": ("return (grown", "below, bound)", "only bindings"),
    "bindings and a return": ("dead =", "below, bound)", "only bindings"),
    "a mistake": ("wrong =", '"float32"))\n        below', "a mistake"),
    "what hangs on a mistake": ("below =", "wrong, wrong)", "a mistake"),
    "a function as a value": ("called =", "f(a)", "`f`"),
    "a dimension that nothing gives": ("grown =", '(m, 8), "float32")', "`m`"),
    "a cast": ("bound =", '(b, 16), "float32"))', "match_cast"),
    "a value that nobody reads": ("dead =", "R.negative(bound)", "reads what it binds"),
    "a function outside of modules": ("y =", "R.exp(x)\n    return y", "in no module"),
}


@pytest.mark.parametrize("case", SELECTED)
async def test_why_statements_are_not_extracted(client, case):
    first, last, why = SELECTED[case]
    open_text(client, TEXT)
    begin = place(TEXT, first)
    offset = TEXT.index(last, TEXT.index(first)) + len(last.split("\n")[0])
    end = t.Position(TEXT.count("\n", 0, offset), offset - TEXT.rfind("\n", 0, offset) - 1)
    ask_for = t.CodeActionContext([], only=[t.CodeActionKind.RefactorExtract], trigger_kind=t.CodeActionTriggerKind.Invoked)
    found = await ask(client.text_document_code_action_async(t.CodeActionParams(t.TextDocumentIdentifier(client.uri), t.Range(begin, end), ask_for)))
    extract = [one for one in found or [] if one.title.startswith("extract function")]
    action = client.capabilities.text_document.code_action
    if why is None:
        assert len(extract) == 1 and not extract[0].disabled
    elif not action.disabled_support:
        assert extract == []
    else:
        assert len(extract) == 1 and extract[0].edit is None and why in extract[0].disabled.reason, extract


# (the name that the cursor stands at, part of the reason; None: it can be inlined)
INLINED = {
    "another name": ("same = wide", None),
    "a call": ("a = R.exp", "the result of a call"),
    "a parameter": ("x)\n        size", "the caller"),
    "a cast": ("bound = R.match_cast", "match_cast"),
    "what hangs on a mistake": ("below = R.add", "mistake"),
    "no variable": ("b, 8))\n        grown", ""),
}


@pytest.mark.parametrize("case", INLINED)
async def test_why_a_binding_is_not_inlined(client, case):
    needle, why = INLINED[case]
    text = TEXT.replace("        dead = ", "        same = wide\n        dead = ").replace("(grown,", "(grown, same,")
    open_text(client, text)
    at = place(text, needle)
    ask_for = t.CodeActionContext([], only=[t.CodeActionKind.RefactorInline], trigger_kind=t.CodeActionTriggerKind.Invoked)
    found = await ask(client.text_document_code_action_async(t.CodeActionParams(t.TextDocumentIdentifier(client.uri), t.Range(at, at), ask_for)))
    inline = [one for one in found or [] if one.title == f"inline `{needle.split()[0].strip('),')}`"]
    if why is None:
        assert len(inline) == 1 and not inline[0].disabled
    elif not why or not client.capabilities.text_document.code_action.disabled_support:
        assert inline == []
    else:
        assert len(inline) == 1 and inline[0].edit is None and why in inline[0].disabled.reason, found
