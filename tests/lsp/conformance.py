#!/usr/bin/env python3
"""A client that walks every method of LSP 3.17, and what 3.18 adds: what is advertised, whether the answer has the
specification's types, how long it takes.

    conformance.py [--lines N] [--reps N] [--cpu] [--write PAGE]      # two tables; exit code 1 when a method fails

With --write they take the place of those in PAGE (docs/protocol.md).

Asked is a flat function of N bindings. `cold` is the first answer, right after the file was opened; p50 and p99 are of
answers after an edit each. An advertised method has to answer with a value of its type, any other with MethodNotFound,
and a notification must not disturb what follows.
"""
import argparse
import json
import re
import statistics
import subprocess
import sys
import time

from lsprotocol import converters
from lsprotocol import types as t
from pytest_lsp import client_capabilities

from session import HANG, RLX

# The member of ServerCapabilities that advertises a method; for its further requests the path of a flag.
PROVIDERS = {
    "textDocument/declaration": "declarationProvider", "textDocument/definition": "definitionProvider", "textDocument/typeDefinition": "typeDefinitionProvider",
    "textDocument/implementation": "implementationProvider", "textDocument/references": "referencesProvider", "textDocument/hover": "hoverProvider",
    "textDocument/documentHighlight": "documentHighlightProvider", "textDocument/documentSymbol": "documentSymbolProvider",
    "textDocument/prepareCallHierarchy": "callHierarchyProvider", "callHierarchy/incomingCalls": "callHierarchyProvider",
    "callHierarchy/outgoingCalls": "callHierarchyProvider", "textDocument/prepareTypeHierarchy": "typeHierarchyProvider",
    "typeHierarchy/supertypes": "typeHierarchyProvider", "typeHierarchy/subtypes": "typeHierarchyProvider",
    "textDocument/documentLink": "documentLinkProvider", "documentLink/resolve": "documentLinkProvider.resolveProvider",
    "textDocument/codeLens": "codeLensProvider", "codeLens/resolve": "codeLensProvider.resolveProvider", "textDocument/foldingRange": "foldingRangeProvider",
    "textDocument/selectionRange": "selectionRangeProvider", "textDocument/semanticTokens/full": "semanticTokensProvider.full",
    "textDocument/semanticTokens/full/delta": "semanticTokensProvider.full.delta", "textDocument/semanticTokens/range": "semanticTokensProvider.range",
    "textDocument/inlayHint": "inlayHintProvider", "inlayHint/resolve": "inlayHintProvider.resolveProvider", "textDocument/inlineValue": "inlineValueProvider",
    "textDocument/moniker": "monikerProvider", "textDocument/completion": "completionProvider", "completionItem/resolve": "completionProvider.resolveProvider",
    "textDocument/inlineCompletion": "inlineCompletionProvider", "textDocument/signatureHelp": "signatureHelpProvider",
    "textDocument/codeAction": "codeActionProvider", "codeAction/resolve": "codeActionProvider.resolveProvider", "textDocument/documentColor": "colorProvider",
    "textDocument/colorPresentation": "colorProvider", "textDocument/formatting": "documentFormattingProvider",
    "textDocument/rangeFormatting": "documentRangeFormattingProvider", "textDocument/rangesFormatting": "documentRangeFormattingProvider.rangesSupport",
    "textDocument/onTypeFormatting": "documentOnTypeFormattingProvider", "textDocument/rename": "renameProvider",
    "textDocument/prepareRename": "renameProvider.prepareProvider", "textDocument/linkedEditingRange": "linkedEditingRangeProvider",
    "textDocument/diagnostic": "diagnosticProvider", "workspace/diagnostic": "diagnosticProvider.workspaceDiagnostics", "workspace/symbol": "workspaceSymbolProvider",
    "workspaceSymbol/resolve": "workspaceSymbolProvider.resolveProvider", "workspace/executeCommand": "executeCommandProvider",
    "textDocument/willSaveWaitUntil": "textDocumentSync.willSaveWaitUntil", "workspace/willCreateFiles": "workspace.fileOperations.willCreate",
    "workspace/willRenameFiles": "workspace.fileOperations.willRename", "workspace/willDeleteFiles": "workspace.fileOperations.willDelete",
    "workspace/textDocumentContent": "workspace.textDocumentContent",
}
# Requests about an item of another one's answer.
MADE_BY = {"completionItem/resolve": "textDocument/completion", "codeAction/resolve": "textDocument/codeAction", "codeLens/resolve": "textDocument/codeLens",
           "documentLink/resolve": "textDocument/documentLink", "inlayHint/resolve": "textDocument/inlayHint", "workspaceSymbol/resolve": "workspace/symbol",
           "callHierarchy/incomingCalls": "textDocument/prepareCallHierarchy", "callHierarchy/outgoingCalls": "textDocument/prepareCallHierarchy",
           "typeHierarchy/supertypes": "textDocument/prepareTypeHierarchy", "typeHierarchy/subtypes": "textDocument/prepareTypeHierarchy"}
