"""Blosc frames that no Zarr array leads to: every item size, odd ends, blocks of chosen sizes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numcodecs import blosc

from values import rng

# Several threads would write the blocks in the order in which they happen to finish.
blosc.use_threads = False

CNAMES = ("blosclz", "lz4", "lz4hc", "zlib", "zstd")
SHUFFLES = (blosc.NOSHUFFLE, blosc.SHUFFLE, blosc.BITSHUFFLE)


def _smooth() -> bytes:
    """An int32 field with a constant part and a little noise, so that all compressors gain on it."""
    at = np.arange(36_000)
    bumps = rng("frames").integers(0, 300, at.size) * (at % 61 == 0)
    field = np.round(5000 * np.sin(at / 2_000)) // 40 * 40 + bumps + 70_000
    field[9_000:11_500] = 65_536
    return field.astype("<i4").tobytes()


# What the frames hold: these bytes from the start, over and over up to the frame's length.
CONTENTS = {"smooth": _smooth(), "noise": rng("noise of frames").bytes(9_500), "zeros": bytes(8)}


@dataclass(frozen=True)
class Frame:
    """A frame as it is asked for."""

    content: str
    length: int
    cname: str = "lz4"
    shuffle: int = blosc.SHUFFLE
    typesize: int = 4
    blocksize: int = 0
    clevel: int = 5

    def raw(self) -> bytes:
        content = CONTENTS[self.content]
        return (content * (self.length // len(content) + 1))[: self.length]

    def encode(self) -> bytes:
        settings = (self.cname.encode(), self.clevel, self.shuffle, self.blocksize, self.typesize)
        return bytes(blosc.compress(self.raw(), *settings))


def _every_item_size() -> Iterator[Frame]:
    """Items in eights, so that the bits are shuffled, and then some more with half an item at the end."""
    for cname in CNAMES:
        for shuffle in SHUFFLES:
            for typesize in (1, 2, 3, 4, 7, 8, 12, 16, 17, 32, 255):
                items = 8 * (2_400 // typesize // 8 + 1)
                yield Frame("smooth", items * typesize, cname, shuffle, typesize)
                yield Frame("smooth", (items + 3) * typesize + typesize // 2, cname, shuffle, typesize)


def _blocks() -> Iterator[Frame]:
    """Several blocks, the last one shorter, split and not."""
    for cname in CNAMES:
        for shuffle in SHUFFLES:
            # No encoder splits blocks of fewer than 128 items.
            yield Frame("smooth", 3_000, cname, shuffle, 8, 512)
            yield Frame("smooth", 3_072, cname, shuffle, 2, 250)
        # Split blocks are never smaller than 65,536 bytes.
        for typesize in (2, 4, 12, 16):
            yield Frame("smooth", 140_000 + typesize // 2, cname, blosc.SHUFFLE, typesize, 1_024, 9)
        yield Frame("smooth", 131_072, cname, blosc.BITSHUFFLE, 8, 1_024, 9)


def _streams() -> Iterator[Frame]:
    """Far repeats, long runs, and streams of which some are stored as they are."""
    for cname in CNAMES:
        for clevel in (1, 9):
            yield Frame("noise", 40_000, cname, blosc.NOSHUFFLE, 1, 0, clevel)
            yield Frame("zeros", 100_000, cname, blosc.BITSHUFFLE, 8, 0, clevel)
            yield Frame("smooth", 70_000, cname, blosc.NOSHUFFLE, 3, 0, clevel)


def _stored() -> Iterator[Frame]:
    """Frames that hold their content as it is: too short, not asked to compress, not compressible."""
    for length in (0, 1, 3, 16, 127, 128, 129, 130):
        for shuffle in SHUFFLES:
            yield Frame("noise", length, "lz4", shuffle)
            yield Frame("smooth", length, "zstd", shuffle, 8)
    yield Frame("smooth", 5_001, "blosclz", blosc.SHUFFLE, 2, 512, 0)
    yield Frame("noise", 9_000, "zlib", blosc.BITSHUFFLE, 4, 512)


FRAMES = [*_every_item_size(), *_blocks(), *_streams(), *_stored()]


def write_frames(out: Path) -> None:
    """Write the frames one after the other to `out`/blosc/frames.bin, and beside it where each one begins.

    The index has a line for each: `offset` and `bytes` of the frame; the `length` and checksum of
    what it holds; and what it was asked to be.
    """
    folder = out / "blosc"
    folder.mkdir(exist_ok=True)
    frames, lines = bytearray(), []
    for frame in FRAMES:
        encoded = frame.encode()
        place = {"offset": len(frames), "bytes": len(encoded), "crc32": zlib.crc32(frame.raw())}
        lines.append("  " + json.dumps(place | vars(frame)))
        frames += encoded
    (folder / "frames.bin").write_bytes(frames)
    (folder / "index.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    for name, content in CONTENTS.items():
        (folder / f"{name}.bin").write_bytes(content)
