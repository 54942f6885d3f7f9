//! Groups: their own documents, and the consolidated ones of everything below them.

use std::rc::Rc;

use crate::support::{document_with, little};
use rectilinear_zarr::Error;
use rectilinear_zarr::metadata::{Consolidated, GroupMetadata, Node, PATH_V3, ScannedJson, group_hint};
use rectilinear_zarr::source::path_above;
use serde_json::{Value, json};

fn array(shape: &[u64], chunks: &Value) -> Value {
    serde_json::from_slice(&document_with(shape, chunks, "int16", &json!([little()]))).unwrap()
}

fn group(attributes: &Value) -> Value {
    json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes })
}

/// A `zarr.json` of a group that consolidates these members.
fn consolidating(members: &Value) -> Value {
    let mut root = group(&json!({ "title": "root" }));
    root["consolidated_metadata"] =
        json!({ "kind": "inline", "must_understand": false, "metadata": members });
    root
}

fn scanned(document: &Value) -> Rc<ScannedJson> {
    ScannedJson::parse(document.to_string().into_bytes(), PATH_V3).unwrap().into()
}

fn parse(document: &Value) -> GroupMetadata {
    Node::parse(document.to_string().as_bytes()).unwrap().into_group().unwrap()
}

fn consolidated(members: &Value) -> Consolidated {
    parse(&consolidating(members)).consolidated.expect("consolidated")
}

fn v2(documents: &Value) -> Option<Consolidated> {
    let document = json!({ "zarr_consolidated_format": 1, "metadata": documents });
    Consolidated::parse_v2(document.to_string().as_bytes())
}

fn zarray(dtype: &Value) -> Value {
    json!({
        "zarr_format": 2, "shape": [4, 6], "chunks": [2, 3], "dtype": dtype,
        "fill_value": 0, "order": "C", "filters": null, "compressor": null,
    })
}

fn blamed(error: Error) -> (String, String) {
    match error {
        Error::InvalidMetadata { path, reason, .. } => (path, reason),
        error => panic!("{error}"),
    }
}

#[test]
fn a_group_has_attributes_and_members_as_written() {
    let members = json!({ "lat": array(&[4], &json!([4])), "a/b~c d%20": array(&[4], &json!([[1, 3]])) });
    let root = parse(&consolidating(&members));
    assert_eq!((root.zarr_format, root.attributes["title"].as_str()), (3, Some("root")));
    assert_eq!(root.members(), ["a", "lat"]);
    let consolidated = root.consolidated.unwrap();
    let found = consolidated.node("a/b~c d%20").unwrap().unwrap().into_array(&[]).unwrap();
    assert_eq!(found.shape, [4]);
    assert_eq!(found.pointer, "/consolidated_metadata/metadata/a~1b~0c d%20");
    assert_eq!(consolidated.members("a"), ["b~c d%20"]);
    // Neither has a document of its own here, so the store has to be asked.
    assert!(consolidated.node("a").is_none());
    assert!(consolidated.node("lon").is_none());
}

/// An array with a regular grid, as a group consolidates it.
fn regular(more: &Value) -> Value {
    let mut member = array(&[4], &json!([4]));
    member["chunk_grid"] = json!({ "name": "regular", "configuration": { "chunk_shape": [4] } });
    member["attributes"] = more.clone();
    member
}

#[test]
fn groups_of_regular_grids_without_shards_need_no_part_for_other_grids() {
    let needs = |member: Value| {
        consolidated(&json!({ "a": regular(&json!({})), "b": member })).may_need_grids().any(|needs| needs)
    };
    assert!(!needs(regular(&json!({ "title": "a rectilinear grid", "kind": "grids of a kind" }))));
    assert!(needs(array(&[4], &json!([[1, 3]]))));
    let mut sharded = regular(&json!({}));
    sharded["codecs"] = json!([{ "name": "sharding_indexed" }]);
    assert!(needs(sharded));
    let mut draft = regular(&json!({}));
    draft["chunk_grid"] = json!({ "type": "regular", "chunk_shape": [4] });
    assert!(needs(draft));
    // A name may be written with escapes.
    let escaped = consolidating(&json!({ "a": array(&[4], &json!([[1, 3]])) })).to_string();
    let escaped = escaped.replace("rectilinear", "r\\u0065ctilinear");
    let group = Node::parse(escaped.as_bytes()).unwrap().into_group().unwrap();
    assert!(group.consolidated.unwrap().may_need_grids().any(|needs| needs));
    assert!(
        !v2(&json!({ ".zgroup": {}, "a/.zarray": zarray(&json!("<i2")) }))
            .unwrap()
            .may_need_grids()
            .any(|needs| needs)
    );
}

