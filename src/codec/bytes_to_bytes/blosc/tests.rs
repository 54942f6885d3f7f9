//! Ranges of blocks compared with the whole frame, and frames that the available encoders do not write.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::Size;
use super::header::BloscFrame;
use crate::error::Result;
use crate::parts::Loaded;

fn decode(encoded: &[u8], size: Size) -> Result<Vec<u8>> {
    super::decode(Loaded::get().unwrap(), encoded, size)
}

fn noise(length: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(length as u64);
    (0..length).map(|_| random.u8(..)).collect()
}

/// A frame of blosclz, unsplit, with these streams as its blocks.
fn frame(flags: u8, item_size: u8, length: u32, block_size: u32, streams: &[&[u8]]) -> Vec<u8> {
    let mut starts = Vec::new();
    let mut body = Vec::new();
    for stream in streams {
        starts.extend((16 + 4 * streams.len() + body.len()).to_le_bytes()[..4].iter());
        body.extend((stream.len() as u32).to_le_bytes());
        body.extend(*stream);
    }
    let frame_size = (16 + starts.len() + body.len()) as u32;
    let sizes = [length, block_size, frame_size].map(u32::to_le_bytes).concat();
    [&[2, 1, flags | 0x10, item_size], &sizes[..], &starts, &body].concat()
}

#[test]
fn any_range_of_blocks_decodes_on_its_own() {
    let content = noise(70);
    for flags in [0, 1, 4] {
        let streams: Vec<&[u8]> = content.chunks(16).collect();
        let bytes = frame(flags, 2, 70, 16, &streams);
        let size = Size::Exactly(70);
        let whole = decode(&bytes, size).unwrap();
        let frame = BloscFrame::parse(&bytes, size).unwrap();
        assert_eq!(frame.blocks(), 5);
        for (from, to) in (0..=5).flat_map(|from| (from..=5).map(move |to| (from, to))) {
            let content = frame.content_of(from..to);
            let mut part = vec![0; content.len()];
            frame.decode_range(from..to, &mut part).unwrap();
            assert!(part == whole[content], "blocks {from} to {to}, flags {flags}");
            assert!(frame.decode_range(from..to, &mut vec![0; part.len() + 1]).is_err());
        }
    }
}

#[cfg(feature = "blosc-snappy")]
#[test]
fn snappy_streams_decode_too() {
    let content = [[7; 300], [9; 300]].concat();
    let stream = snap::raw::Encoder::new().compress_vec(&content).unwrap();
    let bytes = frame(2 << 5, 1, 600, 600, &[&stream]);
    assert_eq!(decode(&bytes, Size::Exactly(600)).unwrap(), content);
    let short = frame(2 << 5, 1, 601, 601, &[&stream]);
    assert!(decode(&short, Size::Exactly(601)).is_err());
}

#[cfg(not(feature = "blosc-snappy"))]
#[test]
fn snappy_is_named_where_it_is_lacking() {
    let bytes = frame(2 << 5, 1, 3, 3, &[b"\x03\x08abc"]);
    let error = decode(&bytes, Size::Exactly(3)).unwrap_err();
    assert!(error.to_string().contains("blosc with snappy is not supported"), "{error}");
}

#[test]
fn blocks_may_share_a_place_and_make_no_more_than_was_asked_for() {
    let mut bytes = frame(0, 1, 512, 128, &[&[5; 128][..]; 4]);
    let first = 16 + 4 * 4;
    for block in 0..4 {
        bytes[16 + 4 * block..][..4].copy_from_slice(&[first, 0, 0, 0]);
    }
    assert_eq!(decode(&bytes, Size::Exactly(512)).unwrap(), [5; 512]);
    assert!(decode(&bytes, Size::Exactly(511)).is_err());
    assert!(decode(&bytes, Size::AtMost(511)).is_err());
    assert_eq!(decode(&bytes, Size::AtMost(513)).unwrap().len(), 512);
}

#[test]
fn a_stream_that_goes_on_without_content_is_refused() {
    // Stored zlib blocks of no bytes, then one that holds 64 sevens, and the checksum.
    let stream = |empty: usize| {
        let held = [&[1, 64, 0, 0xbf, 0xff][..], &[7; 64]].concat();
        [&[0x78, 1][..], &[0, 0, 0, 0xff, 0xff].repeat(empty), &held, &[0x39, 0x20, 0x01, 0xc1]].concat()
    };
    let zlib = |empty| decode(&frame(3 << 5, 1, 64, 64, &[&stream(empty)]), Size::Exactly(64));
    assert_eq!(zlib(5).unwrap(), [7; 64]);
    assert!(zlib(8).is_err());
}
