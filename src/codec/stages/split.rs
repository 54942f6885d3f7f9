//! The stages of a pipeline: how its codecs are split among modules, and what each module is told.

use std::rc::Rc;

use super::description::{Description, Following, PipelinePart};
use super::segment::{MessageHead, Segment};
use crate::codec::elsewhere::Apart;
use crate::codec::kinds::{MAX_CONTENT_BYTES, Size};
use crate::error::{Error, Packer};
use crate::metadata::{CodecKind, DataType, Extension, codec_kind};

/// Name of a stage that is an error in place of a module; its message is the answer.
const FAILED: &str = "!";

/// Length of a chunk in the message that asks a choice for the stages of all of its codecs.
pub(super) const NO_CHUNK: u64 = u64::MAX;

/// A pipeline as a list of stages: segments, and codecs of other modules.
#[derive(Debug)]
pub struct Stages {
    first: Part,
    /// The codecs of other modules in the order of encoding, each with the segment after it.
    rest: Vec<(Apart, Extension, Part)>,
}

/// A segment, or what is wrong with its codecs.
type Part = std::result::Result<Segment, Rc<Error>>;

impl Stages {
    /// Splits the codecs of a pipeline.
    #[must_use]
    pub fn new(mut whole: Description) -> Self {
        let codecs = std::mem::take(&mut whole.codecs);
        let begins_with_items = !matches!(whole.part, PipelinePart::After { .. });
        let mut left = codecs.as_slice();
        let mut part = |whole: &Description, has_items: bool| {
            let at = left.iter().position(|codec| Apart::of(codec).is_some());
            let (codecs, rest) = left.split_at(at.unwrap_or(left.len()));
            let is_of_items = has_items && !codecs.iter().any(makes_bytes);
            let next = rest.split_first().and_then(|(codec, rest)| {
                let apart = Apart::of(codec)?;
                Some((if is_of_items { apart.after_items() } else { apart }, codec, rest))
            });
            left = next.as_ref().map_or(&[], |(_, _, rest)| rest);
            let following = next.as_ref().map(|(apart, codec, _)| Following::new(codec, apart));
            let segment = Segment::new(whole, codecs, following, has_items);
            (segment.map_err(Rc::new), next.map(|(apart, codec, _)| (apart, codec.clone())))
        };
        let (first, mut next) = part(&whole, begins_with_items);
        whole.part = PipelinePart::Whole;
        let mut rest = Vec::new();
        while let Some((apart, codec)) = next {
            let has_items = apart.kind == CodecKind::ArrayToArray;
            if let Some(encoded_type) = apart.encoded_type.as_ref().filter(|_| has_items) {
                whole.fill_value = vec![0; encoded_type.item_size()];
                whole.data_type = encoded_type.clone();
            }
            let (segment, following) = part(&whole, has_items);
            rest.push((apart, codec, segment));
            next = following;
        }
        Self { first, rest }
    }

    /// Packs the stages for chunks of this shape in the order of encoding, each after a 1, and a 0 at the end: the name
    /// of the module, which is empty for this one, and the head of a message to it. `message` makes that head for this
    /// module from a description and a shape.
    pub(crate) fn plan(&self, shape: &[u64], message: MessageHead<'_>, plan: &mut Packer) {
        pack_stages(plan, |add| self.each(shape, None, message, add).map(drop));
    }

    /// Adds each stage; returns the size of what the last one is given. `around` is the array that custom codecs are told
    /// of where these are stages of its bytes.
    pub(super) fn each(
        &self,
        shape: &[u64],
        around: Option<(&DataType, &[u64])>,
        message: MessageHead<'_>,
        add: &mut dyn FnMut(&str, &[u8]),
    ) -> std::result::Result<Size, Rc<Error>> {
        // The last segment of items so far.
        let mut items = self.first.as_ref().map_err(Rc::clone)?;
        let mut content = items.stage(shape, message, add)?;
        let mut resolved = items.pipeline.resolved(shape)?;
        for (apart, codec, segment) in &self.rest {
            let given = encoded_size(apart, content);
            let (byte, length) = (DataType::byte(), [content.limit() as u64]);
            let array = (items.pipeline.encoded_type(), resolved.encoded_shape());
            let bytes = (&byte, length.as_slice());
            let (data_type, shape) = if apart.is_told_of_items() { around.unwrap_or(array) } else { bytes };
            apart.check(data_type, codec)?;
            add(apart.module, &call(apart, codec, data_type, shape, content));
            let segment = segment.as_ref().map_err(Rc::clone)?;
            if apart.kind == CodecKind::ArrayToArray {
                content = segment.stage(array.1, message, add)?;
                let next = segment.pipeline.resolved(array.1)?;
                (items, resolved) = (segment, next);
            } else {
                content = segment.stage(&[given.limit() as u64], message, add)?;
            }
        }
        Ok(content)
    }
}

/// Packs the stages that `each` adds. An error becomes the last of them.
pub(super) fn pack_stages(
    plan: &mut Packer,
    each: impl FnOnce(&mut dyn FnMut(&str, &[u8])) -> std::result::Result<(), Rc<Error>>,
) {
    let mut add = |module: &str, head: &[u8]| {
        plan.number(1).bytes(module.as_bytes()).bytes(head);
    };
    if let Err(error) = each(&mut add) {
        let mut answer = Packer::default();
        answer.number(1);
        error.pack(&mut answer);
        let mut answers = Packer::default();
        answers.bytes(&answer.finish());
        add(FAILED, &answers.finish());
    }
    plan.number(0);
}

/// Whether a codec of this module makes bytes of items.
fn makes_bytes(codec: &Extension) -> bool {
    codec_kind(&codec.name) == Some(CodecKind::ArrayToBytes)
}

/// The most bytes that a codec of another module is given for content of this size.
fn encoded_size(apart: &Apart, content: Size) -> Size {
    // A choice may apply each of its codecs, of which none makes more than a compressor.
    let most = (0..apart.codecs).fold(content, |size, _| size.compressed()).plus(apart.header_bytes).limit();
    // Small chunks may take many times as many bytes as their items: for headers, and for blocks that are padded.
    let most = if apart.takes_items() { most.saturating_mul(4).max(MAX_CONTENT_BYTES) } else { most };
    // Twice as much can still be counted.
    Size::AtMost(most.min(isize::MAX.unsigned_abs() / 4))
}

/// Packs the head of a message to the module of a codec: items of this type and shape, or bytes of this size, and the
/// number of bytes that follow, which is not known yet. A call says how large its result is, so that a module can refuse
/// a chunk before memory is taken for it. A choice says how long the header of a chunk is, and is sent no more; without a
/// chunk it has the stages of all codecs.
fn call(apart: &Apart, codec: &Extension, data_type: &DataType, shape: &[u64], content: Size) -> Vec<u8> {
    let (is_exact, bytes) = match content {
        Size::Exactly(bytes) => (true, bytes),
        Size::AtMost(bytes) => (false, bytes),
    };
    let mut call = Packer::default();
    call.bytes(codec.described().to_string().as_bytes()).bytes(data_type.name().as_bytes());
    call.numbers(shape.iter().copied()).number(is_exact.into()).number(bytes as u64);
    if apart.is_choice() {
        call.number(apart.header_bytes as u64);
    }
    call.number(if apart.is_choice() { NO_CHUNK } else { 0 });
    call.headed()
}
