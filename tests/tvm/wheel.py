"""Asks a wheel of Apache TVM whether it accepts scripts: each is run as Python runs a file, decorators and all.

    PYTHON wheel.py < QUESTIONS

A question is a line of JSON `{"key": …, "path": …}`; the answer is one, too: `{"key": …, "error": null or text, "line": number or null}`.
`ask` starts workers and gives all answers as a dictionary; what kills or stalls a worker is answered with the error "crash".
"""
import json
import os
import signal
import subprocess
import sys
import threading
import time

STALL_SECONDS = 40


def leave_builders():
    """A refusal may leave a builder of the IR open, and the next script would be read as part of that one. False: they stay."""
    from tvm.script.ir_builder import IRBuilder

    for _ in range(100):
        if not IRBuilder.is_in_scope():
            return True
        IRBuilder.current().__exit__(None, None, None)
    return False


def answer_of(question, first):
    """What TVM says of one question; `first` collects what its parser reports."""
    import linecache
    import traceback

    path = question["path"]
    answer = {"key": question["key"], "error": None, "line": None}
    first[:] = []
    linecache.clearcache()
    signal.alarm(int(os.environ.get("RLX_WHEEL_SECONDS", 20)))
    try:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        code = compile(text, path, "exec")
        name = f"island_{question['key']}"
        module = type(sys)(name)
        module.__file__ = path
        sys.modules[name] = module
        try:
            exec(code, module.__dict__)
        finally:
            del sys.modules[name]
    except BaseException as e:  # noqa: BLE001  whatever TVM raises is a refusal
        lines = [s for s in str(e).strip().splitlines() if s.strip()]
        told = [f for f in first if f[1] and not f[1].startswith("DiagnosticError")]
        answer["error"] = told[-1][1] if told else f"{type(e).__name__} {lines[-1] if lines else ''}".strip()
        answer["error"] = answer["error"][:300]
        answer["line"] = told[-1][0] if told else next((t.lineno for t in reversed(traceback.extract_tb(e.__traceback__)) if t.filename == path), None)
        if isinstance(e, SyntaxError) and e.filename == path:
            answer["line"] = e.lineno
    signal.alarm(0)
    return answer


def serve_in_child(questions, answers):
    """Answers questions until there are no more (exit status 0) or the process is spoilt (1)."""
    from tvm.script.parser.core.parser import Parser

    first, report = [], Parser.report_error

    def watched(self, node, err):
        lines = [s for s in str(err).strip().splitlines() if s.strip()]
        first.append((getattr(node, "lineno", None), f"{type(err).__name__ if isinstance(err, Exception) else ''} {lines[-1] if lines else ''}".strip()))
        return report(self, node, err)

    def stopped(*_):
        raise TimeoutError("too long")

    Parser.report_error = watched
    signal.signal(signal.SIGALRM, stopped)
    while line := questions.readline():
        answer = answer_of(json.loads(line), first)
        os.write(answers, (json.dumps(answer) + "\n").encode())
        if not leave_builders():
            os._exit(1)
    os._exit(0)


def serve():
    """Imports TVM once; a child answers, and the next one takes over where TVM killed it or a refusal spoilt it."""
    import tvm  # noqa: F401
    from tvm import relax  # noqa: F401
    from tvm.script import ir, tirx  # noqa: F401

    answers = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    questions = open(0, "rb", buffering=0, closefd=False)  # a child reads no more than the lines that it answers
    while True:
        child = os.fork()
        if not child:
            serve_in_child(questions, answers)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            break
        if os.WIFSIGNALED(status):
            os.write(answers, (json.dumps({"error": "crash", "line": None}) + "\n").encode())


def one_worker(python, questions, answers):
    """Answers `questions` (a shared list, popped from its end) until it is empty."""
    worker = None
    while True:
        try:
            question = questions.pop()
        except IndexError:
            break
        if worker is None:
            worker = subprocess.Popen([python, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        timer = threading.Timer(STALL_SECONDS, os.killpg, (worker.pid, signal.SIGKILL))
        timer.start()
        try:
            worker.stdin.write(json.dumps(question) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
        except OSError:
            line = ""
        timer.cancel()
        answers[question["key"]] = {**(json.loads(line) if line else {"error": "crash", "line": None}), "key": question["key"]}
        if not line:
            worker.wait()
            worker = None
    if worker:
        worker.stdin.close()
        worker.wait()


def ask(python, paths, jobs=2):
    """{key: answer} of {key: path}."""
    questions = [{"key": k, "path": str(p)} for k, p in paths.items()][::-1]
    answers = {}
    threads = [threading.Thread(target=one_worker, args=(python, questions, answers)) for _ in range(jobs)]
    for t in threads:
        t.start()
        time.sleep(0)
    for t in threads:
        t.join()
    return answers


if __name__ == "__main__":
    serve()
