"""More random changes of a script's text: of calls, blocks, buffers and signatures, and other forms of Python.

They stand beside the ones of text_changes.py, and are in KINDS once this module is imported.
"""
import ast
import pathlib
import re

from text_changes import DTYPES, kind, logical, pick

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDE = DTYPES + ["float8_e4m3fn", "float32x4", "uint16", "int16", "int4", "uint1", "uint64", "void", "Float32", "int", "boolx4", "e4m3_float8", "customfloat", "int32x0", "float"]
VALUES = ["0", "1", "3", "-2", "0.5", "None", "True", '"n"', '"float32"', "[1, 2]", "()", "T.int64(4)", "T.float32(0)", "T.bool(True)", "{}", "1 << 3", "T.int8(3)", "T.uint32(7)"]


def functions_of_t():
    """The names behind T that script_names.def has."""
    rows = (ROOT / "analyzer" / "words" / "script_names.def").read_text()
    return [m for m in re.findall(r'^RLX_SCRIPT_NAME\("([a-zA-Z_.]+)"', rows, re.M)]


NAMES_OF_T = functions_of_t()


def names_of(t):
    return sorted({n.id for n in t.nodes if isinstance(n, ast.Name) and n.id not in "RTI"}) or ["x"]


def value_of(t, rng):
    """An expression to be put somewhere: of the script, or a literal."""
    return rng.choice([rng.choice(names_of(t)), t.of(pick(rng, t.expressions())).replace("\n", " "), rng.choice(VALUES), rng.choice(VALUES)])


def plain(t):
    return [s for s in logical(t) if not isinstance(s, (ast.FunctionDef, ast.ClassDef)) and s.col_offset]


def before(t, s, line):
    return "".join(t.lines[:s.lineno - 1] + [" " * s.col_offset + line + "\n"] + t.lines[s.lineno - 1:])


def changed_call(t, c, change):
    new = ast.parse(t.of(c), mode="eval").body
    change(new)
    return t.put(c, ast.unparse(new))


def calls_of(t, *names):
    return [c for c in t.calls() if isinstance(c.func, ast.Attribute) and c.func.attr in names]


@kind
def call_of_t(t, rng):
    """A call of any function of T, as a statement, under a name, or in the place of an expression."""
    s = pick(rng, plain(t))
    if not s:
        return None
    call = f"T.{rng.choice(NAMES_OF_T)}({', '.join(value_of(t, rng) for _ in range(rng.choice([0, 1, 1, 2, 2, 3])))})"
    if rng.random() < 0.4:
        n = pick(rng, t.expressions())
        return t.put(n, call)
    return before(t, s, rng.choice([call, f"q_v = {call}", f"T.evaluate({call})", f"with {call}: T.evaluate(0)", f"q_v: T.let[T.int32] = {call}"]))


@kind
def swap_operands(t, rng):
    n = pick(rng, [n for n in t.nodes if isinstance(n, ast.BinOp) or (isinstance(n, ast.Compare) and len(n.ops) == 1)])
    if not n:
        return None
    a, b = t.span(n.left), t.span(n.right if isinstance(n, ast.BinOp) else n.comparators[0])
    return t.text[:a[0]] + t.text[b[0]:b[1]] + t.text[a[1]:b[0]] + t.text[a[0]:a[1]] + t.text[b[1]:]


@kind
def form(t, rng):
    """An expression in another form of Python."""
    n = pick(rng, t.expressions())
    x = t.of(n)
    y = value_of(t, rng)
    return t.put(n, rng.choice(["(q_w := {0})", "f'{{{0}}}'", "[{0} for _ in range(2)][0]", "{{0: {0}}}[0]", "{{'a': {0}}}['a']", "({0} if {1} else {1})", "({1} if {0} else 1)", "({0} is None)", "({0} in [1, 2])",
                                "(not {0} < {1})", "({0} < {1} < 3)", "(lambda: {0})()", "(lambda q_x: q_x)({0})", "tuple([{0}, 1])[0]", "({0}, {1})[0]", "[{1}, {0}][-1]", "max({0}, 1)", "min({0}, {1})", "int({0})",
                                "float({0})", "len([{0}])", "abs({0})", "sum([{0}])", "str({0})", "({0} or {1})", "({0} and {1})", "{0} @ {1}", "({0}) ** 2", "{0} << 1", "~{0}", "+{0}", "divmod({0}, 2)[0]",
                                "(*[{0}],)[0]", "bool({0})", "({0} == {1})", "({0} != {0})", "range({0})", "[*range(2)][1]", "{0}.astype('int64')", "round({0})", "({0} not in ())", "slice({0})", "b'{0}'"
                                ]).format(x, y))


