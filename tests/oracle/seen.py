"""Items in JavaScript of data types that no typed array holds as they are stored."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from selections import wire_bytes

View = Callable[[np.ndarray], tuple[str, list[Any]]]


def javascript(values: np.ndarray) -> tuple[str, list[Any]]:
    """The class of `data` and its elements: bigints as {"bigint": "1"}, byte arrays as lists."""
    flat = values.reshape(-1)
    match values.dtype.kind:
        case "c":
            part = f"float{values.dtype.itemsize * 4}"
            return f"Float{part[5:]}Array", np.frombuffer(wire_bytes(flat), part).tolist()
        case "m" | "M":
            items = np.frombuffer(wire_bytes(flat), "<i8").tolist()
            return "BigInt64Array", [{"bigint": str(item)} for item in items]
        case "U" | "T":
            return "Array", [str(item) for item in flat]
        case "S" | "O":
            return "Array", [list(item) for item in flat]
        case _:
            return "Uint8Array", list(wire_bytes(flat))


def numbers(values: np.ndarray) -> tuple[str, list[Any]]:
    """Those of a field of a struct, which numbers may be too; the class of float16 depends on the engine."""
    kind, bits = values.dtype.kind, 8 * values.dtype.itemsize
    if kind not in "fiu":
        return javascript(values)
    name = {"f": "Float", "i": "Int", "u": "Uint"}[kind] + f"{bits}Array"
    flat = values.reshape(-1).tolist()
    if kind != "f" and bits == 64:
        return f"Big{name}", [{"bigint": str(item)} for item in flat]
    return "" if name == "Float16Array" else name, _signed(flat)


def fields_of(values: np.ndarray, path: str = "") -> list[dict[str, Any]]:
    """Every field of an array of structs, those of structs in it after it: its path, and how it looks as a whole.

    A field with a shape is given with it, and not the fields of structs in it.
    """
    found = []
    for name in values.dtype.names or ():
        field = np.ascontiguousarray(values[name])
        view, elements = numbers(field)
        crc = zlib.crc32(wire_bytes(field))
        offset = values.dtype.fields[name][1]
        found.append({"path": path + name, "offset": offset, "class": view, "crc32": crc, "values": elements})
        if field.ndim > values.ndim:
            found[-1]["shape"] = list(field.shape[values.ndim :])
        else:
            found += fields_of(values[name], f"{path}{name}.")
    return found


def _signed(elements: list[Any]) -> list[Any]:
    """The negative zero, which JavaScript's JSON writes as 0, as {"number": "-0"}."""
    return [{"number": "-0"} if repr(element) == "-0.0" else element for element in elements]


@dataclass(frozen=True)
class Seen:
    """The fill value as an array of one item, or none where it is null; how items look, and the unit of times."""

    fill: np.ndarray | None
    view: View = javascript
    time_unit: tuple[str, int] | None = None

    def fields(self, values: np.ndarray) -> dict[str, Any]:
        """The fields of an entry of the index: `class`, `values`, `fill`, `timeUnit`."""
        name, elements = self.view(values)
        unit = {"unit": self.time_unit[0], "scale": self.time_unit[1]} if self.time_unit else None
        return {"class": name, "values": _signed(elements), "fill": self._fill(), "timeUnit": unit}

    def _fill(self) -> Any:
        if self.fill is None:
            return None
        fill = _signed(self.view(self.fill)[1])
        # A complex number is a pair, raw bits and structs are bytes; all others are one element.
        return fill if len(fill) > 1 or self.fill.dtype.kind == "V" else fill[0]
