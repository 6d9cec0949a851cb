"""The Jupyter kernel: the checks of jupyter_kernel_test, and notebooks executed by nbclient."""
import base64
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.dom.minidom
import zlib

import jupyter_kernel_test
import nbformat
from jupyter_client.manager import start_new_kernel
from jupyter_kernel_test import KernelTests
from jupyter_kernel_test.msgspec_v5 import validate_message
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FUNCTION = """@R.function
def f(a: R.Tensor(("n", 3), "float32")):
    b = R.add(a, a)
    return R.sum(b, axis=1)"""
ENDLESS = """@T.prim_func
def endless(A: T.Buffer((4,), "int64")):
    while A[0] >= T.int64(0):
        A[1] = A[1] + T.int64(1)"""

HANG = 900  # seconds: what has not come then does not come any more, however slow or busy the machine is
jupyter_kernel_test.TIMEOUT = HANG  # its own are of a quiet machine: 15 s for a reply, 0.1 s for each message behind it


def descendants(pid):
    """The processes that a process began, and those that they began."""
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:  # it has ended meanwhile
        return
    for child in children:
        yield int(child)
        yield from descendants(child)


def computes(kernel):
    """Whether a worker of the kernel's `rlx kernel` has used processor time. It leads a group, but no session."""
    for pid in descendants(kernel):
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except FileNotFoundError:
            continue
        group, session, ticks = int(fields[2]), int(fields[3]), int(fields[11]) + int(fields[12])
        if group == pid != session and ticks > 5:
            return True
    return False


