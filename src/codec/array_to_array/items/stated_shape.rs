//! Fields that the filters of imagecodecs share: an axis, and the chunk's type and shape, which numcodecs' forms of them
//! state.

use super::numpy::{number, optional};
use crate::codec::kinds::CodecInput;
use crate::error::{Error, Gather, Result};
use crate::metadata::Json;

/// The chunk shape that a configuration states.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct StatedShape {
    shape: Option<Vec<u64>>,
    pointer: String,
}

impl StatedShape {
    /// Reads the fields `dtype` and `shape`, where they are there.
    pub(crate) fn parse(settings: &Json<'_>, input: &CodecInput) -> Result<Self> {
        if let Some(field) = optional(settings, "dtype") {
            input.check_view(number(field)?.1, field)?;
        }
        let Some(field) = optional(settings, "shape") else { return Ok(Self::default()) };
        let shape = field.items()?.map(|edge| edge.integer(0)).gathered()?;
        Ok(Self { shape: Some(shape), pointer: field.pointer() })
    }

    /// Checks that a chunk has this shape, because axes would be counted in the stated one.
    pub(crate) fn check(&self, chunk: &[u64]) -> Result<()> {
        match &self.shape {
            Some(shape) if shape != chunk => {
                let reason = format!("expected the shape of a chunk, {chunk:?}, got {shape:?}");
                Err(Error::metadata(self.pointer.as_str(), reason))
            }
            _ => Ok(()),
        }
    }
}

/// The field `axis`, -1 where it is missing; negative numbers count from the last axis.
pub(crate) fn axis(settings: &Json<'_>, rank: usize) -> Result<usize> {
    let field = settings.field("axis");
    let axis = field.as_ref().map_or(Some(-1), |field| field.value().as_i64());
    let axis = axis.and_then(|axis| usize::try_from(axis + if axis < 0 { rank as i64 } else { 0 }).ok());
    axis.filter(|&axis| axis < rank).ok_or_else(|| match &field {
        Some(field) => field.expected(&format!("one of the array's {rank} axes")),
        None => settings.invalid("expected an array with axes"),
    })
}
