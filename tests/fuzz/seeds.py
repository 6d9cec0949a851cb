"""What a fuzz target starts from: seeds from the tests and the corpus, and a dictionary from the tables of the program."""
import json, random, re, shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
CORPUS = TOP.parent / "shared" / "corpus"
FROM_CORPUS = 400  # scripts of the corpus for one target

# Which kind of text each target takes, and the longest input that is worth its time.
KINDS = {
    "fuzz_syntax": ("script", 8192), "fuzz_document": ("script", 8192), "fuzz_text": ("script", 4096),
    "fuzz_analyzer": ("script", 8192), "fuzz_jit": ("kernel", 4096), "fuzz_trace": ("trace", 6000),
    "fuzz_repl": ("session", 4096), "fuzz_rpc": ("rpc", 16384), "fuzz_toml": ("toml", 8192), "fuzz_baseline": ("json", 8192), "fuzz_npy": ("array", 8192),
    "fuzz_safetensors": ("tensors", 8192), "fuzz_rewrite": ("script", 6000), "fuzz_outputs": ("named", 6000), "fuzz_kernel": ("lines", 4096),
    "fuzz_split": ("session", 4096), "fuzz_sugar": ("session", 2048), "fuzz_schedule": ("steps", 2048), "fuzz_notebook": ("cells", 4096),
}


def kind(name): return KINDS.get(name, ("script", 8192))[0]
def longest(name): return KINDS.get(name, ("script", 8192))[1]


def rows(path, macro):
    """First and second argument of each row RLX_X(a, "b", …) of a table."""
    text = (TOP / path).read_text()
    return re.findall(macro + r'\(\s*"?([^",)\s]+)"?\s*,\s*"?([^",)\s]+)"?', text)


PYTHON = """def return if else elif for in while with as import from class pass lambda and or not is None True False yield
try except finally raise assert global nonlocal del match case async await @ ** // == != <= >= := -> ... += ''' \"\"\" f" b' r' \\\n""".split()
SCRIPT = ["@R.function", "@T.prim_func", "@I.ir_module", "@T.prim_func(private=True)", "@R.function(pure=False)",
          "with R.dataflow():", "R.output(", "R.match_cast(", "R.call_tir(", "R.Tensor((", "R.Tuple(", "R.Shape([", "R.Callable((",
          "R.Object", "R.Prim(", "T.Buffer((", "T.grid(", "T.serial(", "T.parallel(", "T.vectorized(", "T.unroll(",
          "T.thread_binding(", "with T.sblock(", "with T.block(", "T.axis.remap(", "T.axis.spatial(", "T.axis.reduce(",
          "T.reads(", "T.writes(", "with T.init():", "T.where(", "T.match_buffer(", "T.alloc_buffer((", "T.int64(", "T.float32(",
          "T.if_then_else(", "T.Select(", "T.exp(", "T.evaluate(", "T.call_extern(", "T.handle", "T.sblock_attr(", "T.func_attr({",
          "cls.", '"float32"', '"float16"', '"int64"', '"int8"', '"bool"', "import tvm", "from tvm.script import ir as I, relax as R, tir as T"]


