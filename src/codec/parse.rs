//! Parsing of a codec pipeline from its metadata.

use super::array_spec::Stage;
use super::array_to_array::{ArrayToArray, Step};
use super::array_to_bytes::bytes::BytesCodec;
use super::bytes_to_bytes::BytesToBytes;
#[cfg(feature = "jpeg2000")]
use super::bytes_to_bytes::jpeg2000::Jpeg2000;
use super::chain::PipelinePart;
use super::chain::out_of_order;
use super::layout::LayoutCache;
use super::names::names;
use super::pipeline::{ArrayToBytes, Pipeline};
use super::{external, left_out};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension};

/// A codec of one of the three kinds.
enum Codec {
    /// The codec, and the stage after it.
    ArrayToArray(ArrayToArray, Stage),
    ArrayToBytes(ArrayToBytes),
    BytesToBytes(BytesToBytes),
}

impl Codec {
    /// Parses one metadata entry; `None` where the codec is unknown and `must_understand` is false.
    fn parse(extension: &Extension, stage: &Stage) -> Result<Option<Self>> {
        if let Some((codec, next)) = ArrayToArray::parse(extension, stage)? {
            return Ok(Some(Self::ArrayToArray(codec, next)));
        }
        if let Some(codec) = ArrayToBytes::parse(extension, stage)? {
            return Ok(Some(Self::ArrayToBytes(codec)));
        }
        match BytesToBytes::parse(extension)? {
            Some(codec) => Ok(Some(Self::BytesToBytes(codec))),
            None if extension.must_understand || left_out::is_pickle(extension) => {
                Err(left_out::unsupported(extension, &names()))
            }
            None => Ok(None),
        }
    }
}

impl Pipeline {
    /// A pipeline of codecs that this build does not support. It has whole chunks of any size, and decodes none.
    #[must_use]
    pub fn unknown(data_type: &DataType) -> Self {
        Self::standing(data_type, ArrayToBytes::Unknown)
    }

    /// A pipeline that only stands for codecs.
    fn standing(data_type: &DataType, array_to_bytes: ArrayToBytes) -> Self {
        Self {
            data_type: data_type.clone(),
            array_to_array: Vec::new(),
            array_to_bytes,
            bytes_to_bytes: Vec::new(),
            known: LayoutCache::default(),
        }
    }

    /// Parses a list of codecs; `pointer` is the JSON pointer of the list.
    ///
    /// # Errors
    /// [`Error::Unsupported`] names a codec that this build lacks; [`Error::InvalidMetadata`] says
    /// what is wrong with a configuration, or with the order of the codecs.
    pub fn parse(
        codecs: &[Extension],
        pointer: &str,
        data_type: &DataType,
        fill_value: &[u8],
        rank: usize,
    ) -> Result<Self> {
        Self::parse_part(codecs, pointer, (data_type, fill_value, rank), &PipelinePart::Whole)
    }

    /// Parses a list of codecs that is a part of a pipeline.
    pub(super) fn parse_part(
        codecs: &[Extension],
        pointer: &str,
        (data_type, fill_value, rank): (&DataType, &[u8], usize),
        part: &PipelinePart,
    ) -> Result<Self> {
        if let Some(external) = external::found(codecs) {
            return Ok(Self::standing(data_type, ArrayToBytes::External(external)));
        }
        #[cfg(feature = "rare")]
        let expanded = super::expanded::expanded(codecs, rank)?;
        #[cfg(feature = "rare")]
        let codecs = &*expanded;
        let mut stage = Stage { data_type: data_type.clone(), fill_value: fill_value.to_vec(), rank };
        let mut array_to_array = Vec::new();
        let mut array_to_bytes = (*part == PipelinePart::After).then_some(ArrayToBytes::Content);
        let mut bytes_to_bytes = Vec::new();
        let mut arrays = Vec::new();
        for extension in codecs {
            match Codec::parse(extension, &stage)? {
                None => {}
                Some(Codec::ArrayToArray(codec, next)) if array_to_bytes.is_none() => {
                    let encoded_type = next.data_type.clone();
                    array_to_array.push(Step { codec, encoded_type, is_turned: false });
                    arrays.push(extension);
                    stage = next;
                }
                Some(Codec::ArrayToBytes(codec)) if array_to_bytes.is_none() => array_to_bytes = Some(codec),
                Some(Codec::BytesToBytes(codec)) if array_to_bytes.is_some() => bytes_to_bytes.push(codec),
                // imagecodecs writes images without a codec that makes bytes; virtual-tiff has one before them.
                #[cfg(feature = "jpeg2000")]
                Some(Codec::BytesToBytes(codec @ BytesToBytes::Jpeg2000(_))) => {
                    Jpeg2000::of_items(extension, &stage.data_type)?;
                    array_to_bytes = Some(ArrayToBytes::Bytes(BytesCodec::AsStored));
                    bytes_to_bytes.push(codec);
                }
                Some(_) => return Err(out_of_order(&extension.name, &extension.pointer)),
            }
        }
        let next = match part {
            PipelinePart::Before(next) => Some(next),
            PipelinePart::Whole | PipelinePart::After => None,
        };
        let array_to_bytes = match (array_to_bytes, next) {
            (None, Some(next)) if next.makes_bytes => ArrayToBytes::Bytes(BytesCodec::AsStored),
            (Some(_), Some(next)) if next.makes_bytes => return Err(next.out_of_order()),
            (Some(codec), _) => codec,
            (None, Some(next)) => return Err(next.out_of_order()),
            (None, None) => {
                let reason = "expected an array-to-bytes codec, such as \"bytes\"; found none";
                return Err(Error::metadata(pointer, reason));
            }
        };
        #[cfg(feature = "rare")]
        {
            let next = next.filter(|next| next.makes_bytes).map(|next| next.name.as_str());
            let name = next.unwrap_or_else(|| array_to_bytes.name());
            super::array_to_array::byte_orders::turn(&mut array_to_array, &arrays, name);
        }
        let (data_type, known) = (data_type.clone(), LayoutCache::default());
        Ok(Self { data_type, array_to_array, array_to_bytes, bytes_to_bytes, known })
    }
}
