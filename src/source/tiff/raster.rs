//! How the pixels of a TIFF image are stored: their type, the cut into tiles or strips, and what undoes the compression.

use super::directory::{Directory, Table, tag};
use crate::error::{Error, Result};
use crate::metadata::Value;
use crate::source::original::extension;

/// Longest edge of an image or a tile.
const MOST_EDGE: u64 = 1 << 31;

/// What all planes of an array have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raster {
    pub(super) width: u64,
    pub(super) height: u64,
    pub(super) samples: u64,
    /// Name of the data type in Zarr.
    pub(super) data_type: &'static str,
    /// Bytes of an item.
    pub(super) item: u64,
    /// Width and height of a tile or a strip.
    pub(super) tile: (u64, u64),
    pub(super) is_tiled: bool,
    /// Whether each sample has tiles of its own.
    pub(super) is_planar: bool,
    pub(super) compression: Compression,
    pub(super) predictor: Predictor,
}

/// What undoes a compression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    /// A codec by its name, and the tables that images of JPEG share.
    Codec(&'static str, Option<Vec<u8>>),
}

impl Compression {
    /// Whether items may be something else before they are compressed: what other compressions say of it, libtiff and GDAL
    /// leave aside.
    fn has_predictor(&self) -> bool {
        let codecs = ["imagecodecs_lzw", "numcodecs.zlib", "zstd", "imagecodecs_lzma"];
        matches!(self, Self::Codec(name, _) if codecs.contains(name))
    }

    /// Whether what undoes it makes whole pixels, whatever is stored of their colours.
    fn makes_pixels(&self) -> bool {
        let images = ["imagecodecs_jpeg", "imagecodecs_jpeg2k", "imagecodecs_webp", "imagecodecs_jpegxl"];
        matches!(self, Self::Codec(name, _) if images.contains(name))
    }
}

/// What items were made of before they were compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Predictor {
    None,
    /// Differences from the pixel to the left.
    Differences,
    /// Bytes of floats, apart from each other, as differences.
    FloatBytes,
}

/// The tables of a plane: where its tiles or strips lie.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    pub(super) offsets: Table,
    /// Bytes of each; `None` where the file does not say, as of old files without compression.
    pub(super) counts: Option<Table>,
}

impl Raster {
    /// Reads how the image of a directory is stored.
    pub(super) fn of(directory: &Directory) -> Result<(Self, Plane)> {
        let edge = |number: u16, what: &str| {
            let edge = directory.integer(number).unwrap_or(0);
            Some(edge).filter(|edge| (1..MOST_EDGE).contains(edge)).ok_or_else(|| {
                Error::metadata(
                    "",
                    format!("expected {what} from 1 to 2^31, got {edge}; the file is damaged"),
                )
            })
        };
        let (width, height) = (edge(tag::WIDTH, "a width")?, edge(tag::HEIGHT, "a height")?);
        let samples = directory.integer(tag::SAMPLES).unwrap_or(1);
        if samples == 0 || samples > 1 << 16 {
            return Err(Error::metadata(
                "",
                format!("an image has {samples} samples a pixel; the file is damaged"),
            ));
        }
        if [tag::DEPTH, tag::TILE_DEPTH]
            .iter()
            .any(|depth| directory.integer(*depth).is_some_and(|depth| depth > 1))
        {
            return Err(unsupported("TIFF images with a depth (ImageDepth)"));
        }
        if directory.integer(tag::FILL_ORDER).is_some_and(|order| order != 1) {
            return Err(unsupported("TIFF images with the lowest bit first (FillOrder 2)"));
        }
        let bits = directory.same(tag::BITS, 1, "their bits")?;
        let format = directory.same(tag::SAMPLE_FORMAT, 1, "their format")?;
        let (data_type, item) = data_type(format, bits)?;
        let compression = compression(directory)?;
        if directory.integer(tag::PHOTOMETRIC) == Some(6) && !compression.makes_pixels() {
            let steps = directory.integers(tag::SUBSAMPLING);
            if steps != [1, 1] {
                return Err(unsupported("TIFF images of YCbCr with fewer colours than pixels"));
            }
        }
        let is_float = data_type.starts_with("float");
        let predictor = directory.integer(tag::PREDICTOR).filter(|_| compression.has_predictor());
        let predictor = match predictor.unwrap_or(1) {
            1 => Predictor::None,
            2 if !data_type.starts_with("complex") => Predictor::Differences,
            3 if is_float => Predictor::FloatBytes,
            other => return Err(unsupported(&format!("the TIFF predictor {other} for {data_type}"))),
        };
        let is_planar = samples > 1 && directory.integer(tag::PLANAR) == Some(2);
        // Old files have the tables of their tiles where strips have theirs.
        let tables = [(tag::TILE_OFFSETS, tag::TILE_COUNTS), (tag::STRIP_OFFSETS, tag::STRIP_COUNTS)];
        let tables = tables.map(|(offsets, counts)| (directory.table(offsets), directory.table(counts)));
        let is_tiled = tables[0].0.is_some() || directory.integer(tag::TILE_WIDTH).is_some();
        let tile = if is_tiled {
            (edge(tag::TILE_WIDTH, "a tile's width")?, edge(tag::TILE_HEIGHT, "a tile's height")?)
        } else {
            (width, directory.integer(tag::ROWS_PER_STRIP).unwrap_or(height).clamp(1, height))
        };
        let (offsets, counts) = tables
            .into_iter()
            .find_map(|(offsets, counts)| Some((offsets?, counts)))
            .ok_or_else(|| Error::metadata("", "an image has neither tiles nor strips"))?;
        let plane = Plane { offsets: offsets.clone(), counts: counts.cloned() };
        let raster = Self {
            width,
            height,
            samples,
            data_type,
            item,
            tile,
            is_tiled,
            is_planar,
            compression,
            predictor,
        };
        raster.check(&plane)?;
        Ok((raster, plane))
    }

