//! Any bytes as a group's document, after a byte that says whether it is a `zarr.json` or v2's `.zmetadata`; what it
//! consolidates is listed, and opened.
#![no_main]

use rectilinear_zarr::metadata::{Consolidated, Node};
use rectilinear_zarr_fuzz::bounded;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((choice, document)) = input.split_first() else { return };
    bounded(input.len(), || {
        let consolidated = match choice & 1 {
            0 => Node::parse(document).and_then(Node::into_group).ok().and_then(|group| group.consolidated),
            _ => Consolidated::parse_v2(document),
        };
        let Some(consolidated) = consolidated else { return };
        for group in ["", "a", "a/b"] {
            let members = consolidated.members(group);
            for member in members.iter().take(20) {
                let path = format!("{group}/{member}");
                if let Some(Ok(node)) = consolidated.node(path.trim_start_matches('/')) {
                    let _ = node.into_array(&[]);
                }
            }
            let Ok(tree) = consolidated.tree(group) else { continue };
            for entry in tree.take(100) {
                assert!(!entry.path.is_empty(), "a group is not below itself");
            }
        }
    });
});
