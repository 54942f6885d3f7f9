//! Makes a corpus for each target of the committed fixtures: `seeds CORPUS`.

use std::path::{Path, PathBuf};

use rectilinear_zarr_fuzz::{FAMILIES, ICECHUNK, ZFP_TYPES, family, icechunk_files};
use serde_json::Value;

fn main() {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [corpus] = arguments.as_slice() else { panic!("usage: seeds CORPUS") };
    let root = rectilinear_zarr_fuzz::fixtures();
    let (fixtures, neighbours) = (&root.join("fixtures"), root.join("neighbours"));
    let mut seeds = 0;
    let mut save = |target: &str, name: &str, parts: &[&[u8]]| {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(name), parts.concat()).expect("a seed");
        seeds += 1;
    };
    let others = neighbours.join("codecs");
    let all = [files(fixtures), files(&others)].concat();
    for folder in all.iter().filter_map(|file| file.ends_with("zarr.json").then(|| file.parent())).flatten() {
        let within = folder.strip_prefix(&others).or_else(|_| folder.strip_prefix(fixtures));
        let name = within.expect("below").display().to_string().replace('/', "-");
        let document = std::fs::read(folder.join("zarr.json")).expect("a document");
        save("metadata", &name, &[&document]);
        save("group", &name, &[b"\0", &document]);
        let Ok(json) = serde_json::from_slice::<Value>(&document) else { continue };
        let [fill, data_type] = ["fill_value", "data_type"].map(|field| json[field].to_string());
        save("fill_value", &name, &[fill.as_bytes(), b"\0", data_type.as_bytes()]);
        // A short chunk says as much as a long one.
        let chunks = files(folder).into_iter().filter(|file| !file.ends_with("zarr.json"));
        for (nth, file) in chunks.take(3).enumerate() {
            let chunk = std::fs::read(file).expect("a chunk");
            let name = format!("{name}-{nth}");
            save("array", &name, &[json.to_string().as_bytes(), b"\0", &chunk]);
            save("shard", &name, &[&[u8::try_from(nth).expect("few")], &chunk]);
            if matches!(last_codec(&json["codecs"]), Some("zfpy" | "zfp"))
                && let Some(head) = zfp_head(&json)
            {
                save("zfp", &name, &[&head, &chunk]);
            }
            for (family, choice) in FAMILIES
                .iter()
                .flat_map(|family| (0..).zip(family.pipelines).map(move |choice| (family, choice)))
            {
                let (choice, (data_type, codecs)) = choice;
                let codecs: Value = serde_json::from_str(codecs).expect("JSON");
                if last_codec(&codecs).is_some() && last_codec(&codecs) == last_codec(&json["codecs"]) {
                    let items = u16::try_from(bytes(&json) / item_size(data_type)).unwrap_or(u16::MAX);
                    save(
                        family.name,
                        &format!("{name}-{choice}"),
                        &[&[choice], &items.to_le_bytes(), &chunk],
                    );
                }
            }
        }
    }
    for file in files(fixtures).iter().filter(|file| file.ends_with(".zarray")) {
        let name = file.strip_prefix(fixtures).expect("below").display().to_string().replace('/', "-");
        let zattrs = std::fs::read(file.with_file_name(".zattrs")).unwrap_or_default();
        save("metadata_v2", &name, &[&std::fs::read(file).expect("a document"), b"\0", &zattrs]);
    }
    for file in files(fixtures).iter().filter(|file| file.ends_with(".zmetadata")) {
        let name = file.strip_prefix(fixtures).expect("below").display().to_string().replace('/', "-");
        save("group", &name, &[b"\x01", &std::fs::read(file).expect("a document")]);
    }
    for (choice, _) in (0..).zip(family("filters").pipelines) {
        // Ramps of small and of large numbers, and one item.
        save("filters", &format!("small-{choice}"), &[&[choice], &[0, 1, 0, 2, 0, 3, 0, 4].repeat(8)]);
        save(
            "filters",
            &format!("large-{choice}"),
            &[&[choice], &[255, 127, 128, 63, 1, 200, 77, 65].repeat(8)],
        );
        save("filters", &format!("one-{choice}"), &[&[choice], &[3, 0, 0, 64]]);
    }
    for (choice, _) in (0..).zip(family("hdf5filters").pipelines) {
        // Forty numbers, in codes of eight bits, and a head of blocks of 32 bytes.
        let codes = [&[8, 0, 0, 0, 8][..], &[0; 16], &[3; 80]].concat();
        save("hdf5filters", &format!("codes-{choice}"), &[&[choice, 40, 0], &codes]);
        let blocks =
            [&[0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 32, 0, 0, 0, 4, 0xf0, 0, 0, 0][..], &[7; 60]].concat();
        save("hdf5filters", &format!("blocks-{choice}"), &[&[choice, 40, 0], &blocks]);
    }
    let images = neighbours.join("codecs");
    for file in files(&images).iter().filter(|file| file.to_string_lossy().contains("jpeg2k-u2.zarr/c/")) {
        // 24 by 20 pixels of 16 bits.
        save("jpeg2000", "u2", &[b"\x01", &480_u16.to_le_bytes(), &std::fs::read(file).expect("an image")]);
    }
    let grib = neighbours.join("grib");
    for file in files(&grib).iter().filter(|file| file.extension().is_some_and(|ending| ending == "grib2")) {
        let name = file.file_name().expect("a name").display().to_string();
        let message = std::fs::read(file).expect("a message");
        // All of them are of 19 by 36 points.
        save("grib", &name, &[b"\0", &684_u16.to_le_bytes(), &message]);
    }
    for (name, file) in icechunk_files() {
        let kind = ICECHUNK.iter().position(|kind| name.starts_with(kind)).expect("a kind");
        let choice = u8::try_from(kind).expect("few");
        save("icechunk", &name.replace('/', "-"), &[&[choice], &file[39..]]);
    }
    for format in ["hdf5", "netcdf", "tiff"] {
        let set = neighbours.join(format);
        let is_file = |file: &&PathBuf| {
            file.extension().is_some_and(|ending| ["h5", "nc", "tif"].iter().any(|known| ending == *known))
        };
        for file in files(&set).iter().filter(is_file) {
            let name = file.file_name().expect("a name").display().to_string();
            save(format, &name, &[&std::fs::read(file).expect("a file")]);
        }
    }
    println!("{seeds} seeds");
}

