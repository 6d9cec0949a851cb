"""Formatting: what changes and what never does, and that it keeps the program, its comments and itself."""
import ast
import io
import random
import tokenize

from lsprotocol import types as t

from session import ROOT, applied, ask, open_text, place

HEAD = "from tvm.script import relax as R, tir as T\nx   =  1   # left alone\n\n\n\n\n"
OPTIONS = t.FormattingOptions(tab_size=4, insert_spaces=True)


async def formatted(client, text):
    edits = await ask(client.text_document_formatting_async(t.DocumentFormattingParams(t.TextDocumentIdentifier(client.uri), OPTIONS)))
    return applied(text, edits or [])


async def of(client, text, version=[1]):
    version[0] += 1
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        t.VersionedTextDocumentIdentifier(version[0], client.uri), [t.TextDocumentContentChangeWholeDocument(text)]))
    return await formatted(client, text)


UGLY = '''\
@ R.function
def  main ( x:R.Tensor( (2,3 ),'float32' ), n :R.Prim( dtype="int64" )=  1)->R.Tensor :\x20\x20
    # a comment   stays#
    lv=R.add ( x , R.const( -1.0,'float32' ))# why
    lv1:R.Tensor((2, 3),dtype = "float32")=R.nn.softmax( lv,axis = - 1 )   # two at least


    s = R.strided_slice(x, axes=[0 ,1], begin=[0,0], end=[ 1*2+1, 2 **3 ])
    a = x[1 : 2, ::2][ 0 ]
    d = { "k" :1,'l':2, "m": "it's" , 'n': 'say "x"'}
    y = R.call_pure_packed("f", lv1, lambda  i , j:  i+j , sinfo_args=(R.Tensor,))
    z = (
        lv,
            lv1 ,
    )
    w = (R.add(x,x), \\
        x   )
    return  lv1\x20\x20
'''
PRETTY = '''\
@R.function
def main(x: R.Tensor((2, 3), "float32"), n: R.Prim(dtype="int64") = 1) -> R.Tensor:
    # a comment   stays#
    lv = R.add(x, R.const(-1.0, "float32"))  # why
    lv1: R.Tensor((2, 3), dtype="float32") = R.nn.softmax(lv, axis=-1)   # two at least

    s = R.strided_slice(x, axes=[0, 1], begin=[0, 0], end=[1 * 2 + 1, 2 **3])
    a = x[1 : 2, ::2][0]
    d = {"k": 1, "l": 2, "m": "it's", "n": 'say "x"'}
    y = R.call_pure_packed("f", lv1, lambda  i , j:  i+j , sinfo_args=(R.Tensor,))
    z = (
        lv,
            lv1,
    )
    w = (R.add(x, x), \\
        x)
    return lv1
'''


async def test_what_changes(client):
    capabilities = client.init_result.capabilities
    assert capabilities.document_formatting_provider and capabilities.document_range_formatting_provider
    open_text(client, HEAD + UGLY)
    assert await formatted(client, HEAD + UGLY) == HEAD + PRETTY
    assert await of(client, HEAD + PRETTY) == HEAD + PRETTY
    crlf = (HEAD + UGLY).replace("\n", "\r\n")
    assert await of(client, crlf) == (HEAD + PRETTY).replace("\n", "\r\n")


async def test_broken_functions_stay(client):
    other = UGLY.replace("main", "other").replace("lv=R.add (", "lv=R.add ((")
    open_text(client, HEAD)
    assert await of(client, HEAD + UGLY + "\n\n" + other) == HEAD + PRETTY + "\n\n" + other
    plain = "def  f( x ):\n    return  x+1\n"
    assert await of(client, plain) == plain


async def test_range(client):
    text = HEAD + UGLY
    open_text(client, text)
    line = place(text, "lv=").line
    edits = await ask(client.text_document_range_formatting_async(t.DocumentRangeFormattingParams(
        t.TextDocumentIdentifier(client.uri), t.Range(t.Position(line, 4), t.Position(line, 30)), OPTIONS)))
    assert edits and {edit.range.start.line for edit in edits} == {line}


def comments(text):
    return [k.string.rstrip() for k in tokenize.generate_tokens(io.StringIO(text).readline) if k.type == tokenize.COMMENT]


