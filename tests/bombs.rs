//! Bombs: chunks of a few kilobytes that would expand to a gibibyte are refused by name, in little memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(all(feature = "blosc", feature = "bz2", feature = "gzip", feature = "lz4", feature = "zstd"))]

#[path = "native/support/mod.rs"]
mod support;

use std::borrow::Cow;
use std::io::Write;

use peak_alloc::PeakAlloc;
use rectilinear_zarr::Error;
use rectilinear_zarr::read::Array;
use serde_json::{Value, json};
use support::{document_with, little};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const GIB: u64 = 1 << 30;
const MIB: usize = 1 << 20;

/// Decoder tables and error texts; ruzstd decodes into a window of its own, of 8 MiB at most.
const SLACK: usize = if cfg!(feature = "zstd-ruzstd") { 8 * MIB } else { 2 * MIB };

/// The most bytes in use during some work, beyond those before it, and what the work gave.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let found = work();
    (MEMORY.peak_usage().saturating_sub(before), found)
}

/// An array of one chunk of so many items.
fn array(items: u64, data_type: &str, codecs: &[Value], max_chunk_bytes: u64) -> Array {
    let text = document_with(&[items], &json!([[items]]), data_type, &json!(codecs));
    let mut document: Value = serde_json::from_slice(&text).unwrap();
    document["fill_value"] = if data_type == "string" { json!("") } else { json!(0) };
    Array::parse(document.to_string().as_bytes(), "", max_chunk_bytes).unwrap()
}

/// That decoding the one chunk fails with a codec error that names this codec, within so many bytes.
fn refused(what: &str, array: &Array, bomb: &[u8], codec: &str, bound: usize) {
    assert!(bomb.len() <= 64 << 10 || what.starts_with("large "), "{what}: {} bytes", bomb.len());
    let (used, error) = peak(|| {
        let plan = array.plan(&[]).unwrap();
        let task = plan.tasks().next().unwrap().unwrap();
        array.check_answer(&task, bomb.len())?;
        array.decode(&task, Some(Cow::Borrowed(bomb))).map(|_| ())
    });
    let Err(Error::Codec(error)) = error else { panic!("{what}: {error:?}") };
    assert_eq!(error.codec, codec, "{what}: {error}");
    assert!(used <= bound, "{what}: {used} bytes to say that {error}");
}

fn named(name: &str) -> Value {
    json!({ "name": name })
}

/// A mebibyte of zeros, deflated into whole bytes, over and over: a gibibyte in a megabyte, but for its end.
fn deflate() -> Vec<u8> {
    let mut piece = Vec::with_capacity(64 << 10);
    let mut encoder = flate2::Compress::new(flate2::Compression::fast(), false);
    encoder.compress_vec(&vec![0; MIB], &mut piece, flate2::FlushCompress::Full).unwrap();
    assert_eq!(encoder.total_in(), 1 << 20);
    piece.repeat(1 << 10)
}

/// A gzip member of raw deflate.
fn gzip(deflate: &[u8]) -> Vec<u8> {
    [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255], deflate].concat()
}

/// A zlib stream of raw deflate.
fn zlib(deflate: &[u8]) -> Vec<u8> {
    [&[0x78, 0x01], deflate].concat()
}

/// A whole gzip member.
fn gzipped(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// A whole zlib stream.
fn zlibbed(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Streams of 4 MiB, one after the other.
fn bz2() -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(&vec![0; 4 * MIB]).unwrap();
    encoder.finish().unwrap().repeat(256)
}

/// Blocks of 128 KiB, each one byte that is repeated; the frame may tell the size or another one.
fn zstd(content_size: Option<u64>) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd];
    // A window of 128 KiB, then the size where there is one.
    frame.extend([if content_size.is_some() { 0xc0 } else { 0 }, 0x38]);
    frame.extend(content_size.into_iter().flat_map(u64::to_le_bytes));
    frame.extend(blocks(1 << 13));
    frame
}