LIFE_CYCLE = ("initialize", "initialized", "shutdown", "exit")


def module(lines):
    """A module of one function with that many bindings, one of them wrong."""
    text = ["from tvm.script import ir as I, relax as R, tir as T", "", "@I.ir_module", "class Module:", "    @R.function",
            '    def main(x: R.Tensor(("n", 16), "float32"), w: R.Tensor((16, 16), "float32")):', "        with R.dataflow():"]
    last = "x"
    for i in range(lines):
        call = [f'R.add({last}, R.const(1.5, "float32"))', f"R.matmul({last}, w)", f"R.nn.relu({last})"][i % 3]
        text.append(f"            lv{i} = {call}")
        last = f"lv{i}"
    return "\n".join(text + [f'            gv = R.matmul({last}, R.zeros((17, 3), "float32"))', "            R.output(gv)", "        return gv", ""])


class Client:
    def __init__(self, capabilities, cpu):
        self.cpu = cpu
        self.server = subprocess.Popen([RLX, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.capabilities = self.call("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})["result"]["capabilities"]
        self.notify("initialized", {})

    def now(self):
        """Seconds; of the server's processor time where that is asked for (Linux's clock of another process)."""
        return time.clock_gettime((~self.server.pid << 3) | 2) if self.cpu else time.perf_counter()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        """The next message, as bytes: what reads it is not the server's time."""
        head = self.server.stdout.readline()
        if not head:
            raise RuntimeError("the server has ended")
        self.server.stdout.readline()
        return self.server.stdout.read(int(head.split(b":")[1]))

    def call(self, method, params):
        self.number += 1
        begin = self.now()
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            body = self.receive()
            self.received = self.now()
            self.milliseconds = (self.received - begin) * 1e3
            message = json.loads(body)
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif message.get("id") == self.number:
                return message


def advertised(capabilities, path):
    at = capabilities
    for key in path.split("."):
        at = at.get(key) if isinstance(at, dict) else None
    return at not in (None, False)


class Walk:
    def __init__(self, lines, cpu=False):
        converter = converters.get_converter()
        capabilities = client_capabilities("visual-studio-code")
        self.converter, self.lines = converter, lines
        self.client = Client(converter.unstructure(capabilities, t.ClientCapabilities), cpu)
        self.text = module(lines)
        self.rows = self.text.split("\n")
        self.uri, self.version = "file:///conformance/model.py", 1
        self.middle = next(i for i in range(len(self.rows) // 2, len(self.rows)) if "matmul" in self.rows[i])
        self.number = next(i for i in range(self.middle, 0, -1) if "1.5" in self.rows[i])
        self.seen = {}

    def at(self, needle="lv", inside=0):
        return {"line": self.middle, "character": self.rows[self.middle].rindex(needle) + inside}

    def params(self, method):
        """The parameters of a request; None: nothing that the server has answered fits it."""
        document = {"textDocument": {"uri": self.uri}}
        window = {"start": {"line": self.middle - 20, "character": 0}, "end": {"line": self.middle + 20, "character": 0}}
        options = {"options": {"tabSize": 4, "insertSpaces": True}}
        position = {**document, "position": self.at()}
        files = {"files": [{"uri": self.uri, "oldUri": self.uri, "newUri": self.uri + ".new.py"}]}
        table = {
            "textDocument/references": {**position, "context": {"includeDeclaration": True}}, "textDocument/rename": {**position, "newName": "renamed"},
            "textDocument/completion": {**document, "position": self.at("matmul", 3)}, "textDocument/signatureHelp": {**document, "position": self.at("w", 0)},
            "textDocument/inlineCompletion": {**position, "context": {"triggerKind": 1}}, "textDocument/selectionRange": {**document, "positions": [self.at()]},
            "textDocument/semanticTokens/full/delta": {**document, "previousResultId": (self.seen.get("textDocument/semanticTokens/full/delta") or self.seen.get("textDocument/semanticTokens/full") or {}).get("resultId", "")},
            "textDocument/semanticTokens/range": {**document, "range": window}, "textDocument/inlayHint": {**document, "range": window},
            "textDocument/inlineValue": {**document, "range": window, "context": {"frameId": 0, "stoppedLocation": window}},
            "textDocument/codeAction": {**document, "range": {"start": self.at(), "end": self.at()}, "context": {"diagnostics": []}},
            "textDocument/formatting": {**document, **options}, "textDocument/rangeFormatting": {**document, **options, "range": window},
            "textDocument/rangesFormatting": {**document, **options, "ranges": [window]},
            "textDocument/onTypeFormatting": {**position, **options, "ch": "\n"}, "textDocument/willSaveWaitUntil": {**document, "reason": 1},
            "textDocument/colorPresentation": {**document, "color": {"red": 0, "green": 0, "blue": 0, "alpha": 0}, "range": window},
            "workspace/symbol": {"query": "main"}, "workspace/diagnostic": {"previousResultIds": []}, "workspace/textDocumentContent": {"uri": self.uri},
            "workspace/executeCommand": {"command": "rlx.view.normal", "arguments": [{"uri": self.uri, "function": "main"}]},
            "workspace/willCreateFiles": files, "workspace/willRenameFiles": files, "workspace/willDeleteFiles": files,
        }
        if method in MADE_BY:
            answer = self.seen.get(MADE_BY[method])
            items = answer.get("items") if isinstance(answer, dict) else answer
            if not items:
                return None
            return {"item": items[0]} if "Hierarchy/" in method else items[0]
        if method in table:
            return table[method]
        return position if "position" in {field.name for field in t.METHOD_TO_TYPES[method][2].__attrs_attrs__} else document

    def edit(self):
        """Another digit in the middle."""
        self.version += 1
        row = self.rows[self.number]
        column = row.index(".5") - 1
        digit = str(1 + self.version % 9)
        self.rows[self.number] = row[:column] + digit + row[column + 1:]
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [
            {"range": {"start": {"line": self.number, "character": column}, "end": {"line": self.number, "character": column + 1}}, "text": digit}]})

    def change(self, row, start, end, new):
        """Replaces a part of a row, asks for its diagnostics; milliseconds."""
        self.version += 1
        begin = self.client.now()
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [
            {"range": {"start": {"line": row, "character": start}, "end": {"line": row, "character": end}}, "text": new}]})
        self.client.call("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
        return (self.client.received - begin) * 1e3

    def edits(self, reps):
        """Edit to diagnostics: what is typed, and the milliseconds of each time, there and back."""
        number, head = self.rows[self.number], self.rows[5]
        digit, add, size = number.index(".5") - 1, number.index("R.add("), head.index("16)")
        kinds = [("a digit", self.number, digit, digit + 1, "9"), ("a comment behind a line", self.number, len(number), len(number), "  # c"),
                 ("an unmatched `(` before a value", self.number, add, add, "("), ("an unmatched `(` in an argument list", self.number, add + 6, add + 6, "("),
                 ("an unmatched quote", self.number, digit, digit, '"'), ("an operator whose result half of the lines depend on", self.number, add, add + 5, "R.sum"),
                 ("the signature, which all lines depend on", 5, size, size + 2, "17")]
        results = []
        for name, row, start, end, new in kinds:
            old, times = self.rows[row][start:end], []
            for _ in range(reps):
                times += [self.change(row, start, end, new), self.change(row, start, start + len(new), old)]
            results.append((name, times))
        return results

    def request(self, method, reps):
        """State, remark, times."""
        wants = advertised(self.client.capabilities, PROVIDERS[method])
        if wants and method in MADE_BY:  # edits since may have made its items stale
            self.seen[MADE_BY[method]] = self.client.call(MADE_BY[method], self.params(MADE_BY[method])).get("result")
        params = self.params(method)
        if params is None and wants:
            return "-", "nothing to ask about", []
        answer = self.client.call(method, params or {})
        if not wants:
            code = answer.get("error", {}).get("code")
            return ("no", "", []) if code == -32601 else ("FAIL", f"not advertised, but answers {code or 'a result'}", [])
        if "error" in answer:
            return "FAIL", answer["error"]["message"], []
        times = [self.client.milliseconds]
        self.seen[method] = answer["result"]
        try:
            self.converter.structure(answer, t.METHOD_TO_TYPES[method][1])
        except Exception as error:  # whatever the converter meets: the answer has not the type
            return "FAIL", f"the answer has not its type: {error}"[:120], times
        for _ in range(reps):
            self.edit()
            self.client.call("textDocument/hover", {"textDocument": {"uri": self.uri}, "position": {"line": 0, "character": 0}})
            if method in MADE_BY:
                self.seen[MADE_BY[method]] = self.client.call(MADE_BY[method], self.params(MADE_BY[method])).get("result")
            params = self.params(method)
            again = self.client.call(method, params)
            if "error" in again:
                return "FAIL", again["error"]["message"], times
            times.append(self.client.milliseconds)
            self.seen[method] = again["result"]
        return "yes", "" if answer["result"] not in (None, []) else "empty answer", times

    def notification(self, method):
        """It is taken or passed over, and the next question is answered."""
        empty = {"textDocument/willSave": {"textDocument": {"uri": self.uri}, "reason": 1}, "textDocument/didSave": {"textDocument": {"uri": self.uri}},
                 "workspace/didChangeConfiguration": {"settings": {}}, "workspace/didChangeWatchedFiles": {"changes": [{"uri": self.uri, "type": 2}]},
                 "workspace/didChangeWorkspaceFolders": {"event": {"added": [], "removed": []}}, "$/setTrace": {"value": "off"},
                 "$/cancelRequest": {"id": 99999}, "window/workDoneProgress/cancel": {"token": "none"}, "$/progress": {"token": "none", "value": None}}
        for params in (empty.get(method, {}), {}, None, [1]):
            self.client.notify(method, params)
        answer = self.client.call("textDocument/hover", {"textDocument": {"uri": self.uri}, "position": self.at()})
        return ("yes", "", []) if answer.get("result") else ("FAIL", "no hover behind it", [])

    def run(self, reps):
        self.client.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "python", "version": 1, "text": self.text}})
        order = sorted(t.METHOD_TO_TYPES, key=lambda m: (m.endswith("/resolve") or "Hierarchy/" in m or m.endswith("/delta"), m))
        results = []
        for method in order:
            if t.message_direction(method) == "serverToClient" or method in LIFE_CYCLE or method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"):
                continue
            is_request = method in PROVIDERS
            results.append((method, *(self.request(method, reps) if is_request else self.notification(method))))
        self.edited = self.edits(reps)
        stop = self.client.call("shutdown", None)
        self.client.notify("exit", None)
        ended = self.client.server.wait(HANG)
        results.append(("shutdown, exit", "yes" if "error" not in stop and ended == 0 else "FAIL", f"exit code {ended}", []))
        return sorted(results)


