//! Plans of stages: which module decodes the chunks of a batch with which codecs, one after the other.
//!
//! A runner, in JavaScript, executes a plan: it passes bytes from one module to the next. For each stage of a job there
//! is the head of a message. The runner writes the number of bytes into its last eight bytes and appends the bytes; every
//! module answers such a message as [`crate::codec::answers`] packs it.

use super::job::Job;
use super::messages::{JobBatch, parcel};
#[cfg(feature = "rare")]
use crate::codec::Choice;
use crate::codec::{Description, Stages};
use crate::error::Packer;

/// Planner of batches. The stages of the last batch stay, because many batches of one array follow each other.
#[derive(Debug, Default)]
pub struct StagePlanner(Option<(Vec<u8>, usize, Stages)>);

impl StagePlanner {
    /// Creates a planner that has planned nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Plans the jobs of a batch, from its head: packs for each of them a 1, the number of its bytes and its stages, as
    /// [`Stages::plan`] does, and a 0 at the end. A batch that cannot be read has no jobs.
    #[must_use]
    pub fn plan(&mut self, batch: &[u8]) -> Vec<u8> {
        let mut plan = Packer::default();
        let (description, jobs) = JobBatch::without_bytes(batch)
            .map_or((&[][..], Vec::new()), |batch| (batch.description, batch.jobs));
        for job in &jobs {
            let Some(stages) = self.stages(description, job.job().depth) else { break };
            plan.number(1).number(job.length as u64);
            stages.plan(job.job().shape, &head, &mut plan);
        }
        plan.number(0);
        plan.finish()
    }

    /// The stages of the chunks of a batch inside so many shards.
    fn stages(&mut self, description: &[u8], depth: usize) -> Option<&Stages> {
        let is_known = |(known, at, _): &(Vec<u8>, usize, Stages)| known == description && *at == depth;
        if !self.0.as_ref().is_some_and(is_known) {
            let stages = Stages::new(Description::unpacked(description).ok()?.inner(depth).ok()?);
            self.0 = Some((description.to_vec(), depth, stages));
        }
        self.0.as_ref().map(|(_, _, stages)| stages)
    }
}

/// Plans the stages that a message to a choice asks for: those that the header of a chunk names, or without a chunk all.
/// Packs them as [`StagePlanner::plan`] does for one job.
#[cfg(feature = "rare")]
#[must_use]
pub fn choose_stages(message: &[u8]) -> Vec<u8> {
    Choice::plan(message, &head)
}

/// The head of a message to this module, with a job for a chunk of this shape.
fn head(description: &[u8], shape: &[u64]) -> Vec<u8> {
    let job = Job { depth: 0, is_piece: false, shape, selection: None, reduction: &[] }.packed(0);
    parcel(description, std::iter::once(job.as_slice()))
}
