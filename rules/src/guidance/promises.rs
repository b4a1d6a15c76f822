//! What an app may do, in words for the person who decides about it: the parts of a record that it reads, those that it writes, and
//! what it may do besides. Only what is served and permitted to the scope is said, and all of it: no page promises what is not there,
//! or is silent of what is.

use super::record_parts::RecordPart;
use super::served::{Interaction, Served};
use crate::consent::caller::CallerKind;
use crate::reach::{may_query_read_receipts, may_write};
use crate::scope::Scope;
use alloc::string::String;
use alloc::vec::Vec;

/// Something that an app may do besides reading and writing records: operations, and what is said of them.
#[derive(Debug)]
struct Deed {
    operations: &'static [&'static str],
    is_for: fn(Scope) -> bool,
    sentence: &'static str,
}

const DEEDS: [Deed; 4] = [
    Deed {
        operations: &["meta-add", "meta-delete"],
        is_for: |scope| may_write(Some(scope)),
        sentence: "Change privacy labels, which decide who sees what.",
    },
    Deed {
        operations: &["read-receipt-query"],
        is_for: |scope| may_query_read_receipts(Some(scope)),
        sentence: "Check whether patients have opened the letters that were sent to them.",
    },
    Deed {
        operations: &["status-query"],
        is_for: |scope| may_query_read_receipts(Some(scope)),
        sentence: "Ask whether patients have an account here.",
    },
    Deed {
        operations: &["break-glass", "mend-glass"],
        is_for: |scope| {
            let kind = match scope {
                Scope::Patient => CallerKind::OwnRecord,
                Scope::Clinician => CallerKind::TeamClinician,
                Scope::TeamCoord => CallerKind::TeamCoord,
                Scope::Site => CallerKind::Site,
            };
            kind.may_break_glass()
        },
        sentence: "In an emergency, if the team may: open all of a patient’s record for thirty minutes. The patient is told.",
    },
];

/// Of a scope that may not write.
const LOOKS_ONLY: &str = "It cannot add anything else to these records or change them.";

/// What is said of an app that can do nothing yet.
const NOTHING: &str = "do nothing so far";

/// What is said together, under a heading of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromiseGroup {
    pub heading: &'static str,
    pub sentences: Vec<String>,
}

/// All that an app of a scope may do.
#[derive(Debug)]
pub struct Promises {
    scope: Scope,
    reads: Vec<RecordPart>,
    writes: Vec<RecordPart>,
    deeds: Vec<&'static Deed>,
}

impl Promises {
    #[must_use]
    pub fn of(scope: Scope, served: &Served) -> Self {
        let does = |part: &RecordPart, writes: bool| {
            let mut all = served.all.iter().filter(|(what, _)| !matches!(what, Interaction::Operation(..)));
            all.any(|(what, of)| *of != Served::SYSTEM && what.is_write() == writes && served.part(of) == *part)
        };
        let is_served = |deed: &&Deed| deed.operations.iter().any(|code| served.operation(code).next().is_some());
        let parts = || RecordPart::ALL.into_iter();
        Self {
            scope,
            reads: parts().filter(|part| part.is_read_by(scope) && does(part, false)).collect(),
            writes: parts().filter(|part| part.is_written_by(scope) && does(part, true)).collect(),
            deeds: DEEDS.iter().filter(|deed| (deed.is_for)(scope) && is_served(deed)).collect(),
        }
    }

    /// Whether something that is said tells of this interaction with this part. An operation that has no sentence of its own tells of
    /// what its caller may read.
    #[must_use]
    pub fn cover(&self, interaction: Interaction, part: RecordPart) -> bool {
        match interaction {
            Interaction::Operation(code, _) if DEEDS.iter().any(|deed| deed.operations.contains(&code)) => {
                self.deeds.iter().any(|deed| deed.operations.contains(&code))
            }
            write if write.is_write() => self.writes.contains(&part),
            _ => self.reads.contains(&part),
        }
    }

