//! Support query: asks the package's other modules whether they support the codecs of an array that this one lacks.
//!
//! Invariant: opening fails with the error that a build with all codecs would give.

use super::job::Job;
use super::job_batch::parcel;
use crate::read::array::Array;

impl Array {
    /// Whether chunks are decoded by other modules too, because this one lacks a codec.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.pipeline.is_external()
    }

    /// Packs the query: a batch with a job for each chunk shape that the codecs must accept, without bytes.
    #[must_use]
    pub fn support_query(&self) -> Vec<u8> {
        let (mut depth, mut inner, mut pipeline) = (0, None, self.pipeline.as_ref());
        while let Some(shards) = pipeline.shards() {
            (depth, inner, pipeline) = (depth + 1, Some(shards.chunk_shape().to_vec()), shards.inner());
        }
        // Inner chunks have one shape, but for those that end a shard with a remainder, which are smaller.
        let shapes =
            inner.map_or_else(|| self.metadata.chunk_grid.chunk_shapes().collect(), |shape| vec![shape]);
        let job = |shape: &Vec<u64>| Job { depth, is_piece: false, shape, selection: None }.packed(0);
        let jobs: Vec<Vec<u8>> = shapes.iter().map(job).collect();
        parcel(&self.description(), jobs.iter().map(Vec::as_slice))
    }
}