def mangled(text, rng):
    """The same tokens with other blanks between them."""
    lines, edits, before = text.split("\n"), [], None
    words = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING)
    breaks = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if before and before.end[0] == token.start[0] and token.type not in breaks and before.type not in breaks and rng.random() < 0.3:
            line, start, end = token.start[0] - 1, before.end[1], token.start[1]
            blanks = lines[line][start:end]
            if not blanks.strip():
                glue = not (before.type in words and token.type in words) and rng.random() < 0.5
                edits.append((line, start, end, "" if glue else blanks + rng.choice((" ", "  ", "\t"))))
        before = token
    for line, start, end, blanks in reversed(edits):
        lines[line] = lines[line][:start] + blanks + lines[line][end:]
    return "\n".join(lines)


async def test_program_and_comments_stay(client):
    rng = random.Random(11)
    open_text(client, HEAD)
    for path in sorted((ROOT / "examples").glob("*.py")):
        text = path.read_text()
        assert await of(client, text) == text  # the examples are formatted
        ugly = mangled(text, rng)
        assert ast.dump(ast.parse(ugly)) == ast.dump(ast.parse(text))
        pretty = await of(client, ugly)
        assert pretty != ugly
        assert ast.dump(ast.parse(pretty)) == ast.dump(ast.parse(text))
        assert comments(pretty) == comments(text)
        assert await of(client, pretty) == pretty


async def test_thousands_of_edits_are_joined(client):
    """Each line changes: the text comes out as from line by line, in few edits."""
    head = "from tvm.script import relax as R\n\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n"
    ugly = ["    a%d=R.add( x ,R.const( -1.5,\"float32\" ))\n", "    b%d = R.call_pure_packed('a , b( %%d', x,sinfo_args = R.Tensor((4, ),\"float32\"))\n".replace("%%", "%%%%"),
            "    c%d = R.strided_slice(x, axes=[0 ], begin=[- 1],end=[2 **3])\n"]
    good = ["    a%d = R.add(x, R.const(-1.5, \"float32\"))\n", "    b%d = R.call_pure_packed(\"a , b( %%%%d\", x, sinfo_args=R.Tensor((4,), \"float32\"))\n",
            "    c%d = R.strided_slice(x, axes=[0], begin=[-1], end=[2 **3])\n"]
    text, wanted = (head + "".join(line % i for i in range(700) for line in lines) + "    return x\n" for lines in (ugly, good))
    open_text(client, text)
    edits = await ask(client.text_document_formatting_async(t.DocumentFormattingParams(t.TextDocumentIdentifier(client.uri), OPTIONS)))
    assert applied(text, edits) == wanted
    assert len(edits) < 1000


PRIM = '''

@T.prim_func
def f( A :T.Buffer((8,),'float32' ),B: T.Buffer( (8 ,) , "float32")):
    for i in T.serial( 8 ) :
        with T.sblock( "b" ):
            v = T.axis.spatial(8,i); w=v


            if  v>2 :
                B[ v ]=A[v]*2.0   # twice
            else:
                B[v]= A [ v ]
        T.evaluate( 0 )
'''


async def test_a_range_is_formatted_as_in_the_whole(client):
    """From any place to any other one: the edits of the whole document that touch the range."""
    text = HEAD + UGLY + PRIM
    open_text(client, text)
    rows = text.split("\n")
    place_of = lambda at: (at.line, at.character)  # noqa: E731
    edits = await ask(client.text_document_formatting_async(t.DocumentFormattingParams(t.TextDocumentIdentifier(client.uri), OPTIONS)))
    assert len(edits) > 60
    for first in range(len(rows)):
        for start, last in ((0, first), (len(rows[first]) // 2, first), (len(rows[first]) // 3, min(first + 2, len(rows) - 1))):
            window = t.Range(t.Position(first, start), t.Position(last, len(rows[last])))
            found = await ask(client.text_document_range_formatting_async(t.DocumentRangeFormattingParams(t.TextDocumentIdentifier(client.uri), window, OPTIONS)))
            assert list(found or []) == [e for e in edits if place_of(e.range.start) <= place_of(window.end) and place_of(e.range.end) >= place_of(window.start)], window