def words(name):
    what = kind(name)
    out = []
    if what in ("script", "kernel", "trace", "session", "named", "cells"):
        out += PYTHON + SCRIPT
    if what in ("session", "steps", "lines"):
        out += [":" + c + " " for c in ("sinfo", "explain", "ir", "normal", "plan", "tir", "diff", "prove", "who", "del", "simplify", "undo", "compare", "sched", "tree", "redo", "trace", "use", "done")]
        out += ["sch." + row + "(" for row, _ in rows("analyzer/schedule/primitives.def", r"RLX_PRIMITIVE\w*")] + ['sch.get_loops("', "factors=[None, 4]", "i, j = "]
        out += ["R.const([1.0, 2.0], \"float32\")", ".shape", ".astype(", "given ", "x?", "_", "\n\n"]
    if what in ("script", "session", "named", "cells", "lines"):
        out += ["R." + spelling for spelling, _ in rows("analyzer/ops/spellings.def", "RLX_SPELLING")]
        out += ["# rlx: ignore[", "# noqa"]
    if what == "named": out += ["\x1b[31m", "\u202e", "\u2028", "::error ", "%0A", "<![CDATA[", "]]>", "&#x1b;", '\\"', "../"]
    if what == "cells": out += ["\n# %%\n", "\n---\n", "%time", "!ls", "%%bash", "\U0001F600"]
    if what == "lines": out += ['{"id": 1, "method": "', "execute", "complete", "inspect", "is_complete", '", "code": "', '", "cursor": ', "\\n", "\\ud800", "\\u0000", "1e999", "}\n"]
    if what == "trace":
        out += ["sch." + row for row, _ in rows("analyzer/schedule/primitives.def", r"RLX_PRIMITIVE\w*")]
        out += ["b0 = ", "l1, l2 = ", "sch.get_loops(b0)", "factors=[None, 4]", "lambda i, j: (j, i)", "index_map=", '{"steps": [',
                '"primitive":', '"args":', "\n---\n"]
    if what == "rpc":
        out += [f'"{method}"' for _, method in rows("server/methods/methods.def", "RLX_METHOD")]
        out += ["Content-Length: ", "\r\n\r\n", '{"jsonrpc":"2.0","id":1,"method":', '"params":{', '"textDocument":{"uri":"file:///a.py"',
                '"version":2', '"contentChanges":[', '"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":2}}',
                '"position":{"line":3,"character":4}', '"text":"', '"cells":{"structure":{"array":{"start":0,"deleteCount":1', '"textContent":[', '"languageId":"python"', '"context":{', "null", "true", "1e999",
                "-2147483649", "\\ud800", "\\u0000"]
    if what == "toml":
        out += [key for _, key in rows("config/settings.def", "RLX_SETTING")]
        out += ["[tool.rlx]", "[[", "]]", "'''", '"""', "inf", "nan", "1979-05-27T07:32:00Z", "0x", "0o7", "0b1", "_", "{ ", " }", "\\u00e9",
                "\\U0010FFFF"]
        out += re.findall(r'"(RLX\d{4})"', "".join(p.read_text() for p in (TOP / "analyzer/diag").glob("*.def")))[:40]
    if what == "json":
        out += ['{"rlx": 1, "findings": [', '"file": ', '"code": ', '"fingerprint": ', '"message": ', "]}", "\\ud800", "1e400", "null"]
    if what == "array":
        out += ["\x93NUMPY\x01\x00", "\x93NUMPY\x02\x00", "{'descr': '<f4', ", "'fortran_order': False, ", "'fortran_order': True, ",
                "'shape': (", "'|O'", "'>f8'", "'<i8'", "'|b1'", "'<c8'", "'|S4'", "'<U4'", "[('x', '<f4')]", "9223372036854775807", "0, ", "}\n",
                "PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "PK\x06\x06", "arr_0.npy", "x.npy"]
    if what == "tensors":
        out += ['"dtype":"F32"', '"BF16"', '"F8_E4M3"', '"shape":[', '"data_offsets":[0,', '"__metadata__":{']
    return list(dict.fromkeys(out))


def dictionary(name):
    """The words in libFuzzer's format, one a line."""
    def quote(text):
        data = text.encode("latin-1") if kind(name) == "array" else text.encode()
        return '"' + "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\x{b:02x}" for b in data) + '"'
    return "".join(quote(w) + "\n" for w in words(name) if w and len(w.encode()) <= 64)


def scripts(bytes_most):
    """Scripts of the repository, and a fixed choice from the corpus beside it, none longer than `bytes_most`."""
    mine = [p for folder in ("examples", "tests/golden", "tests/print", "tests/cli") for p in sorted((TOP / folder).rglob("*.py"))]
    theirs = sorted(p for p in CORPUS.rglob("*.py")) if CORPUS.is_dir() else []
    random.Random(13).shuffle(theirs)
    out = [p for p in mine if p.stat().st_size <= bytes_most]
    for p in theirs:
        if len(out) >= FROM_CORPUS + len(mine): break
        if p.is_file() and p.stat().st_size <= bytes_most: out.append(p)
    return out


