//! Icechunk's repositories: what they say of keys and of versions, and what is wrong with damaged ones.

use rectilinear_zarr::Error;
use rectilinear_zarr::source::{ByteLocation, Resolution, system};
use serde_json::Value;

use crate::support::repository::{self, changed, folder, index, open, refusal, sets};
use crate::support::text;

fn inline(place: ByteLocation) -> Value {
    let ByteLocation::Inline(bytes) = place else { panic!("{place:?} is inline") };
    serde_json::from_slice(&bytes).expect("JSON")
}

#[test]
fn the_root_has_all_documents_of_the_version_that_is_wanted() {
    for set in index() {
        for version in set["versions"].as_array().expect("versions") {
            let mut opened = open(folder(text(&set, "repository")), &version["options"].to_string())
                .expect("a repository");
            let root = inline(opened.place("zarr.json").expect("a root"));
            assert_eq!(root["attributes"].get("title").unwrap_or(&Value::Null), &version["title"]);
            let members = root["consolidated_metadata"]["metadata"].as_object().expect("members");
            let arrays: Vec<&String> = members
                .iter()
                .filter(|(_, member)| member["node_type"] == "array")
                .map(|(path, _)| path)
                .collect();
            let expected: Vec<&str> = version["arrays"]
                .as_array()
                .expect("arrays")
                .iter()
                .map(|array| text(array, "path"))
                .collect();
            assert_eq!(arrays, expected);
            for (path, member) in members {
                assert_eq!(&inline(opened.place(&format!("{path}/zarr.json")).expect("a document")), member);
            }
        }
    }
}

#[test]
fn history_and_names_are_those_that_the_package_tells() {
    for set in index() {
        for version in set["versions"].as_array().expect("versions") {
            let mut opened = open(folder(text(&set, "repository")), &version["options"].to_string())
                .expect("a repository");
            assert_eq!(&opened.answer("snapshots").expect("a history"), &version["history"]);
            match opened.answer("refs") {
                Ok(refs) => assert_eq!(&refs, &set["refs"]),
                Err(error) => {
                    assert_eq!(text(&set, "repository"), "v1", "{error}");
                    assert!(matches!(error, Error::Unsupported { .. }));
                }
            }
            assert!(matches!(opened.answer("weather"), Err(Error::Unsupported { .. })));
        }
    }
}

#[test]
fn only_what_is_wanted_is_asked_for() {
    let mut opened = open(folder("v2"), "{}").expect("a repository");
    assert_eq!(opened.asked.len(), 2, "{:?}", opened.asked);
    opened.place("zarr.json").expect("a root");
    opened.place("time/.zarray").expect("nothing");
    opened.place("nowhere/c/0").expect("nothing");
    assert_eq!(opened.place("t2m/c/0/0"), Ok(ByteLocation::Missing));
    assert_eq!(opened.asked.len(), 2, "{:?}", opened.asked);
    opened.place("t2m/c/0/0/0").expect("a place");
    opened.place("t2m/c/1/0/0").expect("a place");
    assert_eq!(opened.asked.len(), 3, "{:?}", opened.asked);

    let mut split = open(folder("split"), "{}").expect("a repository");
    for row in 0..3 {
        split.place(&format!("field/c/{row}/1")).expect("a place");
    }
    assert_eq!(split.asked.len(), 3, "{:?}", split.asked);
    split.place("field/c/3/0").expect("a place");
    split.place("field/c/0/0").expect("a place");
    split.place("field/c/9/0").expect("a place");
    assert_eq!(split.asked.len(), 5, "{:?}", split.asked);
}

