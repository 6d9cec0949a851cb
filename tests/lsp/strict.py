"""Whether a message of the server is one of the specification, to the letter. The library that reads them passes over members that it
does not know, and takes "3" for 3: what it made of a message is held against the message."""
import collections.abc
import enum
import typing

import attrs
from lsprotocol import converters
from lsprotocol import types as t

CONVERTER = converters.get_converter()
ANY = (typing.Any, t.LSPAny, object)


def lost(raw, back, path=""):
    """What was sent and did not come back. The model may add defaults."""
    if isinstance(raw, dict) and isinstance(back, dict):
        for key, value in raw.items():
            if key not in back:
                if value is not None:
                    yield f"{path}.{key}: not in the specification"
            else:
                yield from lost(value, back[key], f"{path}.{key}")
    elif isinstance(raw, list) and isinstance(back, list):
        if len(raw) != len(back):
            yield f"{path}: {len(raw)} elements read as {len(back)}"
        for i, (one, other) in enumerate(zip(raw, back)):
            yield from lost(one, other, f"{path}[{i}]")
    elif isinstance(back, enum.Enum):
        yield from lost(raw, back.value, path)
    elif type(raw) is not type(back) or raw != back:
        yield f"{path}: {raw!r} read as {back!r}"


def untyped(value, kind, path=""):
    """What has not its declared type: unions of scalars are read without a look."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind in ANY:
        return
    if origin is typing.Union:
        if all(any(True for _ in untyped(value, one, path)) for one in args):
            yield f"{path}: {value!r} is none of {kind}"
    elif kind in (None, type(None)):
        if value is not None:
            yield f"{path}: {value!r} is not null"
    elif origin is typing.Literal:
        if value not in args:
            yield f"{path}: {value!r} is not in {args}"
    elif origin in (collections.abc.Sequence, list, tuple):
        if isinstance(value, str) or not isinstance(value, (list, tuple)):
            yield f"{path}: no array"
        elif origin is not tuple:
            for i, one in enumerate(value):
                yield from untyped(one, args[0], f"{path}[{i}]")
    elif origin in (collections.abc.Mapping, dict):
        if not isinstance(value, dict):
            yield f"{path}: no object"
        else:
            for key, one in value.items():
                yield from untyped(one, args[1], f"{path}.{key}")
    elif isinstance(kind, type) and issubclass(kind, enum.Enum):
        if not isinstance(value, kind) and value not in [one.value for one in kind]:
            yield f"{path}: {value!r} is no {kind.__name__}"
    elif attrs.has(kind):
        if not isinstance(value, kind):
            yield f"{path}: no {kind.__name__}"
        else:
            for field in attrs.fields(attrs.resolve_types(kind, vars(t))):
                yield from untyped(getattr(value, field.name), field.type, f"{path}.{field.name}")
    elif isinstance(kind, type) and type(value) is not kind and not (kind is float and type(value) is int):
        yield f"{path}: {value!r} is no {kind.__name__}"


class Messages:
    """What goes to the server, and a look at each message that comes from it."""

    def __init__(self):
        self.asked = {}  # the number of a request to its method
        self.faults = []
        self.parts = {}  # the token of each answer that is asked for in parts to what has come of it

    def sent(self, number, method):
        self.asked[number] = method

    def received(self, message):
        self.faults += self.wrong_with(message)
        if message.get("method") == t.PROGRESS and message["params"]["token"] in self.parts:
            self.parts[message["params"]["token"]].append(message["params"]["value"])

    def wrong_with(self, message):
        """Sentences about a message; none: it is right."""
        method, faults = message.get("method"), []
        if message.get("jsonrpc") != "2.0":
            faults.append("jsonrpc")
        if method:
            known = t.METHOD_TO_TYPES.get(method)
            kind = known and known[0]
            if not known:
                faults.append("no method of the specification")
        else:
            method = self.asked.pop(message.get("id"), None)
            if method is None:
                return [f"an answer to {message.get('id')!r}, which was not asked or is answered"]
            if ("result" in message) == ("error" in message):
                faults.append("a result or an error, not both")
            kind = t.ResponseErrorMessage if "error" in message else t.METHOD_TO_TYPES[method][1] if method in t.METHOD_TO_TYPES else None
        if kind:
            try:
                read = CONVERTER.structure(message, kind)
                faults += [*lost(message, CONVERTER.unstructure(read, kind)), *untyped(read, kind)]
            except Exception as error:  # whatever it meets: the message has not its type
                faults.append(repr(error))
        return [f"{method}: {fault}" for fault in faults]
