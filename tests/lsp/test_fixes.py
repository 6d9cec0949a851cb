"""Fixes in the editor: one by one, and all safe ones at once."""
import asyncio

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from session import ROOT, applied, ask, diagnostics, edits_of, offered, open_text, place

SCRIPT = '''\
from tvm.script import relax as R, tirx as T


@T.prim_func
def p(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("ä"):
            vi = T.axis.spatial(4, i)
            A[vi] = T.float32(0)


@R.function
def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((3, 2), "float32"):
    y = R.sqrtt(x)
    z = R.sqr(y)  # rlx: ignore[RLX0203]
    return x
'''


async def actions(client, text, needle, *only):
    at = place(text, needle)
    context = t.CodeActionContext(diagnostics=[], only=list(only) or None)
    return await offered(client, t.CodeActionParams(
        t.TextDocumentIdentifier(client.uri), t.Range(at, at), context)) or []


async def test_fix_all_takes_safe_fixes_of_what_is_shown(client):
    open_text(client, SCRIPT)
    for only in ("source.fixAll.rlx", "source.fixAll", "source"):
        found = await actions(client, SCRIPT, "from", only)
        assert [a.kind for a in found] == ["source.fixAll.rlx"]
        text = applied(SCRIPT, edits_of(found[0], client.uri))
        wanted = SCRIPT.replace("T.block", "T.sblock").replace("@T.prim_func", "@T.prim_func(s_tir=True)").replace("sqrtt", "sqrt")
        assert text == wanted  # the return annotation is not changed, nor what a comment hides
    assert not await actions(client, SCRIPT, "from", "source.fixAll.other")
    assert not [a for a in await actions(client, SCRIPT, "from") if a.kind == "source.fixAll.rlx"]  # only for those who ask
    open_text(client, wanted, version=2)
    assert not await actions(client, wanted, "from", "source.fixAll")


async def test_unsafe_fixes_are_never_preferred(client):
    open_text(client, SCRIPT)
    unsafe = await actions(client, SCRIPT, "x\n", "quickfix")
    assert [(a.title, a.is_preferred) for a in unsafe] == [("declare what is returned", None)]
    safe = await actions(client, SCRIPT, "sqrtt", "quickfix")
    assert [a.is_preferred for a in safe] == [True]


MISTAKES = (ROOT / "examples" / "mistakes.py").read_text()
MORE = """\
from tvm.script import relax as R, tir as T


@R.function
def contraction(x: R.Tensor((2, 3), "float32"), w: R.Tensor((7, 8, 3), "float32")):
    lv = R.exp(x)
    gv = R.matmul(lv, w)
    return gv


@R.function
def spelt(x: R.Tensor((2, 3), "float32"), mask: R.Tensor((2, 3), "float32")):
    lv = R.exp(x)
    gv = R.add(lv, somethingelse)
    return gv


@R.function
def negative_axis(x: R.Tensor((2, 3, 4), "float32")):
    gv = R.concat([x, x], axis=-4)
    return gv


@R.function
def all_axes(x: R.Tensor((2, 3, 4), "float32")):
    gv = R.permute_dims(x, axes=[-1, 2, 0])
    return gv


@R.function
def twice(x: R.Tensor((2, 3, 4), "float32")):
    gv = R.sum(x, axis=[0, 0])
    return gv


@R.function
def joined(x: R.Tensor((2, 3), "float32"), y: R.Tensor((4, 5), "float32")):
    gv = R.concat([x, y], axis=0)
    return gv


@R.function
def types(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "int32")):
    gv = R.concat((x, y), axis=0)
    return gv


@R.function
def elements(x: R.Tensor(("n", 4), "float32")):
    gv = R.reshape(x, (2, 5))
    return gv


@R.function
def front(t: R.Tuple(R.Tensor((3, 4), "float32"), R.Tensor((4, 4), "float32"))):
    gv = t[-3]
    return gv


@R.function
def block(x: R.Tensor(("n", 4), "float32")):
    with R.dataflow():
        lv = R.exp(x)
        R.output(lv)  # tail


@R.function
def branches(x: R.Tensor((2, 4), "float32"), c: R.Tensor((), "bool")):
    if c:
        y = R.exp(x)
    else:
        y = R.sin(x)


@R.function
def bare(x: R.Tensor((2, 4), "float32")):
    gv = R.exp(x)
    return


@R.function
def cast(x: R.Tensor(("n", 4), "float32")):
    gv = R.match_cast(x, R.Tensor(("n", 4), "int32"))
    return gv


@R.function
def unknown(x: R.Tensor((2, 4), "float32")):
    gv = R.nn.softmax(x, whatever=1)
    return gv
"""