@kind
def member(t, rng):
    """An attribute or a method of a value."""
    n = pick(rng, [n for n in t.expressions() if isinstance(n, (ast.Name, ast.Subscript))])
    return n and t.put(n, t.of(n) + rng.choice([".shape", ".shape[0]", ".dtype", ".data", ".strides", ".strides[0]", ".elem_offset", ".name", ".scope()", ".access_ptr('r')", ".access_ptr('rw', offset=0)",
                                                ".vload([0], 'float32')", ".vload((0, 0))", ".offset_of([0, 0])", ".ty", ".buffer", ".indices", ".astype('float16')", ".astype(T.int32)", ".region", ".source", ".view()",
                                                ".local()", ".ndim", ".same_as(1)", ".get_flattened_buffer()", ".span", ".handle", ".value", ".a", ".vstore([0], 1.0)", ".shape[-1]", ".shape[9]", ".name_hint", ".dom",
                                                ".var", ".item()", ".permute(1, 0)", ".data_alignment", ".axis_separators", ".byte_offset_of([0])", ".ptr_to([0])", ".equal(0)"]))


@kind
def cast(t, rng):
    n = pick(rng, t.expressions())
    d = rng.choice(WIDE)
    return n and t.put(n, rng.choice([f"T.{d}({{}})", f"T.cast({{}}, '{d}')", f"T.Cast('{d}', {{}})", f"T.reinterpret('{d}', {{}})", f"{{}}.astype('{d}')", f"T.const({{}}, '{d}')", f"T.truncate({{}}, '{d}')",
                                      f"T.{d}", f"'{d}'", f"T.{d}()"]).format(t.of(n)))


@kind
def dtype_wide(t, rng):
    """A dtype, as a string or behind T, becomes a rarer one."""
    found = [n for n in t.nodes if isinstance(n, ast.Constant) and n.value in DTYPES and n.value != ""] + [n for n in t.nodes if isinstance(n, ast.Attribute) and n.attr in DTYPES]
    n = pick(rng, found)
    if not n:
        return None
    new = rng.choice(WIDE)
    return t.put(n, f'"{new}"' if isinstance(n, ast.Constant) else f"T.{new}")


@kind
def block_head(t, rng):
    """What a block is opened with."""
    s = pick(rng, [s for s in logical(t) if isinstance(s, ast.With)])
    if not s:
        return None
    e = s.items[0].context_expr
    x = value_of(t, rng)
    return t.put(e, rng.choice(["T.sblock()", "T.sblock('')", "T.sblock('root')", f"T.sblock({x})", "T.sblock('a b')", "T.sblock(name='k')", "T.sblock('k', True)", "T.sblock('k', no_realize=True)", "T.sblock",
                                "T.sblock(None)", "T.block('k')", "T.init()", "T.init", "T.init(1)", f"T.attr({x}, 'k', 1)", f"T.attr({x}, 'k', {x})", "T.attr({'k': 1})", f"T.LetStmt({x})", f"T.Assert({x}, 'no')",
                                f"T.launch_thread('threadIdx.x', {x})", "T.While(1 < 2)", f"T.If({x})", f"T.realize({x}, '')", f"T.allocate([4], 'float32', {x})", "T.allocate([4], 'float32')", f"T.decl_buffer({x})",
                                f"T.decl_buffer([4], data={x})", f"T.Bind({x})", "T.serial(4)", "T.grid(2, 2)", f"{x}", "T.seq_scope()", "T.block_attr({})", "T.sblock('k', exec_scope='cta')", "T.kernel()", "T.cta()",
                                "T.thread()", "T.warp()", "T.sblock('k') as q_k", f"T.launch_thread({x}, 4)", "T.env_thread('threadIdx.x')"]))


