//! Original files that are made to take long or much memory: each ends soon, with an error that says why or with values.

use std::time::{Duration, Instant};

use rectilinear_zarr::Error;
use serde_json::Value;

use crate::support::hdf5::File;
use crate::support::original::Original;

/// How long a file may take in a build for tests, beside other tests.
const LONG: Duration = Duration::from_secs(60);

/// Kinds of messages of object headers.
const DATASPACE: u16 = 1;
const DATATYPE: u16 = 3;
const LINK: u16 = 6;
const LAYOUT: u16 = 8;
const ATTRIBUTE: u16 = 12;
const CONTINUATION: u16 = 16;
const SYMBOLS: u16 = 17;

/// Runs work that must end soon.
fn soon<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let found = work();
    assert!(began.elapsed() < LONG, "{what} took {:?}", began.elapsed());
    found
}

/// A message of an old header.
fn message(kind: u16, flags: u8, body: &[u8]) -> Vec<u8> {
    let padded = body.len().next_multiple_of(8);
    let mut bytes = [kind.to_le_bytes(), u16::try_from(padded).unwrap().to_le_bytes()].concat();
    bytes.extend([flags, 0, 0, 0]);
    bytes.extend_from_slice(body);
    bytes.resize(8 + padded, 0);
    bytes
}

