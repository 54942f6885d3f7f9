//! An array as it is opened: metadata, codec pipeline and keys, ready to be planned on.

use super::plan::Plan;
use crate::codec::Pipeline;
use crate::error::Result;
use crate::grid::{AxisSelection, Picks, normalise};
use crate::metadata::ArrayMetadata;
use crate::source::{ZarrKeys, metadata_key};

/// The largest decoded chunk that is read unless the caller says otherwise: 1 GiB.
///
/// The reason: WebAssembly addresses 4 GiB, and a chunk and the output it goes to must both fit.
pub const DEFAULT_MAX_CHUNK_BYTES: u64 = 1 << 30;

/// An opened array.
#[derive(Debug, Clone)]
pub struct Array {
    /// What its metadata says.
    pub metadata: ArrayMetadata,
    /// Its codecs.
    pub pipeline: Pipeline,
    /// Where its chunks are.
    pub keys: ZarrKeys,
    /// Refuse to decode a chunk larger than this many bytes.
    pub max_chunk_bytes: u64,
}

impl Array {
    /// An array from its `zarr.json`, at a normalised path of its store.
    ///
    /// # Errors
    /// [`crate::Error::InvalidMetadata`] and [`crate::Error::Unsupported`].
    pub fn parse(document: &[u8], path: &str, max_chunk_bytes: u64) -> Result<Self> {
        let parse = || {
            let metadata = ArrayMetadata::parse(document)?;
            let pipeline = Pipeline::parse(&metadata.codecs, metadata.data_type, metadata.shape.len())?;
            let keys = ZarrKeys::new(path, metadata.chunk_keys);
            Ok(Self { metadata, pipeline, keys, max_chunk_bytes })
        };
        parse().map_err(|error: crate::Error| error.in_document(&metadata_key(path)))
    }

    /// Plans the read of a selection.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] where it does not fit the array.
    pub fn plan(&self, selection: &[AxisSelection]) -> Result<Plan<'_>> {
        Ok(Plan::new(self, normalise(selection, &self.metadata.shape)?))
    }

    /// Plans the read of one chunk, clipped to the array.
    ///
    /// # Errors
    /// [`crate::Error::Selection`] where the chunk does not meet the array.
    pub fn plan_chunk(&self, coords: &[u64]) -> Result<Plan<'_>> {
        let grid = &self.metadata.chunk_grid;
        let bounds = grid.bounds(coords).ok_or_else(|| {
            let reason =
                format!("there is no chunk {coords:?}; the chunk grid's shape is {:?}", grid.shape());
            crate::Error::Selection { axis: None, reason }
        })?;
        let whole = bounds.iter().map(|span| Picks {
            first: span.start,
            step: 1,
            count: span.stop - span.start,
            reversed: false,
            dropped: false,
        });
        Ok(Plan::new(self, whole.collect()))
    }
}