async def check_that_fixes_help(client, script, at_least):
    open_text(client, script)
    before = await diagnostics(client)
    version, mended, counts = 1, 0, []
    for problem in before:
        context = t.CodeActionContext(diagnostics=[problem], only=["quickfix"])
        found = await offered(client, t.CodeActionParams(
            t.TextDocumentIdentifier(client.uri), problem.range, context)) or []
        for action in found:
            assert [d.code for d in action.diagnostics] == [problem.code]
            if not action.edit:
                action = await ask(client.code_action_resolve_async(action))
        if not found:
            continue
        mended += 1
        action = found[0]
        version += 1
        open_text(client, applied(script, edits_of(action, client.uri)), version)
        after = await diagnostics(client)
        same = [d for d in after if d.code == problem.code and d.message == problem.message]
        assert not same, (action.title, problem.message)
        counts.append(len(after) < len(before))
        version += 1
        open_text(client, script, version)
        await diagnostics(client)
    assert mended >= at_least
    assert counts.count(False) <= 4, counts  # what is declared to be returned follows, or a hint comes


async def test_the_common_mistakes_have_fixes(client):
    await check_that_fixes_help(client, MISTAKES, 18)


async def test_other_mistakes_of_these_kinds_have_fixes(client):
    await check_that_fixes_help(client, MORE, 14)


async def test_what_was_listed_for_another_text_is_refused(client):
    action = client.capabilities.text_document.code_action
    if not (action and action.resolve_support):
        return
    open_text(client, SCRIPT)
    at = place(SCRIPT, "sqrtt")
    params = t.CodeActionParams(t.TextDocumentIdentifier(client.uri), t.Range(at, at), t.CodeActionContext(diagnostics=[]))
    listed = await ask(client.text_document_code_action_async(params))
    assert listed and all(a.edit is None for a in listed)
    open_text(client, "\n" + SCRIPT, version=2)
    with pytest.raises(JsonRpcException, match="changed"):
        await ask(client.code_action_resolve_async(listed[0]))


async def test_annotations_for_all_bindings(client):
    script = """\
from tvm.script import relax as R, tir as T


@R.function
def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 3), "float32")):
    with R.dataflow():
        lv = R.matmul(x, w)
        gv: R.Tensor(("n", 3), "float32") = R.exp(lv)
        R.output(gv)
    last = R.add(gv, gv)
    open_rank = R.unique(last)
    return open_rank
""".replace('gv: R.Tensor(("n", 3)', "gv: R.Tensor((n, 3)")
    open_text(client, script)
    found = {a.title: a for a in await actions(client, script, "main", "refactor.rewrite")}
    done = applied(script, edits_of(found["insert annotations for all bindings of `main`"], client.uri))
    assert 'lv: R.Tensor((n, 3), dtype="float32") = R.matmul(x, w)' in done
    assert 'last: R.Tensor((n, 3), dtype="float32") = R.add' in done
    open_text(client, done, version=2)
    assert not [d for d in await diagnostics(client) if d.severity != t.DiagnosticSeverity.Hint]
    one = {a.title: a for a in await actions(client, done, "open_rank", "refactor.rewrite")}
    assert "insert annotation" not in one


async def test_actions_in_a_large_function_come_at_once(client):
    lines = "".join(f"    lv{i} = R.add(R.exp(x), x)\n" for i in range(4000))
    script = f'from tvm.script import relax as R\n\n\n@R.function\ndef main(x: R.Tensor((2, 3), "float32")):\n{lines}    return lv3999\n'
    open_text(client, script)
    await diagnostics(client)
    at = place(script, "lv2000")
    params = t.CodeActionParams(t.TextDocumentIdentifier(client.uri), t.Range(at, at), t.CodeActionContext(diagnostics=[], only=["refactor"]))
    titles = [a.title for a in await ask(client.text_document_code_action_async(params))]
    assert "insert annotation" in titles and "bring `main` into normal form" in titles
    listed = await ask(client.text_document_code_action_async(params))
    normal = next(a for a in listed if a.title == "bring `main` into normal form")
    if normal.edit is None:  # it is made beside the loop, which goes on with other questions
        resolved = asyncio.ensure_future(client.code_action_resolve_async(normal))
        hover = client.text_document_hover_async(t.HoverParams(t.TextDocumentIdentifier(client.uri), at))
        assert await ask(hover) and not resolved.done()
        normal = await ask(resolved)
    assert "lv1 = R.add(" in "".join(e.new_text for e in edits_of(normal, client.uri))


