"""The wrapper: ipykernel speaks to the notebook, a child process `rlx kernel` answers, JSON line by JSON line."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading

from ipykernel.kernelbase import Kernel

from . import __version__


def program():
    """The rlx program: the environment variable RLX, or the one on the search path."""
    found = os.environ.get("RLX") or shutil.which("rlx")
    if not found:
        raise FileNotFoundError("rlx is not on the search path; set RLX to where it is")
    return found


class Session:
    """The child process. One request at a time; interrupt() may come from elsewhere."""

    def __init__(self):
        # a group of its own: the notebook's SIGINT reaches it through interrupt() alone
        self.process = subprocess.Popen([program(), "kernel"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self.number = 0
        self.writing = threading.Lock()

    def send(self, request):
        with self.writing:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()

    def ask(self, method, **arguments):
        self.number += 1
        with self.interrupts():
            self.send({"id": self.number, "method": method, **arguments})
            line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError(f"rlx kernel ended with code {self.process.wait()}")
        return json.loads(line)

    @contextlib.contextmanager
    def interrupts(self):
        """Meanwhile Ctrl-C is told to the child, whose answer comes all the same: a KeyboardInterrupt could fall between a question
        and its answer, and each answer would then be taken for that of the next question."""
        if threading.current_thread() is not threading.main_thread():  # where signals do not come
            yield
            return
        # Told by a thread, since the signal may come while a question is being written.
        before = signal.signal(signal.SIGINT, lambda *_: threading.Thread(target=self.interrupt).start())
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def interrupt(self):
        self.send({"method": "interrupt"})

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()


def bytes_before(code, cursor):
    return len(code[:cursor].encode())


def taken_failure(pieces):
    """Takes the error out of what a cell printed: the last piece that has one, for entries behind it answer all the same. None: there is none."""
    texts = [piece for piece in pieces if "mime" not in piece and not piece["value"]]
    found = [piece for piece in texts if re.search(r"(?m)^error\b", piece["text"])] or texts
    if not found:
        return None
    pieces.remove(found[-1])
    return found[-1]["text"]


class RlxKernel(Kernel):
    implementation = "rlx"
    implementation_version = __version__
    language_info = {"name": "relax", "mimetype": "text/x-python", "file_extension": ".py", "pygments_lexer": "python", "codemirror_mode": "python"}
    banner = "rlx: Relax functions, compiled as they are entered"

    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.rlx = Session()

    def send_piece(self, piece, count):
        if "mime" in piece:
            data = {"text/plain": piece["text"].rstrip("\n"), piece["mime"]: piece["content"]}
            self.send_response(self.iopub_socket, "display_data", {"data": data, "metadata": {}})
            return
        if not piece["value"]:
            self.send_response(self.iopub_socket, "stream", {"name": "stdout", "text": piece["text"]})
            return
        data = {"text/plain": piece["text"].rstrip("\n")}
        if "html" in piece:
            data["text/html"] = piece["html"]
        self.send_response(self.iopub_socket, "execute_result", {"execution_count": count, "data": data, "metadata": {}})

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, **_):
        answer = self.rlx.ask("execute", code=code)
        pieces = answer["pieces"]
        failure = None if answer["ok"] else taken_failure(pieces)
        if not silent:
            for piece in pieces:
                self.send_piece(piece, self.execution_count)
        if answer["ok"]:
            return {"status": "ok", "execution_count": self.execution_count, "payload": [], "user_expressions": {}}
        lines = (failure or "error").rstrip("\n").split("\n")
        first = next((line for line in lines if line.startswith("error")), lines[0])
        error = {"ename": first.split(":")[0], "evalue": first.partition(": ")[2], "traceback": lines}
        if not silent:
            self.send_response(self.iopub_socket, "error", error)
        return {"status": "error", "execution_count": self.execution_count, **error}

    def do_complete(self, code, cursor_pos):
        answer = self.rlx.ask("complete", code=code, cursor=bytes_before(code, cursor_pos))
        start = len(code.encode()[: answer["start"]].decode(errors="ignore"))
        types = [{"start": start, "end": cursor_pos, "text": m["text"], "type": m["group"], "signature": m["detail"] or ""} for m in answer["matches"]]
        return {"status": "ok", "matches": [m["text"] for m in answer["matches"]], "cursor_start": start, "cursor_end": cursor_pos,
                "metadata": {"_jupyter_types_experimental": types}}

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        answer = self.rlx.ask("inspect", code=code, cursor=bytes_before(code, cursor_pos))
        return {"status": "ok", "found": answer["found"], "data": {"text/plain": answer["text"]} if answer["found"] else {}, "metadata": {}}

    def do_is_complete(self, code):
        answer = self.rlx.ask("is_complete", code=code)
        if answer["complete"]:
            return {"status": "complete"}
        last = code.split("\n")[-1]
        indent = len(last) - len(last.lstrip())
        return {"status": "incomplete", "indent": " " * (indent + 4 * last.rstrip().endswith(":"))}

    def do_shutdown(self, restart):
        self.rlx.close()
        return {"status": "ok", "restart": restart}