    /// Checks that the tables have a place for each tile, and that a tile has a size.
    fn check(&self, plane: &Plane) -> Result<()> {
        let (across, down) = self.counts();
        let wanted = across
            .checked_mul(down)
            .and_then(|tiles| tiles.checked_mul(if self.is_planar { self.samples } else { 1 }));
        let wanted = wanted.unwrap_or(u64::MAX);
        let tables = [Some(&plane.offsets), plane.counts.as_ref()];
        if let Some(short) = tables.into_iter().flatten().find(|table| table.count < wanted) {
            let reason = format!(
                "an image of {} by {} pixels has {} tiles or strips, expected {wanted}",
                self.width, self.height, short.count
            );
            return Err(Error::metadata("", reason));
        }
        if plane.counts.is_none() && self.compression != Compression::None {
            return Err(Error::metadata(
                "",
                "the file does not say how long its compressed tiles or strips are",
            ));
        }
        let size = [self.tile.0, self.tile.1, self.item]
            .iter()
            .try_fold(self.pixel_samples(), |size, edge| size.checked_mul(*edge));
        match size.filter(|size| *size < 1 << 53) {
            Some(_) => Ok(()),
            None => Err(Error::metadata("", "a tile of the file is longer than files are")),
        }
    }

    /// Number of tiles along a row, and of rows of tiles.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.width.div_ceil(self.tile.0), self.height.div_ceil(self.tile.1))
    }

    /// Samples that a tile has of each pixel.
    pub(super) fn pixel_samples(&self) -> u64 {
        if self.is_planar { 1 } else { self.samples }
    }

    /// Whether the pixels of a plane lie one after the other in the file, so that they may be cut anywhere.
    pub(super) fn is_contiguous(&self) -> bool {
        !self.is_tiled
            && self.tile.1 >= self.height
            && self.compression == Compression::None
            && self.predictor == Predictor::None
    }

    /// Bytes of the tile in a row of tiles, before compression.
    pub(super) fn tile_bytes(&self, row: u64) -> u64 {
        let rows = if self.is_tiled { self.tile.1 } else { self.tile.1.min(self.height - row * self.tile.1) };
        self.tile.0 * rows * self.pixel_samples() * self.item
    }

    /// Bytes that the last strip may have been compressed from: GDAL fills strips that nothing was written to, all with as
    /// many rows.
    pub(super) fn longest(&self) -> Option<u64> {
        let is_shorter = !self.is_tiled && !self.height.is_multiple_of(self.tile.1);
        (is_shorter && self.compression != Compression::None).then(|| self.tile_bytes(0))
    }

    /// The codecs of chunks whose last axes are rows and columns, and then samples where a pixel has several; before
    /// them are `others`.
    pub(super) fn codecs(&self, others: u64, is_big: bool) -> Vec<Value> {
        let has_samples = self.pixel_samples() > 1;
        let mut codecs = Vec::new();
        match self.predictor {
            Predictor::None => {}
            Predictor::Differences => {
                let axis: i64 = if has_samples { -2 } else { -1 };
                codecs.push(extension("imagecodecs_delta", [("axis", axis.into())]));
            }
            Predictor::FloatBytes => {
                if has_samples {
                    let rows = (0..=others).collect();
                    let shape = Value::list([rows, Value::list([(others + 1).into(), (others + 2).into()])]);
                    codecs.push(extension("reshape", [("shape", shape)]));
                }
                codecs.push(extension("imagecodecs_floatpred", [("dist", self.pixel_samples().into())]));
            }
        }
        // Floats apart from each other, and the images of decoders, are in no byte order of the file.
        let keeps_order = self.predictor != Predictor::FloatBytes
            && !matches!(self.compression, Compression::Codec("imagecodecs_jpeg2k", _));
        let endian = if is_big && keeps_order { "big" } else { "little" };
        codecs.push(extension("bytes", [("endian", endian.into())]));
        if let Compression::Codec(name, tables) = &self.compression {
            codecs.push(match (*name, tables) {
                ("numcodecs.zlib", _) => extension(name, [("level", 6_u64.into())]),
                ("zstd", _) => extension(name, [("level", 0_u64.into()), ("checksum", false.into())]),
                (_, Some(tables)) => {
                    extension(name, [("tables", tables.iter().map(|byte| u64::from(*byte)).collect())])
                }
                (_, None) => extension(name, []),
            });
        }
        codecs
    }
}