def texts(name, bytes_most):
    """Contents of the seeds that the repository's files give, as bytes."""
    what = kind(name)
    if what in ("script", "kernel"):
        # The first four bytes choose the edit, where a target makes one: a script is one behind them.
        return [(b"" if what == "kernel" else b"#a7\n") + p.read_bytes() for p in scripts(bytes_most)
                if what != "kernel" or b"prim_func" in p.read_bytes()]
    if what == "toml": return [p.read_bytes() for p in sorted(TOP.rglob("*.toml")) if "build" not in p.parts[len(TOP.parts)]]
    if what == "json": return [b'{"rlx": 1, "findings": [\n  {"file": "a.py", "code": "RLX0301", "fingerprint": "0123456789abcdef", "message": "m"}\n]}\n']
    if what == "rpc":
        said = [p.read_text(errors="replace") for p in scripts(2000)[:60]]
        return [conversation(text) for text in said] + [notebook(text) for text in said[::3]]
    if what == "session": return sessions()
    if what == "steps": return steps()
    if what == "lines": return [lines(t) for t in sessions()]
    if what == "named": return [n + b"\n" + p.read_bytes() for n, p in zip(NAMES * 200, scripts(bytes_most))]
    if what == "cells": return [cells(p.read_text(errors="replace"), i) for i, p in enumerate(scripts(2000))]
    if what == "array": return arrays()
    if what == "tensors": return tensors() + [t[7:] for t in tensors()]
    if what == "trace": return traces()
    return []


def conversation(text):
    """One body a line: what an editor says about one file; every request of the table is among them."""
    uri = {"uri": "file:///a.py"}
    at = {"textDocument": uri, "position": {"line": 3, "character": 8}}
    out = [{"method": "textDocument/didOpen", "params": {"textDocument": {**uri, "languageId": "python", "version": 1, "text": text}}},
           {"method": "textDocument/didChange", "params": {"textDocument": {**uri, "version": 2}, "contentChanges": [
               {"range": {"start": {"line": 2, "character": 1}, "end": {"line": 3, "character": 2}}, "text": "x"}]}}]
    methods = [m for _, m in rows("server/methods/methods.def", "RLX_METHOD") if m.startswith(("textDocument/", "rlx/")) and "/did" not in m]
    for i, method in enumerate(methods):
        out.append({"id": i + 2, "method": method, "params": {**at, "range": {"start": {"line": 0, "character": 0},
                    "end": {"line": 9, "character": 0}}, "context": {"diagnostics": []}, "newName": "y", "options": {"tabSize": 4}}})
    return "\n".join(json.dumps({"jsonrpc": "2.0", **m}) for m in out).encode()


def sessions():
    """Pieces of the REPL's transcripts, a blank line between two entries."""
    out = []
    for path in sorted((TOP / "tests/repl/cases").glob("*.in")):
        lines = [line for line in path.read_text(errors="replace").splitlines() if not re.match(r"\s*[!%#]|:(save|load|edit|watch|graph|set|tune|time)", line)]
        entries, entry = [], []
        for line in lines:
            if entry and line[:1] not in " \t" and not entry[-1].startswith("@"): entries, entry = entries + ["\n".join(entry)], []
            if line: entry.append(line)
        entries.append("\n".join(entry))
        out += ["\n\n".join(entries[i:i + 6]).encode() for i in range(0, len(entries), 6)]
    return [t for t in out if t]


