//! The planner, without input or output: a selection becomes requests, decode jobs and copies into the output.
//!
//! Invariant: nothing here knows of a clock, a network or JavaScript. Whoever executes a plan asks for
//! each task's bytes, in any order, decodes them and hands them back.

mod admission;
pub(crate) mod answers;
mod array;
mod attributes;
mod bands;
mod beside;
mod casts;
mod conversion;
mod decode;
mod desk;
mod elsewhere;
mod inner;
mod job;
mod joined;
mod limit;
mod lru;
mod order;
mod output;
pub(crate) mod parcel;
mod part;
mod piece;
mod places;
mod plan;
mod planned_casts;
mod queue;
mod row;
mod scatter;
mod stored;
mod task;
mod worker_policy;
mod worker_schedule;

pub use admission::{Admission, Ghosts, Kept};
pub use answers::{Answer, HEAD, answers, unpack_answers};
pub use array::{Array, DEFAULT_MAX_CHUNK_BYTES};
pub use bands::{BAND_BYTES, Band, Bands};
pub use conversion::{Conversion, Mask, NOT_A_TIME, Scaling, Target, missing_integers};
pub use desk::Desk;
pub use elsewhere::verdict;
pub use job::{Decoder, Job};
pub use joined::MAX_PARTS;
pub use lru::Lru;
pub use order::{MAX_ORDERED_TASKS, distance};
pub use output::Output;
pub use parcel::{Parcel, Sent, parcel};
pub use part::Part;
pub use plan::Plan;
pub use queue::{Batch, Joining, Queue, Turn, Urgency};
pub use row::MAX_ROW;
pub use scatter::{LEAST_ROW, LEAST_ROW_SENT, Scatter};
pub use stored::MAX_WHOLE_BYTES;
pub use task::Task;
pub use worker_policy::WorkerPolicy;
pub use worker_schedule::WorkerSchedule;