/// Data type and bytes of an item, by the format and the bits of samples.
fn data_type(format: u64, bits: u64) -> Result<(&'static str, u64)> {
    Ok(match (format, bits) {
        // 4 is data whose format is not known.
        (1 | 4, 8) => ("uint8", 1),
        (1 | 4, 16) => ("uint16", 2),
        (1 | 4, 32) => ("uint32", 4),
        (1 | 4, 64) => ("uint64", 8),
        (2, 8) => ("int8", 1),
        (2, 16) => ("int16", 2),
        (2, 32) => ("int32", 4),
        (2, 64) => ("int64", 8),
        (3, 16) => ("float16", 2),
        (3, 32) => ("float32", 4),
        (3, 64) => ("float64", 8),
        (6, 64) => ("complex64", 8),
        (6, 128) => ("complex128", 16),
        _ => {
            let kind = match format {
                1 | 4 => "unsigned integers",
                2 => "integers",
                3 => "floats",
                5 => "complex integers",
                6 => "complex floats",
                _ => "a format that TIFF does not have",
            };
            return Err(unsupported(&format!("a TIFF image of {bits}-bit samples ({kind})")));
        }
    })
}

/// The compression of a directory's image.
fn compression(directory: &Directory) -> Result<Compression> {
    let name = match directory.integer(tag::COMPRESSION).unwrap_or(1) {
        1 => return Ok(Compression::None),
        5 => "imagecodecs_lzw",
        7 => "imagecodecs_jpeg",
        8 | 32946 => "numcodecs.zlib",
        32773 => "imagecodecs_packbits",
        34712 => "imagecodecs_jpeg2k",
        34887 => "imagecodecs_lerc",
        34925 => "imagecodecs_lzma",
        34926 | 50000 => "zstd",
        34927 | 50001 => "imagecodecs_webp",
        50002 | 52546 => "imagecodecs_jpegxl",
        other => return Err(unsupported(&format!("the TIFF compression {other}{}", known_as(other)))),
    };
    Ok(Compression::Codec(name, directory.bytes(tag::JPEG_TABLES).map(<[u8]>::to_vec)))
}

/// Name of a compression that is not read.
fn known_as(compression: u64) -> &'static str {
    match compression {
        2..=4 => " (of fax machines)",
        6 => " (JPEG as in TIFF 6.0)",
        33003 | 33005 => " (JPEG 2000 as Aperio writes it)",
        34676 | 34677 => " (LogLuv)",
        _ => "",
    }
}

fn unsupported(feature: &str) -> Error {
    let reason = "convert the file, for instance with gdal_translate -of COG".to_owned();
    Error::Unsupported { feature: feature.to_owned(), reason }
}
