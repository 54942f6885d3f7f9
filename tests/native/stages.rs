//! Pipelines whose codecs are in several modules decode to what a build with all codecs makes of the bytes.
#![cfg(all(
    feature = "grib",
    feature = "jpeg2000",
    feature = "lzma",
    feature = "pcodec",
    feature = "rare",
    feature = "zfp"
))]

use std::borrow::Cow;

use crate::support::{Stored, document_with, little, optional_cases, text};
use rectilinear_zarr::Error;
use rectilinear_zarr::codec::{Answer, HEAD, answers, codec_answer, codec_support, unpack_answers};
use rectilinear_zarr::read::{Array, BatchDecoder, Job, StagePlanner, choose_stages, parcel};
use serde_json::{Value, json};

/// Stages of a job of a plan: the name of the module, and the head of the message.
type StageHeads = Vec<(String, Vec<u8>)>;

/// Reads the numbers and parts of a plan.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> usize {
        let (number, rest) = self.0.split_first_chunk().unwrap();
        self.0 = rest;
        u64::from_le_bytes(*number).try_into().unwrap()
    }

    fn part(&mut self) -> Vec<u8> {
        let length = self.number();
        let (part, rest) = self.0.split_at(length);
        self.0 = rest;
        part.to_vec()
    }
}