def table(results):
    lines = ["| method | answered | cold ms | p50 ms | p99 ms | |", "|---|---|---|---|---|---|"]
    for method, state, remark, times in results:
        warm = sorted(times[1:])
        numbers = [f"{times[0]:.2f}" if times else ""] + ([f"{statistics.median(warm):.2f}", f"{warm[min(len(warm) - 1, len(warm) * 99 // 100)]:.2f}"] if warm else ["", ""])
        lines.append(f"| `{method}` | {state} | {' | '.join(numbers)} | {remark} |")
    return "\n".join(lines)


def edit_table(results):
    lines = ["| edit | p50 ms | p99 ms |", "|---|---|---|"]
    for name, times in results:
        times = sorted(times)
        lines.append(f"| {name} | {statistics.median(times):.2f} | {times[min(len(times) - 1, len(times) * 99 // 100)]:.2f} |")
    return "\n".join(lines)


def write(page, tables):
    """Puts each table in the place of the one with the same head."""
    with open(page) as file:
        text = file.read()
    for one in tables:
        head = re.escape(one.split("\n")[0])
        text, count = re.subn(rf"^{head}\n(\|.*\n)*", lambda _: one + "\n", text, flags=re.MULTILINE)
        if count != 1:
            sys.exit(f"{page} has {count} tables that begin: {one.splitlines()[0]}")
    with open(page, "w") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--reps", type=int, default=20)
    parser.add_argument("--cpu", action="store_true", help="the server's processor time: what a machine that does nothing else shows")
    parser.add_argument("--write", metavar="PAGE", help="put the tables into this page")
    options = parser.parse_args()
    walk = Walk(options.lines, options.cpu)
    results = walk.run(options.reps)
    tables = [table(results), edit_table(walk.edited)]
    if options.write:
        write(options.write, tables)
    else:
        print("\n\n".join(tables))
    sys.exit(any(state == "FAIL" for _, state, _, _ in results))


if __name__ == "__main__":
    main()
