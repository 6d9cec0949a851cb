"""Conversations about the program at a pseudo-terminal: its forms in colour, walking through an evaluation."""
TWICE = """@R.function
def twice(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    b = R.add(a, a)
    c = R.exp(b)
    return c

"""
PASTE = [("\033[200~" + TWICE + "\033[201~\r", ""), ("\r", "rlx> "), ('x = R.zeros((4,), "float32")\r', "rlx> ")]
CASES = {
    "a kernel's LLVM IR begins with the lines that it computes": PASTE + [(":llvm twice(x)\r", "; b = R.add(a, a)"), ("", "; c = R.exp(b)"), ("", "; as it runs: compiled with least effort"), ("", "define i32 @kernel"), ("", "rlx> ")],
    "the wrapper of a kernel is shown on request": [(':llvm R.add(R.const(1.0), R.const(2.0))\r', "define i32 @kernel"), ("", "rlx> "),
                                                    (':llvm --wrapper R.add(R.const(1.0), R.const(2.0))\r', "define { i64, i64 } @"), ("", "rlx> ")],
    "PrimFuncs are coloured": PASTE + [(":tir twice\r", "\033[2m# b = R.add(a, a)"), ("", "\033[35mdef\033[0m"), ("", "\033[36mT.exp\033[0m")],
    "assembly is coloured": PASTE + [(":asm twice\r", "\033[2m# c = R.exp(b)"), ("", "\033[35mret")],
    "what is evaluated for an entry that is followed is no part of it": {
        "keys": PASTE + [(":trace np.median(x)\r", ":trace np.median(x)\r\ngv = R.strided_slice(R."), ("", "R.add(gv2, gv5)"), ("", "rlx> "), (":step np.median(x)\r", ":step np.median(x)\r\n→ gv = R.strided_slice(R."), ("", "step> "),
                         ("c\r", "0.0\r\nrlx> "), (":profile np.median(x)\r", ":profile np.median(x)\r\n20 runs"), ("", "rlx> ")], "never": "operand"},
    "a trace shows bindings, values, times": PASTE + [(":trace twice(x)\r", "twice: b = R.add(a, a)"), ("", 'R.Tensor((4,), dtype="float32")'), ("", " us  [0. 0. 0. 0.]"),
                                                      ("", "twice: c = R.exp(b)"), ("", " us  [1. 1. 1. 1.]"), ("", "rlx> ")],
    "a profile has a row and a bar for each kernel": PASTE + [(":profile twice(x)\r", " us each"), ("", "share"), ("", "100.0 %  ████████████████████"), ("", "twice: b = R.add(a, a); c = R.exp(b)"), ("", "rlx> ")],
    "one walks through an evaluation": PASTE + [(":step twice(x)\r", "→ twice: b = R.add(a, a)"), ("", "step> "), ("next\r", "→ twice: c = R.exp(b)"), ("print b\r", "[0. 0. 0. 0.]"),
                                                ("print a\r", "[0. 0. 0. 0.]"), (":vars\r", "x: R.Tensor"), ("continue\r", "[1. 1. 1. 1.]"), ("", "rlx> ")],
    "values of a walk are as wide as the terminal, with the digits that are set": {
        "keys": [("x = normal(3, 9, seed=9)\r", "rlx> "), (":set precision 2\r", "rlx> "), (":step R.negative(x)\r", "step> "), ("print\r", "[[ 0.79  1.75 -1.28 -0.53  1.96  2.05\r\n   1.97  0.45 -0.2 ]\r\n"), ("", "step> "),
                 ("next\r", "[[ 0.79  1.75 -1.28 -0.53  1.96  2.05\r\n   1.97"), ("", "rlx> "), (":step R.exp(R.negative(x[0, :2]))\r", "[-0.79 -1.75]"), ("", "step> ")], "size": (40, 40)},
    "Ctrl-D leaves the walk first": PASTE + [(":step twice(x)\r", "step> "), ("^D", "rlx> "), ("x\r", "[0. 0. 0. 0.]")],
    "help, settings and a profile where a line has 30 columns": {"keys": PASTE + [(":help trace\r", ":trace    EXPR\r\n      evaluate it and show\r\n      each binding, what its\r\n"), ("", "rlx> "), (":set precision\r", "precision            8\r\n      digits behind the point\r\n"),
                                                                                 ("", "rlx> "), (":profile twice(x)\r", "  share      time  calls  kernel\r\n"), ("", "\r\n  twice: b = R.add(a, a); c = R.exp(b)\r\n"), ("", "rlx> ")], "size": (40, 30)},
    "words and names of a walk are completed": PASTE + [(":step twice(x)\r", "step> "), ("con\t\r", "[1. 1. 1. 1.]"), ("", "rlx> ")],
    "members of R are completed, the signature is below the line": PASTE + [("R.permu\t(x, \t", "arguments"), ("", "  axes="), ("", "R.permute_dims(x, axes=None)"), ("", "rlx> R.permute_dims(x, ")],
    "keyword arguments are completed": PASTE + [("R.sum(x, keep\tTrue)\r", "[0.]")],
    "what fills parameters is completed": [("\033[200~@R.function\ndef f(x: R.Tensor((2,), \"float32\"), y: R.Tensor((2,), \"float32\")):\n    return x\n\033[201~\r", "\r\nrlx> "), ("f([3.0, 4.0], **ran\t)\r", "[3. 4.]"), ("", "rlx> "),
                                           ("w = random(f)\r", "rlx> "), ("w.\t", "x  y"), ("^U", ""), ("f(**w).shape\r", "R.shape([2])")],
    "keywords of methods and of what makes values are completed, and their dtypes": [("x = random(2, 3, se\t1)\r", "rlx> "), ("x.sum(ax\t0, keep\tTrue)\r", "[["), ("", "rlx> "), ('normal(2, dtype="bf\t").shape\r', "R.shape([2])"),
                                                                                     ("arange(st\t\t", "start=  step="), ("^U", "")],
    "dtypes are completed": [('R.zeros((2,), "bfl\t")\r', 'dtype="bfloat16"')],
    "names in the block that is typed are completed": [("@R.function\r", "..."), ('def f(first: R.Tensor(("rows", 4), "float32")):\r', "..."), ("    second = R.exp(fir\t)\r", "... "),
                                                       ("    third = R.zeros((ro\t, 2), 'float32')\r", "... "), ("    return sec\t\r", "... "), ("\r", "rlx> "),
                                                       (":sinfo f\r", "R.Tensor((rows, 4)")],
    "members of values without a name are completed": PASTE + [
        ("x.T.res\t(2, 2).pro\t", ""), ("().asty\t", ""), ('("int32")\r', "0\r\n"), ("", "rlx> "), ("x[:2].uns\t", ""), ("(0).sh\t\r", "R.shape([1, 2])"), ("", "rlx> "), ("R.exp(x).cli\t(0, 1)\r", "[1. 1. 1. 1.]"), ("", "rlx> "),
        ("(x + 1).nd\t\r", "1\r\n"), ("", "rlx> "), ("np.ones((2, 3)).swa\t", ""), ("(0, 1).sh\t\r", "R.shape([3, 2])"), ("", "rlx> ")],
    "what has no members of a tensor is offered none": {"keys": PASTE + [("x.shape.su\t", "x.shape.su"), ("^C", "rlx> "), ("x.nosuch.su\t", "x.nosuch.su"), ("^C", "rlx> ")], "never": "methods"},
    "the session's names are completed": PASTE + [("twi\t(x)\r", "[1. 1. 1. 1.]"), (":sinfo twi\t\r", "R.Callable")],
    "settings and their values are completed": [(":set sho\t \t\t", "values"), ("", "off  on"), ("f\t\r", "rlx> "), ("R.const(1.0)\r", "1.0\r\nrlx> ")],
    "commands are completed": [(":norm\t R.exp(R.const(1.0))\r", "R.exp(R.const(")],
    "commands behind :help, options and names that a command takes": [
        (":help tra\t\r", "evaluate it and show each binding"), ("", "rlx> "), (":plot --l\t [1, 2]\r", "2 ┤"), ("", "rlx> "), (":normal --\t", "--t-anf         --canonicalize"), ("", "rlx> "), ("^C", "rlx> "),
        ("value = [1.0]\r", "rlx> "), (":del va\t\r", "rlx> "), (":who\r", "0 variables"), ("", "rlx> "), (":diff ro\t\r", "rows has one definition only")],
    "functions of numpy and of a source of random numbers are completed": [
        ("np.allcl\t(ones(2), ones(2))\r", "True"), ("", "rlx> "), ("rng = np.random.default_rng(1)\r", "rlx> "), ("rng.standard_n\t(3).shape\r", "R.shape([3])"), ("", "rlx> "),
        ("np.linalg.no\t([3, 4])\r", "5.0"), ("", "rlx> "), ("np.hypot?\r", "np.hypot(x1, x2)")],
    "files are completed": [(":save written.py\r", "rlx> "), (":load wri\t\r", "rlx> "), ('load("wri\t', "tten.py")],
    "candidates are not broken": [("R.nn.\t", "operators"), ("", "\r\n  "), ("", "softmax"), ("", "rlx> R.nn.")],
}
