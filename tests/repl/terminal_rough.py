"""Conversations at a pseudo-terminal where something is rough: narrow and dumb terminals, wide characters, Ctrl-C while the session itself computes,
places that cannot be written, editors that fail or replace files."""
HEAD = "from tvm.script import relax as R\n\n"
F, F2 = (f'@R.function\ndef f(a: R.Tensor((2,), "float32")):\n    return R.{op}(a, a)\n\n\n' for op in ("add", "multiply"))
BOTH = '@R.function(pure=False)\ndef both(a: R.Tensor(("n", "m"), "int8")):\n    b = R.abs(a)\n    _ = R.print(format="computed")\n    c = ({})\n    return (c, c, c, c, c, c, c, c)\n\n'
BIG = [("x = ones(9000, 9000)\r", "rlx> "), ("x.size\r", "81000000"), ("", "rlx> ")]


def ended(command, says):
    """Ctrl-C ends the command at once, says so, and the next line counts."""
    return [(command + "\r", "\n"), ("once it runs", ""), ("^C", "^C\r\n"), ("", says), ("", "rlx> "), ("R.const(6)\r", "6"), ("", "rlx> ")]


def long_function(count):
    """A function of `count` products, no two of one shape, whose kernels take long to compile."""
    lines = [f"    a{i} = R.sum(R.tanh(R.matmul(R.broadcast_to(x, ({i + 2}, 48)), w)))\n    s{i + 1} = R.add(s{i}, a{i})\n" for i in range(count)]
    return HEAD + '@R.function\ndef many(x: R.Tensor((48,), "float32"), w: R.Tensor((48, 48), "float32")):\n    s0 = R.const(0.0, "float32")\n' + "".join(lines) + f"    return s{count}\n"


def long_script(first, count):
    """A script that defines, and computes and binds values, one a line."""
    return HEAD + F.replace("def f", "def first") + "".join(f"v{i} = R.add(R.const({i}), R.const({first}))\n" for i in range(count)) + F.replace("def f", "def last")


QUESTION = "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c"


def answered(answer, keys, env=None):
    """A terminal that says by itself what it shows: asked once, and what it answers is no key."""
    return {"keys": [("x = random(3, 64, 64, seed=1)\r", "rlx> "), (":image x\r", QUESTION), (answer, keys[0]), ("", "# 64 x 64"), ("", "\r\nrlx> "), ("R.const(7)\r", "\r\n7\r\n"), ("", "rlx> "),
                     (":image [[0.0, 1.0]]\r", keys[1]), ("", "# 1 x 2"), ("", "rlx> ")], "env": {"TERM": "xterm-256color"} | (env or {}), "size": (40, 80)}


def picture(env, begins):
    return {"keys": [(":image [[0.0, 1.0]]\r", begins), ("", "# 1 x 2"), ("", "rlx> ")], "env": env}


