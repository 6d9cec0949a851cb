/// Edits that once left a file other than what its text gives fresh, and what was undone by taking them back.
#include "tests/prop/edits.h"

/// An edit: `from` becomes `to` in the text; then it is taken back.
typedef struct KnownEdit {
  const char *text, *from, *to;
} KnownEdit;

#define MARKS "    n = T.int64()\n    m = T.int64()\n    w = R.zeros((16,), \"float32\")\n"
#define SLICES                                                                                     \
  "    u = R.strided_slice(w, [0], [0], [R.prim_value(n)], assume_inbound=False)\n    t = "        \
  "R.strided_slice(w, [0], [n + m], [R.prim_value(m)], assume_inbound=False)\n    return (u, t)\n"

/// A PrimFunc, a function with one inside of it, and one that calls it.
#define MODULE                                                                                     \
  "@I.ir_module\nclass M:\n    @T.prim_func\n"                                                     \
  "    def p(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"                   \
  "        for i in range(4):\n            with T.sblock(\"b\"):\n"                                \
  "                v = T.axis.spatial(4, i)\n                B[v] = A[v]\n"                        \
  "    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n        cls = M\n"                 \
  "        @R.function\n        def g(y: R.Tensor((4,), \"float32\")):\n"                          \
  "            return R.call_tir(cls.p, (y,), R.Tensor((4,), \"float32\"))\n        return g(x)\n" \
  "    @R.function\n    def h(x: R.Tensor((4,), \"float32\")):\n        return M.f(x)\n"

#define CONSTANTS(conditions)                                                                      \
  "from tvm.script import relax as R\nFAST = False\nN = 4\n" conditions                            \
  "\n@R.function\ndef f(x: R.Tensor((N,), \"float32\")):\n    y = R.reshape(x, (4,))\n    return " \
  "y\n"

#define ROOTS                                                                                      \
  "from tvm.script import relax as R, relax as rx\n@rx.function\ndef f(x: rx.Tensor((4,), "        \
  "\"float32\")):\n    y = R.exp(x)\n    z = R.add(y, R.const(1, \"float32\"))\n    return z\n"

