//! Segments: parts of a pipeline that this module decodes.

use super::description::{Description, Following, PipelinePart};
use crate::codec::elsewhere::External;
use crate::codec::kinds::Size;
use crate::codec::pipeline::Pipeline;
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension};

/// Makes the head of a message to this module, from a description and a shape.
pub(crate) type MessageHead<'a> = &'a dyn Fn(&[u8], &[u64]) -> Vec<u8>;

/// A part of a pipeline between codecs of other modules.
#[derive(Debug)]
pub(super) struct Segment {
    /// The packed description, from which another instance makes the same pipeline.
    description: Vec<u8>,
    /// Whether it leaves bytes as they are.
    is_empty: bool,
    pub(super) pipeline: Pipeline,
}

impl Segment {
    /// The codecs up to the first codec of another module, or those after one. `following` is the one after them, and
    /// `has_items` says whether they begin with items, as the first ones do, or with bytes.
    pub(super) fn new(
        whole: &Description,
        codecs: &[Extension],
        following: Option<Following>,
        has_items: bool,
    ) -> Result<Self> {
        let mut description = whole.clone();
        description.codecs = codecs.to_vec();
        description.part = match following {
            Some(following) if !has_items && following.makes_bytes => return Err(following.out_of_order()),
            Some(following) if has_items => PipelinePart::Before(following),
            None if has_items => PipelinePart::Whole,
            _ => {
                (description.data_type, description.fill_value, description.rank) =
                    (DataType::byte(), vec![0], 1);
                PipelinePart::After { is_exact: whole.part == PipelinePart::After { is_exact: true } }
            }
        };
        let pipeline = Pipeline::described(&description)?;
        if let Some(external) = pipeline.external() {
            return Err(misplaced(external, &description.pointer));
        }
        Ok(Self { description: description.packed(), is_empty: codecs.is_empty(), pipeline })
    }

    /// Adds its stage for chunks of this shape, unless it is empty; returns the size of what is decoded by it.
    pub(super) fn stage(
        &self,
        shape: &[u64],
        message: MessageHead<'_>,
        add: &mut dyn FnMut(&str, &[u8]),
    ) -> Result<Size> {
        // Whether shards may have smaller inner chunks was decided where the array was opened.
        self.pipeline.check(shape, true)?;
        if !self.is_empty {
            add("", &message(&self.description, shape));
        }
        Ok(self.pipeline.resolved(shape)?.layout()?.stored())
    }
}

/// The error for a codec of another module where no stage can reach it.
fn misplaced(external: External, pointer: &str) -> Error {
    Error::Unsupported {
        feature: format!("codec {:?} inside of shards that are decoded as a whole", external.name),
        reason: format!(
            "met at {pointer}; \"sharding_indexed\" must be the only codec around such inner chunks"
        ),
    }
}