CASES = {
    "tensors of a file are completed by name, files behind the home's folder": [
        ("x = [1.0]\r", "rlx> "), (":save ~/w.npz x\r", "rlx> "), ('w = load("~/w.n\t', ""), ('")\r', "rlx> "), ('w["\t', ""), ('"]\r', "[1.]"), ("", "rlx> "), ("w.\t", ""), ("\r", "[1.]"), ("", "rlx> "),
        (":restore '~/w.npz'\r", "rlx> ")],
    "Ctrl-D ends what was begun, and its answer has a line of its own": [("(1,\r", "...  "), ("^D", "\r\nerror[RLX0101]"), ("", "rlx> "), ("^D", "\r\n")],
    "behind a definition that is refused the rest of a paste answers": [
        ("\033[200~" + F.replace("(a, a)", "(a, nowhere)") + "first = R.const(4)\nfirst\nR.const(5)\n\033[201~\r", "`nowhere` is not defined"), ("", "4\r\n# R"), ("", "5\r\n# R"), ("", "rlx> "), ("first\r", "4"), ("", "rlx> ")],
    "a bracket that nothing closes ends where a statement begins": [("y = R.add(1, 2\r", "...  "), ("z = 7\r", "error[RLX0101]"), ("", "rlx> "), ("z\r", "7"), ("", "rlx> "),
                                                                    ("\033[200~y = [1, 2\nz = 8\nz\n\033[201~\r", "error[RLX0101]"), ("", "8"), ("", "rlx> "), ("y = [1,\r", "...  "), ("z]\r", "rlx> "), ("y\r", "[1 8]")],
    "what was copied from sessions, prompts and all": [("\033[200~>>> x = [1.0,\n...      2.0]\n>>> x + 1\narray([2., 3.])\n>>> x * 2\n\033[201~\r", "# 1 line without a prompt is taken for what was printed"), ("", "[2. 3.]"), ("", "[2. 4.]"), ("", "rlx> "),
                                                       ("\033[200~rlx> " + F + "...  \nrlx> f(x)\n[2. 4.]\n# R.Tensor((2,), dtype=\"float32\")\n\033[201~\r", "# 2 lines"), ("", "[2. 4.]"), ("", "rlx> ")],
    "values and tables where a line has 20 columns": {"keys": [("\033[200~" + F + "\033[201~\r", "\r\nrlx> "), ("x = random(2, 5, seed=1)\r", "rlx> "), ("x\r", "[[0.5665616"), ("", "  0.6229299"), ("", "rlx> "),
                                                               (":graph f\r", "digraph"), ("", "rlx> "), (":stats x\r", "min 0."), ("", "rlx> "), (":plot x\r", "0 … 9"), ("", "rlx> "), ("R.ab\t", ""), ("(x)\r", "[[0.5665616"), ("", "rlx> ")],
                                                      "size": (24, 20), "env": {"PAGER": "cat"}},
    "a dumb terminal gets no control sequence": {"keys": [("R.const(3)\r", "3"), ("", "rlx> "), (":funcs\r", "rlx> "), (":image [[0.0, 1.0]]\r", "# 1 x 2"), ("", "rlx> "), ("^D", "")], "env": {"TERM": "dumb"}, "never": "\033"},
    "marks below wide characters": [('变量 = [1.0]\r', "rlx> "), ('R.add(变量, "日本")\r', 'R.add(变量, "日本")\r\n              ^^^^^^'), ("", "rlx> "), ("变量.sum()\r", "1.0"), ("", "rlx> ")],
    "figures and traces where a line has 40 columns": {
        "keys": [("x = random(3, 4, seed=1)\r", "rlx> "), (":stats x\r", '\r\nR.Tensor((3, 4), dtype="float32"),\r\n12 elements, 48 B\r\nmin 0.261442, max 0.959969,\r\nmean'), ("", "zeros 0, NaN 0, inf 0\r\n0.261442 "), ("", " 0.959969\r\n"), ("", "rlx> "),
                 (":trace R.exp(R.add(x, x))\r", '\r\ngv = R.add(x, x)\r\n  R.Tensor((3, 4), dtype="float32"),\r\n  '), ("", " us\r\n  min 0.5229, max 1.92, mean 1.109\r\nR.exp(gv)\r\n"), ("", "rlx> ")],
        "size": (24, 40)},
    "what somebody types who comes from IPython": [("import numpy as np\r", 'note: no module of Python is run here, but arrays of constants are known (`np.eye(3)`), and what Relax has under numpy\'s name (`np.exp(x)`); `load("x.npy")`'), ("", "rlx> "),
        ("np.eye(2) + 1\r", "[[2. 1.]"), ("", "rlx> "), ("%timeit R.add(1,\r", "`:time R.add(1,`"), ("", "rlx> "),
                                                  ("None\r", "rlx> "), ("x = 3\r", "rlx> "), ("?x\r", "x = 3\r\n"), ("", "rlx> ")],
    "Ctrl-C ends what makes a value, which is not bound": [("R.const(5)\r", "5"), ("", "rlx> ")] + ended("x = random(30000, 30000)", "random: interrupted") + ended("x = normal(20000, 20000)", "normal: interrupted") + ended("x = arange(900000000)", "arange: interrupted")
        + [("x\r", "`x` is not defined"), ("", "rlx> ")],
    "Ctrl-C ends what looks at a value": BIG + [step for command in (":stats x", ":compare x, x", ":plot x", ":image x") for step in ended(command, "interrupted")],
    "Ctrl-C ends the comparison of :diff": [("x = ones((12000, 9000), \"int8\")\r", "rlx> "), ("\033[200~" + BOTH.format("a, a, a, a, a, a, a, a") + "\033[201~\r", "\r\nrlx> "), ("\033[200~" + BOTH.format("a, a, a, a, a, a, a, b") + "\033[201~\r", "\r\nrlx> "),
                                                  (":diff both(x)\r", "StructInfo: unchanged"), ("", "computed"), ("", "computed"), ("^C", "interrupted"), ("", "rlx> "), ("R.const(6)\r", "6"), ("", "rlx> "), ("both([[7]])[6][7]\r", "[[7]]"), ("", "rlx> ")],
    "Ctrl-C ends the code of a program": {"keys": [(":load many.py\r", "rlx> ")] + [step for command in (":llvm many", ":asm many", ":asm --wrapper many") for step in ended(command, "many: interrupted")],
                                          "files": {"many.py": long_function(400)}},
    "Ctrl-C ends a script, says where, and the rest is not read": {"keys": ended(":load long.py", "interrupted\r\n# long.py: line ") + [("last\r", "`last` is not defined"), ("", "rlx> ")],
                                                                   "files": {"long.py": long_script(7, 30000)}},
    "Ctrl-C ends a script that is read again, which drops nothing": {
        "keys": [("write:m.py:" + HEAD + F, ""), (":load m.py\r", "rlx> "), ("write:m.py:" + long_script(7, 30000) + F, "")] + ended(":reload", "interrupted\r\n# m.py: line ") + [("f([3.0, 4.0])\r", "[6. 8.]"), ("", "rlx> ")], "never": "f is gone"},
    "what is saved where it cannot be": [("x = [1.0]\r", "rlx> "), (":save nowhere/x.npy x\r", "error: nowhere/x.npy"), ("", "rlx> "), (":save nowhere/x.npz\r", "error: nowhere/x.npz"), ("", "rlx> "), (":save nowhere/x.py\r", "error: nowhere/x.py"), ("", "rlx> "),
                                         (":save x.txt x\r", "error: a script holds the definitions"), ("", "rlx> "), (":save . \r", "error: .: "), ("", "rlx> "), ("write:bad.npz:PK garbage", ""), (":restore bad.npz\r", "error: bad.npz: "), ("", "rlx> "), ("x\r", "[1.]")],
    "an editor that saves by renaming, with :watch": [("write:m.py:" + HEAD + F, ""), (":watch m.py\r", "rlx> "), ("f([3.0, 4.0])\r", "[6. 8.]"), ("", "rlx> "), ("rename:m.py:" + HEAD + F2, "f changed"), ("f([3.0, 4.0])\r", "[ 9. 16.]"), ("", "rlx> ")],
    "an editor that fails changes nothing": {"keys": [("\033[200~" + F + "\033[201~\r", "\r\nrlx> "), (":edit f\r", "nothing was changed"), ("", "rlx> "), ("f([3.0, 4.0])\r", "[6. 8.]")], "env": {"EDITOR": "false"}},
    "pictures for kitty": picture({"TERM": "xterm-kitty"}, "\033_Ga=T"),
    "pictures for ghostty": picture({"TERM": "xterm-ghostty"}, "\033_Ga=T"),
    "pictures by sixels": picture({"TERM": "foot"}, "\033Pq"),
    # 3 x 64 x 64 pixels become 3 x 256 x 256 bytes: 64 chunks of 4096 characters, of which the last says that it is
    "a terminal that answers that it shows kitty's pictures": answered("\033_Gi=31;OK\033\\\033[?62;22c", ["\033_Ga=T,f=24,s=256,v=256,m=1;", "\033_Ga=T,f=24,s=256,v=128,m=1;"]),
    "a terminal that answers that it shows sixels": answered("\033[?62;4;22c", ['\033Pq"1;1;256;256#0;2;0;0;0', '\033Pq"1;1;256;128#0']),
    "a terminal that answers that it shows neither": answered("\033[?64;1;14;22c", ["\033[38;5;", "\033[38;5;"]),
    "a multiplexer that answers that it shows sixels": answered("\033[?1;2;4c", ['\033Pq"1;1;256;256', "\033Pq"], {"TERM": "tmux-256color", "TMUX": "1", "KITTY_WINDOW_ID": "1"}),
    "pictures by sixels, named by the program": picture({"TERM_PROGRAM": "WezTerm"}, "\033Pq"),
    "pictures inside of a multiplexer in kitty": picture({"TERM": "tmux-256color", "TMUX": "1", "KITTY_WINDOW_ID": "1"}, "\033[38;5;"),
    "pictures in true colours": picture({"COLORTERM": "truecolor"}, "\033[38;2;"),
    "pictures without colours": picture({"NO_COLOR": "1"}, "██"),
}
