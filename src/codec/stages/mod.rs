//! A pipeline whose codecs are in several modules, as a list of stages, each of which one module decodes.
//!
//! A stage is a segment, which is a part of the pipeline that this module decodes, or a single codec of another module.
//! Only bytes pass from one stage to the next. A choice is no stage: each chunk has other stages in its place.
//! Invariants: the stages decode a chunk to the items and errors of the pipeline as a whole, and the size of each stage's
//! output is bounded before it is decoded.

mod answer;
#[cfg(feature = "codec-module")]
mod call;
#[cfg(feature = "rare")]
mod choice;
mod description;
#[cfg(feature = "codec-module")]
mod module;
mod segment;
mod split;

pub use self::answer::{Answer, AnswerKind, HEAD, answers, unpack_answers};
#[cfg(feature = "rare")]
pub(crate) use self::choice::Choice;
pub use self::description::{Description, Following, PipelinePart};
#[cfg(feature = "codec-module")]
pub use self::module::{codec_answer, codec_support};
pub use self::split::Stages;

pub(super) use self::description::out_of_order;
