"""Shapes of what is piped into the REPL: entries of many lines, sessions of many entries."""
from shapes import shape


def piped(text):
    return {"input": text, "args": ["repl", "--keep-going", "--no-history"]}


# ---- one entry of many lines

@shape(40000, ("files",))
def brackets_line_by_line(n):
    return piped("x = [\n" + "".join(f"{i},\n" for i in range(n)) + "]\n")


@shape(40000, ("files",))
def string_line_by_line(n):
    return piped('"""\n' + "some text\n" * n + '"""\n')


@shape(40000, ("files",))
def strings_in_brackets_line_by_line(n):
    return piped("x = [\n" + '"""a\nb""",\n' * (n // 2) + "]\n")


@shape(40000, ("files",))
def backslashes_line_by_line(n):
    return piped("x = [1" + "".join(f", {i} \\\n" for i in range(n)) + "]\n")


@shape(40000, ("files",))
def decorators_line_by_line(n):
    return piped("".join(f"@a{i}\n" for i in range(n)))


@shape(20000, ("files",))
def clauses_line_by_line(n):
    return piped("if True:\n    pass\n" + "".join(f"elif {i}:\n    pass\n" for i in range(n)) + "\n")


@shape(60000, ("files",))
def comments_behind_a_block(n):
    return piped("if True:\n    pass\n" + "# comment\n" * n)


# ---- many entries, none of which compiles anything

DEF = '@R.function\ndef {n}(x: R.Tensor((2,), "float32")):\n    return {b}\n'


def lines(n, form):
    return "".join(form.format(i=i, p=i - 1) for i in range(n))


def functions(n, name, body):
    return "".join(DEF.format(n=name.format(i=i, p=i - 1), b=body.format(i=i, p=i - 1)) for i in range(n))


@shape(20000, ("files",))
def numbers_piped(n):
    return piped(lines(n, "a{i} = {i}\n"))


@shape(20000, ("files",))
def lists_piped(n):
    return piped(lines(n, "a{i} = [{i}]\n"))


@shape(20000, ("files",))
def texts_piped(n):
    return piped(lines(n, 's{i} = "a{i}"\n'))


@shape(20000, ("files",))
def numbers_that_become_lists(n):
    return piped(lines(n // 2, "a{i} = {i}\n") + lines(n // 2, "a{i} = [{i}]\n"))


@shape(20000, ("files",))
def one_name_bound_again(n):
    return piped(lines(n // 2, "a = {i}\n") + lines(n // 2, "b = [{i}]\n"))


@shape(20000, ("files",))
def names_of_names(n):
    return piped("a0 = 1\nb0 = [1]\n" + lines(n // 2, "a{i} = a0\n") + lines(n // 2, "b{i} = b0\n"))


@shape(20000, ("files",))
def dimensions_piped(n):
    return piped(lines(n, "n{i} = T.int64()\n"))


@shape(20000, ("files",))
def names_deleted_at_the_prompt(n):
    return piped(lines(n // 4, "a{i} = {i}\n") + lines(n // 4, "b{i} = [{i}]\n") + lines(n // 4, "del a{i}\n") + lines(n // 4, ":del b{i}\n"))


@shape(8000, ("files",))
def imports_piped(n):
    return piped(lines(n, "import a{i}\n"))


@shape(3000, ("files",))
def functions_piped(n):
    return piped(functions(n, "f{i}", "x"))


@shape(1500, ("files",))
def functions_that_wait(n):
    return piped(functions(n, "f{i}", "g{i}(x)"))


@shape(20000, ("files",))
def names_of_a_function(n):
    return piped(functions(1, "f", "x") + lines(n, "g{i} = f\n"))


@shape(1500, ("files",))
def modules_piped(n):
    return piped(lines(n, '@I.ir_module\nclass M{i}:\n    @R.function\n    def f(x: R.Tensor((2,), "float32")):\n        return x\n'))


@shape(1500, ("files",))
def chain_of_functions_piped(n):
    return piped(functions(1, "f{i}", "x") + "".join(DEF.format(n=f"f{i}", b=f"f{i - 1}(x)") for i in range(1, n)))


@shape(1500, ("files",))
def chain_of_functions_that_wait(n):
    return piped("".join(DEF.format(n=f"f{i}", b=f"f{i + 1}(x)") for i in range(n)))


@shape(1500, ("files",))
def chain_of_modules_piped(n):
    form = '@I.ir_module\nclass M{i}:\n    @R.function\n    def f(x: R.Tensor((2,), "float32")):\n        return {b}\n'
    return piped("".join(form.format(i=i, b=f"M{i - 1}.f(x)" if i else "x") for i in range(n)))


@shape(1500, ("files",))
def function_of_many_written_again(n):
    return piped(functions(1, "f", "x") + functions(n // 2, "g{i}", "f(x)") + "".join(DEF.format(n="f", b=f"R.add(x, R.const({i}.0))") for i in range(n // 2)))


@shape(20000, ("files",))
def chain_of_numbers_piped(n):
    return piped("n0 = 1\n" + lines(n, "n{i} = n{p} + 1\n").split("\n", 1)[1])


VALUES = 'a = R.const([1.0, 2.0, 3.0])\np = (a, a)\n' + DEF.format(n="f", b="(x, R.reshape(x, (2, 1)))")


@shape(3000, ("files",))
def values_that_no_kernel_makes(n):  # each took a process of its own
    return piped(VALUES + lines(n, 't{i} = (a, p)\ns{i} = "a" + str({i})\nr{i} = R.reshape(a, (3, 1))\nc{i} = p[1]\n'))


@shape(8000, ("files",))
def functions_called_at_the_prompt(n):
    return piped(VALUES + "b = R.const([1.0, 2.0])\n" + lines(n, "t{i} = f(b)\nf(b)\n"))


@shape(1500, ("files",))
def strings_made_of_the_last(n):  # each has a value that stands for it, until they are long
    return piped("s0 = 'a'\n" + lines(4 * n, "s{i} = s{p} + 'b'\n").replace("s0 = s-1 + 'b'\n", ""))


@shape(4000, ("files",))
def constants_that_hold_the_last(n):  # all of a chain would be analysed with each, so it ends
    return piped("s0 = (1,)\n" + lines(n, "s{i} = (s{p}, 2)\n").split("\n", 1)[1])


@shape(4000, ("files",))
def refused_names_at_the_prompt(n):  # the entry's function remembered each name that it ever read
    return piped(lines(n, "s{i} = str(s{p})\n"))