/// Some blocks of a zstd frame, its last ones, of 128 KiB each.
fn blocks(count: u32) -> Vec<u8> {
    let block = |nth| {
        let header = u32::from(nth == count - 1) | 1 << 1 | (128 << 10) << 3;
        [&header.to_le_bytes()[..3], b"x"].concat()
    };
    (0..count).flat_map(block).collect()
}

/// Some blocks of a zstd frame, compressed: 128 KiB of one repeated literal each, and no sequences. Neither the frame
/// nor its blocks tell how much that is.
fn zstd_of_literals(count: u32) -> Vec<u8> {
    let literals = (1u32 | 3 << 2 | (128 << 10) << 4).to_le_bytes();
    let content = [&literals[..3], b"x", &[0]].concat();
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38];
    for nth in 0..count {
        let header = u32::from(nth == count - 1) | 2 << 1 | u32::try_from(content.len()).unwrap() << 3;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(&content);
    }
    frame
}

/// A block of a zstd frame that is stored as it is.
fn raw_block(content: &[u8]) -> Vec<u8> {
    let header = u32::try_from(content.len() << 3).unwrap();
    [&header.to_le_bytes()[..3], content].concat()
}

/// Blocks of 1 MiB that all begin at one place.
fn blosc(compressor: u8, stream: &[u8]) -> Vec<u8> {
    let blocks = 1usize << 10;
    let length = 16 + 4 * blocks + 4 + stream.len();
    // Version 2, inner version 1, not split, items of one byte.
    let mut frame = vec![2, 1, compressor << 5 | 0x10, 1];
    for number in [1 << 30, MIB, length] {
        frame.extend(u32::try_from(number).unwrap().to_le_bytes());
    }
    let start = u32::try_from(16 + 4 * blocks).unwrap().to_le_bytes();
    (0..blocks).for_each(|_| frame.extend(start));
    frame.extend(u32::try_from(stream.len()).unwrap().to_le_bytes());
    frame.extend(stream);
    frame
}

/// A length of 1 GiB and as much content as fits 64 kB, which no LZ4 block expands by more than 255 times.
fn lz4() -> Vec<u8> {
    [&(1u32 << 30).to_le_bytes(), lz4_block(15 * MIB).as_slice()].concat()
}

/// One zero, a match of it as long as wanted, and the five literals that every block ends with.
fn lz4_block(length: usize) -> Vec<u8> {
    let rest = length - 1 - 5 - 4 - 15;
    let mut block = vec![0x1f, 0, 1, 0];
    block.extend(vec![255; rest / 255]);
    block.push(u8::try_from(rest % 255).unwrap());
    block.extend([0x50, 0, 0, 0, 0, 0]);
    block
}

