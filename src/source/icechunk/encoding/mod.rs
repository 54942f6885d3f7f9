//! Encodings of Icechunk's files: headers, FlatBuffers, MessagePack and ids.

pub(crate) mod file;
pub(crate) mod flat;
pub(crate) mod flex;
pub(crate) mod id;
pub(crate) mod message_pack;