/// An old header of messages.
fn header(messages: &[Vec<u8>]) -> Vec<u8> {
    let body = messages.concat();
    let mut bytes = vec![1, 0];
    bytes.extend(u16::try_from(messages.len()).unwrap().to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(body);
    bytes
}

/// The header of an object whose other messages are elsewhere.
fn continued(address: u64, length: u64) -> Vec<u8> {
    header(&[message(CONTINUATION, 0, &numbers(&[address, length]))])
}

fn numbers(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A link to an object.
fn link(name: &str, address: u64) -> Vec<u8> {
    let body = [&[1, 0, u8::try_from(name.len()).unwrap()], name.as_bytes(), &numbers(&[address])].concat();
    message(LINK, 0, &body)
}

/// A link to a path.
fn link_to(name: &str, path: &str) -> Vec<u8> {
    let length = u16::try_from(path.len()).unwrap().to_le_bytes();
    let start = [1, 8, 1, u8::try_from(name.len()).unwrap()];
    message(LINK, 0, &[&start, name.as_bytes(), &length, path.as_bytes()].concat())
}

/// Bytes before the root group's header, which follows them.
const START: u64 = 96;

/// A file whose root group's header is the first of the parts, which follow each other.
fn file(parts: &[Vec<u8>]) -> Vec<u8> {
    let body = parts.concat();
    let mut bytes = b"\x89HDF\r\n\x1a\n".to_vec();
    bytes.extend([0, 0, 0, 0, 0, 8, 8, 0, 4, 0, 16, 0, 0, 0, 0, 0]);
    bytes.extend(numbers(&[0, u64::MAX, START + body.len() as u64, u64::MAX, 0, START, 0, 0, 0]));
    assert_eq!(bytes.len() as u64, START);
    bytes.extend(body);
    bytes
}

/// Messages of a shape and a type of 32-bit integers.
fn of_integers(shape: &[u64]) -> [Vec<u8>; 2] {
    let space = [&[1, u8::try_from(shape.len()).unwrap(), 0, 0, 0, 0, 0, 0][..], &numbers(shape)].concat();
    [message(DATASPACE, 0, &space), message(DATATYPE, 0, &INTEGERS)]
}

/// A type of 32-bit integers.
const INTEGERS: [u8; 12] = [0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0];

/// Opens a file and reads all that it shows of little size; the errors, as text.
fn errors(bytes: Vec<u8>) -> Vec<String> {
    let mut file = File::of(bytes);
    let root = match file.json("") {
        Ok(root) => root,
        Err(error) => return vec![error.to_string()],
    };
    let members = root["consolidated_metadata"]["metadata"].as_object().expect("members");
    let mut found = Vec::new();
    for path in members.keys().take(300) {
        let read = file.array(path).and_then(|array| {
            let items = array.metadata.shape.iter().fold(1_u64, |all, edge| all.saturating_mul(*edge));
            if items < 1 << 16 {
                file.read(&array).map(drop)
            } else {
                file.bytes(&format!("{path}/c/0")).map(drop)
            }
        });
        found.extend(read.err().map(|error| format!("{path}: {error}")));
    }
    found
}

#[test]
fn groups_that_share_their_links_are_too_many() {
    // Each of 60,000 groups has links to all others.
    let (count, size) = (60_000_u64, continued(0, 0).len() as u64);
    let root = continued(0, 0);
    let first = START + root.len() as u64;
    let links: Vec<u8> = (0..count).flat_map(|nth| link(&nth.to_string(), first + nth * size)).collect();
    let shared = first + count * size;
    let group = continued(shared, links.len() as u64);
    let mut parts = vec![group.clone()];
    parts.extend((0..count).map(|_| group.clone()));
    parts.push(links);
    let found = soon("groups", || errors(file(&parts)));
    assert!(found.len() == 1 && found[0].contains("more than 65,536 objects"), "{found:?}");
}

#[test]
fn links_to_paths_lead_to_each_other_only_so_often() {
    // Each link leads to the next, the last to the dataset; those before it in the list are followed later.
    let linked = |count: u64| {
        let mut links: Vec<Vec<u8>> =
            (0..count).map(|nth| link_to(&format!("l{nth}"), &format!("l{}", nth + 1))).collect();
        let dataset = header(
            &[&of_integers(&[2])[..], &[message(LAYOUT, 0, &[&[3, 0, 8, 0], &[7; 8][..]].concat())]].concat(),
        );
        let root = continued(0, 0);
        let at = START + root.len() as u64;
        links.push(link(&format!("l{count}"), at));
        let links = links.concat();
        file(&[continued(at + dataset.len() as u64, links.len() as u64), dataset, links])
    };
    let mut short = File::of(linked(16));
    let array = short.array("l0").expect("the first link");
    assert_eq!(short.read(&array).expect("items"), [7; 8]);
    soon("links", || {
        let mut long = File::of(linked(20_000));
        assert!(long.array("l0").is_err());
        let array = long.array("l19999").expect("the last link");
        assert_eq!(long.read(&array).expect("items"), [7; 8]);
    });
}

#[test]
fn headers_that_share_long_parts_are_read_so_often() {
    // Datasets with one and the same compact layout of 60,000 bytes, more than 64 MiB in all.
    let items = [&[3, 0, 0x60, 0xea][..], &[1; 60_000]].concat();
    let body = [of_integers(&[15_000]).concat(), message(LAYOUT, 0, &items)].concat();
    let (count, size) = (2000, continued(0, 0).len() as u64);
    let root_links = |first: u64| -> Vec<u8> {
        (0..count).flat_map(|nth| link(&nth.to_string(), first + nth * size)).collect()
    };
    let first = START + continued(0, 0).len() as u64;
    let (links, shared) = (root_links(first), first + count * size);
    let mut parts = vec![continued(shared + body.len() as u64, links.len() as u64)];
    parts.extend((0..count).map(|_| continued(shared, body.len() as u64)));
    parts.extend([body, links]);
    let found = soon("datasets", || errors(file(&parts)));
    assert!(found.len() == 1 && found[0].contains("hold more than 64 MiB"), "{found:?}");

    // Attributes whose type is in a header of 1 MB.
    let attribute = |nth: u32, address: u64| {
        let name = format!("a{nth:05}\0");
        let (shared, space) = ([&[2, 0][..], &numbers(&[address])].concat(), [2, 0, 0, 0]);
        let sizes =
            [name.len() as u16, shared.len() as u16, space.len() as u16].map(u16::to_le_bytes).concat();
        let body = [&[2, 1][..], &sizes, name.as_bytes(), &shared, &space, &[0; 4]].concat();
        message(ATTRIBUTE, 0, &body)
    };
    let at = START + continued(0, 0).len() as u64;
    let padding: Vec<u8> = (0..16).flat_map(|_| message(0, 0, &[0; 65_528])).collect();
    let named = [header(&[]), vec![]].concat();
    let mut named = named[..named.len()].to_vec();
    let body = [message(DATATYPE, 0, &INTEGERS), padding].concat();
    named[8..12].copy_from_slice(&u32::try_from(body.len()).unwrap().to_le_bytes());
    named.extend(body);
    let attributes: Vec<u8> = (0..3000).flat_map(|nth| attribute(nth, at)).collect();
    let root = continued(at + named.len() as u64, attributes.len() as u64);
    let found = soon("attributes", || errors(file(&[root, named, attributes])));
    assert!(found.len() == 1 && found[0].contains("again and again"), "{found:?}");
}

#[test]
fn structures_that_lead_to_themselves_end() {
    let at = START + continued(0, 0).len() as u64;
    let dataset = |messages: &[Vec<u8>], rest: &[u8]| {
        let own = header(messages);
        let link = link("one", at);
        file(&[continued(at + (own.len() + rest.len()) as u64, link.len() as u64), own, rest.to_vec(), link])
    };
    let chunked = |edges: &[u32], address: u64| {
        let mut body = vec![3, 2, u8::try_from(edges.len() + 1).unwrap()];
        body.extend(numbers(&[address]));
        body.extend(edges.iter().chain(&[4]).flat_map(|edge| edge.to_le_bytes()));
        message(LAYOUT, 0, &body)
    };
    let wide = |edge: u64, index: &[u8]| {
        let mut body = vec![4, 2, 0, 2, 8];
        body.extend(numbers(&[edge, 4]));
        body.extend_from_slice(index);
        body.extend(numbers(&[at]));
        message(LAYOUT, 0, &body)
    };
    let [space, kind] = of_integers(&[100]);
    let node = |level: u8, child: u64| {
        let mut node = b"TREE".to_vec();
        node.extend([1, level, 1, 0]);
        node.extend(numbers(&[u64::MAX, u64::MAX]));
        node.extend(
            [[0; 8].to_vec(), numbers(&[0, 0, child]), [0; 8].to_vec(), numbers(&[1 << 40, 0])].concat(),
        );
        node
    };
    let behind = |messages: &[Vec<u8>]| at + header(messages).len() as u64;
    let own = [space.clone(), kind.clone(), chunked(&[10], 0)];
    let tree = behind(&own);
    let with_tree = |level: u8, child: u64| {
        dataset(&[space.clone(), kind.clone(), chunked(&[10], tree)], &node(level, child))
    };
    let contiguous =
        |address: u64, size: u64| message(LAYOUT, 0, &[&[3, 1][..], &numbers(&[address, size])].concat());
    let text = message(
        DATATYPE,
        0,
        &[[0x19, 1, 0, 0, 16, 0, 0, 0].to_vec(), vec![0x13, 0, 0, 0, 1, 0, 0, 0]].concat(),
    );
    let in_heap = |count: u32, heap: u64| {
        let one = message(DATASPACE, 0, &[1, 0, 0, 0, 0, 0, 0, 0]);
        let item = [&count.to_le_bytes()[..], &numbers(&[heap]), &1_u32.to_le_bytes()].concat();
        [one, text.clone(), message(LAYOUT, 0, &[&[3, 0, 16, 0], &item[..]].concat())]
    };
    let heap = behind(&in_heap(1, 0));
    let heap_of = |size: u64, object: u64| {
        [b"GCOL\x01\0\0\0".to_vec(), numbers(&[size]), vec![1, 0, 1, 0, 0, 0, 0, 0], numbers(&[object, 0, 0])]
            .concat()
    };
    let v1_compound = |rank: u8, lengths: [u32; 4]| {
        let mut body = vec![0x16, 1, 0, 0, 8, 0, 0, 0];
        body.extend(b"field\0\0\0");
        body.extend(0_u32.to_le_bytes());
        body.extend([rank, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        body.extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
        body.extend([0x15, 0, 0, 0, 4, 0, 0, 0]);
        message(DATATYPE, 0, &body)
    };
    for (what, bytes, word) in [
        ("a block that continues itself", file(&[continued(START + 16, 24)]), "goes in a circle"),
        ("a root that is a type", file(&[header(&of_integers(&[1])), vec![0; 64]]), "its root is no group"),
        (
            "a tree of members in itself",
            file(&[header(&[message(SYMBOLS, 0, &numbers(&[START, START]))])]),
            "signature",
        ),
        ("a node of chunks in itself", with_tree(1, tree), "one level below its parent"),
        ("a node of level 33", with_tree(33, tree), "higher than 32 levels"),
        ("a chunk beyond the file", with_tree(0, 1 << 60), "beyond the file"),
        ("a chunk at the last address", with_tree(0, u64::MAX - 3), "beyond the file"),
        (
            "a chunk of 2^63",
            dataset(&[space.clone(), kind.clone(), wide(1 << 63, &[1])], &[]),
            "do not fit its shape",
        ),
        (
            "a chunk of 2^49",
            dataset(&[space.clone(), kind.clone(), wide(1 << 49, &[1])], &[]),
            "beyond the file",
        ),
        (
            "implicit chunks",
            dataset(&[space.clone(), kind.clone(), wide(1 << 20, &[2])], &[]),
            "beyond the file",
        ),
        (
            "items beyond the file",
            dataset(&[space.clone(), kind.clone(), contiguous(u64::MAX - 10, 400)], &[]),
            "beyond the file",
        ),
        (
            "fewer bytes",
            dataset(&[space.clone(), kind.clone(), contiguous(96, 4)], &[]),
            "fewer bytes than its shape",
        ),
        (
            "2^60 items",
            dataset(&[of_integers(&[1 << 30, 1 << 30])[0].clone(), kind.clone(), contiguous(96, 4)], &[]),
            "2^53 bytes",
        ),
        (
            "an axis of 2^60",
            dataset(&[of_integers(&[1 << 60])[0].clone(), kind.clone(), contiguous(96, 4)], &[]),
            "longer than 2^53",
        ),
        (
            "33 axes",
            dataset(&[of_integers(&[1; 33])[0].clone(), kind.clone(), contiguous(96, 4)], &[]),
            "more than 32 axes",
        ),
        ("a heap of 2^63 bytes", dataset(&in_heap(1, heap), &heap_of(1 << 63, 8)), "beyond the file"),
        ("a text beyond its heap", dataset(&in_heap(1, heap), &heap_of(48, 1 << 62)), "ends early"),
        ("an object that is none", dataset(&in_heap(1, heap), &heap_of(16, 8)), "has not the object"),
        ("a heap beyond the file", dataset(&in_heap(1, 1 << 50), &[]), "beyond the file"),
        (
            "a field without items",
            dataset(&[space.clone(), v1_compound(2, [3, 0, 0, 0]), contiguous(96, 4)], &[]),
            "axis without items",
        ),
        (
            "a field of 2^64 items",
            dataset(&[space.clone(), v1_compound(4, [u32::MAX; 4]), contiguous(96, 4)], &[]),
            "beyond its compound",
        ),
    ] {
        let found = soon(what, || errors(bytes));
        assert!(found.iter().any(|error| error.contains(word)), "{what}: {found:?}");
    }
    // netCDF's mark alone is a name as others are, and not that of the root.
    let own = header(&[space.clone(), kind.clone(), contiguous(u64::MAX, 400)]);
    let link = link("_nc4_non_coord_", at);
    let mut marked = File::of(super::hostile_files::file(&[
        continued(at + own.len() as u64, link.len() as u64),
        own,
        link,
    ]));
    let root = marked.json("").expect("a root");
    assert!(root["consolidated_metadata"]["metadata"]["_nc4_non_coord_"].is_object(), "{root}");
    assert!(marked.array("_nc4_non_coord_").is_ok());
    // A text that states more letters than its object has those that are there.
    let mut file = File::of(dataset(&in_heap(u32::MAX, heap), &heap_of(48, 8)));
    let array = file.array("one").expect("an array");
    assert!(file.read(&array).is_ok());
}

/// A list of NetCDF: its tag, and its members.
fn list(tag: u32, members: &[Vec<u8>]) -> Vec<u8> {
    let count = u32::try_from(members.len()).unwrap();
    [[tag, count].map(u32::to_be_bytes).concat(), members.concat()].concat()
}

/// A variable of NetCDF with dimensions of these numbers.
fn variable(name: &str, dimensions: &[u32], kind: u32) -> Vec<u8> {
    let length = name.len().next_multiple_of(4);
    let mut bytes = u32::try_from(name.len()).unwrap().to_be_bytes().to_vec();
    bytes.extend(name.as_bytes());
    bytes.resize(4 + length, 0);
    let rank = u32::try_from(dimensions.len()).unwrap();
    bytes.extend([rank].iter().chain(dimensions).flat_map(|number| number.to_be_bytes()));
    bytes.extend([0, 0, kind, 0, 0].iter().flat_map(|number| number.to_be_bytes()));
    bytes
}

fn netcdf(dimensions: &[Vec<u8>], variables: &[Vec<u8>]) -> Vec<u8> {
    [b"CDF\x01\0\0\0\x02".to_vec(), list(10, dimensions), vec![0; 8], list(11, variables)].concat()
}

#[test]
fn netcdf_variables_that_are_not_read_stay_beside_others() {
    let dimension =
        |name: u8, length: u32| [&[0, 0, 0, 1, name, 0, 0, 0][..], &length.to_be_bytes()].concat();
    let dimensions = [dimension(b'r', 0), dimension(b'x', 2), dimension(b'y', 1 << 30)];
    let many: Vec<Vec<u8>> = (0..10_000).map(|nth| variable(&format!("v{nth:05}"), &[0], 1)).collect();
    let members = soon("many records", || {
        let mut file = Original::of("netcdf", netcdf(&dimensions, &many));
        file.begin().expect("a header");
        file.root().expect("a root")["consolidated_metadata"]["metadata"].as_object().expect("members").len()
    });
    assert_eq!(members, 10_000);

    let variables = [
        variable("good", &[1], 1),
        variable("text", &[2], 2),
        variable("deep", &[1; 33], 1),
        variable("vast", &[2; 3], 6),
    ];
    let mut file = Original::of("netcdf", netcdf(&dimensions, &variables));
    file.begin().expect("a header");
    let members = file.root().expect("a root")["consolidated_metadata"]["metadata"].clone();
    for (path, word) in [
        ("text", "the variable \"text\" of texts of 1073741824 letters"),
        ("deep", "the variable \"deep\" of 33 dimensions"),
        ("vast", "the variable \"vast\" of shape"),
    ] {
        assert!(members[path]["data_type"]["name"].as_str().expect(path).contains(word), "{path}: {members}");
        assert!(file.array(path).expect_err(path).to_string().contains(word), "{path}");
    }
    let array = file.array("good").expect("an array");
    assert_eq!(file.read(&array).expect("items").len(), 2);
}

/// An entry of a directory of TIFF, whose value is here or at an offset.
fn entry(tag: u16, kind: u16, count: u32, value: u32) -> Vec<u8> {
    [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
}

/// A directory of an image of 4 by 4 bytes with further entries, and the offset of the next one.
fn directory(more: &[Vec<u8>], samples: u32, next: u32) -> Vec<u8> {
    let own = [
        (256, 4),
        (257, 4),
        (258, 8),
        (259, 1),
        (262, 1),
        (273, 8),
        (277, samples),
        (278, 4),
        (279, 16 * samples),
    ];
    let mut entries: Vec<Vec<u8>> = own.iter().map(|(tag, value)| entry(*tag, 4, 1, *value)).collect();
    entries.extend_from_slice(more);
    [&u16::try_from(entries.len()).unwrap().to_le_bytes()[..], &entries.concat(), &next.to_le_bytes()]
        .concat()
}

/// A TIFF file of one image, with a text of a tag after the directory.
fn with_text(tag: u16, text: &[u8], samples: u32) -> Vec<u8> {
    let place = |at| [entry(tag, 2, u32::try_from(text.len()).unwrap(), at)];
    let at = 8 + u32::try_from(directory(&place(0), samples, 0).len()).unwrap();
    [&b"II*\0\x08\0\0\0"[..], &directory(&place(at), samples, 0), text, b"\0"].concat()
}

/// What opening a TIFF file says.
fn tiff(what: &str, bytes: Vec<u8>) -> Result<Value, Error> {
    soon(what, || {
        let mut file = Original::of("tiff", bytes);
        file.begin()?;
        file.root()
    })
}

#[test]
fn descriptions_of_tiff_are_read_once_and_in_bounds() {
    let ampersands = [b"<GDALMetadata><Item name=\"a\">".to_vec(), vec![b'&'; 200_000]].concat();
    tiff("ampersands", with_text(42112, &ampersands, 1)).expect("a file");
    let items = (0..10_000).map(|nth| format!("<Item name=\"a\" sample=\"{nth}\">b</Item>"));
    tiff("items", with_text(42112, items.collect::<String>().as_bytes(), 65_535)).expect("a file");

    let ome = |inside: String| [b"<OME>".to_vec(), inside.into_bytes()].concat();
    let pixels = |c: u32, t: u32| {
        format!("<Pixels DimensionOrder=\"XYZCT\" SizeX=\"4\" SizeY=\"4\" SizeC=\"{c}\" SizeT=\"{t}\">")
    };
    let error =
        tiff("images", with_text(270, &ome(pixels(1, 900).repeat(5_000)), 1)).expect_err("too many planes");
    assert!(error.to_string().contains("900 times"), "{error}");
    let blocks = format!("{}{}", pixels(1, 1000), "<TiffData/>".repeat(5_000));
    let error = tiff("blocks", with_text(270, &ome(blocks), 1)).expect_err("planes again");
    assert!(error.to_string().contains("again and again"), "{error}");
    let channels = format!("{}{}", pixels(1 << 20, 1), "<Channel SamplesPerPixel=\"1024\"/>".repeat(2_000));
    let root = tiff("channels", with_text(270, &ome(channels), 1024)).expect("a file");
    assert!(root.to_string().len() < 1 << 20);
}

#[test]
fn directories_of_tiff_that_share_long_values_are_too_many() {
    let text = vec![b'x'; 1 << 20];
    let (count, size) = (2000, directory(&[entry(270, 2, 1 << 20, 0)], 1, 0).len());
    let place = u32::try_from(8 + count * size).unwrap();
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    for nth in 1..=count {
        let next = if nth == count { 0 } else { u32::try_from(8 + nth * size).unwrap() };
        file.extend(directory(&[entry(270, 2, 1 << 20, place)], 1, next));
    }
    file.extend(text);
    // The images before the bound are there.
    let root = tiff("directories", file).expect("a file");
    assert!(root.to_string().contains("a TIFF file whose tags have more than 64 MiB"));

    // Offsets of directories below one, all of them of the same place.
    let below = 200_000_u32;
    let place = |at| [entry(330, 4, below, at)];
    let at = 8 + u32::try_from(directory(&place(0), 1, 0).len()).unwrap();
    let offsets: Vec<u8> = (0..below).flat_map(|_| 8_u32.to_le_bytes()).collect();
    let file = [&b"II*\0\x08\0\0\0"[..], &directory(&place(at), 1, 0), &offsets].concat();
    let error = tiff("directories below", file).expect_err("too many");
    assert!(error.to_string().contains("more than 32768 images"), "{error}");

    // A table of tiles at the last offset there is.
    let mut long = b"II+\0\x08\0\0\0".to_vec();
    long.extend(numbers(&[16, 9]));
    let of = |tag: u16, kind: u16, count: u64, value: u64| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &numbers(&[count, value])].concat()
    };
    for (tag, count, value) in [
        (256, 1, 4),
        (257, 1, 4),
        (258, 1, 8),
        (259, 1, 1),
        (262, 1, 1),
        (273, 4, u64::MAX - 8),
        (277, 1, 1),
        (278, 1, 1),
        (279, 4, u64::MAX),
    ] {
        long.extend(of(tag, 16, count, value));
    }
    long.extend([0; 8]);
    let mut file = Original::of("tiff", long);
    file.begin().expect("a file");
    let array = file.array("0").expect("an array");
    assert!(file.read(&array).expect_err("beyond the file").to_string().contains("a table of tiles"));
}
