//! The codecs that are read, a line for each: its names in metadata, the file and the type in `src/codec` that decode it,
//! the WebAssembly module that has it, and the Cargo feature that builds it in, unless every build has it.
//!
//! All else follows from the lines: the codecs that a pipeline parses, which module an array needs, the names that errors,
//! pages and `src/web/codecs/built-in.js` list, and which codecs of Zarr v2 encode arrays. `www/docs/adding.md` adds one.

use super::custom_codec::CodecKind;

/// Calls a macro with the array-to-array codecs, in `src/codec/array_to_array`.
macro_rules! array_to_array_codecs {
    ($then:ident) => {
        $then! {
            "transpose" => transpose::Transpose in "main";
            "bitround" | "numcodecs.bitround" => bitround::BitRound in "rare" if "rare";
            "cast_value" => cast_value::CastValue in "rare" if "rare";
            "reshape" => reshape::Reshape in "rare" if "rare";
            "scale_offset" => scale_offset::ScaleOffset in "rare" if "rare";
            "cfdb.packed" => cfdb_packed::CfdbPacked in "rare" if "rare";
            "numcodecs.astype" => astype::AsType in "rare" if "rare";
            "numcodecs.categorize" => categorize::Categorize in "rare" if "rare";
            "numcodecs.delta" => delta::Delta in "rare" if "rare";
            "numcodecs.fixedscaleoffset" => fixedscaleoffset::FixedScaleOffset in "rare" if "rare";
            "numcodecs.log_bins" => log_bins::LogBins in "rare" if "rare";
            "numcodecs.packbits" => numcodecs_packbits::BooleanBits in "rare" if "rare";
            "numcodecs.quantize" => quantize::Quantize in "rare" if "rare";
            "imagecodecs_delta" | "HorizontalDeltaCodec" => differences::Differences in "rare" if "rare";
            "imagecodecs_floatpred" => floatpred::Floatpred in "rare" if "rare";
        }
    };
}

/// Calls a macro with the array-to-bytes codecs, in `src/codec/array_to_bytes`: those of the modules `main` and `rare`, and
/// those with a module of their own, which is built with the feature of the module's name.
macro_rules! array_to_bytes_codecs {
    ($then:ident) => {
        $then! {
            shared {
                "bytes" => bytes::BytesCodec in "main";
                "sharding_indexed" => sharding::Sharding in "main";
                "vlen-utf8" | "vlen-bytes" | "numcodecs.vlen-utf8" | "numcodecs.vlen-bytes" => variable::Variable in "main";
                "n5_default" => n5_default::N5Default in "rare" if "rare";
                "packbits" => packbits::PackBits in "rare" if "rare";
                "cfdb.msgpack" | "numcodecs.json" | "numcodecs.json2" | "numcodecs.msgpack" | "numcodecs.msgpack2"
                    => objects::Objects in "rare" if "rare";
                "numcodecs.vlen-array" => vlen_array::VlenArray in "rare" if "rare";
                "vlen-ndarray" => vlen_ndarray::VlenNdarray in "rare" if "rare";
            }
            on_demand {
                "gribberish" | "numcodecs.grib" | "numcodecs.gribscan.rawgrib" | "numcodecs.rawgrib"
                    => grib2::Grib2 in "grib" if "grib";
                "numcodecs.pcodec" => pcodec::Pcodec in "pcodec" if "pcodec";
                "numcodecs.zfpy" => zfpy::Zfpy in "zfp" if "zfp";
                "zfp" => zfp::Zfp in "zfp" if "zfp";
            }
        }
    };
}

/// Calls a macro with the bytes-to-bytes codecs, in `src/codec/bytes_to_bytes`, as [`array_to_bytes_codecs`] does.
macro_rules! bytes_to_bytes_codecs {
    ($then:ident) => {
        $then! {
            shared {
                "blosc" | "numcodecs.blosc" => blosc::Blosc in "main" if "blosc";
                "crc32c" | "numcodecs.crc32c" | "numcodecs.adler32" | "numcodecs.crc32" | "numcodecs.fletcher32"
                    | "numcodecs.jenkins_lookup3" => checksum::Checksum in "main";
                "gzip" | "numcodecs.gzip" => gzip::Gzip in "main" if "gzip";
                "zstd" | "numcodecs.zstd" => zstd::Zstd in "main" if "zstd";
                "numcodecs.lz4" => lz4::Lz4 in "main" if "lz4";
                "numcodecs.shuffle" => shuffle::Shuffle in "main";
                "numcodecs.zlib" => zlib::Zlib in "main" if "gzip";
                "cfdb.lz4_frame" => cfdb_lz4_frame::Lz4Frame in "rare" if "rare";
                "numcodecs.base64" => base64::Base64 in "rare" if "rare";
                "conditional" => conditional::Conditional in "rare" if "rare";
                "numcodecs.bz2" => bz2::Bz2 in "rare" if "bz2";
                "imagecodecs_bz2" | "imagecodecs_deflate" | "imagecodecs_lz4" | "imagecodecs_lzw" | "imagecodecs_packbits"
                    | "imagecodecs_zlib" | "imagecodecs_zstd" => imagecodecs::ImageCodec in "rare" if "rare";
            }
            on_demand {
                "hdf5.bitshuffle" | "hdf5.lz4" | "hdf5.lzf" | "hdf5.nbit" | "hdf5.scaleoffset" | "hdf5.szip"
                    => hdf5_filter::Hdf5Filter in "hdf5filters" if "hdf5filters";
                "imagecodecs_jpeg2k" => jpeg2000::Jpeg2000 in "jpeg2000" if "jpeg2000";
                "numcodecs.lzma" | "imagecodecs_lzma" => lzma::Lzma in "lzma" if "lzma";
            }
        }
    };
}

