//! Inflation compared with flate2.

use std::io::{Read, Write};

use fastrand::Rng;
use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use flate2::{Compression, GzBuilder};

use super::{Size, members, zlib};

const MOST: Size = Size::AtMost(1 << 20);

/// Content of one kind: noise, few letters, short patterns, long runs, and numbers in a row.
fn content(random: &mut Rng) -> Vec<u8> {
    let most = 1 << random.u32(..18);
    let length = random.usize(..most);
    let kind = random.u8(..5);
    let period = random.usize(1..40);
    let mut bytes: Vec<u8> = Vec::new();
    while bytes.len() < length {
        match kind {
            0 => bytes.push(random.u8(..)),
            1 => bytes.push(b"aaaaabbbcd"[random.usize(..10)]),
            2 if bytes.len() >= period && random.u8(..) > 2 => bytes.push(bytes[bytes.len() - period]),
            3 => bytes.extend(std::iter::repeat_n(random.u8(..), random.usize(..3000))),
            4 => bytes.extend((bytes.len() as f32).sqrt().to_le_bytes()),
            _ => bytes.push(random.u8(..9)),
        }
    }
    bytes
}

fn written(content: &[u8], level: u32) -> [Vec<u8>; 2] {
    let level = Compression::new(level);
    let mut gzip = GzEncoder::new(Vec::new(), level);
    let mut zlib = ZlibEncoder::new(Vec::new(), level);
    gzip.write_all(content).and_then(|()| zlib.write_all(content)).unwrap_or_default();
    [gzip.finish(), zlib.finish()].map(Result::unwrap_or_default)
}

fn whole(mut decoder: impl Read) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    decoder.read_to_end(&mut content).ok().map(|_| content)
}

#[test]
fn it_undoes_each_level_whatever_is_known_of_the_size() {
    let mut random = Rng::with_seed(1);
    for turn in 0..60 {
        let content = content(&mut random);
        let [gzip, zlibbed] = written(&content, turn % 10);
        for size in [MOST, Size::Exactly(content.len())] {
            assert!(members("gzip", &gzip, size).is_ok_and(|found| found == content), "{turn}");
            assert!(zlib("zlib", &zlibbed, size).is_ok_and(|found| found == content), "{turn}");
        }
        if let Some(less) = content.len().checked_sub(1) {
            for size in [Size::AtMost(less), Size::Exactly(less), Size::Exactly(less + 2)] {
                assert!(members("gzip", &gzip, size).is_err() && zlib("zlib", &zlibbed, size).is_err());
            }
        }
    }
}

#[test]
fn members_follow_one_another_though_some_are_empty() {
    let member = |content: &[u8]| written(content, 1)[0].clone();
    let members = |encoded: &[u8]| members("gzip", encoded, MOST).ok();
    let long: Vec<u8> = (0..200_000_u32).flat_map(|i| i.wrapping_mul(i).to_le_bytes()).collect();
    let encoded = [member(b""), member(&long), member(b""), member(b"end"), member(b"")].concat();
    assert_eq!(members(&encoded), Some([long.as_slice(), b"end"].concat()));
    let padded = [&encoded, &[0, 0][..], &member(b" of all"), &[0]].concat();
    assert_eq!(members(&padded), Some([long.as_slice(), b"end of all"].concat()));
    assert_eq!(members(&[&encoded, &[0, 1][..]].concat()), None);
}

#[test]
fn headers_may_have_every_field() {
    let mut gzip = GzBuilder::new()
        .extra("extra")
        .filename("name")
        .comment("words")
        .write(Vec::new(), Compression::fast());
    gzip.write_all(b"content").unwrap_or_default();
    let gzip = gzip.finish().unwrap_or_default();
    assert_eq!(members("gzip", &gzip, MOST).ok().as_deref(), Some(&b"content"[..]));
    for end in 0..gzip.len() {
        assert!(members("gzip", &gzip[..end], MOST).is_err(), "{end}");
    }
    // With a checksum of the header, the lowest half of its CRC-32.
    let mut header = gzip[..gzip.len() - 8 - 9].to_vec();
    header[3] |= 2;
    let checksum = super::crc32::checksum(&header).to_le_bytes();
    let [good, bad] =
        [0, 1].map(|flip| [&header[..], &[checksum[0] ^ flip, checksum[1]], &gzip[header.len()..]].concat());
    assert_eq!(members("gzip", &good, MOST).ok().as_deref(), Some(&b"content"[..]));
    assert!(members("gzip", &bad, MOST).is_err());
}

#[test]
fn damage_is_no_better_for_it_than_for_flate2() {
    let mut random = Rng::with_seed(2);
    let mut refused = 0;
    for turn in 0..800 {
        let mut bytes = content(&mut random);
        bytes.truncate(3000);
        let [mut gzip, mut zlibbed] = written(&bytes, random.u32(..10));
        for encoded in [&mut gzip, &mut zlibbed] {
            for _ in 0..random.u8(1..3) {
                let place = random.usize(..encoded.len());
                encoded[place] ^= 1 << random.u8(..8);
            }
            if random.u8(..4) == 0 {
                encoded.truncate(random.usize(..encoded.len()));
            }
        }
        let theirs =
            [whole(MultiGzDecoder::new(gzip.as_slice())), whole(ZlibDecoder::new(zlibbed.as_slice()))];
        let ours = [members("gzip", &gzip, MOST), zlib("zlib", &zlibbed, MOST)];
        for (theirs, ours) in theirs.into_iter().zip(ours) {
            refused += u32::from(ours.is_err());
            assert!(ours.is_err() || ours.ok() == theirs, "{turn}");
        }
    }
    assert!(refused > 1400, "{refused}");
}
