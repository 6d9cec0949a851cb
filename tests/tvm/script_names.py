"""Makes the rows of analyzer/words/script_names.def: what the namespace T of TVMScript has in the wheels, with parameters.

    python tests/tvm/script_names.py PYTHON_0_25 PYTHON_0_27 > analyzer/words/script_names.def
    python tests/tvm/script_names.py --relax PYTHON_0_25 PYTHON_0_27 > analyzer/words/relax_names.def
    python tests/tvm/script_names.py --tags PYTHON_0_25 PYTHON_0_27 > analyzer/words/target_tags.def

Each PYTHON has an apache-tvm of that version. Run with --list by such a Python it prints its names, a line each; --list-relax: those of R;
--list-tags: the tags of targets.
"""
import inspect
import subprocess
import sys
import types

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

RELAX_HEADER = """// Names of the namespace R of TVMScript and of its modules, made by tests/tvm/script_names.py --relax from the wheels of Apache TVM.
//
// RLX_RELAX_NAME(name, since, until)
//   since, until  the dialects that have it, as RlxDialect has them: 025, 027
// They are those of `tvm.script.relax` and `tvm.script.parser.relax` together, and of its modules those of operators and R.dist;
// what their files import is among the names. Sorted by name.
"""

TAGS_HEADER = """// Tags that stand for whole targets, made by tests/tvm/script_names.py --tags from the wheels of Apache TVM 0.25 and 0.27: RLX_TARGET_TAG(name).
"""

PASSES_ON = {"buffer_decl": "buffer"}  # functions that hand all that they are given to another one
# Functions that take `*args` and look at them themselves, with what they ask for.
COUNTED = {"ptx.cp_async.legacy": "shared_ptr, shared_offset, global_ptr, global_offset, bytes, more="}


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
        params = params and COUNTED.get(prefix + name, params)
        how = "OTHER" if params is None else "DROPS" if maker.startswith("_op_wrapper.") else "FIRST" if maker.startswith("_dtype_forward.") else "CALL"
        yield f"{prefix}{name}\t{how}\t{params or ''}"
        if is_space:
            yield from rows(f"{prefix}{name}.", value)


def relax_names():
    from tvm.script import relax
    from tvm.script.parser import relax as parser
    for space in (relax, parser):
        for name in dir(space):
            value = getattr(space, name)
            yield name
            if isinstance(value, types.ModuleType) and (name == "dist" or value.__name__.startswith("tvm.relax.op.")):
                yield from (f"{name}.{inner}" for inner in dir(value) if inner[0] != "_")


def listed(pythons, option):
    """What each of them lists, as a set of lines."""
    return [set(subprocess.run([python, __file__, option], capture_output=True, text=True, check=True).stdout.splitlines()) for python in pythons]


def dialects(row, found):
    return f'{"025" if row in found[0] else "027"}, {"027" if row in found[1] else "025"}'


def main():
    if sys.argv[1:] == ["--list-relax"]:
        print("\n".join(sorted({n for n in relax_names() if n[0] != "_"})))
        return
    if sys.argv[1:] == ["--list-tags"]:
        from tvm.target import list_tags
        print("\n".join(list_tags()))
        return
    if sys.argv[1] == "--relax":
        found = listed(sys.argv[2:4], "--list-relax")
        print(RELAX_HEADER, end="")
        for name in sorted(found[0] | found[1]):
            print(f'RLX_RELAX_NAME("{name}", {dialects(name, found)})')
        return
    if sys.argv[1] == "--tags":
        print(TAGS_HEADER, end="")
        for name in sorted(set.union(*listed(sys.argv[2:4], "--list-tags"))):
            print(f'RLX_TARGET_TAG("{name}")')
        return
    if sys.argv[1:] == ["--list"]:
        from tvm.script import tirx
        print("\n".join(rows("", tirx)))
        return
    found = listed(sys.argv[1:3], "--list")
    print(HEADER, end="")
    for row in sorted(found[0] | found[1], key=lambda row: (row.split("\t")[0].encode(), row not in found[0])):
        name, how, params = row.split("\t")
        print(f'RLX_SCRIPT_NAME("{name}", {dialects(row, found)}, {how}, "{params}")')


if __name__ == "__main__":
    main()