SLIPS = """\
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @T.prim_func
    def twice(a: T.Buffer((6, 2), "float32"), b: T.Buffer((6, 4), "float32")):
        for i, j in T.grid(6, 4):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                b[vi, vj] = a[vi, vj // 2]

    @T.prim_func
    def rows(a: T.handle, b: T.handle):
        m = T.int64()
        A = T.match_buffer(a, (m, 3), "float32")
        B = T.match_buffer(b, (m, 3), "float32")
        for i, j in T.grid(m, 3):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]

    @R.function
    def taken(v: R.Tensor((6, 2), "float32")) -> R.Tensor((6, 2), "float32"):
        return v

    @R.function
    def main(x: R.Tensor((6, 2), "float32"), s: R.Tensor(("k", 3), "float32"), i: R.Tensor((3,), "float16"), c: R.Tensor((), "bool")):
        cls = Module
        k = T.int64()
        gv = R.exp(x)
        return gv
"""
MENDED = [  # what is written instead of `gv = R.exp(x)`, what is there when the fix is taken
    ("gv = R.call_tir(cls.twice, (x,))", 'gv = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((6, 4), dtype="float32"))'),
    ("gv = R.call_tir(cls.rows, (s,))", 'gv = R.call_tir(cls.rows, (s,), out_sinfo=R.Tensor((k, 3), dtype="float32"))'),
    ('gv = R.call_tir(cls.rows, s, R.Tensor((4, 3), "float32"))',
     'gv = R.call_tir(cls.rows, s, R.Tensor((k, 3), dtype="float32"))'),
    ("gv = R.take(x, i, axis=0)", 'gv = R.take(x, R.astype(i, "int64"), axis=0)'),
    ('gv = R.astype(x, "fp16")', 'gv = R.astype(x, "float16")'),
    ("gv = R.max(x, dim=0, keepdims=True)", "gv = R.max(x, axis=0, keepdims=True)"),
    ("gv = R.sigmoidd(R.gelu(x))", "gv = R.sigmoid(R.gelu(x))"),
    ("gv = R.gelu(x)", "gv = R.nn.gelu(x)"),
    ("gv = R.nn.exp(x)", "gv = R.exp(x)"),
    ("gv = R.mul(x, x)", "gv = R.multiply(x, x)"),
    ("gv = x.reshape(3, 4)", "gv = R.reshape(x, (3, 4))"),
    ("gv = x.sum(axis=[1])", "gv = R.sum(x, axis=[1])"),
    ("gv = x.tanh()", "gv = R.tanh(x)"),
    ("lv = R.sin(x)\n        gv = R.add(x)", "lv = R.sin(x)\n        gv = R.add(x, lv)"),
    ("gv = R.exp(R.add(x, x)", "gv = R.exp(R.add(x, x))"),
    ("gv = R.exp(x))", "gv = R.exp(x)"),
    ("gv = R.sum(x, axis=[1)", "gv = R.sum(x, axis=[1])"),
    ('gv: R.Tensor((6, 2, "float32") = R.exp(x)', 'gv: R.Tensor((6, 2, "float32")) = R.exp(x)'),
    ("gv = R.astype(x, \"float16')", 'gv = R.astype(x, "float16")'),
    ('gv = R.astype(x, "float16)', 'gv = R.astype(x, "float16")'),
    ("gv = R.add(x x)", "gv = R.add(x, x)"),
    ("gv = R.reshape(x, 2, 2, 3)", "gv = R.reshape(x, (2, 2, 3))"),
    ("gv = R.mean(x, axis=1.0)", "gv = R.mean(x, axis=1)"),
    ('gv = R.max(x, axis=0, keepdims="False")', "gv = R.max(x, axis=0, keepdims=False)"),
    ("gv = R.where(s, s, s)", 'gv = R.where(R.astype(s, "bool"), s, s)'),
    ("gv == R.exp(x)", "gv = R.exp(x)"),
    ('gv: R.Tensr((6, 2), "float32") = R.exp(x)', 'gv: R.Tensor((6, 2), "float32") = R.exp(x)'),
    ("with R.dataflow:\n            gv = R.exp(x)\n            R.output(gv)",
     "with R.dataflow():\n            gv = R.exp(x)\n            R.output(gv)"),
    ("if c:\n            gv = R.exp(x)\n        else:\n            other = R.negative(x)",
     "if c:\n            gv = R.exp(x)\n        else:\n            gv = R.negative(x)"),
    ("with R.dataflow()\n            gv = R.exp(x)\n            R.output(gv)",
     "with R.dataflow():\n            gv = R.exp(x)\n            R.output(gv)"),
    # as numpy, torch and other languages have it
    ("gv = R.reshape(x, 12)", "gv = R.reshape(x, (12,))"),
    ('gv = R.full(8, R.const(1, "float32"))', 'gv = R.full((8,), R.const(1, "float32"))'),
    ("gv = R.matmul(x, x.T)", "gv = R.matmul(x, R.permute_dims(x))"),
    ("gv = R.exp(R.sin(x).T)", "gv = R.exp(R.permute_dims(R.sin(x)))"),
    ("gv = R.exp(cls.taken(x).T)", "gv = R.exp(R.permute_dims(cls.taken(x)))"),
    ("gv = R.zeros(shape=8, dtype=\"float32\")", "gv = R.zeros(shape=(8,), dtype=\"float32\")"),
    ('gv = R.astype(x, "float23")', 'gv = R.astype(x, "float32")'),
    ('gv: R.Tensor((6, 2), "int46") = R.astype(x, "int64")', 'gv: R.Tensor((6, 2), "int64") = R.astype(x, "int64")'),
    ("gv = R.astype(x, np.float16)", 'gv = R.astype(x, "float16")'),
    ('gv = R.zeros((2, 2), dtype=torch.int64)', 'gv = R.zeros((2, 2), dtype="int64")'),
    ("gv = R.astype(s, i.dtype)", 'gv = R.astype(s, "float16")'),
    ("gv = R.broadcast_to(i, s.shape)", "gv = R.broadcast_to(i, R.shape_of(s))"),
    ("gv = gelu(x)", "gv = R.nn.gelu(x)"),
    ("gv = R.exp(negative(x))", "gv = R.exp(R.negative(x))"),
    ("gv = R.concat(x, x, axis=1)", "gv = R.concat((x, x), axis=1)"),
    ("gv = R.stack(x, x, x, axis=0)", "gv = R.stack((x, x, x), axis=0)"),
    ('gv = R.einsum("ij,kj->ik", x, x)', 'gv = R.einsum((x, x), "ij,kj->ik")'),
    ('gv = R.arange(8, "int32")', 'gv = R.arange(8, dtype="int32")'),
    ("gv = R.max(x, axis=0, keepdims=true)", "gv = R.max(x, axis=0, keepdims=True)"),
    ("gv = R.sum(x, axis=null)", "gv = R.sum(x, axis=None)"),
    ("gv = self.taken(x)", "gv = Module.taken(x)"),
    ("gv = R.reshape(x, -1)", "gv = R.reshape(x, (-1,))"),
    ("gv = R.reshape(x, 3, -1)", "gv = R.reshape(x, (3, -1))"),
    ('gv = R.ones(5, 6, "int8")', 'gv = R.ones((5, 6), "int8")'),
    ('gv = R.ones(5, 6, dtype="int8")', 'gv = R.ones((5, 6), dtype="int8")'),
    ('gv = R.full(5, 6, R.const(1, "int8"))', 'gv = R.full((5, 6), R.const(1, "int8"))'),
    ('gv = R.astype(x, "BFLOAT16")', 'gv = R.astype(x, "bfloat16")'),
    ('gv: R.Tensor((6, 2), "Int64") = R.astype(x, "int64")', 'gv: R.Tensor((6, 2), "int64") = R.astype(x, "int64")'),
]