    /// For the page on which it is decided.
    #[must_use]
    pub fn groups(&self) -> Vec<PromiseGroup> {
        let is_own = self.scope == Scope::Patient;
        let listed = |parts: &[RecordPart], words: fn(RecordPart) -> &'static str| {
            parts.iter().map(|part| sentence(words(*part))).collect::<Vec<_>>()
        };
        let reads = match is_own {
            true => "Read the record that you choose",
            false => "Read the records of the team’s patients, as far as they are open to the team",
        };
        let writes = match is_own {
            true => "Add to that record in your name, and change what you added",
            false => "Add to these records in the name of the team, and change what the team added",
        };
        let mut besides: Vec<String> = self.deeds.iter().map(|deed| deed.sentence.into()).collect();
        if !may_write(Some(self.scope)) && !self.reads.is_empty() {
            besides.push(LOOKS_ONLY.into());
        }
        let groups = [
            PromiseGroup { heading: reads, sentences: listed(&self.reads, RecordPart::words) },
            PromiseGroup { heading: writes, sentences: listed(&self.writes, RecordPart::written_words) },
            PromiseGroup { heading: "Besides", sentences: besides },
        ];
        groups.into_iter().filter(|group| !group.sentences.is_empty()).collect()
    }

    /// The same in a few words, which complete "It may …".
    #[must_use]
    pub fn brief(&self) -> String {
        let is_own = self.scope == Scope::Patient;
        let record = if is_own { "your record" } else { "the records of the team’s patients" };
        let adds = self.writes.iter().any(|part| !matches!(part, RecordPart::Sharing));
        let shares = self.writes.contains(&RecordPart::Sharing);
        let all = [
            (!self.reads.is_empty(), ["read ", record].concat()),
            (adds, ["add to ", if is_own { "it" } else { "them" }].concat()),
            (shares, ["change with whom ", if is_own { "it is" } else { "they are" }, " shared"].concat()),
        ];
        let all: Vec<String> = all.into_iter().filter(|(is, _)| *is).map(|(_, words)| words).collect();
        match all.split_last() {
            None => NOTHING.into(),
            Some((only, [])) => only.clone(),
            Some((last, others)) => [&others.join(", "), " and ", last].concat(),
        }
    }
}

/// Words as a sentence of a list.
fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let first: String = characters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    [&first, characters.as_str(), "."].concat()
}

/// Heads what is said where the app has named no scope.
pub const BY_WHO_YOU_ARE: &str = "It depends on who you are";

/// Begins a sentence about a scope where the app has named none: what the user is decides.
#[must_use]
pub const fn if_you_are(scope: Scope) -> &'static str {
    match scope {
        Scope::Patient => "If you are a patient",
        Scope::Clinician => "If you are a clinician",
        Scope::TeamCoord | Scope::Site => "If you are a Team Coordinator",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guidance::served::Level;

    const READ_RECEIPTS: Interaction = Interaction::Operation("read-receipt-query", Level::Type);

    const LETTERS: [(Interaction, &str); 5] = [
        (Interaction::Read, "Patient"),
        (Interaction::Read, "DocumentReference"),
        (Interaction::Read, "Binary"),
        (Interaction::Create, "DocumentReference"),
        (READ_RECEIPTS, "DocumentReference"),
    ];

    fn said(scope: Scope, served: &Served) -> String {
        let groups = Promises::of(scope, served).groups();
        groups.into_iter().flat_map(|group| group.sentences).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_not_served_is_not_promised() {
        let (none, letters): (Served, Served) = (Served::default(), LETTERS.into_iter().collect());
        for scope in Scope::ALL {
            assert!(Promises::of(scope, &none).groups().is_empty());
            assert_eq!(Promises::of(scope, &none).brief(), NOTHING);
            assert!(said(scope, &letters).contains("Letters, documents"));
            assert!(!said(scope, &letters).contains("Test results"), "{scope:?}");
        }
        let more: Served = LETTERS.into_iter().chain([(Interaction::Read, "Observation")]).collect();
        assert!(said(Scope::Patient, &more).contains("Test results"));
    }

    #[test]
    fn what_a_scope_may_not_do_is_not_promised() {
        let served: Served = LETTERS.into_iter().collect();
        assert!(!said(Scope::Patient, &served).contains("Check whether"));
        let coordinator = Promises::of(Scope::TeamCoord, &served);
        assert!(coordinator.writes.is_empty() && said(Scope::TeamCoord, &served).ends_with(LOOKS_ONLY));
        assert!(Promises::of(Scope::Clinician, &served).cover(Interaction::Update, RecordPart::Files));
        assert!(said(Scope::Site, &served).contains("Check whether"));
    }

    /// The log is the patient's own, and nobody's to write; who shares is everybody's to write, by rules of its own.
    #[test]
    fn what_is_special_is_said_of_those_whose_it_is() {
        let all =
            [(Interaction::Search, "AuditEvent"), (Interaction::Create, "Consent"), (Interaction::Create, "Patient")];
        let served: Served = all.into_iter().collect();
        for scope in Scope::ALL {
            let promises = Promises::of(scope, &served);
            assert_eq!(promises.cover(Interaction::Search, RecordPart::Log), scope == Scope::Patient);
            assert!(promises.cover(Interaction::Create, RecordPart::Sharing), "{scope:?}");
            assert!(!promises.cover(Interaction::Create, RecordPart::Details), "{scope:?}");
        }
    }

    #[test]
    fn few_words_make_one_list() {
        let served: Served = LETTERS.into_iter().chain([(Interaction::Create, "Consent")]).collect();
        let of = |scope| Promises::of(scope, &served).brief();
        assert_eq!(of(Scope::Patient), "read your record, add to it and change with whom it is shared");
        let wanted = "read the records of the team’s patients and change with whom they are shared";
        assert_eq!(of(Scope::TeamCoord), wanted);
        let one: Served = LETTERS.into_iter().take(1).collect();
        assert_eq!(Promises::of(Scope::Patient, &one).brief(), "read your record");
    }
}
