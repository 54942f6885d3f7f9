//! Things by number: some hundreds at most, which mostly come and go in the order of their numbers. For all types together,
//! such lists are much smaller in the module than hash tables.
//!
//! Invariant: the numbers are in ascending order, and no number is there twice.

/// A list of things, each with its number. Things are boxed, so that lists of different types compile to one code.
#[derive(Debug)]
pub struct NumberedList<T>(Vec<(u64, Box<T>)>);

impl<T> Default for NumberedList<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> NumberedList<T> {
    /// Whether nothing is in the list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of things.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a thing under a number that no other thing has.
    pub fn insert(&mut self, number: u64, thing: T) {
        self.add(number, Box::new(thing));
    }

    /// Returns the thing with a number.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<&T> {
        self.find(number).ok().map(|place| &*self.0[place].1)
    }

    /// Returns the thing with a number, to be changed.
    pub fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.find(number).ok().map(|place| &mut *self.0[place].1)
    }

    /// Takes the thing with a number out of the list.
    pub fn remove(&mut self, number: u64) -> Option<T> {
        self.take(number).map(|thing| *thing)
    }

    /// All things with their numbers, in the order of the numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.0.iter().map(|(number, thing)| (*number, &**thing))
    }

    #[inline(never)]
    fn add(&mut self, number: u64, thing: Box<T>) {
        let (Ok(place) | Err(place)) = self.find(number);
        self.0.insert(place, (number, thing));
    }

    #[inline(never)]
    fn take(&mut self, number: u64) -> Option<Box<T>> {
        let place = self.find(number).ok()?;
        Some(self.0.remove(place).1)
    }

    #[inline(never)]
    fn find(&self, number: u64) -> Result<usize, usize> {
        self.0.binary_search_by_key(&number, |(found, _)| *found)
    }
}