#[test]
fn a_version_1_is_found_by_its_names() {
    let opened = open(folder("v1"), "{}").expect("a repository");
    assert_eq!(opened.asked[..2], ["repo", "refs/branch.main/ref.json"]);
    let opened = open(folder("v1"), r#"{"tag": "v1"}"#).expect("a repository");
    assert_eq!(opened.asked[1..3], ["refs/tag.v1/ref.json", "refs/tag.v1/ref.json.deleted"]);
}

#[test]
fn every_kind_of_reference() {
    let mut opened = open(folder("v2"), "{}").expect("a repository");
    let ByteLocation::File { url, span: Some(span) } = opened.place("surface/wind/c/1/1").expect("a place")
    else {
        panic!("a chunk of the repository's own")
    };
    assert!(url.starts_with("chunks/") && url.len() == 27, "{url}");
    assert_eq!(span, 0..80);
    assert!(sets().join("v2").join(url).is_file());
    assert_eq!(opened.place("surface/wind/c/1/2"), Ok(ByteLocation::Missing));
    assert_eq!(opened.place("surface/wind/c/99999999999/0"), Ok(ByteLocation::Missing));
    assert_eq!(
        opened.place("surface/deep/er/scalar/c"),
        Ok(ByteLocation::Inline(2.5_f32.to_le_bytes().to_vec()))
    );

    let mut opened =
        open(folder("virtual"), r#"{"containers": {"months": "https://h/m"}}"#).expect("a repository");
    let file = |url: &str, span| ByteLocation::File { url: url.to_owned(), span: Some(span) };
    let feb = "file:///tmp/rectilinear-zarr-neighbours/kerchunk/feb.nc";
    assert_eq!(opened.place("t2m/c/0/0/0"), Ok(file("https://h/m/kerchunk/jan.nc", 8600..13942)));
    assert_eq!(opened.place("t2m/c/1/0/0"), Ok(file(feb, 8584..13582)));
    let cells = "file:///tmp/rectilinear-zarr-neighbours/icechunk/cells-2.bin";
    for nth in [801, 1100, 802] {
        let start = (nth - 800) * 6;
        assert_eq!(opened.place(&format!("cells/c/{nth}/0")), Ok(file(cells, start..start + 6)));
    }
    assert_eq!(opened.place("cells/c/99/0"), Ok(ByteLocation::Missing));
    // Where nobody says, the configuration in the repository does.
    let mut opened = open(folder("virtual"), "{}").expect("a repository");
    let jan = "file:///tmp/rectilinear-zarr-neighbours/kerchunk/jan.nc";
    assert_eq!(opened.place("t2m/c/0/0/0"), Ok(file(jan, 8600..13942)));
}

#[test]
fn buckets_are_on_the_hosts_that_their_containers_name() {
    // Version 1 has its configuration in a file of its own.
    for set in ["stores", "stores-1"] {
        buckets_are_on_hosts(set);
    }
    // Without one, as where it is not readable, buckets are on the hosts of their schemes.
    let without = |name: &str| if name == "config.yaml" { None } else { folder("stores-1")(name) };
    let mut opened = open(without, "{}").expect("a repository");
    let bucket = ByteLocation::File { url: "s3://osn/d/a b.nc".to_owned(), span: Some(0..1) };
    assert_eq!(opened.place("a/c/0"), Ok(bucket));
    // It is asked for once, and only where it may tell something.
    let mut opened = open(folder("stores-1"), "{}").expect("a repository");
    let asked =
        |opened: &repository::Opened<_>| opened.asked.iter().filter(|name| *name == "config.yaml").count();
    opened.place("a/c/10").expect("a place");
    assert_eq!(asked(&opened), 0);
    opened.place("a/c/0").and_then(|_| opened.place("a/c/2")).expect("places");
    assert_eq!(asked(&opened), 1);
}

fn buckets_are_on_hosts(set: &str) {
    let mut opened = open(folder(set), "{}").expect("a repository");
    for (nth, (url, web)) in [
        ("s3://osn/d/a b.nc", "https://nyu1.osn.mghpcc.org/osn/d/a%20b.nc"),
        ("s3://osn/d/a.nc", "https://nyu1.osn.mghpcc.org/osn/d/a.nc"),
        // The container with the longest prefix counts.
        ("s3://osn/d/inner/a.nc", "https://osn.s3.us-west-2.amazonaws.com/d/inner/a.nc"),
        ("s3://osn/other/a.nc", ""),
        ("s3://r2/x/a.nc", "https://r2.account.r2.cloudflarestorage.com/x/a.nc"),
        ("s3://my.bucket.org/a.nc", "https://s3.us-west-2.amazonaws.com/my.bucket.org/a.nc"),
        ("s3://china/a.nc", "https://china.s3.cn-north-1.amazonaws.com.cn/a.nc"),
        ("s3://local/a.nc", "http://127.0.0.1:9000/local/a.nc"),
        ("s3://bare/a.nc", ""),
        ("tigris://tigris/a.nc", "https://tigris.t3.storage.dev/a.nc"),
        ("https://host/d/a.nc", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let (url, start) = (url.to_owned(), nth as u64);
        let span = start..start + 1;
        let expected = match web {
            "" => ByteLocation::File { url, span: Some(span) },
            web => ByteLocation::Object { url, web: web.to_owned(), span },
        };
        let found = opened.place(&format!("a/c/{nth}")).expect("a place");
        assert_eq!(found, expected);
        let packed = Resolution::packed(&Ok(Resolution::Place(found.clone())));
        assert_eq!(Resolution::unpacked(&packed), Some(Ok(Resolution::Place(found))));
    }
    // The caller's address of a container counts alone.
    let mut opened = open(folder(set), r#"{"containers": {"osn": "s3://mirror"}}"#).expect("a repository");
    let mirror = ByteLocation::File { url: "s3://mirror/a.nc".to_owned(), span: Some(1..2) };
    assert_eq!(opened.place("a/c/1"), Ok(mirror));
}

#[test]
fn what_cannot_have_changed_is_not_asked_for_again() {
    let mut opened = open(folder("v2"), r#"{"branch": "main"}"#).expect("a repository");
    opened.place("t2m/c/0/0/0").expect("a place");
    let mut again = opened.system.anew();
    assert_eq!(
        again.needs().expect("needs").iter().map(|need| need.url.as_str()).collect::<Vec<_>>(),
        ["repo"]
    );
    again.tell(0, folder("v2")("repo").as_deref()).expect("the repository");
    assert_eq!(again.needs(), Ok(Vec::new()));
    assert!(matches!(again.find("t2m/c/0/0/0"), Ok(Resolution::Place(ByteLocation::File { .. }))));
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    for (set, options, words) in [
        ("v2", r#"{"branch": "nope"}"#, "no Icechunk branch at \"nope\": the repository has dev, main"),
        ("v2", r#"{"tag": "gone"}"#, "no Icechunk tag at \"gone\": the repository has v1"),
        ("virtual", r#"{"tag": "x"}"#, "the repository has none"),
        ("v2", r#"{"snapshot": "00000000000000000000"}"#, "the repository has "),
        ("v1", r#"{"snapshot": "00000000000000000000"}"#, "check the address"),
        ("v1", r#"{"branch": "nope"}"#, "check the address and the name"),
        ("v1", r#"{"tag": "gone"}"#, "was deleted"),
        ("nothing", "{}", "nor is there a file \"repo\""),
    ] {
        let error = refusal(folder(set), options);
        assert!(matches!(error, Error::NotFound { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    // A host that has a page for everything.
    let page = |_: &str| Some(b"<!doctype html><title>Not found</title>".to_vec());
    assert!(matches!(refusal(page, "{}"), Error::NotFound { .. }));
    assert!(matches!(refusal(page, r#"{"tag": "a"}"#), Error::NotFound { .. }));
}

#[test]
fn options_are_looked_at() {
    for (options, words) in [
        (r#"{"branch": 5}"#, "branch 5"),
        (r#"{"branch": "a", "tag": "b"}"#, "pass only one"),
        (r#"{"snapshot": "../../x"}"#, "20 digits"),
        (r#"{"containers": ["a"]}"#, "containers"),
        (r#"{"containers": {"a": 1}}"#, "containers"),
    ] {
        let error = system(
            "icechunk",
            &rectilinear_zarr::metadata::Json::parse(options.as_bytes()).unwrap_or_default(),
        )
        .expect_err(options);
        assert!(matches!(error, Error::Unsupported { .. }) && error.to_string().contains(words), "{error}");
    }
}

#[test]
fn foreign_and_newer_files_are_refused_by_name() {
    let set = |at: usize, byte: u8| {
        move |mut bytes: Vec<u8>| {
            bytes[at] = byte;
            Some(bytes)
        }
    };
    for name in ["repo", "snapshots/", "manifests/"] {
        for (at, byte, words) in [
            (36, 3, "version 3 of Icechunk"),
            (37, 4, "found kind 4"),
            (38, 2, "compression 2 of Icechunk"),
            (39, 0, "Zstandard"),
        ] {
            let error = refusal(changed("v2", name, set(at, byte)), "{}");
            assert!(error.to_string().contains(words), "{name}: {error}");
        }
    }
    let error = refusal(changed("v2", "snapshots/", set(0, b'X')), "{}");
    assert!(error.to_string().contains("another file"), "{error}");
    for name in ["snapshots/", "manifests/"] {
        let error = refusal(changed("v2", name, |_| None), "{}");
        assert!(matches!(error, Error::InvalidMetadata { .. }), "{error}");
        assert!(error.to_string().contains("nothing is there"), "{error}");
    }
    let error = refusal(changed("v1", "refs/", |_| Some(br#"{"snapshot": "../../../etc"}"#.to_vec())), "{}");
    assert!(error.to_string().contains("/snapshot"), "{error}");
}
