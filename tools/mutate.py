#!/usr/bin/env python3
"""Small wrong changes of the sources, and whether a test sees each of them.

    tools/mutate.py [--keep-going] [ROW…]      default: all rows
    tools/mutate.py --check                    only whether each row's line is there, once

A row of ROWS names a folder, a line of a file somewhere below it with the expression between « and » that changes, what
stands there instead (`$` is the expression itself) and the suites that should notice. The sources are copied to
BUILD/mutants with every row written as `(rlx_mutation(N) ? (changed) : (original))` and built there once; then the suites
of row N run with RLX_MUTATION=N, up to the first that fails. A row that no suite notices survives. More than 5 in 60
survivors fail; so does a row whose line is no longer there, or is there twice: write it anew.

Suites: `unit/NAME`, `prop/NAME`, `jit/NAME` are test programs; `golden/PATH`, `cli/NAME`, `ops/NAME` the texts of these
folders; `repl` and `rewrite` all of theirs; `FOLDER/test_NAME` is run by pytest. Standard library only.
"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("BUILD", "build"))
COPY = (ROOT / BUILD / "mutants").resolve()
SECONDS = 60  # of a processor for each process of a suite; who takes longer hangs, and that is noticed, too
LONGEST = 600  # seconds by the clock, on a machine that others use as well

PROVER = "unit/symbolic_prim prop/symbolic_prim_random cli/prove"
LATTICE = "unit/struct_info golden/rules golden/sinfo"
RULES = "golden/rules"
EDITS = "prop/function_known_edits prop/function_reach prop/function_incremental"
TIR = "unit/tir_blocks unit/tir_iter_map unit/tir_loops golden/rules/20_primfuncs.py golden/rules/21_regions.py cli/tir prop/tir_loops"
RUNS = "repl jit/plans jit/bodies prop/sound"
FORMS = "rewrite cli/normalize cli/normal_form prop/rewrite_normalize_random"
MOVES = "rewrite cli/migrate golden/dialect"

ROWS = [
    # operators: what a rule deduces and reports
    ("analyzer/ops", "int ndim = «r->keepdims» ? x->ndim : !r->has_axes ?", "!$", "ops/reduce golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if («!is_reduced(r, i)») {", "is_reduced(r, i)", "ops/reduce golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "bool is_tuple = r.has_axes ? «r.axis_count <= 1» :", "r.axis_count <= 0", "ops/reduce golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "return «k < 0» ? yes : no;", "k > 0", "ops/index golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if (x->ndim >= 0 && ndim >= 0 && «ndim < x->ndim») {", "ndim <= x->ndim", "ops/manipulate golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if («rlx_dim_is(p, 1)» || rlx_rule_equal(d, p, data[data_ndim - back])) continue;", "0", "ops/manipulate golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if («k == skip» || rlx_rule_equal(d, dims[k], base[k])) continue;", "0", "ops/combine golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if (ndim >= 0 && «x[i]->ndim != ndim») {", "0", "ops/combine golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "x->ndim >= 0 && («k < -x->ndim» || k >= x->ndim)) {", "k <= -x->ndim", "ops/search golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if (k > 0 && (!rlx_prim_is_const(dims[axis], &length) || «k < length»))", "k > length", "ops/search golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "int ndim = (a_ndim > b_ndim ? a_ndim : b_ndim) - «is_row» - is_column;", "0", "ops/linear_algebra golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "*q = b->dims[«is_column ? 0 : b->ndim - 2»];", "b->ndim - 1", "ops/linear_algebra golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "dims[at++] = a->dims[«a->ndim - 2»];", "a->ndim - 1", "ops/linear_algebra golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "x[i]->ndim < 0 ? -1 : «ndim > x[i]->ndim» ? ndim : x[i]->ndim;", "ndim < x[i]->ndim", "ops/search ops/binary golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if («!rlx_dtype_is_bool(x[0]->dtype)» && !is_open) {", "0", "ops/search ops/binary golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if («rlx_dim_is(step, 0)») {", "0", "ops/create golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "if (state == RLX_ATTR_OK && x->ndim >= 0 && «count != 2 * x->ndim») {", "0", "ops/nn golden/rules/25_operator_borders.py"),
    ("analyzer/ops", "dims[i] = «i < x->ndim - 3» ? x->dims[i]", "i < x->ndim - 4", "ops/nn golden/rules/25_operator_borders.py"),
    # rewriting
    ("analyzer/rewrite", "if (before > line && «text[before - 1] == ';'») return (RlxEdit)", "0", FORMS),
    ("analyzer/rewrite", "if (last && «!*e->text && !*last->text» && e->span.start <= last->span.end) {", "0", FORMS),
    ("analyzer/rewrite", "if («--depth == 0 && i + 1 < size») return false;", "0", FORMS),
    ("analyzer/rewrite", "return «b->kind == RLX_BINDING_VAR» && is_value_kind(b->value);", "1", FORMS),
    ("analyzer/rewrite", "return «x->kind == RLX_EXPR_TUPLE_GET» || (x->kind != RLX_EXPR_HOLE", "0", FORMS),
    ("analyzer/rewrite", "if («call->child_count == 2») {", "0", MOVES),
    ("analyzer/rewrite", "if (strcmp(name, \"Tensor\") == 0 && («has_blank(c, first)» || (second", "0", MOVES),
    ("analyzer/rewrite", "if («stmt->kind == RLX_STMT_IMPORT») return true;", "0", MOVES),
    ("analyzer/rewrite", "if («is_exponent && (s->text[at + 1] == '+' || s->text[at + 1] == '-')») at++;", "0", "rewrite"),
    # the prover
    ("analyzer/symbolic", "bool square = «f + 1 < t->degree && t->factors[f + 1] == t->factors[f]»;", "0", PROVER),
    ("analyzer/symbolic", "if («rlx_prim_range(pr->store, t->factors[i], &env).min < 0») return false;", "0", PROVER),
    ("analyzer/symbolic", "return rlx_prim_is_const(t->factors[0]->args[1], a) && «*a > 0»;", "1", PROVER),
    ("analyzer/symbolic", "return «(a < 0) == (b < 0)» ? INT64_MAX : INT64_MIN;", "(a < 0) != (b < 0)", PROVER),
    ("analyzer/symbolic", "return «k >= 0» ? (RlxRange){x, y} : (RlxRange){y, x};", "k <= 0", PROVER),
    ("analyzer/symbolic", "if («min > r->min») r->min = min;", "min < r->min", PROVER),
    ("analyzer/symbolic", "if («value > 0») pr->contradiction = true;", "value >= 0", f"{PROVER} repl"),
    ("analyzer/symbolic", "if («r.min < 0» && rlx_is_dimension(store, p->var)) r.min = 0;", "0", PROVER),
    # the lattice of StructInfo
    ("analyzer/struct_info", "static RlxBaseCheck worse(RlxBaseCheck a, RlxBaseCheck b) { return «a < b» ? a : b; }", "a > b", LATTICE),
    ("analyzer/struct_info", "if («equal == RLX_YES») return RLX_CHECK_PASS;", "equal != RLX_NO", LATTICE),
    ("analyzer/struct_info", "return «equal == RLX_NO» ? RLX_CHECK_DISJOINT : RLX_CHECK_VALUE_MISMATCH;", "0", LATTICE),
    ("analyzer/struct_info", "if («!complete && derived->vars != 0») {", "0", LATTICE),
    ("analyzer/struct_info", "if («!a->has_symbols && !m->erase_constants») return a;", "1", LATTICE),
    ("analyzer/struct_info", "return «keep» ? a : rlx_sinfo_erase_dims(m->store, a);", "1", LATTICE),
    # the sweep
    ("analyzer", "return («unit->asks && unit->facts_seen != s->facts_hash») ||", "0", EDITS),
    ("analyzer", "if («!rlx_env_holds(s->env, &reads[i])») return true;", "0", EDITS),
    ("analyzer", "return «fn->lost == 1» && unit->is_plain", "1", EDITS),
    ("analyzer", "now->sinfo == old->sinfo && «now->flags == old->flags»;", "1", EDITS),
    ("analyzer", "  if («unit->may_leave && s->in_dataflow») rlx_vec_push(&s->leaving, unit);\n  rlx_lower", "0", RULES),
    ("analyzer", "if («a->name != b->name») lost(e, b, unit);", "0", RULES),
    ("analyzer", "if («sum == fn->unused_sum») return;", "1", f"{RULES} {EDITS}"),
    ("analyzer", "if («diag->stmt») stmt = diag->stmt;", "0", f"{RULES} {EDITS}"),
    # well-formedness
    ("analyzer", "if («!output || call->child_count < 2») {", "!output", RULES),
    ("analyzer", "if («!w->outputs.at[i].is_used») report_unused", "1", RULES),
    ("analyzer", "if («is_silent(behind)») continue;", "1", RULES),
    ("analyzer", "&& «*rlx_store_text(fn->file->store, b->var->name) != '_'» &&", "1", RULES),
    # TensorIR
    ("analyzer/tir", "if («may_repeat && y->is_write && y->block == x->block») {", "0", TIR),
    ("analyzer/tir", "if («inside_by_interval(a, x, d, size)» || inside_by_proof(a, x, d, size)) return rlx_tir_holds();", "1", TIR),
    ("analyzer/tir", "if («partner < 0») return rlx_tir_holds();", "1", TIR),
    ("analyzer/tir", "if («scope->child_count < 2») continue;", "scope->child_count < 3", TIR),
    ("analyzer/tir", "if («best < 0 || k < best_scale») {", "best < 0 || k > best_scale", TIR),
    ("analyzer/tir", "if («found == RLX_NO») return true;", "0", TIR),
    # legalization and plans
    ("jit/legalize", "if («i») flat = rlx_fdiv(c, flat, shape[i]);", "0", RUNS),
    ("jit/legalize", "if («axis >= 0 && axis < x->ndim») a.reduced[axis] = true;", "axis > 0 && axis < x->ndim", RUNS),
    ("jit/legalize", "return «x->squares» ? rlx_mul(c, e, e) : e;", "0", RUNS),
    ("jit/legalize", "if («v->pads[i]») place = rlx_sub(", "0", RUNS),
    ("jit/legalize", "rlx_op(c, «right ? RLX_TIR_LE : RLX_TIR_LT», bound, x)", "right ? RLX_TIR_LT : RLX_TIR_LE", RUNS),
    ("jit/plan", "return q >= 0 && q != reg && «find(group, q) == find(group, reg)»;", "0", RUNS),
    ("jit/plan", "if («s->dst < 0 || boxed[s->dst]») continue;", "s->dst < 0", RUNS),
    ("jit/plan", "if («tail->vars[k] == tail->vars[d]») return false;", "0", f"unit/jit_plan_fuse {RUNS}"),
    # the server's positions
    ("server", "if («out->end < out->start») *out = rlx_span(out->end, out->start);", "0", "unit/server_position"),
    ("server", "uint32_t column = «at.column < end - start» ? at.column : end - start;", "1", "unit/server_position"),
    ("server", "case RLX_UTF8: return «units < size» ? units : size;", "1", "unit/server_position"),
    ("server", "*out = «number->valuedouble > 4e9» ? UINT32_MAX", "0", "unit/server_position"),
    # the REPL
    ("repl", "while (n < repl->changes.count && «repl->changes.at[n].entry != repl->entry» &&", "1", "unit/repl_history repl"),
    ("repl", "if («change.is_def»)\n      restore_def(repl, &change);", "!$", "unit/repl_history repl"),
    ("repl", "return «count == (uint64_t)refs»;", "1", "unit/repl_history"),
    ("repl", "if («r->is_open») return true;", "0", "unit/repl_reader repl"),
    ("repl", "if (is_goal && «!strncmp(text + i, \" given \", 7)») return i;", "0", "repl"),
    # settings
    ("config", "return «size >= 3 && strncmp(selector, row->code, size) == 0» ?", "size >= 3 && strncmp(selector, row->code, 3) == 0", "cli/config cli/check"),
    ("config", "if («strcmp(selector, \"ALL\") == 0») return 1;", "0", "cli/config cli/check"),
    # the command line
    ("cli", "if (is_bounded && («number < option->min» || number > option->max)) {", "0", "unit/cli_options"),
    ("analyzer/edit", "if («span.start <= other.end && other.start <= span.end»)", "0", "rewrite cli/check cli/fixes prop/report_fixes prop/edit_fix_all"),
    ("config", "if («rlx_text_ends_in(name, rlx_script_endings[i])») return true;", "0", "unit/cli_inputs cli/check"),
]

HEADER = """// Which mutation is switched on: RLX_MUTATION in the environment. Generated by tools/mutate.py.
#include <stdlib.h>
static inline int rlx_mutation(int number) {
  static int on = -1;
  if (on < 0) {
    const char *text = getenv("RLX_MUTATION");
    on = text ? atoi(text) : 0;
  }
  return on == number;
}
"""


def files():
    """The repository's files, as git has them or would."""
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [f for f in out.split("\n") if f and (ROOT / f).is_file()]