#[test]
fn bare_numbers_in_attributes_are_read_in_groups_too() {
    let document = br#"{"zarr_format":3,"node_type":"group","attributes":{"a":NaN},"consolidated_metadata":
        {"kind":"inline","metadata":{"g":{"zarr_format":3,"node_type":"group","attributes":{"b":-Infinity}}}}}"#;
    let root = Node::parse(document).unwrap().into_group().unwrap();
    let number = rectilinear_zarr::metadata::bare_number;
    assert!(number(&root.attributes["a"]).unwrap().is_nan());
    let inner = root.consolidated.unwrap().node("g").unwrap().unwrap().into_group().unwrap();
    assert_eq!(number(&inner.attributes["b"]), Some(f64::NEG_INFINITY));
}

#[test]
fn a_block_that_is_malformed_or_unknown_counts_as_none() {
    let members = json!({ "lat": array(&[4], &json!([4])) });
    for block in [
        Value::Null,
        json!(7),
        json!([]),
        json!({}),
        json!({ "kind": "inline" }),
        json!({ "kind": "inline", "metadata": [] }),
        json!({ "kind": "inline", "metadata": null }),
        json!({ "kind": "elsewhere", "metadata": members }),
        json!({ "kind": null, "metadata": members }),
    ] {
        let mut root = group(&json!({ "title": "root" }));
        root["consolidated_metadata"] = block.clone();
        let root = parse(&root);
        assert!(root.consolidated.is_none(), "{block}");
        assert_eq!(root.attributes["title"], "root");
    }
    for text in [
        "",
        "<html>",
        "null",
        "{}",
        r#"{"metadata":{}}"#,
        r#"{"zarr_consolidated_format":1}"#,
        r#"{"zarr_consolidated_format":2,"metadata":{}}"#,
        r#"{"zarr_consolidated_format":1,"metadata":[]}"#,
    ] {
        assert!(Consolidated::parse_v2(text.as_bytes()).is_none(), "{text}");
    }
}

#[test]
fn a_wrong_group_is_refused_at_its_place() {
    let refused = |document: Value| Node::parse(document.to_string().as_bytes()).map(|_| ()).unwrap_err();
    assert_eq!(blamed(refused(group(&json!([])))).0, "/attributes");
    assert_eq!(blamed(refused(json!({ "zarr_format": 2, "node_type": "group" }))).0, "/zarr_format");
    assert_eq!(blamed(refused(json!({ "zarr_format": 3, "node_type": "table" }))).0, "/node_type");
    assert_eq!(blamed(refused(json!([]))).0, "");
    let mut unknown = group(&json!({}));
    unknown["links"] = json!({});
    assert!(
        matches!(refused(unknown.clone()), Error::Unsupported { feature, .. } if feature.contains("links"))
    );
    unknown["links"] = json!({ "must_understand": false });
    parse(&unknown);
}

