//! Raw LZMA: a list of filters, which are deltas but for the last one, LZMA1 or LZMA2.

use lzma_rust2::filter::delta::DeltaReader;
use lzma_rust2::{DICT_SIZE_MAX, Lzma2Reader, LzmaReader};
use std::io::Read;

use crate::codec::bytes_to_bytes::stream::read_whole;
use crate::codec::kinds::Size;
use crate::error::{Error, Result};
use crate::metadata::Json;

pub(in crate::codec) const NAME: &str = "numcodecs.lzma";

/// Python's `lzma.FILTER_DELTA`, `FILTER_LZMA1` and `FILTER_LZMA2`.
const DELTA: u64 = 3;
const LZMA1: u64 = 0x4000_0000_0000_0001;
const LZMA2: u64 = 0x21;

/// The filters, in the order of encoding.
#[derive(Debug, Clone)]
pub(in crate::codec) struct Filters {
    /// Distance of each delta filter in bytes.
    distances: Vec<usize>,
    coder: Coder,
}

#[derive(Debug, Clone, Copy)]
enum Coder {
    Lzma1 { literal_context: u32, literal_position: u32, position: u32 },
    Lzma2,
}

impl Filters {
    pub(crate) fn parse(list: Json<'_>) -> Result<Self> {
        let mut distances = Vec::new();
        let mut coder = None;
        for filter in list.items()? {
            if coder.is_some() {
                return Err(filter.expected("no filter after LZMA1 or LZMA2"));
            }
            let id = filter.required("id")?;
            match id.value().as_u64() {
                Some(DELTA) => distances.push(distance(filter)?),
                Some(LZMA1) => coder = Some(lzma1(filter)?),
                Some(LZMA2) => {
                    filter.only_fields(&CODER_FIELDS)?;
                    coder = Some(Coder::Lzma2);
                }
                _ => {
                    return Err(Error::Unsupported {
                        feature: format!("the LZMA filter {} at {}", id.value(), id.pointer()),
                        reason: "expected delta (3), LZMA1 (2^62 + 1) or LZMA2 (33)".to_owned(),
                    });
                }
            }
        }
        let coder = coder.ok_or_else(|| list.expected("a list that ends with LZMA1 or LZMA2"))?;
        Ok(Self { distances, coder })
    }

    pub(crate) fn decode(&self, encoded: &[u8], size: Size) -> Result<Vec<u8>> {
        let damaged = |error| Error::codec(NAME, format!("damaged data: {error}"), "LZMA");
        // A window as large as the output suffices, even where the compressor's was larger.
        let window = u32::try_from(size.limit()).unwrap_or(u32::MAX).min(DICT_SIZE_MAX);
        let coder: Box<dyn Read> = match self.coder {
            Coder::Lzma1 { literal_context, literal_position, position } => Box::new(
                LzmaReader::new(encoded, u64::MAX, literal_context, literal_position, position, window, None)
                    .map_err(damaged)?,
            ),
            Coder::Lzma2 => Box::new(Lzma2Reader::new(encoded, window, None)),
        };
        let reader =
            self.distances.iter().rev().fold(coder, |inner, &distance| -> Box<dyn Read> {
                Box::new(DeltaReader::new(inner, distance))
            });
        read_whole(NAME, reader, size)
    }
}

/// Configuration fields of LZMA1 and LZMA2; LZMA2 data contain their parameters.
const CODER_FIELDS: [&str; 10] =
    ["id", "preset", "dict_size", "lc", "lp", "pb", "mode", "nice_len", "mf", "depth"];

fn lzma1(filter: Json<'_>) -> Result<Coder> {
    filter.only_fields(&CODER_FIELDS)?;
    let bits = |name, default| match filter.field(name) {
        None => Ok(default),
        Some(field) => match field.value().as_u64().map(u32::try_from) {
            Some(Ok(bits @ 0..=4)) => Ok(bits),
            _ => Err(field.expected("an integer from 0 to 4")),
        },
    };
    Ok(Coder::Lzma1 {
        literal_context: bits("lc", 3)?,
        literal_position: bits("lp", 0)?,
        position: bits("pb", 2)?,
    })
}

fn distance(filter: Json<'_>) -> Result<usize> {
    filter.only_fields(&["id", "dist"])?;
    let Some(field) = filter.field("dist") else { return Ok(1) };
    match field.value().as_u64().map(usize::try_from) {
        Some(Ok(distance @ 1..=256)) => Ok(distance),
        _ => Err(field.expected("an integer from 1 to 256")),
    }
}
