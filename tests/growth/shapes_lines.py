"""Shapes of input that put much into one line or one call, that name what stands outside again and again, and messages and folders that
ask for much with few bytes: more rows of shapes.SHAPES."""
import json

from shapes import HEAD, MODULE, PRIM, TIR, lines, main, shape
from shapes_many import ALL, FLOAT, FUNCTION, function

URI = {"uri": "file:///a.py"}


def call(item, n):
    return function("        y = R.concat(" + "".join(item.format(i=i) + ", " for i in range(n)) + ")\n")


# ---- in one call

@shape(20000)
def named_in_one_call(n):
    return call("(a := x)", n)


@shape(10000)
def named_differently_in_one_call(n):
    return call("(a{i} := x)", n)


@shape(20000)
def lambdas_in_one_call(n):
    return call("lambda a: a", n)


@shape(10000)
def parameters_of_a_lambda(n):
    names = [f"p{i}" for i in range(n)]
    return function("        y = R.call_te(lambda " + ", ".join(names) + ": " + " + ".join(names) + ", x)\n")


@shape(20000)
def sets_in_one_call(n):
    return call("{{{i}, *x}}", n)


@shape(20000)
def subscripts_with_stars_in_one_call(n):
    return call("x[*y, {i}:]", n)


@shape(10000)
def comprehensions_in_one_call(n):
    return call("[a for a in x]", n)


@shape(20000)
def bytes_and_numbers_in_one_call(n):
    return call("b'a' rb'b', 1_0{i}j, 0x{i}", n)


@shape(20000)
def escapes_in_one_call(n):
    return call("'\\n{i}' '\\u00e9'", n)


@shape(30000)
def conditions_of_one_value(n):
    return function("        y = " + "x and not x or " * n + "x\n        z = " + "x if x is not y else " * n + "x\n")


@shape(30000)
def bits_of_one_value(n):
    return function("        y = " + "~x << 1 | x & 2 ^ " * n + "x\n")


# ---- what stands outside

@shape(3000)
def calls_of_the_own_module(n):
    return function(lines(n, "        y{i} = M.main(x)\n"))


@shape(3000)
def calls_of_what_is_not_there(n):
    return function(lines(n, "        y{i} = other{i}.main(x)\n"))


@shape(3000)
def functions_as_items(n):
    return function(lines(n, "        y{i} = others['main'](x)\n"))


@shape(3000, ALL)
def constants_of_metadata(n):
    return function(lines(n, '        y{i} = R.add(x, metadata["relax.expr.Constant"][{i}])\n'))


def metadata(n, graph):
    return "from tvm.script import ir as I, relax as R\nmetadata = tvm.ir.load_json(%r)\n" % json.dumps(graph) + function(
        '        y = R.add(x, metadata["relax.expr.Constant"][0])\n')


@shape(3000)
def lists_of_metadata_that_are_one(n):
    return metadata(n, {"root_index": 0, "nodes": [
        {"type": "ffi.Map", "data": [1, 2] * n}, {"type": "ffi.String", "data": "a"}, {"type": "ffi.Array", "data": [3] * n},
        {"type": "relax.expr.Constant", "data": {"data": 4}}, {"type": "ffi.Tensor", "data": "x"}]})


@shape(3000)
def lists_of_old_metadata_that_are_one(n):
    return metadata(n, {"root": 0, "b64ndarrays": ["x"], "nodes": [
        {"type_key": "Map", "keys": [f"k{i}" for i in range(n)], "data": [1] * n}, {"type_key": "Array", "data": [2] * n},
        {"type_key": "relax.expr.Constant", "attrs": {**{f"a{i}": "" for i in range(n)}, "data": "0"}}]})


@shape(2000, ALL)
def arrays_of_numpy(n):
    return "import numpy as np\na0 = np.zeros((4,), 'float32')\n" + lines(n, "a{i} = np.concatenate([a{p}[:2], np.ones(2)]).astype('float32')\n") + function(
        lines(n, "        y{i} = R.add(x, R.const(a{i}))\n"))


@shape(2000, ALL)
def topi_again_and_again(n):
    return "from tvm import te, topi\n" + function("        y0 = x\n" + lines(n, "        y{i} = R.emit_te(topi.add, y{p}, x)\n"), f"y{n}")


@shape(1000, ALL)
def compute_of_emitted_functions(n):
    return "from tvm import te\n" + function(lines(
        n, "        y{i} = R.emit_te(lambda a: te.compute((4,), lambda i: a[i] + {i}, name='c{i}'), x)\n"))


