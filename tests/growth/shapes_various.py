"""Shapes of input that hold many mistakes in one statement, or one mistake that many follow from, and others: more rows of shapes.SHAPES."""
import json

from shapes import HEAD, MODULE, lines, shape
from shapes_many import FLOAT, function


def items(n, form):
    return ", ".join(form.format(i=i) for i in range(n))


# ---- many mistakes in one statement: where each stands in it is looked for

@shape(9000)
def undefined_in_one_list(n):
    return function("        y = [" + items(n, "z{i}") + "]\n")


@shape(9000)
def undefined_in_one_dict(n):
    return function("        y = {" + items(n, "'a{i}': z{i}") + "}\n")


@shape(9000)
def undefined_in_one_subscript(n):
    return function("        y = x[" + items(n, "z{i}") + "]\n")


@shape(9000)
def undefined_in_one_comparison(n):
    return function("        y = x < " + " < ".join(f"z{i}" for i in range(n)) + "\n")


@shape(9000)
def undefined_in_one_f_string(n):
    return function("        y = R.call_packed(f\"" + "".join(f"{{z{i}}}" for i in range(n)) + "\", x)\n")


@shape(9000)
def undefined_in_one_signature(n):
    return MODULE + "    @R.function\n    def main(" + items(n, "x{i}: Z{i}") + "):\n        return x0\n"


@shape(9000)
def undefined_in_one_lambda(n):
    return function("        y = lambda " + items(n, "a{i}=z{i}") + ": a0\n")


@shape(4000)
def mistakes_laid_by_in_one_list(n):
    return function("        y = [" + items(n, "R.add(x, R.zeros((9, {i}), 'float16'))") + "]\n")


@shape(9000)
def wide_letters_in_one_line(n):  # columns of a client are counted in other units
    return function("        y = R.concat((" + items(n, "é{i}") + "))  # \U0001F600\n")


@shape(6000)
def augmented(n):  # what the analysis did not read is looked for from each statement back
    return function(lines(n, "        x += x\n"))


@shape(9000)
def missing_siblings_of_many(n):  # the nearest name is looked for near the misspelt one only
    return MODULE + lines(1900, f"    @R.function\n    def step_{{i}}(x: {FLOAT}): return x\n") + f"    @R.function\n    def main(x: {FLOAT}):\n" + lines(
        n, "        y{i} = M.stepp_{i}(x)\n") + "        return x\n"


# ---- one mistake that many follow from

@shape(3000)
def calls_of_a_doubtful_function(n):  # whether others call it rightly was looked for in all of them, for each
    return MODULE + "    @R.function\n    def g(a: R.Tensor((n,), 'float32'), b: R.Tensor((4,), 'flaot32')) -> R.Tensor:\n        return R.foo(a)\n" + lines(
        n, f"    @R.function\n    def f{{i}}(x: {FLOAT}):\n        y = M.g(x)\n        return y\n")


@shape(3000)
def doubtful_functions(n):
    return MODULE + f"    @R.function\n    def f0(x: {FLOAT}, z: R.Tensor((4,), 'flaot32')):\n        return x\n" + lines(
        n, f"    @R.function\n    def f{{i}}(x: {FLOAT}, z: R.Tensor((4,), 'flaot32')):\n        y = M.f{{p}}(x)\n        return y\n")


@shape(3000)
def findings_of_a_function_that_calls_a_doubtful_one(n):
    return MODULE + f"    @R.function\n    def g(x: {FLOAT}, z: R.Tensor((4,), 'flaot32')):\n        return x\n    @R.function\n    def main(x: {FLOAT}):\n" + lines(
        n, "        y{i} = R.add(x, z{i})\n") + "        return M.g(x)\n"


# ---- messages

@shape(100000, ("messages",))
def cancellations_behind_a_long_text(n):  # all of them wait, while the text is read
    document = {"uri": "file:///b.py", "languageId": "python", "version": 1, "text": function(lines(60000, "        y{i} = R.add(x, x)\n"))}
    return [json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
            *(f'{{"jsonrpc":"2.0","method":"$/cancelRequest","params":{{"id":{i}}}}}' for i in range(n))]


# ---- lists of a configuration, in a folder of many files

def scripts(n):
    return {f"m{i}.py": HEAD + f"@R.function\ndef f(x: {FLOAT}):\n    return x\n" for i in range(n)} | {"args": ["check", "."]}


CODES = ("RLX0301", "RLX0302", "RLX0303", "RLX0304")


@shape(4000, ("files",))
def ignored_codes_of_many_files(n):  # what is ignored everywhere is the same for each of them
    codes = ", ".join(f'"{CODES[i % len(CODES)]}"' for i in range(n))
    return {**scripts(n // 20), "rlx.toml": f"ignore = [{codes}]\n[per-file-ignores]\n\"a.py\" = [\"RLX0201\"]\n"}


@shape(4000, ("files",))
def ignored_codes_of_a_pattern(n):
    codes = ", ".join(f'"{CODES[i % len(CODES)]}"' for i in range(n))
    return {**scripts(n // 20), "rlx.toml": f"[per-file-ignores]\n\"*.py\" = [{codes}]\n"}