static const KnownEdit known[] = {
    // A clause outside of functions is a statement in a block of its own, which goes with it.
    {CONSTANTS("if FAST:\n    N = 8\nelif N > 4:\n    N = 2\nelif N:\n    N = 4\n"), "elif N > 4",
     "elif FAST"},
    {CONSTANTS("if FAST:\n    N = 8\nelif N > 4:\n    N = 2\nelif N:\n    N = 4\n"), "elif N > 4",
     "if N"},
    {CONSTANTS("if FAST:\n    N = 8\nelif N > 4:\n    N = 2\nelif N:\n    N = 4\n"),
     "elif N > 4:\n    N = 2\n", ""},
    // An assignment under an `if` that constants decide: the constant changes, its condition, or a branch.
    {CONSTANTS("if FAST:\n    N = 8\n"), "FAST = False", "FAST = True"},
    {CONSTANTS("if FAST:\n    N = 8\n"), "if FAST", "if not FAST"},
    {CONSTANTS("if FAST:\n    N = 8\n"), "if FAST", "if True"},
    {CONSTANTS("if FAST:\n    M = 1\nelse:\n    M = 8\nif M > 4:\n    N = M\n"), "FAST = False",
     "FAST = True"},
    {CONSTANTS("if FAST:\n    M = 1\nelse:\n    M = 8\nif M > 4:\n    N = M\n"), "else:\n    M = 8",
     "else:\n    M = 2"},
    {CONSTANTS("if FAST:\n    N = 8\nelif N > 3:\n    N = 16\nelse:\n    N = 32\n"), "N = 4",
     "N = 2"},
    {CONSTANTS("if FAST:\n    if N > 3:\n        N = 8\n"), "FAST = False", "FAST = len([1])"},
    {CONSTANTS("if FAST:\n    N = 8\n"), "if FAST:\n", "for FAST in [1]:\n"},
    {CONSTANTS("if FAST:\n    N = 8\n"), "if FAST:\n    N", "N"},
    // Another statement's spelling is of 0.25 alone: n.ty, which only 0.27 has, is told; and the reverse.
    {"from tvm.script import relax as R, tirx as T\n@R.function\ndef f(x: R.Tensor((4,), "
     "\"float32\")):\n    n = T.int64()\n    a = n.ty\n    k = R.prim_value(n)\n    return x\n",
     "k =", "k: R.Prim(value=\"n\") ="},
    // A comment moves the lines that a message of a PrimFunc names.
    {"from tvm.script import tir as T\n@T.prim_func\ndef f(A: T.Buffer((64,), \"float32\"), C: "
     "T.Buffer((8, 8), "
     "\"float32\")):\n    B = T.alloc_buffer((64,), \"float32\")\n    for i in range(8):\n        "
     "for j in range(8):\n"
     "            with T.block(\"B\"):\n                v = T.axis.spatial(64, j * 8 + i)\n        "
     "        B[v] = A[v]\n"
     "        for j in range(8):\n            with T.block(\"C\"):\n                vi, vj = "
     "T.axis.remap(\"SS\", [i, j])\n"
     "                C[vi, vj] = B[vj]\n",
     "        for j in range(8):\n            with T.block(\"C\")",
     "        # a comment of some length\n        for j in range(8):\n            with "
     "T.block(\"C\")"},
    // a constant that a signature reads and what its function's result is bound to change at once
    {"from tvm.script import relax as R\n\nN = 4\n\n@R.function\ndef f(x: R.Tensor((N,), "
     "\"float32\")):\n"
     "    y = R.exp(x)\n    return y\n",
     "N = 4\n\n@R.function\ndef f(x: R.Tensor((N,), \"float32\")):\n    y = R.exp(x)\n    return "
     "y\n",
     "N = 8\n\n@R.function\ndef f(x: R.Tensor((N,), \"float32\")):\n    y = R.sin(x)\n    z = "
     "R.exp(y)\n    return z\n"},
    // the statement that a signature's missing name is told to be bound by goes
    {"from tvm.script import relax as R, tirx as T\n\n@R.function\ndef f(x: R.Tensor((4,), "
     "\"float32\"), y: R.Object = p):\n    a = x\n    p = R.exp(a)\n    b = R.exp(p)\n    return "
     "b\n",
     "    p = R.exp(a)\n", ""},
    // something stands behind the colon of a head, and goes again; the suite stays what it was, with that in front
    {HEAD "    y = R.exp(x)\n    z = R.add(y, y)\n    return z\n", "bool\")):", "bool\")): pass"},
    {HEAD "    y = R.exp(x)\n    return y\n", "bool\")):", "bool\")): y = x; w = R.exp(y)"},
    {HEAD "    y = R.exp(x)\n    return y\n", "    y =", "  y ="},
    {HEAD
     "    with R.dataflow():\n        y = R.exp(x)\n        z = R.exp(y)\n        R.output(z)\n"
     "    return z\n",
     "dataflow():", "dataflow(): y = R.sin(x)"},
    {HEAD "    with R.dataflow(): y = R.exp(x); R.output(y)\n    return y\n", "    return y",
     "        z = R.exp(y)\n    return y"},
    {HEAD "    if c: y = x\n        z = y\n    else:\n        y = R.exp(x)\n    return y\n",
     "        z = y\n", ""},
    {MODULE, "class M:", "class M: x = 1"},
    {MODULE, "class M:", "class M: ("},
    {MODULE, "\"float32\")):\n        cls = M", "\"float32\")): 1\n        cls = M"},
    // a decorator loses its `@`, alone, with arguments, in a module, of a local function; what it decorates asks which
    // dialects it may be of, or spells something in a function alone
    {HEAD "    y = R.exp(x)\n    return y\n", "@R.function", "R.function"},
    {HEAD "    y = R.exp(x)\n    return y\n", "@R.function", "R.function(private=True)"},
    {HEAD "    n = T.int64()\n    a = n.ty\n    k: T.int64 = n + 1\n    return x\n", "@R.function",
     "R.function"},
    {HEAD "    n = T.int64()\n    with R.dataflow():\n        k: T.int64 = n\n        R.output(k)\n"
          "    return x\n",
     "@R.function", "@R.functio"},
    {HEAD "    y: R.Tensor((4,), ndim=1) = R.call_tir(\"g\", (x,), R.Tensor((4,), \"float32\"))\n"
          "    return R.exp(y, 1)\n",
     "@R.function", "R.function"},
    {"from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n"
     "    n = g()\n    y = R.ones((n,), \"float32\")\n    return R.exp(y)\n",
     "(4,)", "(5,)"}, // a slip in a shape stays one
    {"from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n"
     "    s = {\"rows\": 4}\n    y = R.sum(x, axis=s.get(\"planes\"))\n    return R.exp(y)\n",
     "float32\"", "float32()\""},
    {HEAD "    n = T.int64()\n    y = R.zeros((n.name, 3), \"float32\")\n    return R.exp(y)\n",
     "@R.function", "R.function"},
    {MODULE, "    @R.function\n    def f", "    R.function\n    def f"},
    {MODULE, "    @R.function\n    def f", "    I.module_attrs({\"a\": 1})\n    def f"},
    {MODULE, "        @R.function\n        def g", "        R.function\n        def g"},
    {MODULE, "    @T.prim_func", "    T.prim_func"},
    {MODULE, "@I.ir_module", "I.ir_module"},
    // an import that binds what it bound, with a slip, a comment, or beside others; one that does not
    {HEAD "    y = R.exp(x)\n    return y\n", "tirx as T\n", "tirx as T(\n"},
    {HEAD "    y = R.exp(x)\n    return z\n", "tirx as T\n", "tirx as T'\n"},
    {HEAD "    n = T.int64()\n    return x\n", "tirx as T\n", "tirx as T,\n"},
    {HEAD "    n = T.int64()\n    return x\n", "tirx as T\n", "tirx as T # \n"},
    {HEAD "    n = T.int64()\n    return x\n", "tirx as T\n", "tir as T\n"},
    {HEAD "    n = T.int64()\n    return x\n", "relax as R, tirx as T\n",
     "tirx as T, relax as R\n"},
    {HEAD "    n = T.int64()\n    return x\n", "import ir as I, relax", "import relax as I, relax"},
    {"from a import N\nN = 4\nfrom a import N\n" HEAD "    return R.reshape(x, (N,))\n",
     "from a import N\nN = 4\nfrom a import N\n", "from a import N\nfrom a import N\nN = 4\n"},
    {"from a import N\nM = 3\nN = 4\n" HEAD "    return R.reshape(x, (N,))\n",
     "from a import N\nM = 3\nN = 4\n", "N = 4\nM = 3\nfrom a import N\n"},
    {"try:\n    from a import N\nexcept ImportError:\n    N = 4\n" HEAD
     "    return R.reshape(x, (N,))\n",
     "from a import N\n", "from a import N (\n"},
    {"from a import *\n" HEAD "    return R.reshape(x, (N,))\n", "import *", "import * ,"},
    // a comment moves the places that a report of a PrimFunc names besides its own
    {"from tvm.script import tirx as T\n@T.prim_func(s_tir=True)\ndef f(A: T.Buffer((16,), "
     "\"float32\"), B: T.Buffer((16,), \"float32\")):\n    for i in range(20):\n        with "
     "T.sblock(\"b\"):\n            vi = T.axis.spatial(20, i)\n            B[vi] = A[vi]\n",
     "range(20):\n", "range(20):  # behind\n"},
    // a clause is no statement: it comes and goes whole, empty, with its suite on its line
    {HEAD "    if c:\n        y = R.exp(x)\n    return y\n", "    return",
     "    else:\n        y = R.sin(x)\n    return"},
    {HEAD "    if c:\n        y = R.exp(x)\n    else:\n    return y\n", "    else:\n", ""},
    {HEAD "    if c:\n        y = R.exp(x)\n    else:\n    return y\n",
     "else:", "else: y = R.sin(x)"},
    {HEAD "    if c:\n        y = R.exp(x)\n    elif c:\n        y = R.sin(x)\n    return y\n",
     "    return", "    else:\n        y = R.cos(x)\n    return"},
    {HEAD "    if c:\n        y = R.exp(x)\n    else:\n        y = R.sin(x)\n    return y\n",
     "    else", "    if c:\n        z = x\n    else"},
    {"if True:\n    import os\n" HEAD "    y = R.add(x, k)\n    return y\n", "from tvm",
     "else:\n    k = 3\nfrom tvm"},
    {"try:\n    import os\n" HEAD "    y = R.add(x, k)\n    return y\n", "from tvm",
     "except ImportError:\n    k = 3\nfrom tvm"},
    // what is broken elsewhere changes nothing for a function with a parameter twice
    {HEAD "    return x\n\n@T.prim_func\ndef g(a: T.int32, a: T.int32, A: T.Buffer((16,  16), "
          "\"float32\"), B: T.Buffer((16,), \"float32\")):\n    for i, j in T.grid(16, 16):\n"
          "        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
          "            B[vi] = B[vi] + A[vi, vj]\n",
     "    return x\n", "    return x\n      y = x\n"},
    // blanks and comments around a misplaced output go with it
    {HEAD "    y = R.exp(x)\n    R.output(y)\n    return y\n", "(y)\n", "(y)  # words\n"},
    {HEAD "    y = R.exp(x)\n    R.output(y)\n    return y\n", "    return", "\n    return"},
    // a name that a local function misses may be hidden by what is broken
    {HEAD "    @R.function\n    def g(y: R.Tensor((4,), \"float32\")):\n        return u\n    z = "
          "g(x)\n    return z\n",
     "    @R.function\n    def", "        a = b\n    @R.function\n    def"},
    // functions of a module whose class line changes
    {MODULE, "class M:", "class N:"},
    {MODULE, "class M:", "clas M:"},
    {MODULE, "@I.ir_module\nclass", "class"},
    {MODULE, "@I.ir_module", "@I.ir_module(s)"},
    {"@I.ir_module\nclass M:\n    @R.function\n    def a(x: R.Object):\n        @R.function\n      "
     "  def g(y: R.Object):\n"
     "            z = M.h(y)\n            return z\n        w = g(x)\n        return w\n\nk = 3\n",
     "k = 3", "def h(("},
    // statements that stand deeper than one that goes fall into the suite before it
    {"class M:\n        k = 3\n    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n    k "
     "= 4\n        y = R.exp(x)\n"
     "        return y\n",
     "    k = 4\n", ""},
    {HEAD
     "        y = R.exp(x)\n    if c:\n            z = x\n    k = 1\n        z = y\n    return z\n",
     "    k = 1\n", ""},
    // what was a Relax function is a PrimFunc; what stands at a `with` is misspelt, or lost
    {"from tvm.script import relax as R, tirx as T\nF = R.function\n\n@F\n@T.prim_func\ndef "
     "main(a: T.handle):\n    p = q\n",
     "F = R.function\n\n", "\n"},
    {HEAD "    with ataflow():\n        y = R.exp(x)\n        R.output(y)\n    return y\n",
     "    with", "    for i in range(4):\n    with"},
    {HEAD "    with df():\n        y = R.exp(x)\n        R.output(y)\n    return y\n",
     "from tvm.script", "df = R.dataflow\nfrom tvm.script"},
    // who calls a function is known when all are read
    {"from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass M:\n    @R.function\n    "
     "def f(x: R.Object):\n"
     "        R.print(x, format=\"\")\n        return x\n\n    @R.function(pure=False)\n    def "
     "g(x: R.Object):\n        y = M.f(x)\n        return y\n",
     "M.f(x)", "x"},
    // a variable is a dimension from the statement on that says so, and while one does
    {HEAD MARKS "    a = R.match_cast(x, R.Tensor((n, 2), \"float32\"))\n" SLICES, "a = R.match",
     "# a = R.match"},
    {HEAD MARKS SLICES "    a = R.match_cast(x, R.Tensor((n, 2), \"float32\"))\n", "u = ", "v = "},
    {HEAD MARKS "    a = R.zeros((n,), \"float32\")\n    b = R.ones((n, n), \"float32\")\n" SLICES,
     "    a = R.zeros((n,), \"float32\")\n", ""},
    {HEAD MARKS "    if c:\n        a = R.zeros((n,), \"float32\")\n    else:\n        a = "
                "x\n" SLICES,
     "(n,)", "(4,)"},
    {HEAD MARKS "    @R.function\n    def g(y: R.Object):\n        z = R.zeros((n,), \"float32\")\n"
                "        return z\n" SLICES,
     "(n,)", "(4,)"},
    // names that are bound around functions come, go and change their places
    {"from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Object):\n    y: "
     "R.Prim(value=\"n\") = x\n    return y\n",
     "@R.function", "n = 4\n\n@R.function"},
    {"from tvm.script import relax as R\nW = [1]\nV = W\nn = V[0]\n\n@R.function\ndef f(x: "
     "R.Object):\n    y = R.zeros((n,), \"float32\")\n    return y\n",
     "V = W\n", "V = W\nV.append(2)\n"},
    {"from tvm.script import relax as R\nk = 2\ng = lambda m=k: m\nn = g()\n\n@R.function\ndef "
     "f(x: R.Object):\n    y = R.zeros((n,), \"float32\")\n    return y\n",
     "k = 2", "k = 3"},
    {"from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass M:\n    n = 3\n"
     "    @T.prim_func\n    def p(a: T.handle):\n        A = T.match_buffer(a, (n,), \"float32\")\n"
     "        T.evaluate(A[0])\n    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n"
     "        y = R.call_tir(M.p, (), R.Tensor((4,), \"float32\"))\n        return y\n",
     "    n = 3\n", "    n = (\n"},
    {HEAD "    n = T.int64()\n    y = R.match_cast(x, R.Tensor((n,), \"float32\"))\n    z = "
          "R.match_cast(y, R.Tensor((2, 2), \"float32\"))\n    return z\n",
     "n = T.int64()", "n = T.i\\4()"},
    // what Python keeps under a name becomes another thing of the same kind
    {HEAD "    a, dims = R.exp, R.Tensor((4,), \"float32\")\n    y: dims = x\n    return y\n",
     "R.Tensor((4,), \"float32\")\n", "R.Tensor((5,), \"float32\")\n"},
    {HEAD "    op, kind = R.exp, T.float16\n    y = R.astype(x, kind)\n    return y\n", "T.float16",
     "T.float64"},
    {HEAD "    op, space = R.exp, R.nn\n    y = space.relu(x)\n    return y\n", "R.nn", "R.op"},
    // a function around comes to bind what a local function has from outside of functions, or from Python
    {HEAD "    k = 1\n    @R.function\n    def g(y: R.Object):\n        return R.exp(y)\n    "
          "return g(x)\n",
     "k = 1", "R = T"},
    {HEAD "    k = 1\n    @R.function\n    def g(y: R.Object):\n        z = len(y)\n        return "
          "z\n    return g(x)\n",
     "k = 1", "len = R.exp"},
    // a class is a module by what stands in it, no longer is, and is again
    {"@I.zr_module\nclass M:\n    @T.prim_func\n    def p(A: T.Buffer((4,), \"float32\")):\n       "
     " A[0] = 1.0\n"
     "@R.function\ndef f(x: R.Object):\n    y = M.p\n    k = M\n    return x\n",
     "T.prim_func", "T.vrim_func"},
    // in a def that is an island without a decorator, or with a misspelt one, what is imported names nothing for others
    {"    @R = .function\n    def helper(x: R.Tensor((4,), \"float32\")):\n    def main(x: "
     "R.Tensor((4,), \"float32\")):\n"
     "            R.outputfrom tvm.script import tir as R\n",
     "            R.outputfrom tvm.script import tir as R\n", ""},
    {"@R.functio\ndef main(x: R.Tensor((4,), \"float32\")):\n    from tvm.script import relax as "
     "Q\n    return x\n\n@Q.function\n"
     "def g(y):\n    return y\n",
     "relax as Q", "tir as Q"},
    // what a body gave counts no more when its function is a PrimFunc
    {"@I.ir_module\nclass M:\n    def p(x: R.Tensor((4,), \"float32\")):\n        return y\n    "
     "@R.function\n"
     "    def f(x: R.Tensor((4,), \"float32\")):\n        h = M.p(x)\n        return h\n",
     "    def p", "    @T.prim_func\n    def p"},
    // the place that a report about a key mentions is in another statement
    {HEAD "    R.func_attr({\"a\": 1})\n    R.func_attr({\"a\": 2})\n    return x\n", "1", "4"},
    // a slip that a function had taken for something outlives the function
    {"from tvm.script import relax as R\n@R.function\ndef g(x: R.Object):\n    q = \"(x, y, z)\n   "
     " "
     "return x\n",
     "@R.function\n", ""},
    // a shape's rank goes: what has its symbols as dimensions, without reading one, is made anew
    {"from tvm.script import relax as R\n@R.function\ndef f(x: R.Tensor((4,), \"float32\"), s: "
     "R.Shape(ndim=1)):\n    y = R.exp(x)\n    z = R.full(s, R.const(0, \"int32\"), \"int32\")\n   "
     " "
     "return (y, z)\n",
     "R.Shape(ndim=1)", "R.Shape"},
    // a symbolic variable gets the name of what a statement binds
    {"from tvm.script import relax as R\n@R.function\ndef f(x: R.Tensor((\"n\", 4), "
     "\"float32\")):\n  "
     "  y = R.exp(x)\n    z = R.sin(y)\n    return z\n",
     "\"n\"", "\"z\""},
    // the fix of an output names a symbolic variable, which a statement before may bind to something else
    {"from tvm.script import ir as I, relax as R, tirx as T\n@I.ir_module\nclass M:\n    "
     "@T.prim_func\n    def two(a: T.handle, b: T.handle):\n        n = T.int64()\n        A = "
     "T.match_buffer(a, (n, 4), \"float32\")\n        B = T.match_buffer(b, (n,), \"float32\")\n"
     "        for i in range(n):\n            B[i] = A[i, 0]\n    @R.function\n    def f(w: "
     "R.Tensor((\"n\", 4), \"float32\")):\n        n = T.int64()\n        p = R.exp(w)\n        q "
     "= "
     "R.call_tir(M.two, (w,), R.Tensor((8,), \"float32\"))\n        return q\n",
     "p = R.exp", "n = R.exp"},
    // operators stand below a name that no decorator reads, and that is bound no longer, or to something else
    {ROOTS, "relax as R", "relax as S"},
    {ROOTS, "relax as R", "tirx as R"},
    {ROOTS, "y = R", "R = x\n    y = R"},
    {ROOTS, "import relax as R", "import nothing as R"},
    {ROOTS, "@rx", "R = 4\n@rx"},
    {"from tvm.script import tirx as T\n@R.function\ndef f(x: R.Tensor((4,), \"flomt32\")):\n    y "
     "= "
     "R.add(x, x)\n    z = R.exp(y)\n    return z\n",
     "@R.function\n", "@R.function\n        return u\n"},
    // an expression in a list is another one, though it says the same
    {HEAD "    a = [R.add(x, x), x]\n    b = a[0]\n    d = R.exp(b)\n    return d\n", "(x, x), x]",
     "(x,  x), x]"},
    {"from tvm.script import relax as R\n@R.function\ndef f(x: R.Tensor((3,), \"float32\"), y: "
     "R.Tensor((), \"float32\")):\n    a = [R.add(x, y), x]\n    b = a[0]\n    return b\n",
     "R.Tensor(()", "R.Tensor((1,)"},
    // a name outside says what decorates a def in a function
    {"from tvm.script import relax as R\ndeco = len\n@R.function\ndef outer(x: R.Tensor((4,), "
     "\"float32\")):\n    y = R.exp(x)\n    @deco(pure=True)\n    def inner(z: R.Tensor((4,), "
     "\"float32\")):\n        u = R.exp(z)\n        return u\n    return inner(y)\n",
     "deco = len", "deco = R.function"},
    // a string names a device of the module
    {"from tvm.script import ir as I, relax as R\n@I.ir_module\nclass M:\n    "
     "I.module_global_infos({\"vdevice\": [I.vdevice(\"llvm\"), I.vdevice(\"cuda\")]})\n"
     "    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n        y = R.to_vdevice(x, "
     "\"vdevice:1\")\n        z = R.exp(y)\n        return z\n",
     "I.vdevice(\"cuda\")", "I.vdevice(\"metal\")"},
    // a name outside comes to be what a dimension's string calls
    {"from tvm.script import ir as I, relax as R, tirx as T\n@R.function\ndef half(x: "
     "R.Tensor((4,), "
     "\"float32\")):\n    return x\n@R.function\ndef f(x: R.Tensor((\"n\", \"size(n)\"), "
     "\"float32\")):\n    return x\n",
     "half", "size"},
};

