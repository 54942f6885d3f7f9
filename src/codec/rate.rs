//! Approximate decoding rates of codecs, from which the reader chooses where to decode a chunk and how to cache it.
//!
//! The unit is decoded bytes per microsecond (1000 is 1 GB/s), measured in WebAssembly with SIMD on a desktop
//! processor, with the kinds of data that Zarr usually holds. Only the ratios matter: between codecs, and to a copy of
//! memory.

use super::bytes_to_bytes::BytesToBytes;
use super::pipeline::{ArrayToBytes, Pipeline};

/// Rate of a codec whose time is negligible.
const NO_TIME: u64 = u64::MAX;

/// Rate of a codec that was not measured.
const UNKNOWN: u64 = 100;

impl Pipeline {
    /// Decoded bytes per microsecond; `u64::MAX` where chunks are stored as uncompressed items.
    #[must_use]
    pub fn decoded_rate(&self) -> u64 {
        let to_bytes = match &self.array_to_bytes {
            ArrayToBytes::Bytes(_) => NO_TIME,
            ArrayToBytes::Sharding(shards) => shards.inner().decoded_rate(),
            _ => UNKNOWN,
        };
        let filters = self.array_to_array.iter().map(|_| 1000);
        let codecs = self.bytes_to_bytes.iter().map(BytesToBytes::decoded_rate);
        // Times of codecs one after the other add up.
        let picoseconds = |rate: u64| 1_000_000 / rate;
        let sum: u64 = codecs.chain(filters).chain([to_bytes]).map(picoseconds).sum();
        1_000_000_u64.checked_div(sum).unwrap_or(NO_TIME)
    }
}

impl BytesToBytes {
    fn decoded_rate(&self) -> u64 {
        match self {
            Self::Shuffle(_) => 4000,
            Self::Checksum(_) => 1500,
            #[cfg(feature = "blosc")]
            Self::Blosc(rate, _) => *rate,
            #[cfg(feature = "lz4")]
            Self::Lz4(_) => 3000,
            #[cfg(feature = "zstd")]
            Self::Zstd => 600,
            #[cfg(feature = "gzip")]
            Self::Gzip(_) | Self::Zlib(_) => 200,
            #[cfg(any(feature = "bz2", feature = "jpeg2000", feature = "lzma", feature = "rare"))]
            _ => UNKNOWN,
        }
    }
}
