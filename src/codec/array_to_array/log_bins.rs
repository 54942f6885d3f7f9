//! `numcodecs.log_bins`: floats as numbers of bins whose edges grow by a factor, of the Chalmers Cloud Ice Climatology.
//!
//! There are 254 edges from `low` to `high`. Items decode to the middle of their bin: 0 is 0.0, 254 is the last edge, 255
//! is NaN.
//! Spec: <https://github.com/SEE-GEO/ccic/blob/main/ccic/codecs.py>
//!
//! ```json
//! { "name": "numcodecs.log_bins", "configuration": { "low": 0.0001, "high": 100 } }
//! ```

use std::rc::Rc;

use rectilinear_zarr_kernels::numeric::Numeric;

use crate::codec::kinds::{ArrayToArrayCodec, ChunkShapes, CodecInput, Named};
use crate::error::Result;
use crate::metadata::{DataType, Extension};
use crate::output::Decoded;
use crate::output::memory::reserved;

const NAME: &str = LogBins::NAMES[0];

/// Number of edges, and of the last bin, which has no upper edge.
const EDGES: u8 = 254;

/// Number of the bin for NaN.
const NAN: u8 = 255;

/// The codec's configuration: the value of each bin, by its number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LogBins {
    values: Rc<[f32]>,
}

impl ArrayToArrayCodec for LogBins {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        let settings = extension.settings();
        settings.only_fields(&["low", "high"])?;
        if input.number(extension)? != Numeric::Float(32) {
            let name = input.data_type.name();
            return Err(settings.invalid(format!("{NAME} cannot decode {name}: expected float32")));
        }
        let [low, high] = [settings.required("low")?, settings.required("high")?];
        let limits = [&low, &high].map(|field| field.value().as_f64().filter(|limit| limit.is_normal()));
        let [Some(lowest), Some(highest)] = limits else {
            return Err(settings.invalid("expected \"low\" and \"high\" as positive numbers"));
        };
        if lowest <= 0.0 || highest <= lowest || (highest / lowest).is_infinite() {
            return Err(high.expected("a number above \"low\", which is above 0"));
        }
        let edges = edges(lowest, highest);
        let fill = input.fill_value.first_chunk().map_or(0.0, |item| f32::from_le_bytes(*item));
        let below = edges.iter().filter(|&&edge| edge <= fill).count();
        let code = if fill.is_nan() { NAN } else { u8::try_from(below).unwrap_or(EDGES) };
        let mut values = vec![0.0];
        values.extend(edges.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])));
        values.extend([edges[edges.len() - 1], f32::NAN]);
        let data_type = DataType::scalar("uint8").ok_or_else(|| settings.invalid("no uint8"))?;
        Ok((
            Self { values: values.into() },
            CodecInput { data_type, fill_value: vec![code], rank: input.rank },
        ))
    }

    fn decode<'a>(&self, encoded: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        let mut items = reserved(encoded.bytes.len().saturating_mul(4))?;
        for &code in encoded.bytes.iter() {
            items.extend_from_slice(&self.values[usize::from(code)].to_le_bytes());
        }
        let strides = encoded.strides.iter().map(|stride| stride * 4).collect();
        Ok(Decoded { bytes: items.into(), strides, ..Decoded::default() })
    }
}

/// Edges from one number to another, each the same multiple of the one before it.
#[expect(clippy::cast_possible_truncation, reason = "edges are float32")]
fn edges(low: f64, high: f64) -> Vec<f32> {
    let steps = i32::from(EDGES) - 1;
    // Bisection finds the root, because a function for powers would add its tables to the module.
    let (mut least, mut most) = (1.0, high / low);
    loop {
        let middle = f64::midpoint(least, most);
        if middle <= least || middle >= most {
            break;
        }
        if f64::powi(middle, steps) < high / low { least = middle } else { most = middle }
    }
    (0..=steps).map(|step| (low * least.powi(step)) as f32).collect()
}
