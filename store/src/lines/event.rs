//! What a line of the ledger tells of.

/// What happened. The number is what is written down, and stands for the same for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Event {
    Granted = 1,
    CodeRedeemed = 2,
    Refreshed = 3,
    Revoked = 4,
    OrganisationGranted = 5,
    OrganisationWithdrawn = 6,
    DocumentRead = 7,
    Accessed = 8,
    /// A commit that nobody acknowledged was found not to have happened, and can no longer happen.
    GivenUp = 9,
    /// A change whose caller was told to try again was taken back.
    Undone = 10,
    /// The lines of a month that was closed were dropped.
    MonthDropped = 64,
}

const EVENTS: [(Event, &str); 11] = [
    (Event::Granted, "granted"),
    (Event::CodeRedeemed, "code-redeemed"),
    (Event::Refreshed, "refreshed"),
    (Event::Revoked, "revoked"),
    (Event::OrganisationGranted, "organisation-granted"),
    (Event::OrganisationWithdrawn, "organisation-withdrawn"),
    (Event::DocumentRead, "document-read"),
    (Event::Accessed, "accessed"),
    (Event::GivenUp, "given-up"),
    (Event::Undone, "undone"),
    (Event::MonthDropped, "month-dropped"),
];

impl Event {
    /// Every event, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        EVENTS.into_iter().map(|(event, _)| event)
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        EVENTS.into_iter().find(|(event, _)| *event == self).map_or("", |(_, word)| word)
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        EVENTS.into_iter().find(|(_, known)| *known == word).map(|(event, _)| event)
    }

    pub(crate) const fn number(self) -> u8 {
        self as u8
    }

    pub(crate) fn numbered(number: u8) -> Option<Self> {
        Self::all().find(|event| event.number() == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_event_has_a_number_and_a_word_of_its_own() {
        let numbers: HashSet<u8> = Event::all().map(Event::number).collect();
        let words: HashSet<&str> = Event::all().map(Event::word).collect();
        assert_eq!((numbers.len(), words.len()), (EVENTS.len(), EVENTS.len()));
        for event in Event::all() {
            assert_eq!(Event::numbered(event.number()), Some(event));
            assert_eq!(Event::named(event.word()), Some(event));
        }
        assert_eq!((Event::numbered(0), Event::named("")), (None, None));
    }
}
