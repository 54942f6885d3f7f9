//! Lists of things by number against the standard library's map.

use std::collections::BTreeMap;

use rectilinear_zarr::network::NumberedList;

/// Numbers that come and go in any order are found as a map finds them, and listed in their order.
#[test]
fn it_holds_what_a_map_holds() {
    let mut random = fastrand::Rng::with_seed(11);
    let (mut list, mut map) = (NumberedList::default(), BTreeMap::new());
    for step in 0..5_000_u64 {
        let number = random.u64(0..60);
        match random.u8(0..3) {
            0 if !map.contains_key(&number) => {
                map.insert(number, step);
                list.insert(number, step);
            }
            1 => assert_eq!(list.remove(number), map.remove(&number)),
            _ => {
                if let Some(thing) = list.get_mut(number) {
                    *thing += 1;
                }
                map.entry(number).and_modify(|thing| *thing += 1);
            }
        }
        assert_eq!(list.get(number), map.get(&number));
        assert!(list.iter().eq(map.iter().map(|(&number, thing)| (number, thing))));
        assert_eq!((list.len(), list.is_empty()), (map.len(), map.is_empty()));
    }
}
