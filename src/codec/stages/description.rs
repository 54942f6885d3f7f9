//! Descriptions of pipelines, from which workers and other modules make the same pipeline.

use crate::codec::elsewhere::Apart;
use crate::error::{Error, Gather, Packer, Result, Unpacker};
use crate::metadata::{DataType, Extension, Json, Value};

/// Input from which a pipeline, or a part of one, is parsed.
#[derive(Debug, Clone)]
pub struct Description {
    /// JSON pointer of the list of codecs.
    pub pointer: String,
    /// Type of the items that it decodes to.
    pub data_type: DataType,
    /// The codecs, in the order of encoding.
    pub codecs: Vec<Extension>,
    /// Bytes of the fill value.
    pub fill_value: Vec<u8>,
    /// Number of axes.
    pub rank: usize,
    /// Which part of a pipeline this is.
    pub part: PipelinePart,
}

/// Which part of a pipeline a list of codecs is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PipelinePart {
    /// All of it.
    Whole,
    /// The part before a codec of another module. Where that one takes arrays, this part decodes from items in C order,
    /// little endian.
    Before(Following),
    /// Bytes-to-bytes codecs after the array-to-bytes codec. The shape is the size of what they decode to, or only bounds
    /// it.
    After {
        /// Whether it is the size.
        is_exact: bool,
    },
}

/// The codec after a part of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Following {
    /// Its name.
    pub name: String,
    /// Its JSON pointer.
    pub pointer: String,
    /// Whether it takes arrays, which it turns into bytes or other arrays; else it changes bytes.
    pub makes_bytes: bool,
}

impl Following {
    pub(super) fn new(codec: &Extension, apart: &Apart) -> Self {
        Self { name: apart.name.clone(), pointer: codec.pointer.clone(), makes_bytes: apart.takes_items() }
    }

    /// The error where the codec cannot follow the part.
    pub(in crate::codec) fn out_of_order(&self) -> Error {
        out_of_order(&self.name, &self.pointer)
    }
}

/// The error for a codec that cannot follow those before it.
pub(in crate::codec) fn out_of_order(name: &str, pointer: &str) -> Error {
    let reason = format!(
        "the codec {name:?} is out of order: expected array-to-array codecs, then one array-to-bytes codec, then \
         bytes-to-bytes codecs, those of the page by their property kind"
    );
    Error::metadata(pointer, reason)
}

impl Description {
    /// Packs the description.
    #[must_use]
    pub fn packed(&self) -> Vec<u8> {
        let Self { pointer, data_type, codecs, fill_value, rank, part } = self;
        let part = match part {
            PipelinePart::Whole => Value::list([]),
            PipelinePart::Before(Following { name, pointer, makes_bytes }) => {
                Value::list([name.as_str().into(), pointer.as_str().into(), (*makes_bytes).into()])
            }
            PipelinePart::After { is_exact } => Value::list([(*is_exact).into()]),
        };
        let document = Value::object([
            ("pointer", pointer.as_str().into()),
            ("data_type", data_type.described()),
            ("codecs", codecs.iter().map(Extension::described).collect()),
            ("part", part),
        ]);
        let mut parts = Packer::default();
        parts.bytes(document.to_string().as_bytes()).bytes(fill_value).number(*rank as u64);
        parts.finish()
    }

    /// Unpacks a description.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where the bytes are no description.
    pub fn unpacked(packed: &[u8]) -> Result<Self> {
        let unreadable = || Error::metadata("", "expected a packed description of codecs");
        let mut parts = Unpacker::new(packed);
        let parts = (parts.bytes(), parts.bytes(), parts.length());
        let (Some(document), Some(fill_value), Some(rank)) = parts else { return Err(unreadable()) };
        let document = Value::parse(document).map_err(|_| unreadable())?;
        let root = Json::root(&document);
        let data_type = DataType::from_described(root.required("data_type")?)?;
        let codecs = root.required("codecs")?.items()?.map(Extension::from_described).gathered()?;
        let pointer = root.required("pointer")?.string()?.to_owned();
        let part = root.required("part")?;
        let mut part = part.items()?;
        let part = match (part.next(), part.next(), part.next()) {
            (Some(name), Some(pointer), Some(makes_bytes)) => PipelinePart::Before(Following {
                name: name.string()?.to_owned(),
                pointer: pointer.string()?.to_owned(),
                makes_bytes: makes_bytes.value().as_bool() == Some(true),
            }),
            (Some(is_exact), ..) => {
                PipelinePart::After { is_exact: is_exact.value().as_bool() == Some(true) }
            }
            _ => PipelinePart::Whole,
        };
        Ok(Self { pointer, data_type, codecs, fill_value: fill_value.to_vec(), rank, part })
    }

    /// The description of the inner chunks of shards, `depth` times; shards have no codec but `sharding_indexed`.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where these are not shards.
    pub fn inner(mut self, depth: usize) -> Result<Self> {
        for _ in 0..depth {
            let Some(shards) = self.codecs.first() else { break };
            let settings = shards.settings();
            let codecs = settings.required("codecs")?;
            let inner = codecs.items()?.map(|codec| Extension::parse(codec)).gathered()?;
            let pointer = codecs.pointer();
            self.pointer = pointer;
            self.codecs = inner;
        }
        Ok(self)
    }
}