def place(row, sources):
    """The file that the row changes and its text there; a sentence when there is not exactly one."""
    folder, line, _, _ = row
    text = line.replace("«", "").replace("»", "")
    found = [(f, s.count(text)) for f, s in sources.items() if f.startswith(folder + "/") and text in s]
    if len(found) == 1 and found[0][1] == 1:
        return found[0][0], text
    where = "is nowhere" if not found else "is there more than once: " + ", ".join(f"{f} ({n})" for f, n in found)
    raise LookupError(f"below {folder}/ the line `{text.strip()}` {where}; the sources have moved on, so write this row of tools/mutate.py anew")


def mutated(sources):
    """The sources with all rows in them, and what is wrong with rows."""
    out, problems = dict(sources), []
    for number, row in enumerate(ROWS, 1):
        try:
            file, text = place(row, sources)
        except LookupError as e:
            problems.append(f"row {number}: {e}")
            continue
        before, old, after = re.fullmatch("(.*)«(.*)»(.*)", row[1], re.S).groups()
        new = row[2].replace("$", f"({old})")
        out[file] = out[file].replace(text, f"{before}(rlx_mutation({number}) ? ({new}) : ({old})){after}")
    for file in out:
        if out[file] != sources[file]:
            out[file] = f'#include "base/mutation.h"\n#line 1 "{file}"\n' + out[file]
    return out, problems


