//! The least-recently-used cache against a slow twin: a list, searched from the end.

use std::borrow::Cow;
use std::rc::Rc;

use fastrand::Rng;
use rectilinear_zarr::output::Decoded;
use rectilinear_zarr::read::Lru;

/// Cost of each entry beside its bytes.
const ENTRY: usize = 256;

type Chunk = Rc<Option<Decoded<'static>>>;

fn chunk(bytes: usize) -> Chunk {
    Rc::new(Some(Decoded {
        bytes: Cow::Owned(vec![1; bytes]),
        strides: vec![1],
        heap: Cow::Owned(Vec::new()),
        reversed: None,
    }))
}

#[test]
fn the_least_recently_used_goes_first_and_the_limit_holds() {
    let mut rng = Rng::with_seed(7);
    let limit = 10 * ENTRY;
    let mut cache = Lru::new(limit);
    // Oldest first: (coordinates, cost).
    let mut twin: Vec<(u64, usize)> = Vec::new();
    for _ in 0..20_000 {
        let coord = rng.u64(0..24);
        let held = twin.iter().position(|(held, _)| *held == coord);
        if rng.bool() {
            assert_eq!(cache.get(&[coord]).is_some(), held.is_some());
            if let Some(held) = held {
                let entry = twin.remove(held);
                twin.push(entry);
            }
            continue;
        }
        let bytes = rng.usize(0..3 * ENTRY);
        let missing = rng.u8(0..4) == 0;
        let kept = if missing { Rc::new(None) } else { chunk(bytes) };
        cache.put(&[coord], Rc::clone(&kept), kept.as_ref().as_ref().map_or(0, Decoded::size));
        if let Some(held) = held {
            twin.remove(held);
        }
        twin.push((coord, ENTRY + if missing { 0 } else { bytes }));
        while twin.iter().map(|(_, cost)| cost).sum::<usize>() > limit {
            twin.remove(0);
        }
        assert_eq!(cache.used(), twin.iter().map(|(_, cost)| cost).sum::<usize>());
    }
}

#[test]
fn what_is_larger_than_the_limit_displaces_nothing() {
    let mut cache = Lru::new(2 * ENTRY);
    cache.put(&[1], chunk(ENTRY), ENTRY);
    cache.put(&[2], chunk(ENTRY + 1), ENTRY + 1);
    assert!(cache.get(&[1]).is_some() && cache.get(&[2]).is_none());
    let mut off: Lru<Chunk> = Lru::new(0);
    off.put(&[1], Rc::new(None), 0);
    assert!(off.limit() == 0 && off.get(&[1]).is_none());
}
