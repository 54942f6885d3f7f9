"""Shards taken apart and put together again: as no writer leaves them, or as no reader should meet them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from google_crc32c import value as crc32c

# What an index says of an inner chunk that is not stored.
EMPTY = (1 << 64) - 1
NOWHERE = (EMPTY, EMPTY)

# Offset and length of each inner chunk, in C order.
Index = list[tuple[int, int]]


def index_of(shard: bytes, chunks: int) -> Index:
    """The index of a shard that ends with it and its CRC-32C."""
    numbers = struct.unpack(f"<{2 * chunks}Q", shard[-16 * chunks - 4 : -4])
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def encoded_index(index: Index) -> bytes:
    """An index with its CRC-32C."""
    entries = b"".join(struct.pack("<2Q", *entry) for entry in index)
    return entries + struct.pack("<I", crc32c(entries))


def indexed(
    chunks: int, change: Callable[[Index, int], Index], *, at_start: bool = False
) -> Callable[[bytes], bytes]:
    """A change of a shard's index, by the index and the shard's length; its checksum is right again."""

    def changed(shard: bytes) -> bytes:
        size = 16 * chunks + 4
        if at_start:
            return encoded_index(change(index_of(shard[:size], chunks), len(shard))) + shard[size:]
        return shard[:-size] + encoded_index(change(index_of(shard, chunks), len(shard)))

    return changed


def parts_of(shard: bytes, chunks: int) -> list[bytes | None]:
    """The encoded inner chunks; None for one that is not stored."""
    spans = index_of(shard, chunks)
    return [None if span == NOWHERE else shard[span[0] : span[0] + span[1]] for span in spans]


def deduplicated(parts: Sequence[bytes | None], *, at_start: bool = False) -> bytes:
    """A shard in which inner chunks of the same bytes are stored once."""
    places: dict[bytes, int] = {}
    body, index = b"", [NOWHERE] * len(parts)
    before = 16 * len(parts) + 4 if at_start else 0
    for at, part in enumerate(parts):
        if part is None:
            continue
        if part not in places:
            places[part] = before + len(body)
            body += part
        index[at] = (places[part], len(part))
    return encoded_index(index) + body if at_start else body + encoded_index(index)


def laid_out(parts: Sequence[bytes | None], *, gap: bytes) -> bytes:
    """A shard whose inner chunks lie backwards, `gap` before each."""
    body, index = b"", [NOWHERE] * len(parts)
    for at in reversed(range(len(parts))):
        part = parts[at]
        if part is None:
            continue
        body += gap
        index[at] = (len(body), len(part))
        body += part
    return body + gap + encoded_index(index)