def notebook(text):
    """The same of a notebook: a cell for each function, cells that are put in, moved, changed and taken out, and requests about one."""
    cells = [c for c in re.split(r"(?m)^(?=@|import |from |class )", text) if c.strip()][:6]
    book, cell = {"uri": "file:///b.ipynb"}, lambda i: {"uri": f"vscode-notebook-cell:/b.ipynb#{i}"}
    item = lambda i, c: {**cell(i), "languageId": "python", "version": 1, "text": c}
    entry = lambda i: {"kind": 2, "document": cell(i)["uri"]}
    def change(version, **cells):
        return {"method": "notebookDocument/didChange", "params": {"notebookDocument": {**book, "version": version}, "change": {"cells": cells}}}
    out = [{"method": "notebookDocument/didOpen", "params": {
        "notebookDocument": {**book, "notebookType": "jupyter-notebook", "version": 1, "cells": [entry(i) for i in range(len(cells))]},
        "cellTextDocuments": [item(i, c) for i, c in enumerate(cells)]}}]
    out.append(change(2, structure={"array": {"start": 1, "deleteCount": 0, "cells": [entry(9)]}, "didOpen": [item(9, "%time\nN = 4\n!ls\n")]}))
    out.append(change(3, textContent=[{"document": {**cell(0), "version": 2}, "changes": [
        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}, "text": "x = 1\n"}]}]))
    out.append(change(4, structure={"array": {"start": 0, "deleteCount": 1}, "didClose": [cell(0)]}))
    for i, (_, method) in enumerate(rows("server/methods/methods.def", "RLX_METHOD")):
        if method.startswith("textDocument/") and "/did" not in method:
            out.append({"id": i + 2, "method": method, "params": {"textDocument": cell(9), "position": {"line": 1, "character": 1}, "range": {
                "start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}, "context": {"diagnostics": []}, "newName": "y"}})
    out.append({"method": "notebookDocument/didClose", "params": {"notebookDocument": book, "cellTextDocuments": [cell(9)]}})
    return "\n".join(json.dumps({"jsonrpc": "2.0", **m}) for m in out).encode()


def arrays():
    import io, struct, zipfile
    def npy(descr, shape, data, order="False", version=1):
        head = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}".encode()
        head += b" " * (-(10 + len(head) + 1) % 64) + b"\n"
        return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(head)) + head + data
    plain = [npy("'<f4'", "(2, 3)", bytes(24)), npy("'>f8'", "(2,)", bytes(16)), npy("'|b1'", "()", b"\x01"),
             npy("'<i8'", "(2, 2)", bytes(32), "True"), npy("'<f2'", "(0, 9223372036854775807)", b"", version=2),
             npy("'|O'", "(1,)", b"\x80\x03N."), npy("[('x', '<f4')]", "(1,)", bytes(4), version=3)]
    out = list(plain)
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", method) as z:
            for i, a in enumerate(plain[:4]): z.writestr(f"arr_{i}.npy", a)
        out.append(data.getvalue())
    # What a worker hands over: kind, dtype, count; dimensions; elements; then what was written to arguments.
    dtype = lambda code, bits: code << 32 | bits << 16 | 1
    tensor = struct.pack("<4q", 0, dtype(4, 32), 1, 4).ljust(64, b"\0") + bytes(16)
    out.append(tensor + struct.pack("<q", -1))
    out.append(tensor + struct.pack("<q", 0).ljust(48, b"\0") + b"\1" * 16 + struct.pack("<q", -1))
    out.append(struct.pack("<3q", 6, 0, 2) + struct.pack("<4q", 2, dtype(1, 64), 0, 7) + struct.pack("<5q", 1, 0, 2, 3, 4) + struct.pack("<q", -1))
    return out


def tensors():
    import struct
    out = []
    def file(head, data):
        text = json.dumps(head, separators=(",", ":")).encode()
        return struct.pack("<Q", len(text)) + text + data
    part = lambda dtype, shape, start, end: {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}
    out.append(file({"a": part("F32", [2, 3], 0, 24), "b": part("I64", [], 24, 32), "__metadata__": {"format": "pt"}}, bytes(32)))
    out.append(file({"b": part("BF16", [2], 4, 8), "a": part("F16", [1, 2], 0, 4), "e": part("U8", [0, 7], 8, 8)}, bytes(8)))
    out.append(file({"a": part("F32", [2**62, 4], 0, 0), "b": part("F8_E4M3", [3], 0, 3)}, bytes(3)))
    return out


NAMES = [b"a.py", b"with blank.py", b"\xff\xfe.py", b"\x1b[31mred.py", b"a::error file=b.py", b"\xe2\x80\xae.py", b"a%0Ab,c.py", b'"\\.py', b"<&>.py"]


def steps():
    """What is typed while a schedule is open: primitives' examples, the lines of transcripts, its words."""
    examples = re.findall(r'"((?:\w+(?:, \w+)* = )?sch\.[^"]*(?:\\"[^"]*)*)"', (TOP / "analyzer/schedule/primitives.def").read_text())
    out = [e.replace('\\"', '"') + "\n\n:undo\n\n:diff" for e in examples]
    for path in sorted((TOP / "tests/repl/cases").glob("*.in")):
        found = [line for line in path.read_text(errors="replace").splitlines() if "sch." in line or line.startswith((":undo", ":redo", ":why", ":trace", ":tree"))]
        out += ["\n\n".join(found[i:i + 6]) for i in range(0, len(found), 6)]
    return [t.encode() for t in out]


def lines(session):
    """The entries of a session as requests of a notebook's front end."""
    methods = ("execute", "complete", "inspect", "is_complete")
    entries = session.decode(errors="replace").split("\n\n")
    return "\n".join(json.dumps({"id": i, "method": methods[i % 4] if i % 3 else "execute", "code": e, "cursor": len(e) // 2}) for i, e in enumerate(entries)).encode()


def cells(text, number):
    """The cells of a notebook and steps, four bytes each."""
    parts = [c for c in re.split(r"(?m)^(?=@|import |from |class )", text) if c.strip()][:6]
    return "\n# %%\n".join(c.rstrip("\n") for c in parts).encode() + b"\n---\n" + random.Random(number).randbytes(32)


def traces():
    """A module, a line "---", and a trace for it: from the transcripts of `rlx schedule`, and primitives' examples."""
    examples = re.findall(r'"((?:\w+(?:, \w+)* = )?sch\.[^"]*(?:\\"[^"]*)*)"', (TOP / "analyzer/schedule/primitives.def").read_text())
    out = []
    for case in sorted((TOP / "tests/cli").glob("schedule*.d")):
        lines = re.findall(r"^\$ (?:echo|printf) '([^']*)'.* rlx schedule", case.with_suffix(".txt").read_text(), re.M)
        for module in sorted(case.glob("*.py")):
            # One function a seed: the whole file is more than a fuzzer can turn over.
            text = module.read_text()
            parts = re.split(r"(?m)^(?=@T\.prim_func)", text)
            for part in parts[1:]:
                few = random.Random(part).sample(lines, min(4, len(lines)))
                for line in few: out.append((parts[0] + part + "\n---\n" + line.replace("\\n", "\n")).encode())
    out += [(SMALL + "\n---\n" + e.replace('\\"', '"')).encode() for e in examples]
    return [t for t in out if len(t) <= 6000]


SMALL = """from tvm.script import tir as T
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16, 16), "float32")
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, k in T.grid(16, 16):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + B[vi, vk]
"""


def write(name, folder, bytes_most):
    """Fills `folder` with the seeds of a target."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for i, text in enumerate(texts(name, bytes_most)): (folder / f"{i:04}").write_bytes(text)
    own = HERE / "seeds" / name
    for p in sorted(own.iterdir()) if own.is_dir() else []: shutil.copy2(p, folder / p.name)


if __name__ == "__main__":  # seeds.py TARGET FOLDER DICTIONARY
    import sys
    write(sys.argv[1], Path(sys.argv[2]), 6000)
    Path(sys.argv[3]).write_text(dictionary(sys.argv[1]))
