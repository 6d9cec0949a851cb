"""Conversations for single clauses of what the session promises: history, limits, entries and definitions with cases of their own."""
AGAIN = "killed, and begun again"
G = '@R.function\ndef g(a: R.Tensor((2,), "float32")):\n    return R.add(a, a)\n\n'
H = G.replace("def g", "def h").replace("R.add(a, a)", "g(a)")
CASES = {
    "history is written as it is typed, into a directory that is made": [("R.const(41)\r", "41"), ("", "rlx> "), (AGAIN, "rlx> "), ("^P", "R.const(41)"), ("\r", "41"), ("", "rlx> ")],
    "each entry is in the history once": [("R.const(41)\r", "41"), ("", "rlx> "), ("R.const(42)\r", "42"), ("", "rlx> "), ("!cat .local/state/rlx-history\r", "\\012\r\nR.const(41)\\012\r\nR.const(42)\\012\r\n!cat"), ("", "rlx> ")],
    "the histories of two sessions are one behind the other": [("R.const(41)\r", "41"), ("", "rlx> "), (AGAIN, "rlx> "), ("R.const(42)\r", "42"), ("", "rlx> "), (AGAIN, "rlx> "), ("^P", "R.const(42)"), ("^P", ""), ("\r", "41")],
    "without a history nothing is kept": {"keys": [("R.const(41)\r", "41"), ("", "rlx> "), (AGAIN, "rlx> "), ("^P", ""), ("R.const(9)\r", "9"), ("", "rlx> "), ("!ls .local\r", "No such file")], "args": ["--no-history"]},
    "the history is where XDG_STATE_HOME says": {"keys": [("R.const(41)\r", "41"), ("", "rlx> "), ("!ls state\r", "rlx-history")], "env": {"XDG_STATE_HOME": "state"}},
    "old values stay within the limit": [(":set undo-megabytes 8\r", "rlx> ")] + [("x = R.full((512, 1024), R.const(%d.0), \"float32\")\r" % i, "rlx> ") for i in range(9)] + [(":who\r", "for :undo 6"), ("", "8 MB"), ("", "rlx> "), (":del x\r", "rlx> "), (":who\r", "for :undo 0 B"), (":undo\r", "error: there is nothing")],
    "the depth of recursion is a setting": [("\033[200~@R.function(pure=False)\ndef deep(a: R.Tensor((), \"int32\")) -> R.Tensor((), \"int32\"):\n    return deep(a)\033[201~\r\r", "rlx> "), (":set recursion-depth 50\r", "rlx> "), ("deep(R.const(1))\r", "50"), ("", "rlx> "),
                                            (":set recursion-depth 70\r", "rlx> "), ("deep(R.const(1))\r", "70")],
    "a definition that breaks its user, and mends it": [("\033[200~" + G + H + "\033[201~\r\r", "rlx> "), ("\033[200~" + G.replace("(2,)", "(3,)") + "\033[201~\r\r", "h is stale"), ("", "RLX0"), ("", "rlx> "), ("h([1.0, 2.0])\r", "RLX0"), ("", "rlx> "),
                                                        ("\033[200~" + G.replace("add", "multiply") + "\033[201~\r\r", "h fits again"), ("h([3.0, 4.0])\r", "[ 9. 16.]")],
    "a user before what it calls": [("\033[200~" + H + "\033[201~\r\r", "h waits for what it calls"), ("h([1.0, 2.0])\r", "RLX0"), ("\033[200~" + G + "\033[201~\r\r", "h fits again"), ("h([1.0, 2.0])\r", "[2. 4.]")],
    "a line typed in two parts, one behind a backslash": [("x = \\\r", "..."), ("  R.const(3)\r", "rlx> "), ("x\r", "3")],
    "questions of Python": [("x = [1.0, 2.0]\r", "rlx> "), ("type(x)\r", "R.Tensor((2,), dtype=\"float32\")"), ("", "rlx> "), ("x.su\t", ""), ("()\r", "3.0"), ("", "rlx> "), ("x[0] = 5\r", "rlx> "), ("x\r", "[5. 2.]"), ("", "rlx> "), ("T?\r", "names; Tab behind")],
}
