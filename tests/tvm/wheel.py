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


def serve():
    import linecache
    import traceback

    import tvm  # noqa: F401
    from tvm import relax  # noqa: F401
    from tvm.script import ir, tirx  # noqa: F401
    from tvm.script.parser.core.parser import Parser

    answers = os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    first, report = [], Parser.report_error

    def watched(self, node, err):
        lines = [s for s in str(err).strip().splitlines() if s.strip()]
        first.append((getattr(node, "lineno", None), f"{type(err).__name__ if isinstance(err, Exception) else ''} {lines[-1] if lines else ''}".strip()))
        return report(self, node, err)

    def stopped(*_):
        raise TimeoutError("too long")

    Parser.report_error = watched
    signal.signal(signal.SIGALRM, stopped)
    for line in sys.stdin:
        question = json.loads(line)
        path = question["path"]
        answer = {"key": question["key"], "error": None, "line": None}
        first[:] = []
        linecache.clearcache()
        signal.alarm(20)
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
        answer["is_last"] = not leave_builders()
        print(json.dumps(answer), file=answers, flush=True)
        if answer["is_last"]:
            break


def one_worker(python, questions, answers):
    """Answers `questions` (a shared list, popped from its end) until it is empty."""
    worker = None
    while True:
        try:
            question = questions.pop()
        except IndexError:
            break
        if worker is None:
            worker = subprocess.Popen([python, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        timer = threading.Timer(STALL_SECONDS, worker.kill)
        timer.start()
        try:
            worker.stdin.write(json.dumps(question) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
        except OSError:
            line = ""
        timer.cancel()
        answers[question["key"]] = json.loads(line) if line else {"key": question["key"], "error": "crash", "line": None, "is_last": True}
        if answers[question["key"]]["is_last"]:
            worker.kill()
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