/// Head of a batch, after the number of its bytes.
fn head_of(array: &Array, jobs: &[Job<'_>], lengths: &[usize]) -> Vec<u8> {
    let packed: Vec<Vec<u8>> = jobs.iter().zip(lengths).map(|(job, length)| job.packed(*length)).collect();
    parcel(&array.description(), packed.iter().map(Vec::as_slice)).split_off(8)
}

fn planned(planner: &mut StagePlanner, head: &[u8]) -> Vec<(usize, StageHeads)> {
    let plan = planner.plan(head);
    let mut plan = Reader(&plan);
    let mut jobs = Vec::new();
    while plan.number() == 1 {
        jobs.push((plan.number(), stages_of(&mut plan)));
    }
    assert!(plan.0.is_empty());
    jobs
}

/// Stages in the order of decoding.
fn stages_of(plan: &mut Reader<'_>) -> StageHeads {
    let mut stages = StageHeads::new();
    while plan.number() == 1 {
        stages.insert(0, (String::from_utf8(plan.part()).unwrap(), plan.part()));
    }
    stages
}

/// The stages that a chunk chooses by its header, and what follows that.
fn chosen(head: &[u8], bytes: &[u8]) -> (StageHeads, Vec<u8>) {
    let length = Reader(&head[head.len() - 16..]).number().min(bytes.len());
    let (header, rest) = bytes.split_at(length);
    let mut asked = message(head, bytes);
    asked.truncate(head.len() + header.len());
    (stages_of(&mut Reader(&choose_stages(&asked))), rest.to_vec())
}

/// All stages that chunks may have.
fn every(stages: StageHeads) -> StageHeads {
    let inner = |head: &[u8]| every(stages_of(&mut Reader(&choose_stages(head))));
    let each = |(name, head): (String, Vec<u8>)| if name == "?" { inner(&head) } else { vec![(name, head)] };
    stages.into_iter().flat_map(each).collect()
}

/// A message from its head: with the number of bytes, and the bytes.
fn message(head: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut whole = head.to_vec();
    let end = whole.len();
    whole[end - 8..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    whole.extend(bytes);
    whole
}

/// The only answer in packed answers, and its contents.
fn answered(packed: &[u8]) -> (Result<Answer, Error>, Vec<u8>) {
    let (length, rest) = packed.split_first_chunk::<HEAD>().unwrap();
    let (head, contents) = rest.split_at(usize::try_from(u64::from_le_bytes(*length)).unwrap());
    let mut answers = unpack_answers(head).unwrap();
    assert_eq!(answers.len(), 1);
    (answers.pop().unwrap(), contents.to_vec())
}

/// Follows the stages of a job, as the package's JavaScript does.
fn followed(stages: &StageHeads, bytes: &[u8]) -> Result<(Answer, Vec<u8>), Error> {
    let mut last = None;
    let mut bytes = bytes.to_vec();
    let mut left = stages.clone();
    while !left.is_empty() {
        let (module, head) = left.remove(0);
        if module == "?" {
            let (more, rest) = chosen(&head, &bytes);
            (left, bytes) = ([more, left].concat(), rest);
            continue;
        }
        let head = head.as_slice();
        let packed = match module.as_str() {
            "!" => head.to_vec(),
            "" => {
                let sent = message(head, &bytes);
                let mut decoder = BatchDecoder::new();
                let done: Vec<_> = decoder.open(&sent).unwrap().into_iter().map(|job| job.done).collect();
                let mut packed = answers(&done);
                done.iter().flatten().for_each(|(decoded, _)| packed.extend(&*decoded.bytes));
                packed
            }
            _ => codec_answer(&message(head, &bytes)),
        };
        let (answer, contents) = answered(&packed);
        last = Some(answer?);
        bytes = contents;
    }
    Ok((last.unwrap(), bytes))
}

/// Compares every chunk of an array with what its whole pipeline makes of it; returns how many, and how many fail.
fn compare(name: &str, stored: &Stored, modules: &[&str]) -> (usize, usize) {
    let (mut planner, mut seen, mut failed) = (StagePlanner::new(), 0, 0);
    let array = &stored.array;
    let Ok(plan) = array.plan(&[]) else { return (0, 0) };
    for task in plan.tasks().filter_map(Result::ok) {
        let _ = stored.each(&task, &mut |task, bytes| {
            let Some(bytes) = bytes else { return Ok(()) };
            let expected = array.decode(task, Some(Cow::Borrowed(bytes.as_slice()))).map(Option::unwrap);
            let expected = expected.map(|chunk| chunk.into_little_endian().into_owned());
            let jobs = planned(&mut planner, &head_of(array, &[task.job()], &[bytes.len()]));
            let [(length, stages)] = jobs.as_slice() else { panic!("{jobs:?}") };
            assert_eq!(*length, bytes.len());
            let met: Vec<&str> = stages.iter().map(|(module, _)| module.as_str()).collect();
            assert!(modules.iter().all(|module| met.contains(module)), "{name}: {met:?}");
            match (followed(stages, &bytes).map_err(|error| task.blame(error)), expected) {
                (Ok((answer, contents)), Ok(expected)) => {
                    assert_eq!(contents, *expected.bytes, "{name}");
                    assert_eq!(answer.strides, expected.strides, "{name}");
                }
                (got, expected) => {
                    assert_eq!(got.map(drop).unwrap_err(), expected.map(drop).unwrap_err(), "{name}");
                    failed += 1;
                }
            }
            seen += 1;
            Ok(())
        });
    }
    (seen, failed)
}

#[test]
fn the_fixtures_of_each_module_decode_as_by_one_build() {
    for module in ["lzma", "pcodec", "zfp"] {
        let (mut seen, mut failed) = (0, 0);
        for case in ["index.json", "broken.json"].iter().flat_map(|list| optional_cases(list, module)) {
            let Ok(stored) = Stored::case(&case) else { continue };
            let (more, errors) = compare(text(&case, "name"), &stored, &[module]);
            (seen, failed) = (seen + more, failed + errors);
        }
        assert!(seen > 20 && failed > 3, "{module}: {seen} chunks, {failed} errors");
    }
}

#[test]
fn images_decode_as_by_one_build_with_and_without_a_codec_that_makes_bytes() {
    let folder = crate::support::neighbours("codecs");
    let names = ["u2", "codestream", "i1", "12-bits", "colour", "planes", "tiles"]
        .map(|name| format!("jpeg2k-{name}"));
    for name in names.iter().map(String::as_str).chain(["tiff-jpeg2k"]) {
        let stored = Stored::open(&folder.join(format!("{name}.zarr"))).unwrap();
        let (seen, failed) = compare(name, &stored, &["jpeg2000"]);
        assert!(seen > 0 && failed == 0, "{name}: {seen} chunks, {failed} errors");
    }
    let image = codec("imagecodecs_jpeg2k", &json!({}));
    let stages = |codecs: Value| modules_of(&array_of(&[2, 3], "uint16", &codecs).unwrap());
    assert_eq!(stages(json!([image])), ["jpeg2000"]);
    assert_eq!(stages(json!([little(), image])), ["jpeg2000", ""]);
    let turned = codec("transpose", &json!({ "order": [1, 0] }));
    assert_eq!(stages(json!([turned, image, "zstd"])), ["", "jpeg2000", ""]);
    let document = document_with(&[2], &json!([[2]]), "complex64", &json!([image]));
    let mut document: Value = serde_json::from_slice(&document).unwrap();
    document["fill_value"] = json!([0, 0]);
    let Err(error) = Array::parse(document.to_string().as_bytes(), "", 1 << 30) else {
        panic!("complex numbers are read")
    };
    assert!(error.to_string().contains("takes numbers"), "{error}");
}

/// An array of one chunk with these codecs.
fn array_of(shape: &[u64], data_type: &str, codecs: &Value) -> Result<Array, Error> {
    let edges: Vec<Vec<u64>> = shape.iter().map(|&edge| vec![edge]).collect();
    Array::parse(&document_with(shape, &json!(edges), data_type, codecs), "", 1 << 30)
}

/// The modules of an array's stages, in the order of decoding.
fn modules_of(array: &Array) -> Vec<String> {
    let query = array.support_query().split_off(8);
    let stages = every(planned(&mut StagePlanner::new(), &query).remove(0).1);
    stages.into_iter().map(|(module, _)| module).collect()
}

fn codec(name: &str, configuration: &Value) -> Value {
    json!({ "name": name, "configuration": configuration })
}

#[test]
fn there_is_a_stage_for_each_codec_and_for_what_lies_between() {
    let (pcodec, lzma) = (codec("numcodecs.pcodec", &json!({})), codec("numcodecs.lzma", &json!({})));
    let (gzip, turned) =
        (codec("gzip", &json!({ "level": 1 })), codec("transpose", &json!({ "order": [1, 0] })));
    let stages = |codecs: Value| modules_of(&array_of(&[2, 3], "int32", &codecs).unwrap());
    assert_eq!(stages(json!([pcodec])), ["pcodec"]);
    assert_eq!(stages(json!([turned, pcodec])), ["pcodec", ""]);
    assert_eq!(stages(json!([pcodec, gzip])), ["", "pcodec"]);
    assert_eq!(stages(json!([turned, pcodec, gzip, lzma, gzip])), ["", "lzma", "", "pcodec", ""]);
    assert_eq!(stages(json!([pcodec, lzma])), ["lzma", "pcodec"]);
    assert_eq!(stages(json!([little(), lzma, lzma])), ["lzma", "lzma", ""]);
    assert_eq!(stages(json!([little()])), [""]);
}

/// The codec around these codecs, with more in its configuration.
fn conditional(codecs: &Value, more: &Value) -> Value {
    let mut configuration = more.clone();
    configuration["codecs"] = codecs.clone();
    codec("conditional", &configuration)
}

#[test]
fn conditional_has_the_stages_that_a_chunk_chooses() {
    let (lzma, crc) = (codec("numcodecs.lzma", &json!({})), json!("crc32c"));
    let stages =
        |codecs: &Value| modules_of(&array_of(&[2, 3], "int32", &json!([little(), codecs])).unwrap());
    assert_eq!(stages(&conditional(&json!([crc, "zstd"]), &json!({}))), [""]);
    assert_eq!(stages(&conditional(&json!([lzma]), &json!({}))), ["lzma", ""]);
    let both = conditional(&json!([crc, lzma, "zstd", crc]), &json!({}));
    assert_eq!(stages(&both), ["", "lzma", "", ""]);
    assert_eq!(stages(&conditional(&json!([crc, both]), &json!({}))), ["", "lzma", "", "", ""]);
    // Shuffle, LZMA and a checksum, or some of them; then those within another, which may be left out.
    let three = json!([codec("shuffle", &json!({ "elementsize": 4 })), lzma, crc]);
    let plain: Vec<u8> = (0..6_u32).flat_map(u32::to_le_bytes).collect();
    let shuffled: Vec<u8> =
        (0..4).flat_map(|byte| plain.iter().skip(byte).step_by(4).copied().collect::<Vec<_>>()).collect();
    let summed = |bytes: &[u8]| [bytes, &crc32c::crc32c(bytes).to_le_bytes()].concat();
    let cases: Vec<(u8, Vec<u8>)> = (0..8)
        .map(|mask| {
            let bytes = if mask & 1 == 1 { &shuffled } else { &plain };
            let compressed = || unhex(XZ[usize::from(mask & 1)]);
            let bytes = if mask & 2 == 2 { compressed() } else { bytes.clone() };
            (mask, if mask & 4 == 4 { summed(&bytes) } else { bytes })
        })
        .collect();
    let alone = array_of(&[2, 3], "int32", &json!([little(), conditional(&three, &json!({}))])).unwrap();
    let within =
        conditional(&json!([conditional(&three, &json!({})), "zstd"]), &json!({ "header_bits": 16 }));
    let within = array_of(&[2, 3], "int32", &json!([little(), within])).unwrap();
    for (mask, payload) in cases {
        let chunk = [vec![mask], payload].concat();
        assert_eq!(values(&alone, &chunk), Ok(plain.clone()), "mask {mask}");
        assert_eq!(values(&within, &[vec![1, 0], chunk].concat()), Ok(plain.clone()), "mask {mask}");
    }
    assert_eq!(values(&within, &[vec![0, 0], plain.clone()].concat()), Ok(plain.clone()));
    let sums = [0_u8, 4].map(|mask| [vec![mask], plain.clone()].concat());
    for chunk in [vec![], vec![8], vec![3], vec![2, 1, 2, 3], vec![0; 24], vec![0; 26], sums[1].clone()] {
        assert!(values(&alone, &chunk).is_err(), "{chunk:?}");
        assert!(values(&within, &[vec![1, 0], chunk].concat()).is_err());
    }
    assert_eq!(values(&alone, &sums[0]), Ok(plain));
    for chunk in [vec![], vec![1], vec![4, 0], vec![1, 1], vec![1, 0, 8]] {
        assert!(values(&within, &chunk).is_err(), "{chunk:?}");
    }
}

/// What Python's lzma makes of the numbers from 0 to 5 as 32-bit integers (with the check none), and of their bytes after
/// shuffle.
const XZ: [&str; 2] = [
    "fd377a585a000000ff12d9410200210110000000a8708e86e0001700145d0000687e9e2040a60b69998b065a8b0094e936a1ce0000012818d783b76e06729e7a010000000000595a",
    "fd377a585a000000ff12d9410200210110000000a8708e86e00017000c5d00000052500a84f8e170ab00000000012018df096ea606729e7a010000000000595a",
];

fn unhex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// Items of the only chunk as stages and as the whole pipeline decode it, which must be the same; or the error of both.
fn values(array: &Array, chunk: &[u8]) -> Result<Vec<u8>, Error> {
    let plan = array.plan(&[]).unwrap();
    let task = plan.tasks().next().unwrap().unwrap();
    let expected =
        array.decode(&task, Some(Cow::Borrowed(chunk))).map(|decoded| decoded.unwrap().bytes.into_owned());
    let head = head_of(array, &[task.job()], &[chunk.len()]);
    let (_, stages) = planned(&mut StagePlanner::new(), &head).remove(0);
    let found = followed(&stages, chunk).map(|(_, bytes)| bytes).map_err(|error| task.blame(error));
    assert_eq!(found, expected, "{chunk:?}");
    found
}

#[test]
fn inner_chunks_of_shards_have_the_stages_of_their_own_codecs() {
    let pcodec = codec("numcodecs.pcodec", &json!({}));
    let shards = |inner: Value, shape: [u64; 2]| {
        let index = json!([little()]);
        json!([codec(
            "sharding_indexed",
            &json!({ "chunk_shape": shape, "codecs": inner, "index_codecs": index })
        )])
    };
    let array = array_of(&[4, 6], "int32", &shards(json!([pcodec]), [2, 3])).unwrap();
    assert_eq!(modules_of(&array), ["pcodec"]);
    let array = array_of(&[4, 6], "int32", &shards(shards(json!([pcodec]), [1, 3]), [2, 3])).unwrap();
    assert_eq!(modules_of(&array), ["pcodec"]);
}

#[test]
fn what_one_build_refuses_stages_refuse_in_the_same_words() {
    let (pcodec, lzma) = (codec("numcodecs.pcodec", &json!({})), codec("numcodecs.lzma", &json!({})));
    let wrong = codec("numcodecs.pcodec", &json!({ "levels": 3 }));
    let gzip = codec("gzip", &json!({ "levels": 1 }));
    let filters = codec("numcodecs.lzma", &json!({ "format": 3, "filters": [{ "id": 77 }] }));
    for (data_type, codecs) in [
        ("int32", json!([pcodec, pcodec])),
        ("int32", json!([lzma, little()])),
        ("int32", json!([little(), pcodec])),
        ("int32", json!([pcodec, little()])),
        ("int32", json!([pcodec, lzma, pcodec])),
        ("int32", json!([wrong, gzip])),
        ("int32", json!([gzip, wrong])),
        ("int32", json!([pcodec, gzip])),
        ("int32", json!([little(), filters])),
        ("int32", json!([lzma])),
        ("uint8", json!([pcodec])),
        ("int16", json!([codec("numcodecs.zfpy", &json!({}))])),
        ("int16", json!([codec("gribberish", &json!({}))])),
        ("float64", json!([codec("gribberish", &json!({ "var": 5 }))])),
        ("int32", json!([little(), conditional(&json!(["zstd", filters]), &json!({}))])),
        ("int32", json!([little(), conditional(&json!(["crc32c", lzma, "none"]), &json!({}))])),
        ("int32", json!([little(), conditional(&json!([lzma, pcodec]), &json!({}))])),
        ("int32", json!([little(), conditional(&json!([lzma]), &json!({ "header_bits": 4 }))])),
        ("int32", json!([little(), conditional(&json!([lzma, gzip]), &json!({}))])),
        ("int32", json!([conditional(&json!([lzma]), &json!({}))])),
    ] {
        let expected = array_of(&[2, 3], data_type, &codecs).map(drop).unwrap_err();
        // An array that opens has a query; it differs in its codecs only.
        let array = array_of(&[2, 3], data_type, &json!([pcodec]));
        let array = array.or_else(|_| array_of(&[2, 3], data_type, &json!([little()])));
        let array = array.or_else(|_| array_of(&[2, 3], data_type, &json!(["vlen-utf8"])));
        let mut array = array.unwrap();
        let metadata = document_with(&[2, 3], &json!([[2], [3]]), data_type, &codecs);
        array.metadata = rectilinear_zarr::metadata::ArrayMetadata::parse(&metadata).unwrap();
        let (_, stages) = planned(&mut StagePlanner::new(), &array.support_query().split_off(8)).remove(0);
        let stages = every(stages);
        // In the order of encoding, as codecs are parsed.
        let replies = stages
            .iter()
            .rev()
            .filter(|(module, _)| !module.is_empty())
            .map(|(module, head)| if module == "!" { head.clone() } else { codec_support(head) });
        let error = replies
            .map(|reply| unpack_answers(&reply[HEAD..]).unwrap())
            .find_map(|mut answers| answers.pop());
        assert_eq!(error.unwrap().unwrap_err().in_document("zarr.json"), expected, "{codecs}");
    }
}
