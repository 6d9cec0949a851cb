"""Every method of the protocol (conformance.py): nothing advertised fails, nothing else is answered."""
import pytest
from lsprotocol import types as t

from conformance import LIFE_CYCLE, PROVIDERS, Walk


@pytest.fixture(scope="module")
def results():
    return Walk(60).run(2)


def test_no_method_fails(results):
    assert [(method, remark) for method, state, remark, _ in results if state == "FAIL"] == []


def test_every_method_of_the_protocol_is_walked(results):
    asked = {method for method, *_ in results}
    known = {method for method in t.METHOD_TO_TYPES if t.message_direction(method) != "serverToClient"}
    opens = {"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"}
    assert known - asked - set(LIFE_CYCLE) - opens == set()
    assert set(PROVIDERS) <= known


# What the script gives no occasion for.
SILENT = ("formatting", "Formatting", "implementation", "Files", "documentLink", "incomingCalls", "outgoingCalls", "linkedEditingRange")


def test_what_is_advertised_has_something_to_say(results):
    empty = [method for method, state, remark, _ in results if state == "yes" and remark == "empty answer"]
    assert [method for method in empty if not method.endswith(SILENT)] == []