#[test]
fn an_array_is_no_group_and_a_group_no_array() {
    let (place, reason) = blamed(
        Node::parse(array(&[4], &json!([4])).to_string().as_bytes()).unwrap().into_group().unwrap_err(),
    );
    assert_eq!(place, "/node_type");
    assert!(reason.contains("an array, not a group"), "{reason}");
    // A group that is wrong is no array either.
    let mut wrong = array(&[4], &json!([4]));
    wrong["node_type"] = json!("group");
    let (place, reason) = blamed(Node::parse_array(&scanned(&wrong)).unwrap_err());
    assert_eq!(place, "/node_type");
    assert!(reason.contains("a group, not an array"), "{reason}");
    // A message stays one, however many members there are and however long their names.
    let names: Vec<String> = (0..50).map(|nth| nth.to_string() + &"é".repeat(10_000)).collect();
    let hint = group_hint(&names.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(hint.chars().count() < 1200 && hint.contains("and 40 more"), "{hint}");
    let members = json!({ "b/c": array(&[4], &json!([4])), "b": group(&json!({})) });
    let consolidated = consolidated(&members);
    let node = consolidated.node("b").unwrap().unwrap();
    let (place, reason) = blamed(node.into_array(&consolidated.members("b")).unwrap_err());
    assert_eq!(place, "/consolidated_metadata/metadata/b/node_type");
    assert!(reason.contains("a group, not an array") && reason.contains(r#""c""#), "{reason}");
}

#[test]
fn an_entry_that_is_wrong_harms_nobody_else_and_says_where_it_is() {
    let mut wrong = array(&[4], &json!([4]));
    wrong["shape"] = json!([4, -1]);
    let members = json!({ "x/wrong": wrong, "number": 5, "fine": array(&[4], &json!([4])) });
    let consolidated = consolidated(&members);
    let place = |path: &str| blamed(consolidated.node(path).unwrap().map(|_| ()).unwrap_err()).0;
    assert_eq!(place("x/wrong"), "/consolidated_metadata/metadata/x~1wrong/shape/1");
    assert_eq!(place("number"), "/consolidated_metadata/metadata/number");
    assert!(consolidated.node("fine").unwrap().is_ok());
}

#[test]
fn an_array_with_consolidated_metadata_is_judged_as_an_array() {
    let mut document = array(&[4], &json!([4]));
    document["consolidated_metadata"] = json!({ "kind": "inline", "metadata": {} });
    let refused = Node::parse(document.to_string().as_bytes()).map(|_| ()).unwrap_err();
    assert!(matches!(refused, Error::Unsupported { .. }), "{refused}");
    document["consolidated_metadata"]["must_understand"] = json!(false);
    assert!(matches!(Node::parse(document.to_string().as_bytes()), Ok(Node::Array(_))));
}

#[test]
fn the_tree_lists_groups_before_their_members_and_every_group_between() {
    let flat = array(&[4], &json!([4]));
    let members =
        json!({ "a-b": flat, "a": group(&json!({ "k": 1 })), "a/z": flat, "a/y/x/w": flat, "B": flat });
    let consolidated = consolidated(&members);
    let listed = |group: &str| -> Vec<(String, bool)> {
        consolidated.tree(group).unwrap().map(|entry| (entry.path, entry.array.is_some())).collect()
    };
    let named = |names: &[(&str, bool)]| -> Vec<(String, bool)> {
        names.iter().map(|(name, is_array)| ((*name).to_owned(), *is_array)).collect()
    };
    assert_eq!(
        listed(""),
        named(&[
            ("B", true),
            ("a", false),
            ("a/y", false),
            ("a/y/x", false),
            ("a/y/x/w", true),
            ("a/z", true),
            ("a-b", true)
        ])
    );
    assert_eq!(listed("a"), named(&[("y", false), ("y/x", false), ("y/x/w", true), ("z", true)]));
    assert_eq!(listed("a/y/x/w"), []);
    assert_eq!(listed("nowhere"), []);
    assert_eq!(consolidated.tree("").unwrap().nth(1).unwrap().attributes["k"], 1);
}

#[test]
fn the_tree_tells_what_is_known_of_arrays_that_cannot_be_read() {
    let mut odd = array(&[4, 6], &json!([[1, 3], 2]));
    odd["data_type"] = json!({ "name": "quaternion", "configuration": { "bits": 9 } });
    odd["dimension_names"] = json!(["x", null]);
    odd["attributes"] = json!({ "units": "1" });
    let mut coded = array(&[4], &json!([4]));
    coded["codecs"] = json!(["no-such-codec"]);
    let mut gridded = array(&[4], &json!([4]));
    gridded["chunk_grid"] = json!({ "name": "hexagonal" });
    let members = json!({
        "coded": coded, "gridded": gridded, "odd": odd, "nothing": { "node_type": "array" },
        "neither": { "node_type": "table" }, "number": 4, "": array(&[1], &json!([1])), "a//b": odd, "../c": odd,
    });
    let consolidated = consolidated(&members);
    let tree: Vec<_> = consolidated.tree("").unwrap().collect();
    let paths: Vec<&str> = tree.iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!(paths, ["coded", "gridded", "nothing", "odd"]);
    let known = |index: usize| tree[index].array.as_ref().unwrap();
    assert_eq!(known(0).data_type.as_deref(), Some("int16"));
    assert!(known(0).chunk_grid.is_some());
    assert_eq!(known(1).shape.as_deref(), Some(&[4][..]));
    assert!(known(1).chunk_grid.is_none());
    assert!(known(2).shape.is_none() && known(2).data_type.is_none());
    assert_eq!(known(3).data_type.as_deref(), Some("quaternion"));
    assert_eq!(known(3).dimension_names, Some(vec![Some("x".to_owned()), None]));
    assert_eq!(known(3).chunk_grid.as_ref().unwrap().shape(), [2, 3]);
    assert_eq!(tree[3].attributes["units"], "1");
}

#[test]
fn a_tree_much_longer_than_its_document_is_refused() {
    let flat = array(&[4], &json!([4]));
    let depths = |depth: usize| consolidated(&json!({ "a/".repeat(depth) + "a": flat }));
    assert_eq!(depths(1000).tree("").unwrap().count(), 1001);
    let deep = depths(1_000_000);
    let refused = deep.tree("").map(|_| ()).unwrap_err();
    assert_eq!(refused.name(), "UnsupportedError");
    assert!(deep.node(&("a/".repeat(1_000_000) + "a")).unwrap().is_ok());
}

#[test]
fn v2_documents_are_found_by_their_names() {
    let documents = json!({
        ".zgroup": { "zarr_format": 2 },
        ".zattrs": { "title": "root" },
        "g/.zgroup": { "zarr_format": 2 },
        "g/t/.zarray": zarray(&json!("<f4")),
        "g/t/.zattrs": { "_ARRAY_DIMENSIONS": ["y", "x"], "units": "K" },
        "odd/.zarray": zarray(&json!("<Q9")),
        "odd/.zattrs": { "_ARRAY_DIMENSIONS": ["a", "b"] },
        "name.zarray": {},
    });
    let found = v2(&documents).unwrap();
    let root = found.node("").unwrap().unwrap().into_group().unwrap();
    assert_eq!((root.zarr_format, root.attributes["title"].as_str()), (2, Some("root")));
    assert_eq!(found.members(""), ["g", "odd"]);
    let t = found.node("g/t").unwrap().unwrap().into_array(&[]).unwrap();
    assert_eq!((t.zarr_format, t.shape.as_slice()), (2, &[4, 6][..]));
    assert_eq!(t.dimension_names, Some(vec![Some("y".to_owned()), Some("x".to_owned())]));
    assert_eq!(t.attributes["units"], "K");
    assert!(found.node("name").is_none() && found.node("g/u").is_none());
    let (place, reason) =
        blamed(found.node("g").unwrap().unwrap().into_array(&found.members("g")).unwrap_err());
    assert_eq!(place, "/metadata/g~1.zgroup");
    assert!(reason.contains(r#""t""#), "{reason}");

    let tree: Vec<_> = found.tree("").unwrap().collect();
    let paths: Vec<&str> = tree.iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!(paths, ["g", "g/t", "odd"]);
    assert_eq!(tree[1].array.as_ref().unwrap().data_type.as_deref(), Some("float32"));
    let odd = tree[2].array.as_ref().unwrap();
    assert_eq!(odd.data_type.as_deref(), Some("<Q9"));
    assert_eq!(odd.dimension_names, Some(vec![Some("a".to_owned()), Some("b".to_owned())]));
    assert_eq!(odd.chunk_grid.as_ref().unwrap().shape(), [2, 2]);
}

#[test]
fn v2_entries_that_are_wrong_say_which_document() {
    let mut wrong = zarray(&json!("<f4"));
    wrong["shape"] = json!([4, "six"]);
    let documents = json!({
        "a/b/.zarray": wrong,
        "c/.zarray": zarray(&json!("<f4")), "c/.zattrs": [],
        "d/.zgroup": { "zarr_format": 3 },
    });
    let found = v2(&documents).unwrap();
    let place = |path: &str| blamed(found.node(path).unwrap().map(|_| ()).unwrap_err()).0;
    assert_eq!(place("a/b"), "/metadata/a~1b~1.zarray/shape/1");
    assert_eq!(place("c"), "/metadata/c~1.zattrs");
    assert_eq!(place("d"), "/metadata/d~1.zgroup/zarr_format");
}

#[test]
fn one_of_ten_thousand_arrays_opens_without_the_others_being_read() {
    let mut members = serde_json::Map::new();
    for nth in 0..10_000 {
        let mut member = array(&[365, 720, 1440], &json!([[[31, 11], 24], 90, [90, [90, 15]]]));
        member["attributes"] = json!({ "long_name": format!("variable {nth}"), "text": "x".repeat(500) });
        members.insert(format!("group-{}/variable-{nth}", nth % 100), member);
    }
    let text = consolidating(&Value::Object(members)).to_string();
    assert!(text.len() > 8 << 20, "{}", text.len());
    let root = Node::parse(text.as_bytes()).unwrap().into_group().unwrap();
    let consolidated = root.consolidated.unwrap();
    let member = consolidated.node("group-42/variable-4242").unwrap().unwrap().into_array(&[]).unwrap();
    assert_eq!(member.shape, [365, 720, 1440]);
    assert_eq!(consolidated.members("").len(), 100);
    assert_eq!(consolidated.tree("").unwrap().count(), 10_100);
}

#[test]
fn the_groups_above_a_node_end_with_the_source() {
    let above = |path: &str, up| path_above(path, up, true);
    assert_eq!(above("a/b/t", 0).as_deref(), Some("a/b"));
    assert_eq!(above("a/b/t", 2).as_deref(), Some(""));
    assert_eq!(above("a/b/t", 3), None);
    assert_eq!(above("t", 0).as_deref(), Some(""));
    assert_eq!(above("t", 1), None);
    // What is an address by itself lies beside others at that host, and in no other store.
    assert_eq!(above("", 0).as_deref(), Some(".."));
    assert_eq!(above("../t", 0).as_deref(), Some(".."));
    assert_eq!(above("", 1), None);
    assert_eq!(path_above("", 0, false), None);
}
