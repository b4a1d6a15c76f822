//! People one after the other, without end and without any of them being kept.

use crate::person::Person;

/// The people of one seed, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Population {
    seed: u64,
    next: u64,
    carer: String,
}

impl Population {
    /// The people of a seed, all cared for by `carer`.
    #[must_use]
    pub fn of(seed: u64, carer: &str) -> Self {
        Self { seed, next: 0, carer: carer.into() }
    }
}

impl Iterator for Population {
    type Item = Person;

    fn next(&mut self) -> Option<Person> {
        let person = Person::drawn(self.seed, self.next, &self.carer);
        self.next = self.next.checked_add(1)?;
        Some(person)
    }
}
