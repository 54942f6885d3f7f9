//! Dataspaces: the shape of a dataset or an attribute, and how far it may grow.

use super::fault::{Fault, Parsed};
use super::fields::Fields;
use crate::grid::MAX_COORDINATE;

/// Most axes, as in HDF5.
const MOST_AXES: u8 = 32;

/// A dataspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Dataspace {
    pub(super) shape: Vec<u64>,
    /// Longest length of each axis; `None` for an axis without a limit.
    pub(super) most: Vec<Option<u64>>,
    /// Whether there is no item at all, not even that of a scalar.
    pub(super) is_null: bool,
}

impl Dataspace {
    /// Parses a dataspace message.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Parsed<Self> {
        let (version, rank, flags) = (fields.u8()?, fields.u8()?, fields.u8()?);
        let mut is_null = false;
        match version {
            1 => {
                fields.bytes(5)?;
            }
            2 => is_null = fields.u8()? == 2,
            _ => return Err(Fault::Unsupported(format!("version {version} of HDF5's dataspaces"))),
        }
        if rank > MOST_AXES {
            return Err(Fault::Damaged("it has more than 32 axes"));
        }
        let mut shape = Vec::new();
        for _ in 0..rank {
            let length = fields.length()?;
            if length > MAX_COORDINATE {
                return Err(Fault::Damaged("an axis is longer than 2^53 - 1"));
            }
            shape.push(length);
        }
        let mut most = Vec::new();
        for length in &shape {
            most.push(if flags & 1 == 0 {
                Some(*length)
            } else {
                fields.limit()?.filter(|most| *most <= MAX_COORDINATE)
            });
        }
        if most.iter().zip(&shape).any(|(most, length)| most.is_some_and(|most| most < *length)) {
            return Err(Fault::Damaged("an axis is longer than its longest length"));
        }
        Ok(Self { shape, most, is_null })
    }

    /// Number of items; saturates.
    pub(super) fn items(&self) -> u64 {
        if self.is_null {
            0
        } else {
            self.shape.iter().fold(1, |items, length| items.saturating_mul(*length))
        }
    }
}