@shape(1000, TIR)
def inlined_macros(n):
    return HEAD + lines(n, "@T.macro\ndef m{i}(A, i):\n    A[i] = A[i] + T.float32({i})\n") + PRIM + "    for i in range(64):\n" + lines(n, "        m{i}(A, i)\n")


@shape(3000)
def suppressions_with_reasons(n):
    return function(lines(n, "        y{i} = R.foo(x)  # rlx: ignore[RLX0201, RLX0404, no-{i}] - because {i}\n"))


@shape(2000)
def heads_that_do_not_parse(n):
    return MODULE + lines(n, "    @R.function\n    def f{i}(x: R.Tensor((4,, 'float32'), y:\n        return x\n")


@shape(1000)
def operands_side_by_side(n):
    return main(lines(n, "        y{i} = R.add(x x, {i} y)\n"))


# ---- messages

def note(method, params):
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params})


def ask(number, method, params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def place(line, character):
    return {"line": line, "character": character}


@shape(1000, ("messages",))
def edits_of_one_long_line(n):
    """Each edit is somewhere else in a line of 200 KB."""
    text = main("        y = R.add(x, x)  # " + "a b " * 50000 + "\n", "y")
    return [note("textDocument/didOpen", {"textDocument": {"uri": "file:///l.py", "languageId": "python", "version": 1, "text": text}}),
            note("textDocument/didChange", {"textDocument": {"uri": "file:///l.py", "version": 2}, "contentChanges": [
                {"range": {"start": place(5, 40 + i), "end": place(5, 41 + i)}, "text": "c"} for i in range(n)]})]


@shape(1000, ("messages",))
def texts_replaced(n):
    return [note("textDocument/didChange", {"textDocument": {**URI, "version": i + 2}, "contentChanges": [
        {"text": main(f"        y{i} = R.add(x, x)\n", f"y{i}")}]}) for i in range(n)]


@shape(2000, ("messages",))
def folders_of_a_workspace(n):
    return [note("workspace/didChangeWorkspaceFolders", {"event": {"added": [
        {"uri": f"file:///nowhere/{i}", "name": f"{i}"} for i in range(n)], "removed": []}})]


@shape(2000, ("messages",))
def files_that_changed(n):
    return [note("workspace/didChangeWatchedFiles", {"changes": [{"uri": f"file:///nowhere/m{i}.py", "type": 1 + i % 3} for i in range(n)]})]


@shape(3000, ("messages",))
def places_of_a_selection(n):
    return [ask(5, "textDocument/selectionRange", {"textDocument": URI, "positions": [place(5, i % 30) for i in range(n)]})]


@shape(3000, ("messages",))
def findings_of_a_code_action(n):
    return [ask(5, "textDocument/codeAction", {"textDocument": URI, "range": {"start": place(0, 0), "end": place(9, 0)}, "context": {
        "diagnostics": [{"range": {"start": place(5, 0), "end": place(5, i)}, "message": f"{i}", "code": f"RLX{i:04}"} for i in range(n)]}})]


@shape(2000, ("messages",))
def hints_and_lenses_again(n):
    return [ask(i + 5, ("textDocument/inlayHint", "textDocument/codeLens")[i % 2], {
        "textDocument": URI, "range": {"start": place(0, 0), "end": place(4294967295, 4294967295)}}) for i in range(n)]


@shape(2000, ("messages",))
def items_that_nobody_offered(n):
    return [ask(i + 5, ("completionItem/resolve", "codeLens/resolve", "inlayHint/resolve", "codeAction/resolve")[i % 4], {
        "label": "x", "range": {"start": place(i, i), "end": place(0, 0)}, "data": {"uri": "file:///a.py", "index": i, "a": [i] * 10}}) for i in range(n)]


@shape(20000, ("messages",))
def a_long_new_name(n):
    return [ask(5, "textDocument/rename", {"textDocument": URI, "position": place(5, 8), "newName": "y" * n})]


# ---- folders

@shape(60, ("files",))
def folders_in_folders(n):
    return {**{"a/" * i + "m.py": HEAD + f"@R.function\ndef f(x: {FLOAT}):\n    return R.add(x, y)\n" for i in range(n)}, "rlx.toml": "", "args": ["check", "."]}


@shape(300, ("files",))
def links_in_a_circle(n):
    """Each leads back to the folder that it stands in."""
    return {**{f"l{i}": ("link", ".") for i in range(n)}, "m.py": function("        y = R.add(x, z)\n"), "rlx.toml": "", "args": ["check", "."]}


@shape(1000, ("files",))
def links_to_one_script(n):
    return {**{f"l{i}.py": ("link", "m.py") for i in range(n)}, "m.py": function("        y = R.add(x, z)\n"), "rlx.toml": "", "args": ["check", "."]}


@shape(1000, ("files",))
def pipes_among_scripts(n):
    """Nobody writes into them: whoever opens one waits."""
    return {**{f"p{i}.py": ("pipe", "") for i in range(n)}, "m.py": function("        y = R.add(x, z)\n"), "rlx.toml": "", "args": ["check", "."]}


@shape(300, ("files",))
def rules_of_an_ignore_file(n):
    return {**{f"m{i}.py": "" for i in range(n)}, ".gitignore": "*a*b\n" * (n * 100), "a.py": function("        y = R.add(x, z)\n"), "rlx.toml": "",
            "args": ["check", "."]}


@shape(3000, ("files",))
def entries_that_are_no_scripts(n):
    return {**{f"{i}.txt": "a" for i in range(n)}, "m.py": function("        y = R.add(x, z)\n"), "rlx.toml": "", "args": ["check", "."]}


# ---- what holds the last of its kind, line by line

@shape(17000)
def tuples_that_hold_the_last(n):
    return main("        t0 = x\n" + lines(n, "        t{i} = (t{p}, x)\n"), f"t{n}")


@shape(15000)
def types_that_hold_the_last(n):
    return HEAD + f"A0 = {FLOAT}\n" + lines(n, "A{i} = R.Tuple(A{p}, A{p})\n") + f"@R.function\ndef f(x: A{n}, y: A500) -> A{n}:\n    return x\n"


@shape(2000)
def callables_that_hold_the_last(n):
    return HEAD + f"A0 = {FLOAT}\n" + lines(n, "A{i} = R.Callable((A{p},), A{p})\n") + f"@R.function\ndef f(x: A900) -> A900:\n    return x\n"


@shape(4000)
def misspelt_types_of_functions(n):
    return HEAD + lines(n, f"Type{{i}} = {FLOAT}\n@R.function\ndef f{{i}}(x: Tyep{{i}}, y: Type{{p}}) -> Tpye{{i}}:\n    return x\n")


@shape(4000, ("print",))
def local_functions_that_give_functions(n):
    return main("        @R.function\n        def g0(a: R.Tensor) -> R.Tensor:\n            return a\n"
                + lines(n, "        @R.function\n        def g{i}(a: R.Tensor):\n            return g{p}\n"), f"g{n}")


@shape(3000)
def buffers_allocated_and_written(n):
    return HEAD + PRIM + lines(n, "    C{i} = T.alloc_buffer(({i},), scope='shared')\n    D{i} = T.decl_buffer((4,), data=C{i}.data, elem_offset={i})\n    C{i}[0] = D{i}[0]\n")


@shape(10000)
def handles_that_nobody_matches(n):
    return HEAD + "@T.prim_func\ndef f(" + ", ".join(f"h{i}: T.handle" for i in range(n)) + "):\n" + "    T.evaluate(0)\n" * 2 * n


@shape(8000)
def lists_that_hold_the_last(n):
    return HEAD + "a0 = (1,)\n" + lines(n, "a{i} = (a{p}, 2)\nd{i} = {{'a': a{p}}}\n") + function(f"        y = R.reshape(x, a{n})\n").replace(HEAD, "")


@shape(12000)
def callables_that_give_the_last(n):
    return HEAD + f"A0 = {FLOAT}\n" + lines(n, "A{i} = R.Callable((A0,), A{p})\n") + f"@R.function\ndef f(x: A{n}) -> A{n}:\n    return x\n"


@shape(3000)
def slices_of_the_last(n):  # each has a dimension that holds the one before it twice
    return function("        y0 = x\n" + lines(n, "        y{i} = R.strided_slice(y{p}, [0], [1], [1000000], [3])\n"))


@shape(7000)
def functions_that_return_the_last(n):
    return MODULE + "    @R.function\n    def f0(x: R.Tensor):\n        return x\n" + lines(
        n, "    @R.function\n    def f{i}(x: R.Tensor):\n        return M.f{p}\n")


@shape(12000)
def decorators_of_no_package(n):  # whether anything binds their names is asked of the whole file
    return HEAD + lines(n, "@J{i}.prim_func\ndef f{i}(x):\n    pass\n") + function("        y = x\n")


@shape(8000, TIR)
def undefined_names_of_a_primfunc(n):  # each is reported once
    return HEAD + PRIM + lines(n, "    A[i{i}] = B[T.foo{i}(j{p})]\n")
