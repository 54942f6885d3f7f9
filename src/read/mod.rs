//! The planner, without input or output: a selection becomes requests, decode jobs and copies into the output.
//!
//! Invariant: nothing here knows of a clock, a network or JavaScript. The driver that executes a plan requests each
//! task's bytes, in any order, decodes them and passes the chunk back.

mod array;
mod cache;
mod concat;
mod convert;
mod encoded_input;
pub(crate) mod jobs;
mod limits;
mod pieces;
mod plan;
mod shards;
mod task;
mod whole;
mod workers;

pub use self::convert::conversion::{Conversion, Mask, NOT_A_TIME, Scaling, Target, missing_integers};
pub use self::jobs::job::{Decoder, Job};
pub use self::jobs::messages::{BatchDecoder, BatchedJob, JobBatch, OpenedJob, parcel};
pub use self::jobs::stage_planner::StagePlanner;
#[cfg(feature = "rare")]
pub use self::jobs::stage_planner::choose_stages;
pub use array::{Array, DEFAULT_MAX_CHUNK_BYTES, MAX_WHOLE_BYTES};
pub use cache::{Admission, CachedForm, FirstUses, Lru};
pub use concat::MAX_PARTS;
pub use encoded_input::EncodedInput;
pub use limits::{OpeningShards, TurnBudget};
pub use plan::{MAX_ORDERED_TASKS, Plan, ROW_BYTES};
pub use task::{ChunkLocation, Task};
pub use whole::Output;
pub use workers::{WorkerPolicy, WorkerSchedule};