class Kernel(KernelTests):
    kernel_name = "rlx"
    language_name = "relax"
    file_extension = ".py"
    code_hello_world = "hello, world"
    completion_samples = [{"text": "R.permu", "matches": ["permute_dims"]}, {"text": "R.sum(R.ones((2,), 'float32'), keep", "matches": ["keepdims="]}]
    complete_code_samples = ["R.const(1.0)", "x = R.const(1.0)"]
    incomplete_code_samples = ["R.add(", "@R.function", "def f(a: R.Tensor):"]
    code_execute_result = [{"code": "R.const(2.0)", "result": '2.0\n# R.Tensor((), dtype="float32")'}]
    code_inspect_sample = "R.permute_dims"
    code_generate_error = "R.add(R.const(1.0))"

    @classmethod
    def setUpClass(cls):
        cls.km, cls.kc = start_new_kernel(kernel_name=cls.kernel_name, startup_timeout=HANG)

    def test_inspection_inside_of_arguments(self):
        self.flush_channels()
        for code, told in (("random(2", "random(d0"), ("y = R.reshape(R.exp(v), (2, 3", "R.reshape("), ("R.sum(R.exp(1 + ", "R.exp(")):
            asked = self.kc.inspect(code, cursor_pos=len(code))
            reply = self.get_non_kernel_info_reply(timeout=HANG)
            validate_message(reply, "inspect_reply", asked)
            self.assertTrue(reply["content"]["found"], code)
            self.assertIn(told, reply["content"]["data"]["text/plain"])

    def execute_helper(self, code, timeout=HANG, silent=False, store_history=True, stop_on_error=True):
        """As the class above has it, but that it waits for each message until it comes."""
        asked = self.kc.execute(code=code, silent=silent, store_history=store_history, stop_on_error=stop_on_error)
        reply = self.get_non_kernel_info_reply(timeout=timeout)
        validate_message(reply, "execute_reply", asked)
        messages, states = [], []
        while "idle" not in states:
            message = self.kc.get_iopub_msg(timeout=HANG)
            if message["parent_header"].get("msg_id") != asked:
                continue  # of an earlier question
            validate_message(message, message["msg_type"], asked)
            if message["msg_type"] == "status":
                states.append(message["content"]["execution_state"])
            elif message["msg_type"] == "execute_input":
                self.assertEqual(message["content"]["code"], code)
            else:
                messages.append(message)
        self.assertEqual(states, ["busy", "idle"])
        return reply, messages

    def test_execute_stdout(self):
        self.flush_channels()
        reply, messages = self.execute_helper(code=":prove n + n == 2 * n")
        self.assertEqual(reply["content"]["status"], "ok")
        self.assertIn("yes", messages[0]["content"]["text"])

    def test_a_tensor_is_a_table(self):
        self.flush_channels()
        _, messages = self.execute_helper(code='R.ones((2, 30), "int32")')
        data = messages[0]["content"]["data"]
        self.assertIn("<caption>R.Tensor((2, 30), dtype=\"int32\")</caption>", data["text/html"])
        self.assertEqual(data["text/html"].count("<td>1</td>"), 2 * 16)
        self.assertIn("[[1 1 1", data["text/plain"])

    def shown(self, code):
        self.flush_channels()
        _, messages = self.execute_helper(code=code)
        return next(m["content"]["data"] for m in messages if m["msg_type"] == "display_data")

    def test_numbers_of_a_table_are_those_of_the_text(self):
        self.flush_channels()
        for code, cells in (('R.const([-1, 5], "int32").astype("uint64")', ["18446744073709551615", "5"]), ('R.const([True, False], "bool")', ["True", "False"])):
            _, messages = self.execute_helper(code=code)
            self.assertEqual(messages[0]["content"]["data"]["text/html"].count("<td>"), len(cells))
            for cell in cells:
                self.assertIn(f"<td>{cell}</td>", messages[0]["content"]["data"]["text/html"])

    def test_an_argument_and_a_command_are_inspected(self):
        self.flush_channels()
        for code, at, told in (("R.nn.softmax(v, axis=1)", 18, "R.nn.softmax("), (":stats v", 3, ":stats EXPR")):
            self.kc.inspect(code, cursor_pos=at)
            self.assertIn(told, self.get_non_kernel_info_reply(timeout=HANG)["content"]["data"]["text/plain"])

    def test_what_needs_a_terminal_is_refused_and_the_session_lives(self):
        for code in (":quit", ":edit f"):
            self.flush_channels()
            reply, _ = self.execute_helper(code=code)
            self.assertEqual(reply["content"]["status"], "error", code)
        _, messages = self.execute_helper(code="R.const(7)")
        self.assertIn("7", messages[0]["content"]["data"]["text/plain"])

    def test_an_image_is_a_png(self):
        data = self.shown(":image [[0., 1., 2.], [3., 4., 5.]]")
        file = base64.b64decode(data["image/png"])
        self.assertEqual(file[:8], b"\x89PNG\r\n\x1a\n")
        width, height, bits, color = struct.unpack(">IIBB", file[16:26])
        self.assertEqual((width * 2, bits, color), (height * 3, 8, 2))
        size = int.from_bytes(file[33:37], "big")
        self.assertEqual(zlib.crc32(file[37 : 41 + size]), int.from_bytes(file[41 + size : 45 + size], "big"))
        rows = zlib.decompress(file[41 : 41 + size])
        self.assertEqual((len(rows), rows[1:4], rows[-3:]), (height * (3 * width + 1), b"\0\0\0", b"\xff\xff\xff"))
        self.assertIn("# 2 x 3, from 0 to 5", data["text/plain"])

    def test_a_plot_and_a_graph_are_svg(self):
        for code, element, count in [(":plot --bars [1., 2., 4.]", "rect", 3), (":plot random(3000, seed=1)", "path", 2), (":graph R.add(R.const(1.0), R.exp(R.const(2.0)))", "rect", 2)]:
            data = self.shown(code)
            picture = xml.dom.minidom.parseString(data["image/svg+xml"])
            self.assertGreaterEqual(len(picture.getElementsByTagName(element)), count, code)
            self.assertTrue(data["text/plain"].strip(), code)

    def test_an_error_shows_the_place(self):
        self.flush_channels()
        reply, messages = self.execute_helper(code="R.add(R.const(1.0), nothing)")
        self.assertEqual(reply["content"]["ename"], "error[RLX0201]")
        self.assertTrue(any("^^^^^^^" in line for line in messages[0]["content"]["traceback"]))

    def test_an_error_between_entries_is_the_cells_error(self):
        self.flush_channels()
        reply, output = self.execute_helper(code="k = R.const([4, 5])\nnosuch(k)\nk\n:vars", timeout=HANG)
        self.assertEqual((reply["content"]["status"], reply["content"]["ename"], reply["content"]["evalue"]), ("error", "error[RLX0201]", "`nosuch` is not defined"))
        kinds = [message["msg_type"] for message in output]
        self.assertEqual(kinds, ["execute_result", "stream", "error"])  # what stands behind it answers
        self.assertEqual(output[2]["content"]["traceback"], ["error[RLX0201]: `nosuch` is not defined", "  nosuch(k)", "  ^^^^^^"])

    def test_names_of_the_cell_are_completed(self):
        self.flush_channels()
        code = FUNCTION.replace("R.sum(b", "R.sum(")
        self.kc.complete(code, code.index("R.sum(") + 6)
        reply = self.kc.get_shell_msg(timeout=HANG)
        self.assertIn("b", reply["content"]["matches"])

    def test_offsets_are_characters(self):
        self.flush_channels()
        code = '"🙂é"; R.permu'
        self.kc.complete(code, len(code))
        reply = self.kc.get_shell_msg(timeout=HANG)["content"]
        self.assertEqual((reply["cursor_start"], reply["cursor_end"]), (len(code) - 5, len(code)))
        self.assertIn("permute_dims", reply["matches"])

    def test_an_interrupt_ends_the_cell_and_the_session_lives(self):
        self.flush_channels()
        self.execute_helper(code="kept = R.const(3.0)")
        self.execute_helper(code=ENDLESS)

        def interrupt():
            while not computes(self.km.provisioner.pid):
                time.sleep(0.05)
            self.km.interrupt_kernel()
        threading.Thread(target=interrupt, daemon=True).start()
        reply, _ = self.execute_helper(code='endless(R.ones((4,), "int64"))')
        self.assertEqual(reply["content"]["status"], "error")
        _, messages = self.execute_helper(code="kept")
        self.assertIn("3.0", messages[0]["content"]["data"]["text/plain"])