def write(path, data):
    """Only what differs, so that make has little to do the next time."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy(changed):
    there = set()
    for f in files():
        there.add(f)
        write(COPY / f, changed[f].encode() if f in changed else (ROOT / f).read_bytes())
        shutil.copymode(ROOT / f, COPY / f)
    write(COPY / "base" / "mutation.h", HEADER.encode())
    for path in [p for folder in ("base", "analyzer", "jit", "config", "server", "repl", "cli") for p in (COPY / folder).rglob("*.[ch]")]:
        if str(path.relative_to(COPY)) not in there | {"base/mutation.h"}:
            path.unlink()  # gone from the sources
    venv = COPY / "build" / "venv"
    venv.parent.mkdir(exist_ok=True)
    if not venv.exists() and (ROOT / "build" / "venv").exists():
        venv.symlink_to((ROOT / "build" / "venv").resolve())


def build(suites):
    programs = sorted({f"build/tests/{s}" for s in suites if s.split("/")[0] in ("unit", "prop", "jit")})
    jobs = f"-j{min(4, os.cpu_count() or 1)}"
    done = subprocess.run(["make", jobs, "BUILD=build", "OPTIMIZE=-O1", "CFLAGS=-w", "all", *programs], cwd=COPY,
                          env={k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "BUILD")},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit("the mutated sources do not build:\n" + done.stdout[-3000:])


def command(suite):
    kind, _, name = suite.partition("/")
    python = COPY / "build" / "venv" / "bin" / "python"
    python = str(python) if python.exists() else sys.executable
    if kind in ("unit", "prop", "jit"):
        return [f"build/tests/{suite}"]
    if name.startswith("test_"):
        return [python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"tests/{suite}.py"]
    if kind == "golden":
        return [python, "tests/golden/run.py", f"tests/{suite}"]
    if kind in ("cli", "ops"):
        return [python, f"tests/{kind}/run.py", f"tests/{suite}.txt"]
    return [python, f"tests/{kind}/run.py"]  # all of it


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def passes(suite, number):
    env = dict(os.environ, BUILD="build", RLX=str(COPY / "build" / "rlx"), RLX_MUTATION=str(number), RLX_STRICT="1")
    try:
        return subprocess.run(command(suite), cwd=COPY, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=LONGEST, preexec_fn=limit).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    chosen = [int(a) for a in sys.argv[1:] if a.isdigit()] or range(1, len(ROWS) + 1)
    sources = {f: (ROOT / f).read_text() for f in files() if f.endswith(".c") and f.split("/")[0] not in ("tests", "grammar", "bench")}
    changed, problems = mutated(sources)
    for problem in problems:
        print(f"FAILED {problem}")
    if "--check" in sys.argv:
        print(f"{len(ROWS) - len(problems)} passed, {len(problems)} failed, 0 skipped")
        return int(bool(problems))
    if problems and "--keep-going" not in sys.argv:
        print(f"0 passed, {len(problems)} failed, 0 skipped")
        return 1
    rows = [(n, ROWS[n - 1]) for n in chosen if not any(p.startswith(f"row {n}:") for p in problems)]
    suites = sorted({s for _, row in rows for s in row[3].split()})
    started = time.time()
    copy(changed)
    build(suites)
    for suite in suites:  # without a mutation all of them pass
        if not passes(suite, 0):
            print(f"FAILED {suite} without any mutation\n0 passed, 1 failed, 0 skipped")
            return 1
    survivors = []
    for number, (folder, line, new, names) in rows:
        killer = next((s for s in names.split() if not passes(s, number)), None)
        if "--verbose" in sys.argv:
            print(f"{number}: {killer or 'SURVIVES'}", flush=True)
        if not killer:
            survivors.append(number)
            print(f"survives {number}: {folder}/: {line.strip()} with {new}; not noticed by {names}", flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(survivors)} of {len(rows)} mutations survive; {time.time() - started:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of processors")
    failed = len(survivors) * 60 > 5 * max(60, len(rows)) or bool(problems)
    print(f"{0 if failed else 1} passed, {int(failed)} failed, 0 skipped")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