@kind
def axis(t, rng):
    """An axis of a block: its type, extent, value, dtype; remap's letters and list."""
    c = pick(rng, [c for c in t.calls() if isinstance(c.func, ast.Attribute) and ".axis." in t.of(c.func)])
    if not c:
        return None
    x, y = value_of(t, rng), value_of(t, rng)
    if c.func.attr == "remap" and len(c.args) == 2 and isinstance(c.args[1], ast.List):
        letters, parts = c.args[0].value, [t.of(e) for e in c.args[1].elts]
        how = rng.randrange(9)
        if how == 0:
            rng.shuffle(parts)
        elif how == 1:
            parts[rng.randrange(len(parts))] = x
        elif how == 2:
            letters = "".join(rng.choice("SRSRDO") for _ in letters)
        elif how == 3:
            letters = letters[:-1]
        elif how == 4:
            parts.append(rng.choice(parts))
            letters += "S"
        elif how == 5:
            parts[0] += " + 1"
        elif how == 6:
            return t.put(c.args[1], f"({', '.join(parts)},)")
        elif how == 7:
            return t.put(c, f"T.axis.remap('{letters}', [{', '.join(parts)}], {rng.choice(['int64', 'dtype=', ''])}'int64')".replace("int64'", "'", 1) if rng.random() < 0.3
                         else f"T.axis.remap(bindings=[{', '.join(parts)}], kinds='{letters}')")
        else:
            letters = letters.lower()
        return t.put(c, f"T.axis.remap('{letters}', [{', '.join(parts)}])")
    return t.put(c, f"T.axis.{rng.choice(['spatial', 'reduce', 'scan', 'opaque', 'S', 'R', 'D', 'remap', 'serial', c.func.attr])}" +
                 rng.choice([f"({x}, {y})", f"(({x}, {y}), 0)", f"((0, {x}), {y})", f"({x})", f"({x}, {y}, 'int64')", f"({x}, {y}, dtype='int32')", f"(4, {y})", f"({x}, 0)", f"(dom={x}, binding={y})", f"(T.int64(4), {y})",
                             f"(4, {y}, 'float32')", f"([{x}, {y}], 0)", f"(4, {y} * 2 + 1)", f"(4, {y}[0])", "()"]))


@kind
def access(t, rng):
    """T.reads, T.writes, T.where: what stands in them, or their place."""
    c = pick(rng, calls_of(t, "reads", "writes", "where"))
    if not c:
        return None
    x, y = value_of(t, rng), rng.choice(names_of(t))
    return t.put(c, rng.choice([f"T.reads({x})", f"T.writes({x})", f"T.where({x})", f"T.reads({y}[{x}])", f"T.reads({y}[0:{x}])", f"T.writes({y}[{x}:{x} + 1])", f"T.reads([{y}[0]])", "T.reads([])", f"T.reads({y}[0], {y}[1])",
                                f"T.reads(({y}[0],))", f"T.where({x} < 3)", f"T.where({x} < {y})", "T.where(True)", "T.where(1)", f"T.where({y}[0] < 1)", f"T.reads({y})", f"T.reads(*[{y}[0]])", f"T.writes({y}[0, 0, 0])",
                                f"T.writes({y}[()])", f"T.reads({y}[:])", f"T.writes({y}[..., 0])", f"T.reads({y}[0:2, 0:2])", f"T.where({y})", f"T.reads({y}[{x}, {x}])"]))


@kind
def buffer_option(t, rng):
    """An option of what makes a buffer."""
    c = pick(rng, calls_of(t, "Buffer", "match_buffer", "alloc_buffer", "decl_buffer", "sblock_alloc_buffer", "alloc_shared", "alloc_local"))
    if not c:
        return None
    x = value_of(t, rng)
    option = rng.choice([f"strides=[{x}]", f"strides=({x}, 1)", "strides=[]", "strides=['s0', 's1']", "strides=None", f"elem_offset={x}", "elem_offset=0", f"byte_offset={x}", f"data={x}", "scope='shared'", f"scope={x}", "scope=''",
                         "scope='shared.dyn'", "align=64", "align=-1", "align=0", f"align={x}", "offset_factor=1", "offset_factor=0", f"offset_factor={x}", "buffer_type='auto'", "buffer_type='default'", f"buffer_type={x}",
                         "axis_separators=[1]", "axis_separators=[0]", f"axis_separators=[{x}]", "layout=None", "layout='default'", f"layout={x}", "logical_scope='kernel'", f"dtype={x}", f"shape={x}", "name='k'", "buffer_name='k'",
                         "allocated_addr=None", "dtype=T.float32", "dtype='float16'", "annotations={'k': 1}"])
    old = ast.parse(f"f({option})", mode="eval").body.keywords[0]
    return changed_call(t, c, lambda new: (new.keywords.__setitem__(slice(None), [k for k in new.keywords if k.arg != old.arg]), new.keywords.append(old)))