/// The entries of lines.
macro_rules! entries {
    (shared { $($shared:tt)* } on_demand { $($on_demand:tt)* }) => {
        entries! { $($shared)* $($on_demand)* }
    };
    ($($($name:literal)|+ => $file:ident::$codec:ident in $module:literal $(if $feature:literal)?;)*) => {
        &[$(CodecEntry {
            names: &[$($name),+],
            module: $module,
            is_here: entries!(@is_here $($feature)?),
        }),*]
    };
    (@is_here) => { true };
    (@is_here $feature:literal) => { cfg!(feature = $feature) };
}

/// The first names of lines, each with the line's feature. They are apart from the entries, to keep the module small.
macro_rules! features {
    (shared { $($shared:tt)* } on_demand { $($on_demand:tt)* }) => {
        features! { $($shared)* $($on_demand)* }
    };
    ($($first:literal $(| $name:literal)* => $file:ident::$codec:ident in $module:literal $(if $feature:literal)?;)*) => {
        &[$(($first, features!(@feature $($feature)?))),*]
    };
    (@feature) => { None };
    (@feature $feature:literal) => { Some($feature) };
}

pub(crate) use {array_to_array_codecs, array_to_bytes_codecs, bytes_to_bytes_codecs};

/// A codec that the package reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodecEntry {
    /// Its names in metadata, the usual one first.
    pub names: &'static [&'static str],
    /// The WebAssembly module that decodes it: `main`, `rare` or one of its own.
    pub module: &'static str,
    /// Whether this build has it.
    pub is_here: bool,
}

/// Codecs that are rewritten as others before they are parsed (`src/codec/rewritten.rs`).
const REWRITTEN: &[CodecEntry] =
    &[CodecEntry { names: &["ChunkyCodec"], module: "rare", is_here: cfg!(feature = "rare") }];

/// The codecs of each kind, in the order of a pipeline.
static CODECS: [(CodecKind, &[CodecEntry]); 4] = [
    (CodecKind::ArrayToArray, array_to_array_codecs!(entries)),
    (CodecKind::ArrayToBytes, array_to_bytes_codecs!(entries)),
    (CodecKind::ArrayToBytes, REWRITTEN),
    (CodecKind::BytesToBytes, bytes_to_bytes_codecs!(entries)),
];

impl CodecEntry {
    /// All codecs, each with its kind, in the order of a pipeline.
    pub fn all() -> impl Iterator<Item = (CodecKind, &'static Self)> {
        CODECS.iter().flat_map(|(kind, entries)| entries.iter().map(|entry| (*kind, entry)))
    }

    /// The codec of this name, and its kind; `None` where the package does not read it.
    #[must_use]
    pub fn named(name: &str) -> Option<(CodecKind, &'static Self)> {
        for (kind, entries) in &CODECS {
            if let Some(entry) = entries.iter().find(|entry| entry.names.contains(&name)) {
                return Some((*kind, entry));
            }
        }
        None
    }

    /// The Cargo feature that builds it in; `None` where every build has it.
    #[must_use]
    pub fn feature(&self) -> Option<&'static str> {
        let rewritten: &[(&str, Option<&str>)] = &[("ChunkyCodec", Some("rare"))];
        let all: [&[(&str, Option<&str>)]; 4] = [
            array_to_array_codecs!(features),
            array_to_bytes_codecs!(features),
            bytes_to_bytes_codecs!(features),
            rewritten,
        ];
        all.iter().copied().flatten().find(|(name, _)| *name == self.names[0])?.1
    }

    /// Whether the codec has a module of its own.
    #[must_use]
    pub fn is_on_demand(&self) -> bool {
        !["main", "rare"].contains(&self.module)
    }
}

/// Kind of the codec of this name, where the package reads it.
pub(crate) fn codec_kind(name: &str) -> Option<CodecKind> {
    CodecEntry::named(name).map(|(kind, _)| kind)
}