class Notebook(unittest.TestCase):
    def run_cells(self, *cells):
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        NotebookClient(book, kernel_name="rlx", timeout=HANG, startup_timeout=HANG, iopub_timeout=HANG).execute()
        return [c.outputs for c in book.cells]

    def test_a_notebook(self):
        outputs = self.run_cells(FUNCTION, 'x = R.ones((2, 3), "float32")', "f(x)\nR.sum(x)", ":sinfo f(x)")
        self.assertEqual(outputs[0], [])
        self.assertEqual([o.output_type for o in outputs[2]], ["execute_result", "execute_result"])
        self.assertTrue(outputs[2][0].data["text/plain"].startswith("[6. 6.]"))
        self.assertEqual(outputs[3][0].text, 'R.Tensor((2,), dtype="float32")\n')

    def test_a_failing_notebook(self):
        with self.assertRaises(CellExecutionError) as caught:
            self.run_cells("R.const(1.0)", "missing")
        self.assertIn("RLX0201", str(caught.exception))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "rlx_kernel.install", "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
        os.environ["JUPYTER_PATH"] = str(pathlib.Path(folder) / "share" / "jupyter")
        os.environ["IPYTHONDIR"] = os.environ["JUPYTER_RUNTIME_DIR"] = folder
        suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
        suite = unittest.TestSuite(t for group in suite for t in group if type(t) is not KernelTests)
        result = unittest.TextTestRunner(verbosity=0).run(suite)
    # what jupyter_kernel_test skips, a kernel need not have: a pager, a history of its own
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, 0 skipped")
    sys.exit(bool(failed))