/// The name of the codec that made the stored bytes, without who registered it.
fn last_codec(codecs: &Value) -> Option<&str> {
    let last = codecs.as_array()?.last()?;
    let name = last.as_str().or(last["name"].as_str())?;
    Some(name.strip_prefix("numcodecs.").unwrap_or(name))
}

/// The head that the target `zfp` reads before the stream, where the chunk is one that it can tell of.
fn zfp_head(document: &Value) -> Option<Vec<u8>> {
    let edges: Vec<u8> = edges(document).map(|edge| u8::try_from(edge).ok()).collect::<Option<_>>()?;
    let data_type = ZFP_TYPES.iter().position(|&name| document["data_type"] == name)?;
    let rank = edges.len().checked_sub(1).filter(|&rank| rank < 4)?;
    let modes = [Value::Null, "reversible".into(), "fixed_accuracy".into(), "fixed_rate".into()];
    let mode = &document["codecs"][0]["configuration"]["mode"];
    let mode = modes.iter().position(|known| known == mode).unwrap_or_default();
    let choice = u8::try_from(data_type | rank << 2 | mode << 4).expect("six bits");
    Some([vec![choice], edges].concat())
}

/// About how many bytes a chunk decodes to.
fn bytes(document: &Value) -> u64 {
    edges(document).product::<u64>() * item_size(document["data_type"].as_str().unwrap_or(""))
}

/// The edges of a regular grid's chunks.
fn edges(document: &Value) -> impl Iterator<Item = u64> {
    let edges = document["chunk_grid"]["configuration"]["chunk_shape"].as_array();
    edges.into_iter().flatten().filter_map(Value::as_u64)
}

/// The bytes of an item, as the type's name tells them.
fn item_size(data_type: &str) -> u64 {
    data_type.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap_or(8) / 8
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
