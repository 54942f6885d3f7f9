"""The values of floats of 16 bits or fewer, by exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, nan


@dataclass(frozen=True)
class SmallFloat:
    """Bits of each part, and what spells the values that are not finite: ieee, fnuz, ones or none."""

    sign: int
    exponent: int
    mantissa: int
    bias: int
    special: str

    @property
    def bits(self) -> int:
        return self.sign + self.exponent + self.mantissa

    def value(self, pattern: int) -> float:
        """The value of a bit pattern, bits above the format's own left out."""
        digits = f"{pattern % (1 << self.bits):0{self.bits}b}"
        sign, exponent, mantissa = (
            digits[: self.sign],
            digits[self.sign : self.sign + self.exponent],
            digits[self.sign + self.exponent :],
        )
        if self.special == "fnuz" and digits == "1" + "0" * (self.bits - 1):
            return nan
        if self.special == "ones" and set(exponent + mantissa) == {"1"}:
            return nan
        factor = -1.0 if sign == "1" else 1.0
        if self.special == "ieee" and set(exponent) == {"1"}:
            return factor * (nan if "1" in mantissa else inf)
        fraction = Fraction(int(mantissa or "0", 2), 1 << self.mantissa)
        if set(exponent) == {"0"} and mantissa:
            return factor * float(fraction * Fraction(2) ** (1 - self.bias))
        return factor * float((1 + fraction) * Fraction(2) ** (int(exponent, 2) - self.bias))


FORMATS = {
    "bfloat16": SmallFloat(1, 8, 7, 127, "ieee"),
    "float8_e3m4": SmallFloat(1, 3, 4, 3, "ieee"),
    "float8_e4m3": SmallFloat(1, 4, 3, 7, "ieee"),
    "float8_e4m3fn": SmallFloat(1, 4, 3, 7, "ones"),
    "float8_e4m3b11fnuz": SmallFloat(1, 4, 3, 11, "fnuz"),
    "float8_e4m3fnuz": SmallFloat(1, 4, 3, 8, "fnuz"),
    "float8_e5m2": SmallFloat(1, 5, 2, 15, "ieee"),
    "float8_e5m2fnuz": SmallFloat(1, 5, 2, 16, "fnuz"),
    "float8_e8m0fnu": SmallFloat(0, 8, 0, 127, "ones"),
    "float6_e2m3fn": SmallFloat(1, 2, 3, 1, "none"),
    "float6_e3m2fn": SmallFloat(1, 3, 2, 3, "none"),
    "float4_e2m1fn": SmallFloat(1, 2, 1, 1, "none"),
}
