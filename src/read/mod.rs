//! The planner, without input or output: a selection becomes requests, decode jobs and copies into the output.
//!
//! Invariant: nothing here knows of a clock, a network or JavaScript. The driver that executes a plan requests each
//! task's bytes, in any order, decodes them and passes the chunk back.

mod array;
mod assemble;
mod concat;
mod convert;
mod output_box;
mod places;
mod plan;
mod policy;
mod tasks;
pub(crate) mod wire;

pub use self::assemble::copy_plan::{CopyPlan, LEAST_ROW, LEAST_ROW_APART};
pub use self::assemble::output::Output;
pub use self::assemble::strips::{STRIP_BYTES, Strip, Strips};
pub use self::concat::end_to_end::MAX_PARTS;
pub use self::convert::conversion::{Conversion, Mask, NOT_A_TIME, Scaling, Target, missing_integers};
pub use self::output_box::OutputBox;
pub use self::policy::admission::{Admission, Ghosts, Kept};
pub use self::policy::lru::Lru;
pub use self::policy::opening_shards::OpeningShards;
pub use self::policy::order::{MAX_ORDERED_TASKS, distance};
pub use self::policy::turn_budget::TurnBudget;
pub use self::policy::worker_policy::WorkerPolicy;
pub use self::policy::worker_schedule::WorkerSchedule;
pub use self::tasks::row::ROW_BYTES;
pub use self::tasks::stored::MAX_WHOLE_BYTES;
pub use self::tasks::task::{ChunkLocation, Task};
pub use self::wire::answers::{Answer, HEAD, answers, unpack_answers};
pub use self::wire::batch_decoder::BatchDecoder;
pub use self::wire::chain_planner::ChainPlanner;
#[cfg(feature = "codec-module")]
pub use self::wire::codec_module::{codec_answer, codec_support};
pub use self::wire::job::{Decoder, Job};
pub use self::wire::job_batch::{BatchedJob, JobBatch, parcel};
pub use array::{Array, DEFAULT_MAX_CHUNK_BYTES};
pub use plan::Plan;