static void known_edits_equal_fresh(void **unused) {
  (void)unused;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const char *text = known[i].text, *at = strstr(text, known[i].from);
    assert_non_null(at);
    RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
    rlx_file_analyze(file, NULL);
    Edit e = {(uint32_t)(at - text), (uint32_t)(at - text) + (uint32_t)strlen(known[i].from), {0}};
    rlx_buf_puts(&e.text, known[i].to);
    apply(file, &e);
    assert_true(equals_fresh(analyzer, file, text, "known", &e));
    Edit back = {e.start, e.start + (uint32_t)e.text.size, {0}};
    rlx_buf_puts(&back.text, known[i].from);
    apply(file, &back);
    assert_true(equals_fresh(analyzer, file, text, "known, taken back", &back));
    rlx_buf_free(&e.text);
    rlx_buf_free(&back.text);
    rlx_file_close(file);
  }
  rlx_analyzer_free(analyzer);
}

/// The name behind an `if` leads to the binding of its first branch, also when lines that are no
/// statements came before that.
static void a_joined_name_keeps_its_place(void **unused) {
  (void)unused;
  const char *text = HEAD "    if c:\n        k = x\n        y = R.exp(k)\n    else:\n        y = "
                          "x\n    z = R.sin(y)\n    return z\n";
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  for (int i = 0; i < 3; i++) {
    uint32_t size;
    const char *now = rlx_document_text(rlx_file_document(file), &size);
    RlxSymbol symbol;
    assert_true(rlx_file_symbol_at(file, (uint32_t)(strstr(now, "(y)") + 1 - now), &symbol));
    assert_int_equal(symbol.def_span.start, (uint32_t)(strstr(now, "y = R.exp") - now));
    uint32_t at = (uint32_t)(strstr(now, i ? "y = R.exp" : "k = x") - now);
    rlx_file_edit(file, at, at, "# words\n        ", 16);
  }
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

/// Replaces the first `from` of the text, without looking at what it says afterwards.
static void replace_unseen(RlxFile *file, const char *from, const char *to) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file), &size), *at = strstr(text, from);
  assert_non_null(at);
  rlx_file_edit(file, (uint32_t)(at - text), (uint32_t)(at - text) + (uint32_t)strlen(from), to,
                (uint32_t)strlen(to));
}

/// A module loses a function by an edit, and its class has another head by the next, before anything is analysed.
static void edits_that_follow_at_once_equal_fresh(void **unused) {
  (void)unused;
  static const char *const names[][2] = {{"class M:", "class K:"},
                                         {"@I.ir_module", "@I.ir_module "}};
  static const char text[] = "from tvm.script import ir as I, relax as R, tirx as T\n" MODULE;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    RlxFile *file = rlx_file_open(analyzer, text, sizeof text - 1);
    rlx_file_analyze(file, NULL);
    replace_unseen(file, strstr(text, "    @R.function\n    def h"), "");
    replace_unseen(file, names[i][0], names[i][1]);
    replace_unseen(file, "def f", "def f2");
    const Edit none = {0};
    assert_true(equals_fresh(analyzer, file, text, "at once", &none));
    rlx_file_close(file);
  }
  rlx_analyzer_free(analyzer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_edits_equal_fresh),
      cmocka_unit_test(a_joined_name_keeps_its_place),
      cmocka_unit_test(edits_that_follow_at_once_equal_fresh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