@pytest.mark.parametrize("wrong, right", MENDED)
async def test_slips_have_the_fix_that_a_person_would_make(client, wrong, right):
    text = SLIPS.replace("gv = R.exp(x)", wrong)
    open_text(client, text)
    titles = []
    for one in await diagnostics(client):
        found = await offered(client, t.CodeActionParams(
            t.TextDocumentIdentifier(client.uri), one.range, t.CodeActionContext([one], [t.CodeActionKind.QuickFix])))
        titles += [(a.title, applied(text, edits_of(a, client.uri))) for a in found if not a.disabled]
    assert SLIPS.replace("gv = R.exp(x)", right) in [after for _, after in titles], titles


async def test_declarations_and_decorators_are_mended(client):
    narrow = SLIPS.replace("gv = R.exp(x)", "gv = cls.taken(x)").replace("x: R.Tensor((6, 2)", "x: R.Tensor((5, 2)")
    open_text(client, narrow)
    found = await actions(client, narrow, "x)\n        return gv", "quickfix")
    assert [applied(narrow, edits_of(a, client.uri)) for a in found] == [narrow.replace("(5, 2)", "(6, 2)")]
    for decorator, name in (("@R.function", "taken"), ("@T.prim_func", "twice")):
        bare = SLIPS.replace(f"    {decorator}\n    def {name}", f"    def {name}")
        open_text(client, bare, version=2)
        found = await actions(client, bare, name + "(", "quickfix")
        assert [a.title for a in found] == [f"decorate it with `{decorator}`"]
        assert applied(bare, edits_of(found[0], client.uri)) == SLIPS
    cut = SLIPS.replace('"float32")) -> R', '"float32") -> R')
    open_text(client, cut, version=3)
    at = (await diagnostics(client))[0].range.start
    params = t.CodeActionParams(t.TextDocumentIdentifier(client.uri), t.Range(at, at),
                                t.CodeActionContext([], [t.CodeActionKind.QuickFix]))
    assert [applied(cut, edits_of(a, client.uri)) for a in await offered(client, params)] == [SLIPS]