@kind
def buffer_shape(t, rng):
    """The shape of a buffer."""
    c = pick(rng, [c for c in calls_of(t, "Buffer", "match_buffer", "alloc_buffer", "decl_buffer", "sblock_alloc_buffer") if len(c.args) > 0])
    if not c:
        return None
    a = c.args[1] if c.func.attr == "match_buffer" and len(c.args) > 1 else c.args[0]
    x = value_of(t, rng)
    if isinstance(a, (ast.Tuple, ast.List)) and a.elts and rng.random() < 0.6:
        parts = [t.of(e) for e in a.elts]
        i = rng.randrange(len(parts))
        parts[i] = rng.choice([x, "0", "-1", "'n'", "T.int64(4)", f"{parts[i]} * 2", f"{parts[i]} + {x}", "4.0", "T.int32()", f"T.cast({parts[i]}, 'int64')", "True", "n", "1 + 1", f"({parts[i]},)", "None"])
        return t.put(a, f"({', '.join(parts)},)")
    return t.put(a, rng.choice(["()", "[]", "4", "(4,)", "'n'", "('n', 'm')", f"{x}", f"({x},)", f"[{x}, {x}]", "None", "(1,)", "1", "T.int64(4)", "(T.int64(1),)", "[*(4, 4)]"]))


@kind
def signature(t, rng):
    """Parameters: their order, number, kind, and what stands behind `->`."""
    f = pick(rng, [n for n in t.nodes if isinstance(n, ast.FunctionDef)])
    if not f:
        return None
    head = t.text[:t.at_bytes(f.lineno, f.col_offset)]
    body = t.text[t.at_bytes(f.body[0].lineno, 0):]
    args = [t.of(a) for a in f.args.args]
    how, returns = rng.randrange(13), f" -> {t.of(f.returns)}" if f.returns else ""
    k = rng.randrange(len(args)) if args else 0
    if how == 0 and len(args) > 1:
        rng.shuffle(args)
    elif how == 1 and args:
        del args[k]
    elif how == 2 and args:
        args.append(args[k])
    elif how == 3 and args:
        args[-1] += " = " + rng.choice(VALUES)
    elif how == 4:
        args.insert(k, rng.choice(["*", "/", "*q_args", "**q_kw", "self", "q_p", "q_p: T.int32", "q_p: T.handle", "q_p: T.Buffer((4,), 'float32')", "q_p: T.Buffer(('n',), 'float32')", "q_p: T.Buffer((q_n,), 'float32')",
                                   "q_p: T.int32 = 3", "*q_args: T.int32", "q_p: R.Tensor((4,), 'float32')", "q_p: T.Buffer[(4,), 'float32']", "q_p: int", "q_p: T.Buffer((4,), 'float32', scope='shared')", "q_p: T.float32(0)",
                                   "q_p: T.int64()", "q_p: T.var('int32')", "q_p: T.Buffer((4,), strides=[1])", "q_p: T.handle('float32', 'shared')", "q_p: T.Ptr(T.float32)", "q_p: T.meta_var(1)", "q_p: lambda: T.int32"]))
    elif how == 5 and args:
        args[k] = args[k].partition(":")[0]
    elif how in (6, 7):
        returns = rng.choice(["", " -> None", " -> T.int32", " -> R.Tensor((4,), 'float32')", " -> T.handle", " -> T.Tuple(T.int32)", " -> int", " -> T.Buffer((4,), 'float32')", " -> 'x'", " -> T.float32", " -> T.bool()",
                              " -> q_n", " -> 3"])
    elif how == 8 and args:
        args[k] = re.sub(r"^\w+", rng.choice(names_of(t)), args[k])
    elif how == 9:
        return t.text[:t.at_bytes(f.lineno, f.col_offset)] + "async " + t.text[t.at_bytes(f.lineno, f.col_offset):]
    elif how == 10 and f.decorator_list:
        d = f.decorator_list[0]
        return "".join(t.lines[:d.lineno - 1] + [" " * d.col_offset + "@" * 0] * 0 + t.lines[d.lineno - 1:d.end_lineno] + t.lines[d.lineno - 1:])
    elif how == 11:
        return head + f"def {rng.choice(names_of(t) + ['main', 'T', 'range', 'f'])}({', '.join(args)}){returns}:\n" + body
    else:
        a = pick(rng, f.args.args)
        others = [t.of(n.annotation) for n in t.nodes if isinstance(n, ast.arg) and n.annotation]
        return a and a.annotation and t.put(a.annotation, rng.choice(others))
    return head + f"def {f.name}({', '.join(args)}){returns}:\n" + body


