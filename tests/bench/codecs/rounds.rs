//! Decodes an array's chunks once for each line that comes in, and answers each with its milliseconds and the bytes that
//! came of it: `rounds PLACES VALUES CODECS`, where codecs such as `unshuffle 4` are a plain loop in place of the package's.

use std::io::Write;
use std::time::Instant;

use rectilinear_zarr_bench_codecs::Chunks;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [places, values, codecs] = arguments.as_slice() else {
        return Err("usage: rounds PLACES VALUES CODECS".into());
    };
    let plain = codecs.strip_prefix("unshuffle ");
    let codecs = if plain.is_some() { "" } else { codecs };
    let chunks = Chunks::new(&std::fs::read_to_string(places)?, &std::fs::read(values)?, codecs)?;
    let mut answers = std::io::stdout();
    for line in std::io::stdin().lines() {
        line?;
        let started = Instant::now();
        let bytes = match plain {
            Some(item_size) => chunks.unshuffle(item_size)?,
            None => chunks.decode()?,
        };
        writeln!(answers, "{} {bytes}", started.elapsed().as_secs_f64() * 1000.0)?;
    }
    Ok(())
}
