//! Any bytes as one of the files of Icechunk's that a chunk needs, without compression, after a byte that says which; what
//! opens tells of documents, chunks and its history.
#![no_main]

use rectilinear_zarr::source::{Resolution, system};
use rectilinear_zarr_fuzz::{ICECHUNK, bounded, icechunk_files};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((choice, content)) = input.split_first() else { return };
    let kind = ICECHUNK[usize::from(*choice) % ICECHUNK.len()];
    let files = icechunk_files();
    bounded(input.len(), || {
        let mut found = system("icechunk", &Default::default()).expect("a system");
        let looks: [&dyn Fn(
            &mut dyn rectilinear_zarr::source::VirtualStore,
        ) -> rectilinear_zarr::Result<Resolution>; 6] = [
            &|system| system.find("zarr.json"),
            &|system| system.find("t2m/c/0/0/0"),
            &|system| system.find("surface/wind/c/1/1"),
            &|system| system.find("surface/deep/er/scalar/c"),
            &|system| system.answer("snapshots"),
            &|system| system.answer("refs"),
        ];
        for look in looks {
            // A repository, a snapshot, a manifest.
            for _ in 0..4 {
                let Ok(Resolution::Needs(needs)) = look(&mut *found) else { break };
                assert!(needs.len() <= 2, "few files at once");
                for need in needs {
                    let file = files.get(&need.url).map(|file| match need.url.starts_with(kind) {
                        true => [&file[..39], content].concat(),
                        false => file.clone(),
                    });
                    let _ = found.tell(need.number, file.as_deref());
                }
            }
        }
    });
});
