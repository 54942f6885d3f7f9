//! The limit of the shards that a read opens at once.

use rectilinear_zarr::read::OpeningShards;

/// Number of shards that are opened before one has to wait, of those with these numbers of inner chunks.
fn opened(shards: impl IntoIterator<Item = u64>) -> usize {
    let mut opening = OpeningShards::default();
    let begin = |chunks: &u64| {
        let has_room = opening.has_room(*chunks);
        opening.begin(*chunks);
        has_room
    };
    shards.into_iter().take_while(begin).count()
}

#[test]
fn sixty_four_shards_are_opened_at_once() {
    assert_eq!(opened([1; 100]), 64);
    assert_eq!(opened([1 << 10; 100]), 64);
}

#[test]
fn fewer_are_opened_whose_chunks_are_many() {
    assert_eq!(opened([1 << 14; 100]), 4);
    assert_eq!(opened([1 << 20; 100]), 1);
    assert_eq!(opened([u64::MAX; 100]), 1);
}

#[test]
fn a_long_shard_among_short_ones_counts_with_its_own_chunks() {
    // On average these have 1,639 inner chunks, of which 39 shards would fit.
    let unequal = (0..40).map(|nth| if nth == 20 { (1 << 16) - 39 } else { 1 });
    assert_eq!(opened(unequal), 40);
    let unequal = (0..40).map(|nth| if nth % 20 == 10 { 1 << 15 } else { 1 });
    assert_eq!(opened(unequal), 30, "the second long one waits");
}

#[test]
fn a_shard_that_was_opened_makes_room() {
    let mut opening = OpeningShards::default();
    opening.begin(1 << 20);
    assert!(!opening.has_room(1));
    opening.end(1 << 20);
    assert_eq!(opening, OpeningShards::default());
    assert!(opening.has_room(1 << 20));
}
