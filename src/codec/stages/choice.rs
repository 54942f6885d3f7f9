//! Choices: the codec `conditional` around codecs of other modules, where each chunk says which of them were applied to it.
//!
//! Invariant: what is chosen decodes to the items and errors of the pipeline as a whole.

use std::rc::Rc;

use super::description::{Description, PipelinePart};
use super::segment::MessageHead;
use super::split::{NO_CHUNK, Stages, pack_stages};
use crate::codec::applied::{AppliedCodecs, NAME};
use crate::codec::kinds::Size;
use crate::error::{Error, Packer, Unpacker};
use crate::metadata::{DataType, Extension, Json, Kind, Value};

/// A choice, from the head of its message.
#[derive(Debug)]
pub(crate) struct Choice {
    codec: Extension,
    data_type: DataType,
    shape: Vec<u64>,
    content: Size,
}

/// The header of a chunk, and the chunk's length.
type ChunkStart<'a> = (&'a [u8], usize);

impl Choice {
    /// Packs the stages that a message chooses, as [`Stages::plan`] does: those of the chunk whose length is its last
    /// number, and whose header follows; or those of all codecs where the message is the head alone.
    pub(crate) fn plan(chosen: &[u8], message: MessageHead<'_>) -> Vec<u8> {
        let mut plan = Packer::default();
        pack_stages(&mut plan, |add| {
            let opened = Self::opened(chosen);
            let (choice, chunk) = opened.ok_or_else(|| Error::other_version("a message between modules"))?;
            choice.each(chunk, message, add)
        });
        plan.finish()
    }

    /// The choice in a message, and the chunk that it is made for, if there is one.
    fn opened(message: &[u8]) -> Option<(Self, Option<ChunkStart<'_>>)> {
        let mut contents = Unpacker::new(message);
        let mut head = Unpacker::new(contents.bytes()?);
        let codec = Value::parse(head.bytes()?).ok()?;
        let codec = Extension::from_described(Json::root(&codec)).ok()?;
        let name = head.text()?;
        let data_type = DataType::scalar(&name).unwrap_or_else(|| DataType::new(&name, Kind::Raw, 1));
        let (shape, is_exact, bytes) = (head.numbers()?, head.number()? == 1, head.length()?);
        let content = if is_exact { Size::Exactly(bytes) } else { Size::AtMost(bytes) };
        let (header_bytes, length) = (head.length()?, head.number()?);
        let chunk = match usize::try_from(length) {
            Ok(length) if length as u64 != NO_CHUNK => {
                Some((contents.raw(header_bytes.min(length))?, length))
            }
            _ => None,
        };
        Some((Self { codec, data_type, shape, content }, chunk))
    }

    fn each(
        &self,
        chunk: Option<ChunkStart<'_>>,
        message: MessageHead<'_>,
        add: &mut dyn FnMut(&str, &[u8]),
    ) -> std::result::Result<(), Rc<Error>> {
        let mut codecs = AppliedCodecs::parse(&self.codec)?;
        if let Some((header, _)) = chunk {
            let mut applied = codecs.applied(header)?.into_iter();
            codecs.listed.retain(|_| applied.next() == Some(true));
        }
        let stages = Stages::new(Description {
            pointer: self.codec.settings().pointer(),
            data_type: self.data_type.clone(),
            codecs: codecs.listed,
            fill_value: Vec::new(),
            rank: 1,
            part: PipelinePart::After { is_exact: matches!(self.content, Size::Exactly(_)) },
        });
        let around = Some((&self.data_type, self.shape.as_slice()));
        let content = stages.each(&[self.content.limit() as u64], around, message, add)?;
        chunk.map_or(Ok(()), |(header, length)| Ok(content.check(NAME, length - header.len())?))
    }
}
