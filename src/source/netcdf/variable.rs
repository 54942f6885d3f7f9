//! A variable of a NetCDF-3 file as an array, and where its chunks lie.

use std::ops::Range;

use super::header::{Header, HeaderVariable};
use super::values::Kind;
use crate::error::{Error, Result};
use crate::metadata::Value;
use crate::source::original::{ArrayNode, AxisChunks, Contiguous, big_endian};

/// Most axes of a variable that is read.
const MOST_AXES: usize = 32;

/// Longest item of text: 16 MiB.
const MOST_TEXT: u64 = 16 << 20;

/// A variable.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) node: ArrayNode,
    /// Bytes of an item of text; `None` for numbers.
    pub(super) text: Option<u64>,
    begin: u64,
    /// The items that lie one after the other: all of them, or those of a record.
    run: Contiguous,
    /// Number of records and bytes from one to the next, where other variables lie between them.
    records: Option<(u64, u64)>,
}

/// The fill value of numbers of a type: that of the attribute where it is one of them, as HDF5 has it, so that files of
/// both formats may be joined. Every item is there.
fn fill_value(kind: Kind, attribute: Option<&Value>) -> Value {
    attribute.filter(|value| kind.has(value)).cloned().unwrap_or_else(|| 0_u64.into())
}

impl Variable {
    /// The array of a variable of a header, whose records have so many bytes, which may be of this variable alone.
    pub(super) fn new(
        header: &Header,
        variable: &HeaderVariable,
        (record_bytes, is_alone): (u64, bool),
    ) -> Result<Self> {
        let HeaderVariable { name, dimensions, attributes, singles, kind, begin } = variable;
        let of = |number: &usize| &header.dimensions[*number];
        let mut shape: Vec<u64> = dimensions.iter().map(|number| of(number).length).collect();
        let mut names: Vec<String> = dimensions.iter().map(|number| of(number).name.clone()).collect();
        let unsupported = |what: String, most: &str| Error::Unsupported {
            feature: format!("the variable {name:?} of {what}"),
            reason: format!("at most {most} are read; copy a part of it with ncks"),
        };
        if shape.len() > MOST_AXES {
            return Err(unsupported(format!("{} dimensions", shape.len()), "32"));
        }
        let is_record = header.is_record(variable);
        let mut item = kind.size();
        if *kind == Kind::Char && shape.len() > usize::from(is_record) {
            item = shape.pop().unwrap_or(1);
            names.pop();
            if item > MOST_TEXT {
                return Err(unsupported(format!("texts of {item} letters"), "16 MiB"));
            }
        }
        let records = (is_record && !is_alone).then(|| (shape[0], record_bytes));
        let run = if records.is_some() { shape[1..].to_vec() } else { shape.clone() };
        let run = Contiguous::new(run, item).filter(|_| {
            let (count, step) = records.unwrap_or((0, 0));
            count.checked_mul(step).is_some_and(|bytes| bytes < 1 << 53)
        });
        let run = run.ok_or_else(|| {
            Error::metadata(
                "",
                format!("the variable {name:?} of shape {shape:?} has no end; the file is damaged"),
            )
        })?;
        let edges = records.map(|_| 1).into_iter().chain(run.edges().iter().copied());
        let axes =
            shape.iter().zip(edges).map(|(&extent, edge)| AxisChunks { extent, edge, is_padded: false });
        let (fill_value, codec): (Value, _) = match kind {
            Kind::Char => ("".into(), Value::object([("name", "vlen-utf8".into())])),
            _ => (fill_value(*kind, attributes.get("_FillValue")), big_endian()),
        };
        let node = ArrayNode {
            axes: axes.collect(),
            dimensions: names,
            data_type: kind.name().into(),
            fill_value,
            codecs: vec![codec],
            attributes: attributes.clone(),
            singles: singles.clone(),
            longest: None,
        };
        let text = (*kind == Kind::Char).then_some(item);
        Ok(Self { node, text, begin: *begin, run, records })
    }

    /// Bytes of a chunk in the file; `None` where no such chunk is, and for chunks without bytes.
    pub(super) fn span(&self, coords: &[u64]) -> Option<Range<u64>> {
        let (mut start, mut own) = (self.begin, coords);
        if let Some((count, step)) = self.records {
            let (record, others) = coords.split_first()?;
            start += Some(record).filter(|record| **record < count)? * step;
            own = others;
        }
        let span = self.run.span(own)?;
        Some(start + span.start..start + span.end).filter(|span| !span.is_empty())
    }
}
