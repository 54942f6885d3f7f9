//! Groups, nodes and the consolidated metadata of a hierarchy.

pub(crate) mod consolidated;
pub(crate) mod group;
pub(crate) mod node;
pub(crate) mod tree;