/// Zeros by LZW of TIFF: after each clear code, every code is that of the string one longer than the last.
#[cfg(feature = "rare")]
fn lzw() -> Vec<u8> {
    let strings: Vec<u32> = [256, 0].into_iter().chain(258..4094).collect();
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for (nth, code) in strings.iter().enumerate().cycle().take(10 * strings.len()) {
        // The code after the clear code is the first that adds none to the table, which grows a code early.
        let width = if nth == 0 && !bytes.is_empty() { 12 } else { u32::ilog2(257 + nth.max(2) as u32) + 1 };
        bits = bits << width | code;
        count += width;
        while count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    bytes
}

/// One test, because the measure is the process's.
#[test]
fn bombs_are_refused_by_name_in_little_memory() {
    let zeros = vec![0; MIB];
    let bombs = [
        ("large gzip", "gzip", "gzip", gzip(&deflate())),
        ("large numcodecs.zlib", "numcodecs.zlib", "numcodecs.zlib", zlib(&deflate())),
        ("bz2", "numcodecs.bz2", "numcodecs.bz2", bz2()),
        ("zstd", "zstd", "zstd", zstd(None)),
        ("zstd with its size", "zstd", "zstd", zstd(Some(GIB))),
        ("zstd with the chunk's size", "zstd", "zstd", zstd(Some(1 << 20))),
        ("numcodecs.lz4", "numcodecs.lz4", "numcodecs.lz4", lz4()),
        ("blosc of lz4", "blosc", "blosc", blosc(1, &lz4_block(MIB))),
        ("blosc of zlib", "blosc", "blosc", blosc(3, &zlibbed(&zeros))),
        ("blosc of zstd", "blosc", "blosc", blosc(4, &zstd(None))),
        ("gzip in gzip", "gzip", "gzip", gzipped(&gzip(&deflate()))),
    ];
    for (what, name, codec, bomb) in &bombs {
        let mut chain = vec![little(), named(name)];
        if what.contains(" in ") {
            chain.push(named(name));
        }
        // The chunk is declared small: nothing grows beyond what its size allows for.
        refused(what, &array(1 << 20, "uint8", &chain, GIB), bomb, codec, 16 * MIB);
        // It is declared as large as it is, and the caller allows for less: refused before it is decoded.
        let large = array(GIB, "uint8", &chain, 256 << 20);
        let (used, error) = peak(|| {
            let task = large.plan(&[]).unwrap().tasks().next().unwrap().unwrap();
            large.decode(&task, Some(Cow::Borrowed(bomb))).unwrap_err()
        });
        assert_eq!(error.name(), "UnsupportedError", "{what}: {error}");
        assert!(error.to_string().contains("maxChunkBytes"), "{what}: {error}");
        assert!(used <= MIB, "{what}: {used} bytes");
    }
    // Text has no declared size, but a bound of its own, 128 MiB. A frame that tells its size is refused by that. What is
    // large takes a minute unoptimised, and grows as bz2 does.
    let alone = |what: &str| !what.starts_with("large ") && !what.contains(" in ");
    let text = |name: &str| array(2, "string", &[named("vlen-utf8"), named(name)], GIB);
    for (what, name, codec, bomb) in bombs.iter().filter(|(what, ..)| alone(what)) {
        // The one before the last step to the bound, half as long, is held while it is copied; bz2 has tables of 4 MB.
        let bound = if *name == "numcodecs.bz2" { 192 * MIB + 8 * MIB } else { MIB };
        refused(what, &text(name), bomb, codec, bound);
        let objects = array(2, "v2:object", &[named("numcodecs.json2"), named(name)], GIB);
        refused(&format!("{what} of objects"), &objects, bomb, codec, bound);
    }
    #[cfg(feature = "rare")]
    for (name, bomb) in [
        ("imagecodecs_lz4", lz4_block(15 * MIB)),
        ("imagecodecs_lzw", lzw()),
        ("imagecodecs_packbits", [0x81, 0].repeat(32 << 10)),
    ] {
        refused(name, &array(1 << 20, "uint8", &[little(), named(name)], GIB), &bomb, name, 2 * MIB);
    }
    let ended = [gzip(&deflate()), u32::try_from(GIB).unwrap().to_le_bytes().to_vec()].concat();
    refused("large gzip with its size", &text("gzip"), &ended, "gzip", MIB);
    let many = [zstd(Some(1 << 20)), zstd(None)].concat();
    refused("large zstd of two frames", &text("zstd"), &many, "zstd", MIB);
    // Compressed blocks tell nothing: decoded up to the bound, into memory that is taken once.
    refused("zstd of literals", &text("zstd"), &zstd_of_literals(1 << 12), "zstd", 128 * MIB + SLACK);
    // It would fit, but nothing of it is text.
    refused(
        "zstd of 64 MiB of literals",
        &text("zstd"),
        &zstd_of_literals(1 << 9),
        "vlen-utf8",
        64 * MIB + SLACK,
    );
    // What cannot be in so few bytes is not believed.
    let claims = |length: u32| [&length.to_le_bytes()[..], &[0xff; 64]].concat();
    refused("numcodecs.lz4 of a claim", &text("numcodecs.lz4"), &claims(100 << 20), "numcodecs.lz4", MIB);
    for compressor in [0, 1, 3] {
        // One block of 100 MiB, whose bits were shuffled, in a frame of 88 bytes.
        let mut frame = vec![2, 1, compressor << 5 | 0x14, 4];
        for number in [100 << 20, 100 << 20, 88, 20, 64] {
            frame.extend(u32::to_le_bytes(number));
        }
        frame.extend([0xff; 64]);
        refused("blosc of a claim", &text("blosc"), &frame, "blosc", MIB);
    }
    let frame =
        [&[0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0x38][..], &(100u64 << 20).to_le_bytes(), &blocks(1)].concat();
    refused("zstd of a claim", &text("zstd"), &frame, "zstd", SLACK);
    // A little text of a frame that does not tell its size does not keep the room of a block.
    let content = [2u32.to_le_bytes(), 0u32.to_le_bytes(), 0u32.to_le_bytes()].concat();
    let literals = [&[12 << 3], content.as_slice(), &[0]].concat();
    let header = [1 | 2 << 1 | u8::try_from(literals.len() << 3).unwrap(), 0, 0];
    let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0, 0x38][..], &header, &literals].concat();
    let texts = text("zstd");
    let task = texts.plan(&[]).unwrap().tasks().next().unwrap().unwrap();
    // The first one makes the decoder's tables, which stay.
    drop(texts.decode(&task, Some(Cow::Borrowed(&frame))).unwrap());
    let before = MEMORY.current_usage();
    let decoded = texts.decode(&task, Some(Cow::Borrowed(&frame))).unwrap();
    let kept = MEMORY.current_usage().saturating_sub(before);
    assert!(decoded.is_some() && kept < 4 << 10, "{kept} bytes are kept for 12");
    drop(decoded);

    let count = array(8, "string", &[named("vlen-utf8")], GIB);
    refused("a count of 2^32 - 1", &count, &[255; 4], "vlen-utf8", MIB);
    let length = [&8u32.to_le_bytes()[..], &[255; 4]].concat();
    refused("a length of 2^32 - 1", &count, &length, "vlen-utf8", MIB);

    // Objects: claims, lists in lists, and more text than there may be.
    let (json2, msgpack2) = ("numcodecs.json2", "numcodecs.msgpack2");
    let objects = |name: &str| array(1, "v2:object", &[named(name)], GIB);
    refused("lists in lists", &objects(json2), &[b'['; 60_000], json2, MIB);
    refused("MessagePack lists in lists", &objects(msgpack2), &[0x91; 60_000], msgpack2, MIB);
    let claim = [0xdd, 255, 255, 255, 255];
    for (old, bomb) in [("numcodecs.json", b'['), ("numcodecs.msgpack", 0x91)] {
        refused("lists in lists without a shape", &objects(old), &[bomb; 60_000], old, MIB);
    }
    refused("a list of 2^32 - 1", &objects(msgpack2), &claim, msgpack2, MIB);
    refused("a text of 2^32 - 1", &objects(msgpack2), &[0x93, 0xdb, 255, 255, 255, 255], msgpack2, MIB);

    // The metadata alone claim a gibibyte, of chunks of some bytes: pcodec's is the whole file of no numbers.
    #[cfg(feature = "pcodec")]
    for bytes in [&[112, 99, 111, 33, 0, 0][..], &[0; 64], b"pco!"] {
        let claimed = array(1 << 27, "float64", &[named("numcodecs.pcodec")], GIB);
        refused("pcodec of a gibibyte", &claimed, bytes, "numcodecs.pcodec", MIB);
    }
    #[cfg(feature = "zfp")]
    {
        let claimed = array(1 << 27, "float64", &[named("numcodecs.zfpy")], GIB);
        refused("zfpy of a gibibyte", &claimed, &[0; 64], "numcodecs.zfpy", MIB);
    }
    #[cfg(feature = "grib")]
    {
        let claimed = array(1 << 27, "float64", &[named("gribberish")], GIB);
        refused("GRIB2 of a gibibyte", &claimed, &[0; 64], "gribberish", MIB);
    }
    // Filters of HDF5, whose files and chunks claim it.
    #[cfg(feature = "hdf5filters")]
    {
        let blocks = [&GIB.to_be_bytes()[..], &[0x40, 0, 0, 0], &[0, 0, 0, 8], &[0; 64]].concat();
        let codes = [&64u32.to_le_bytes()[..], &[8], &[0; 80]].concat();
        let pixels = [&u32::try_from(GIB).unwrap().to_le_bytes()[..], &[0; 64]].concat();
        for (name, values, bytes) in [
            ("hdf5.lzf", json!([4, 261, GIB]), [&[0xe0, 0xff, 0][..]; 20].concat()),
            ("hdf5.lz4", json!([GIB]), blocks.clone()),
            ("hdf5.bitshuffle", json!([0, 4, 8, 0, 2]), blocks.clone()),
            ("hdf5.bitshuffle", json!([0, 4, 8, 0, 3]), blocks),
            ("hdf5.bitshuffle", json!([0, 4, 8, 0, 0]), vec![0; 64]),
            ("hdf5.nbit", json!([8, 0, 1 << 27, 1, 8, 0, 20, 4]), vec![0; 64]),
            ("hdf5.nbit", json!([8, 1, 1 << 27, 1, 8, 0, 20, 4]), vec![0; 64]),
            ("hdf5.scaleoffset", json!([2, 0, 1 << 27, 0, 8, 1, 0, 0]), codes),
            ("hdf5.szip", json!([141, 32, 64, 512]), pixels),
        ] {
            let filter = json!({ "name": name, "configuration": { "values": values } });
            let claimed = array(1 << 27, "float64", &[little(), filter], GIB);
            refused(&format!("{name} of a gibibyte"), &claimed, &bytes, name, 2 * MIB);
        }
    }

    // The first of 256 inner chunks is a bomb.
    let bomb = zstd(None);
    let entry = [0u64.to_le_bytes(), (bomb.len() as u64).to_le_bytes()].concat();
    let shard = [bomb.as_slice(), &entry, &[0xff; 16].repeat(255)].concat();
    let sharded = |inner: Value, edge: u64| {
        let codecs = json!([inner, named("zstd")]);
        let settings = json!({ "chunk_shape": [edge], "codecs": codecs, "index_codecs": [little()] });
        json!({ "name": "sharding_indexed", "configuration": settings })
    };
    let numbers = array(1 << 20, "uint8", &[sharded(little(), 1 << 12)], GIB);
    refused("inner chunks", &numbers, &shard, "zstd", 16 * MIB);
    let texts = array(1 << 8, "string", &[sharded(named("vlen-utf8"), 1)], GIB);
    refused("inner chunks of text", &texts, &shard, "zstd", 256 * MIB);

    // Eight of 256 inner chunks are 64 MiB of text each.
    let head = [1u32.to_le_bytes(), (64u32 << 20).to_le_bytes()].concat();
    let inner = [&[0x28, 0xb5, 0x2f, 0xfd, 0, 0x38], raw_block(&head).as_slice(), &blocks(512)].concat();
    let length = inner.len() as u64;
    let entries = (0..8u64).flat_map(|nth| [(nth * length).to_le_bytes(), length.to_le_bytes()].concat());
    let shard = [inner.repeat(8), entries.collect(), [0xff; 16].repeat(248)].concat();
    refused("inner chunks full of text", &texts, &shard, "sharding_indexed", 512 * MIB);
}