@kind
def python_statement(t, rng):
    """A statement of Python that TVM's parser may not have, around or before one that is there."""
    s = pick(rng, plain(t))
    if not s:
        return None
    x, y = value_of(t, rng), rng.choice(names_of(t))
    pad, own = " " * s.col_offset, ["    " + line for line in t.lines[s.lineno - 1:s.end_lineno]]
    if rng.random() < 0.3:
        head, tail = rng.choice([("try:", ["except Exception:", "    pass"]), ("def q_f():", []), ("class Q:", []), ("while 1 < 2:", []), (f"while {y}[0] < {x}:", []), (f"if {x}:", ["else:", "    pass"]), (f"match {y}:", []),
                                 ("async def q_f():", []), (f"for q_i in {x}:", ["else:", "    pass"]), (f"if {y} < 2:", [f"elif {x}:", "    T.evaluate(1)"]), ("with T.sblock('q_b'), T.init():", []), ("@T.inline\n" + pad + "def q_f():", [])])
        return "".join(t.lines[:s.lineno - 1] + [pad + head + "\n"] + own + [pad + line + "\n" for line in tail] + t.lines[s.end_lineno:])
    return before(t, s, rng.choice(["import numpy as np", "nonlocal q", "raise ValueError", "x: int", f"del {y}", f"{y} = {x}; {y} = {x}", "yield 1", "await q", f"assert {x}", f"assert {x}, {x}", f"assert ({x}, 'no')", f"return {x}",
                                    f"q_a, q_b = {x}, {x}", f"(q_a, q_b) = {x}", f"[q_a, *q_b] = {x}, 1", f"q_a = q_b = {x}", f"{y}[0], q_b = {x}, {x}", f"{y}[0]: T.float32 = {x}", f"q_a: {x} = 1", f"q_a: {y} = {x}",
                                    f"q_a: T.int32 = {x}", f"q_a: T.float32 = {x}", f"q_a: T.handle = {x}", f"q_a: T.bool = {x}", f"q_a: T.let = {x}", f"q_a: T.let[T.float32] = {x}", f"q_a: T.Buffer((4,), 'float32') = {x}",
                                    f"q_a: T.let[T.handle] = {y}.data", f"q_a = {y}.data", f"q_a = T.meta_var({x})", f"q_a: T.int32[{x}]", "q_a: T.int64", f"if {x}: pass", f"T.evaluate({x}) if True else 0",
                                    f"if (q_a := {x}) < 3: T.evaluate(q_a)", f"q_a = lambda q_x: {x}", f"q_a = [{x}, {x}]", f"q_a = ({x},)", f"q_a = {{'k': {x}}}", f"{y} += {x}", f"{y}[0] += {x}", f"{y}[0, 0] -= {x}",
                                    f"{y}[{x}] = {x}", f"{y}.x = {x}", f"T.x = {x}", f"print({x})", f"{y}({x})", f"T.call_extern('int32', 'f', {x})", f"T.call_packed('f', {x})", f"T.call_intrin('int32', 'tir.f', {x})",
                                    f"T.tvm_storage_sync({x})", f"T.ret({x})", f"T.assume({x})", f"T.evaluate(T.tvm_access_ptr(T.type_annotation('float32'), {y}.data, 0, {x}, 1))", f"T.call_llvm_intrin('int32', 'f', T.uint32(1), {x})",
                                    f"T.call_extern('f', {x})", f"T.evaluate(T.address_of({y}[0]))", f"T.buffer_store({y}, {x}, [0])", f"T.comm_reducer(lambda a, b: a + b, [{x}])", f"T.prefetch({y}, [])", "T.continue_loop()",
                                    f"q_a = T.bind({x})", f"T.func_attr({{'k': {x}}})", f"T.sblock_attr({{'k': {x}}})", "T.func_attr({'global_symbol': 'q'})", f"T.preflattened_buffer({y}, (4,))"]))


