"""Common parts of the broken cases of numcodecs' codecs from numbers to bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from broken.base import CODEC, INVALID, Broken, Document, metadata
from broken.chunks import BAD_KEY, VALUES
from registry import create
from selections import result


def chunks_of(cases: list[Broken], codec: str, serializer: Callable[[], Any], *always: str) -> Callable[..., None]:
    """A function that adds a case whose first chunk, of 4 by 3 int32, is changed; every error says what `always` says."""

    def chunk(name: str, about: str, change: Callable[[bytes], bytes], *mentions: str) -> None:
        def write(path: Path) -> dict[str, Any]:
            create(path, VALUES, chunks=[[2, 4], [3, 5]], serializer=serializer())
            file = path / BAD_KEY
            file.write_bytes(change(file.read_bytes()))
            return result(VALUES, [None, {"slice": [3, None, None]}])

        fields = {"codec": f"numcodecs.{codec}", "keySuffix": BAD_KEY}
        cases.append(Broken(f"{codec}-{name}", about, CODEC, write, (*always, *mentions), fields))

    return chunk


def settings_of(cases: list[Broken], codec: str) -> Callable[..., None]:
    """A function that adds a case with such a configuration, and such fields of the document."""

    def settings(name: str, about: str, error: str, mention: str, configuration: dict[str, Any], **fields: Any) -> None:
        def change(document: Document) -> None:
            document.update(fields)
            document["codecs"] = [{"name": f"numcodecs.{codec}", "configuration": configuration}]

        where = "/codecs/0" if error == INVALID else None
        metadata(cases, f"{codec}-{name}", about, error, change, mention, prefix=where)

    return settings
