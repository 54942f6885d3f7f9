"""Seeded array contents that a sloppy reader would get wrong."""

from __future__ import annotations

import zlib

import numpy as np

# Bit patterns of quiet NaNs with a payload, the infinities, -0.0 and the least subnormal.
FLOAT_BITS = {
    "float16": ("u2", [0x7E00, 0xFE01, 0x7E2A, 0x7C00, 0xFC00, 0x8000, 0x0001, 0x7BFF]),
    "float32": ("u4", [0x7FC00000, 0xFFC00001, 0x7FC0BEEF, 0x7F800000, 0xFF800000, 0x80000000, 1, 0x7F7FFFFF]),
    "float64": (
        "u8",
        [
            0x7FF8 << 48,
            (0xFFF8 << 48) + 1,
            (0x7FF8 << 48) + 0xBEEF,
            0x7FF0 << 48,
            0xFFF0 << 48,
            1 << 63,
            1,
            (0x7FF0 << 48) - 1,
        ],
    ),
}


def rng(name: str) -> np.random.Generator:
    """A generator that depends on the name alone, so adding a case moves no other."""
    return np.random.default_rng(zlib.crc32(name.encode()))


def hard(dtype: str, shape: tuple[int, ...], name: str) -> np.ndarray:
    """Values over the whole range of the type, extremes and special bit patterns included."""
    random = rng(name)
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.startswith("float"):
        unsigned, special = FLOAT_BITS[dtype]
        values = random.normal(scale=100, size=shape).astype(dtype)
        bits = np.array(special, unsigned).view(dtype)
    else:
        info = np.iinfo(dtype)
        values = random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
        bits = np.array([info.min, info.max, info.max - 1, 0, 1], dtype)
        if info.bits == 64:
            bits = np.append(bits, np.array([2**53 + 1, 2**62 + 3], dtype))
    where = random.permutation(values.size)[: bits.size]
    values.reshape(-1)[where] = bits[: where.size]
    return values


def smooth(dtype: str, shape: tuple[int, ...], name: str) -> np.ndarray:
    """A smooth field with a little noise, rounded: it compresses the way real fields do."""
    random = rng(name)
    field = np.zeros(shape)
    for axis, extent in enumerate(shape):
        wave = np.sin(np.arange(extent) * (2 * np.pi / max(extent, 2)) + axis)
        field = field + 10 * wave.reshape([-1 if i == axis else 1 for i in range(len(shape))])
    field = np.round(field + random.normal(scale=0.5, size=shape), 1)
    return (field * 10).astype(dtype) if np.dtype(dtype).kind in "iu" else field.astype(dtype)


def counting(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """1, 2, 3, ...: an element out of place is easy to name, and no element is a zero fill value."""
    return np.arange(1, int(np.prod(shape)) + 1).reshape(shape).astype(dtype)