@kind
def attribute_dict(t, rng):
    """A key or a value of a dictionary."""
    d = pick(rng, [n for n in t.nodes if isinstance(n, ast.Dict) and n.keys])
    if not d:
        return None
    i = rng.randrange(len(d.keys))
    x = value_of(t, rng)
    if rng.random() < 0.4 and d.keys[i]:
        return t.put(d.keys[i], rng.choice(["'k'", "1", "None", "'global_symbol'", "'tir.noalias'", "'tirx.noalias'", "x", "'target'", "''", "'tir.is_scheduled'", "('a',)", f"{x}"]))
    return t.put(d.values[i], rng.choice([f"{x}", "None", "'s'", "3", "0.5", "[1, 2]", "{'a': 1}", "True", "T.int64(1)", "[]", "T.target('llvm')", "T.bool(True)", "T.float32(1)", "(1, 'a')", "lambda: 1"]))


@kind
def number(t, rng):
    """A number in another spelling or of another size."""
    n = pick(rng, [n for n in t.nodes if isinstance(n, ast.Constant) and isinstance(n.value, (int, float)) and not isinstance(n.value, bool)])
    if not n:
        return None
    x = t.of(n)
    return t.put(n, rng.choice([f"T.int64({x})", f"T.int32({x})", f"T.float32({x})", f"T.uint8({x})", f"T.bool({x})", "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "1e40", "1e-50", "0x10", "1_000",
                                "1j", "float('inf')", "-0.0", "256", "-129", "65536", f"({x})", f"{x} + 0", f"{x} - {x}", f"{x} // 0", f"{x} % 0", "T.infinity('float32')", "T.min_value('int32')", "T.max_value('int8')", "T.float16(70000)"]))


@kind
def two(t, rng):
    """Two names, numbers or strings become others of the script."""
    text = t.text
    found = [n for n in t.expressions() if isinstance(n, (ast.Name, ast.Constant))]
    if len(found) < 2:
        return None
    for n in sorted(rng.sample(found, 2), key=lambda n: t.span(n), reverse=True):
        a, b = t.span(n)
        other = rng.choice([m for m in found if type(m) is type(n)])
        text = text[:a] + t.of(other) + text[b:]
    return text


@kind
def other_head(t, rng):
    """A loop, a branch, a block becomes another one of them over the same body."""
    s = pick(rng, [s for s in logical(t) if isinstance(s, (ast.With, ast.For, ast.If, ast.While))])
    if not s:
        return None
    a, b = t.at_bytes(s.lineno, s.col_offset), t.at_bytes(s.body[0].lineno, 0)
    x = value_of(t, rng)
    names = t.of(s.target) if isinstance(s, ast.For) else "q_i"
    head = rng.choice([f"for {names} in range({x}):", f"for {names} in T.grid({x}, 2):", f"with T.sblock('q_s'):", f"if {x}:", f"while {x}:", f"if {x} < 4:", f"for {names} in T.serial({x}, unroll=True):", f"with T.attr(0, '{x[:3]}', {x}):",
                       f"for {names} in T.thread_binding({x}, 'threadIdx.x'):", f"for {names} in T.vectorized(0, {x}):", f"with {x}:", f"for {names}, q_k in T.grid({x}, 2):", f"for {names} in T.unroll({x}, annotations={{'k': {x}}}):",
                       f"for {names} in T.parallel(4, {x}):", f"for {names} in range({x}, {x}):", f"for {names} in T.serial(4, annotations={x}):", "with T.init():", f"for _ in range({x}):", f"for {names} in T.S({x}):"])
    return t.text[:a] + head + "\n" + t.text[b:]
