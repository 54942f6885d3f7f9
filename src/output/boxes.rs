//! Boxes: one chunk's part of a result, for reads that hand out each chunk as it arrives.
//!
//! Invariant: the boxes of a plan's chunks cover each position of the result exactly once.

use super::assembly::Assembly;
use super::decoded::Decoded;
use super::layout::{ChunkPlace, OutputField, ResultLayout};
use crate::error::{Error, Gather, Result};
use crate::grid::{AxisIndexer, ChunkSelection};

/// A box of a result: a contiguous range along each axis.
#[derive(Debug)]
pub struct OutputBox {
    /// Start and stop along each axis of the result.
    pub bounds: Vec<(u64, u64)>,
    /// Items of each column of the plan, in C order.
    pub columns: Vec<Decoded<'static>>,
    /// Minimum and maximum of each column, where its cast tracks them.
    pub ranges: Vec<Option<(f64, f64)>>,
}

impl OutputBox {
    /// Boxes of a chunk: one, or more where a list picks coordinates that are not adjacent in the result.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where memory runs out, or for points, which form no boxes.
    pub fn of_chunk(
        layout: &ResultLayout,
        place: ChunkPlace<'_>,
        chunk: Option<&Decoded<'_>>,
    ) -> Result<Vec<Self>> {
        let ChunkSelection::Axes(axes) = place.selection else {
            let (feature, reason) = ("points as boxes".to_owned(), "read them with getPoints".to_owned());
            return Err(Error::Unsupported { feature, reason });
        };
        let along: Vec<Vec<(u64, AxisIndexer)>> = axes.iter().map(AxisIndexer::stretches).collect();
        let mut boxes: Vec<Vec<&(u64, AxisIndexer)>> = vec![Vec::new()];
        for stretches in &along {
            let mut longer = Vec::new();
            for head in &boxes {
                longer.extend(stretches.iter().map(|next| [head.as_slice(), &[next]].concat()));
            }
            boxes = longer;
        }
        boxes.iter().map(|stretches| Self::new(layout, place.array, stretches, chunk)).gathered()
    }

    fn new(
        layout: &ResultLayout,
        array: usize,
        stretches: &[&(u64, AxisIndexer)],
        chunk: Option<&Decoded<'_>>,
    ) -> Result<Self> {
        let axes = stretches.iter().zip(&layout.lengths);
        let lengths: Vec<Option<u64>> =
            axes.clone().map(|((_, picks), length)| length.map(|_| picks.count())).collect();
        let selection = ChunkSelection::Axes(stretches.iter().map(|(_, picks)| picks.clone()).collect());
        let put = |(nth, column): (usize, &OutputField)| -> Result<_> {
            let mut items = Assembly::new(column, &lengths, Vec::new())?;
            items.cast = layout.cast(array, nth);
            items.put(&selection, chunk)?;
            Ok((items.range(), items.into_decoded()))
        };
        let columns = layout.columns.iter().enumerate().map(put).gathered()?;
        let (ranges, columns) = columns.into_iter().unzip();
        let bounds =
            axes.filter_map(|((start, picks), length)| length.map(|_| (*start, start + picks.count())));
        Ok(Self { bounds: bounds.collect(), columns, ranges })
    }
}
