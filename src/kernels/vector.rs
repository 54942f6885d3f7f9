//! Vectors of sixteen bytes: a SIMD register in WebAssembly, a plain integer elsewhere.
//!
//! The kernels share one source on every target: native tests check them against their definitions, and the fixtures
//! that Chromium reads check these operations against their portable versions. In WebAssembly, shuffles are undone
//! three to nine times as fast as by code that the compiler generates for words and bytes.

#[cfg(all(target_feature = "simd128", feature = "inflate"))]
use std::arch::wasm32::i8x16_swizzle;
#[cfg(target_feature = "simd128")]
use std::arch::wasm32::{
    f64x2, f64x2_extract_lane, f64x2_pmax, f64x2_pmin, i8x16_shuffle, u8x16_splat, u64x2, u64x2_extract_lane,
    u64x2_shl, u64x2_shr, v128, v128_and, v128_xor,
};

/// Number of bytes in a vector.
pub const LANES: usize = 16;

/// Sixteen bytes as they lie in memory.
pub type ByteLanes = [u8; LANES];

/// Places of the bytes of a repeated pattern, by its length.
#[cfg(feature = "inflate")]
static REPEATED: [ByteLanes; LANES + 1] = {
    let mut places = [[0; LANES]; LANES + 1];
    let mut at = LANES;
    while at < LANES * (LANES + 1) {
        let (length, lane) = (at / LANES, at % LANES);
        places[length][lane] = (lane % length) as u8;
        at += 1;
    }
    places
};

/// Sixteen bytes in a register.
#[cfg(target_feature = "simd128")]
#[derive(Clone, Copy)]
pub struct Vector(v128);

#[cfg(target_feature = "simd128")]
impl Vector {
    #[inline]
    pub fn load(bytes: &ByteLanes) -> Self {
        // Compiles to one load.
        let [low, high] = [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte])));
        Self(u64x2(low, high))
    }

    #[inline]
    pub fn bytes(self) -> ByteLanes {
        let [low, high] = [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)];
        (u128::from(low) | u128::from(high) << 64).to_le_bytes()
    }

    /// Repeats the first `length` bytes, 1 to 16 of them.
    #[cfg(feature = "inflate")]
    #[inline]
    pub fn repeated(self, length: usize) -> Self {
        Self(i8x16_swizzle(self.0, Self::load(&REPEATED[length]).0))
    }

    /// Interleaves the bytes of two vectors: the lower halves, then the upper halves.
    #[inline]
    pub fn zip(self, other: Self) -> [Self; 2] {
        [
            Self(i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(self.0, other.0)),
            Self(i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(
                self.0, other.0,
            )),
        ]
    }

    /// Swaps bits in each byte: the bits of the first vector that lie `shift` above those of the mask, with the bits of
    /// the second vector that the mask selects.
    #[inline]
    pub fn exchange([upper, lower]: [Self; 2], shift: u32, mask: u8) -> [Self; 2] {
        let differing = v128_and(v128_xor(u64x2_shr(upper.0, shift), lower.0), u8x16_splat(mask));
        [Self(v128_xor(upper.0, u64x2_shl(differing, shift))), Self(v128_xor(lower.0, differing))]
    }
}

/// Sixteen bytes on targets without SIMD.
#[cfg(not(target_feature = "simd128"))]
#[derive(Clone, Copy)]
pub struct Vector(u128);

#[cfg(not(target_feature = "simd128"))]
impl Vector {
    #[inline]
    pub fn load(bytes: &ByteLanes) -> Self {
        Self(u128::from_le_bytes(*bytes))
    }

    #[inline]
    pub fn bytes(self) -> ByteLanes {
        self.0.to_le_bytes()
    }

    #[cfg(feature = "inflate")]
    #[inline]
    pub fn repeated(self, length: usize) -> Self {
        if length == LANES {
            return self;
        }
        let bytes = self.bytes();
        Self::load(&REPEATED[length].map(|at| bytes[usize::from(at) % LANES]))
    }

    #[inline]
    pub fn zip(self, other: Self) -> [Self; 2] {
        let (ours, theirs) = (self.bytes(), other.bytes());
        [0, LANES / 2].map(|from| {
            let by_turns = |byte: usize| [ours, theirs][byte % 2][from + byte / 2];
            Self::load(&std::array::from_fn(by_turns))
        })
    }

    #[inline]
    pub fn exchange([upper, lower]: [Self; 2], shift: u32, mask: u8) -> [Self; 2] {
        let differing = (upper.0 >> shift ^ lower.0) & u128::from_le_bytes([mask; LANES]);
        [Self(upper.0 ^ differing << shift), Self(lower.0 ^ differing)]
    }
}

/// Two `f64` values in a register.
#[cfg(target_feature = "simd128")]
#[derive(Clone, Copy)]
pub struct Floats(v128);

#[cfg(target_feature = "simd128")]
impl Floats {
    #[inline]
    pub fn load([one, other]: [f64; 2]) -> Self {
        Self(f64x2(one, other))
    }

    #[inline]
    pub fn floats(self) -> [f64; 2] {
        [f64x2_extract_lane::<0>(self.0), f64x2_extract_lane::<1>(self.0)]
    }

    /// The lesser float of each lane; this one if either is NaN.
    #[inline]
    pub fn or_less(self, others: Self) -> Self {
        Self(f64x2_pmin(self.0, others.0))
    }

    /// The greater float of each lane; this one if either is NaN.
    #[inline]
    pub fn or_greater(self, others: Self) -> Self {
        Self(f64x2_pmax(self.0, others.0))
    }
}

/// Two `f64` values on targets without SIMD.
#[cfg(not(target_feature = "simd128"))]
#[derive(Clone, Copy)]
pub struct Floats([f64; 2]);

#[cfg(not(target_feature = "simd128"))]
impl Floats {
    #[inline]
    pub fn load(floats: [f64; 2]) -> Self {
        Self(floats)
    }

    #[inline]
    pub fn floats(self) -> [f64; 2] {
        self.0
    }

    #[inline]
    pub fn or_less(self, others: Self) -> Self {
        Self([0, 1].map(|lane| if others.0[lane] < self.0[lane] { others.0[lane] } else { self.0[lane] }))
    }

    #[inline]
    pub fn or_greater(self, others: Self) -> Self {
        Self([0, 1].map(|lane| if self.0[lane] < others.0[lane] { others.0[lane] } else { self.0[lane] }))
    }
}

/// Interleaves two vectors: their first bytes, then their second bytes, and so on.
#[inline]
pub fn by_turns_2([one, other]: [Vector; 2]) -> [Vector; 2] {
    one.zip(other)
}

/// Interleaves four vectors: their first bytes, then their second bytes, and so on.
#[inline]
pub fn by_turns_4([a, b, c, d]: [Vector; 4]) -> [Vector; 4] {
    let ([a, c], [b, d]) = (by_turns_2([a, c]), by_turns_2([b, d]));
    let ([a, b], [c, d]) = (a.zip(b), c.zip(d));
    [a, b, c, d]
}

/// Interleaves eight vectors: their first bytes, then their second bytes, and so on.
#[inline]
pub fn by_turns_8([a, b, c, d, e, f, g, h]: [Vector; 8]) -> [Vector; 8] {
    let ([a, c, e, g], [b, d, f, h]) = (by_turns_4([a, c, e, g]), by_turns_4([b, d, f, h]));
    let ([a, b], [c, d], [e, f], [g, h]) = (a.zip(b), c.zip(d), e.zip(f), g.zip(h));
    [a, b, c, d, e, f, g, h]
}
