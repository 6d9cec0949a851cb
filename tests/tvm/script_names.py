"""Makes the rows of analyzer/words/script_names.def: what the namespace T of TVMScript has in the wheels, with parameters.

    python tests/tvm/script_names.py PYTHON_0_25 PYTHON_0_27 > analyzer/words/script_names.def

Each PYTHON has an apache-tvm of that version. Run with --list by such a Python it prints its names, a line each.
"""
import inspect
import subprocess
import sys

HEADER = """// Names of the namespace T of TVMScript and what each takes, made by tests/tvm/script_names.py from the wheels of Apache TVM.
//
// RLX_SCRIPT_NAME(name, since, until, how, params)
//   since, until  the dialects that have it, as RlxDialect has them: 025, 027
//   how           CALL   a function: `params` are its parameters as Python writes them, `=` behind one that may be left out
//                 DROPS  the same, and a keyword `dtype` is ignored
//                 FIRST  the same, and a keyword `dtype` becomes the first argument
//                 OTHER  a namespace that cannot be called, a module, or a function whose parameters are not known
// Left out is `span`, which takes nothing that a script can write. Sorted by name.
"""


PASSES_ON = {"buffer_decl": "buffer"}  # functions that hand all that they are given to another one


def parameters(f):
    """`a, b=, *c, d=` of a function, or None."""
    try:
        found = [p for p in inspect.signature(f).parameters.values() if p.name != "span"]
    except (TypeError, ValueError):
        return None
    out, keyword_only = [], False
    for p in found:
        if p.kind == p.KEYWORD_ONLY and not keyword_only:
            out += [] if any(o.startswith("*") for o in out) else ["*"]
            keyword_only = True
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        out.append(star + p.name + ("=" if p.default is not p.empty else ""))
    return ", ".join(out)


def called(space):
    """The parameters of a namespace that is called, and what makes its function: most hand all on to one function of the operators."""
    names = [n for n in type(space).__call__.__code__.co_names if n != "_cuda_op"]
    own = type(space).__call__.__globals__.get("_cuda_op")
    if len(names) == 2 and hasattr(own, names[1]):
        return parameters(getattr(own, names[1])), f"{names[0]}."
    return parameters(space.__call__), ""


def rows(prefix, space):
    for name in sorted(n for n in dir(space) if not n.startswith("_")):
        value = getattr(space, name)
        is_space = type(value).__name__.endswith("Namespace") or (inspect.isclass(value) and name == "axis")
        maker = getattr(getattr(value, "__code__", None), "co_qualname", "")
        if is_space and callable(value) and not inspect.isclass(value):
            params, maker = called(value)
        else:
            params = None if is_space else parameters(getattr(space, PASSES_ON.get(name, name)))
        how = "OTHER" if params is None else "DROPS" if maker.startswith("_op_wrapper.") else "FIRST" if maker.startswith("_dtype_forward.") else "CALL"
        yield f"{prefix}{name}\t{how}\t{params or ''}"
        if is_space:
            yield from rows(f"{prefix}{name}.", value)


def main():
    if sys.argv[1:] == ["--list"]:
        from tvm.script import tirx
        print("\n".join(rows("", tirx)))
        return
    found = [set(subprocess.run([python, __file__, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()) for python in sys.argv[1:3]]
    print(HEADER, end="")
    for row in sorted(found[0] | found[1], key=lambda row: (row.split("\t")[0].encode(), row not in found[0])):
        name, how, params = row.split("\t")
        print(f'RLX_SCRIPT_NAME("{name}", {"025" if row in found[0] else "027"}, {"027" if row in found[1] else "025"}, {how}, "{params}")')


if __name__ == "__main__":
    main()
