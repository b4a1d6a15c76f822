//! What is noted for a patient of a request about their record: a look, a question, or a refusal; and for whom it is noted.

use crate::ids::{OrganisationId, PatientId, ViewerId};
use crate::reach::Reach;
use alloc::format;
use alloc::string::String;

/// What came of a request, for one patient whom it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Something of the record was given out.
    Shown,
    /// The criteria name the patient, and a number was given.
    Counted,
    /// Criteria of a write, or a conditional reference: that there is such an item, and at most its id.
    Referred,
    /// The criteria name the patient, and nothing was given, or only what is not of this record.
    Withheld,
    /// A read was answered as if there were nothing, or was not permitted.
    ReadRefused,
    /// The same of a write.
    WriteRefused,
}

/// Which line it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noting {
    Look,
    Question,
    Refusal,
}

/// What somebody who asks has to do with a patient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acquaintance {
    /// It is their own record.
    Own,
    /// The patient is registered with a team of the asker's organisation, or the organisation or a team wrote about them.
    Known,
    Stranger,
}

/// The interactions of FHIR's REST API, and what can come of each for a patient. What a Bundle asks for is noted as requests of
/// their own are; an operation is noted as what it tells.
pub const INTERACTIONS: [(&str, &[Outcome]); 14] = [
    ("read", &[Outcome::Shown, Outcome::ReadRefused]),
    ("vread", &[Outcome::Shown, Outcome::ReadRefused]),
    ("history-instance", &[Outcome::Shown, Outcome::ReadRefused]),
    ("history-type", &[Outcome::Shown]),
    ("history-system", &[Outcome::Shown]),
    ("search-type", &[Outcome::Shown, Outcome::Counted, Outcome::Withheld]),
    ("search-system", &[Outcome::Shown, Outcome::Counted, Outcome::Withheld]),
    ("create", &[Outcome::Shown, Outcome::Referred, Outcome::Withheld, Outcome::WriteRefused]),
    ("update", &[Outcome::Referred, Outcome::Withheld, Outcome::WriteRefused]),
    ("patch", &[Outcome::Referred, Outcome::Withheld, Outcome::WriteRefused]),
    ("delete", &[Outcome::Referred, Outcome::Withheld, Outcome::WriteRefused]),
    ("batch", &Outcome::ALL),
    ("transaction", &Outcome::ALL),
    ("operation", &[Outcome::Shown, Outcome::Withheld, Outcome::ReadRefused]),
];

impl Outcome {
    pub const ALL: [Self; 6] =
        [Self::Shown, Self::Counted, Self::Referred, Self::Withheld, Self::ReadRefused, Self::WriteRefused];

    /// The word by which a line says it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Counted => "count",
            Self::Referred => "reference",
            Self::Withheld => "nothing",
            Self::ReadRefused => "read",
            Self::WriteRefused => "write",
        }
    }

    /// Which line it becomes.
    #[must_use]
    pub const fn noting(self) -> Noting {
        match self {
            Self::Shown => Noting::Look,
            Self::Counted | Self::Referred | Self::Withheld => Noting::Question,
            Self::ReadRefused | Self::WriteRefused => Noting::Refusal,
        }
    }
}

/// The line that an outcome leaves for a patient. A look always does; a question or a refusal does not where the asker's
/// organisation has nothing to do with the patient, so that nobody can fill the log of a stranger.
#[must_use]
pub const fn line(outcome: Outcome, asker: Acquaintance) -> Option<Noting> {
    match (outcome.noting(), asker) {
        (Noting::Look, _) => Some(Noting::Look),
        (_, Acquaintance::Stranger) => None,
        (noting, Acquaintance::Own | Acquaintance::Known) => Some(noting),
    }
}

/// What a caller has to do with a patient. `organisations` are those of the caller's teams; `viewers` are the teams and
/// organisations that the patient's sight names.
#[must_use]
pub fn acquaintance(
    reach: &Reach,
    organisations: &[OrganisationId],
    patient: PatientId,
    viewers: &[ViewerId],
) -> Acquaintance {
    if let Some(own) = reach.own() {
        return if own == patient { Acquaintance::Own } else { Acquaintance::Stranger };
    }
    let organisations = organisations.iter().map(|organisation| ViewerId::from(*organisation));
    match reach.viewers().chain(organisations).any(|viewer| viewers.contains(&viewer)) {
        true => Acquaintance::Known,
        false => Acquaintance::Stranger,
    }
}

/// What a line says of a question or a refusal: `count Observation?code&patient`, `read Observation`. The names of parameters
/// are told, never a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inquiry<'t> {
    pub outcome: Outcome,
    /// The type that was asked for, or `*` for several.
    pub of: &'t str,
    /// The names of the parameters, with `&` between them.
    pub parameters: &'t str,
}

impl<'t> Inquiry<'t> {
    #[must_use]
    pub fn text(self) -> String {
        let Self { outcome, of, parameters } = self;
        let mark = if parameters.is_empty() { "" } else { "?" };
        format!("{} {of}{mark}{parameters}", outcome.word())
    }

    /// What a line says, read again.
    #[must_use]
    pub fn read(text: &'t str) -> Option<Self> {
        let (word, what) = text.split_once(' ')?;
        let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.word() == word)?;
        let (of, parameters) = what.split_once('?').unwrap_or((what, ""));
        Some(Self { outcome, of, parameters })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TeamId;
    use alloc::vec;

    const PATIENT: PatientId = PatientId(1);
    const SISTER_TEAM: TeamId = TeamId(11);
    const ORGANISATION: OrganisationId = OrganisationId(20);

    #[test]
    fn a_look_is_always_noted_and_a_question_or_refusal_for_whom_the_asker_knows() {
        for outcome in Outcome::ALL {
            for asker in [Acquaintance::Own, Acquaintance::Known] {
                assert_eq!(line(outcome, asker), Some(outcome.noting()));
            }
            let is_look = outcome == Outcome::Shown;
            assert_eq!(line(outcome, Acquaintance::Stranger).is_some(), is_look, "{outcome:?}");
        }
    }

    #[test]
    fn an_organisation_knows_the_patients_of_all_its_teams_and_a_patient_nobody_but_themselves() {
        let sight = [ViewerId::from(SISTER_TEAM), ViewerId::from(ORGANISATION)];
        let of = |reach: &Reach, organisations: &[OrganisationId]| acquaintance(reach, organisations, PATIENT, &sight);
        let team = Reach::of_teams(vec![TeamId(10)]);
        assert_eq!(of(&team, &[ORGANISATION]), Acquaintance::Known);
        assert_eq!(of(&team, &[OrganisationId(21)]), Acquaintance::Stranger);
        assert_eq!(of(&Reach::of_organisation(ORGANISATION), &[]), Acquaintance::Known);
        assert_eq!(of(&Reach::of_patient(PATIENT), &[]), Acquaintance::Own);
        assert_eq!(of(&Reach::of_patient(PatientId(2)), &[]), Acquaintance::Stranger);
        assert_eq!(of(&Reach::of_directories(), &[]), Acquaintance::Stranger);
    }

    #[test]
    fn what_a_line_says_is_read_as_it_was_written() {
        for outcome in Outcome::ALL {
            for (of, parameters) in [("Observation", "code&patient.identifier"), ("*", ""), ("Patient", "_id")] {
                let inquiry = Inquiry { outcome, of, parameters };
                assert_eq!(Inquiry::read(&inquiry.text()), Some(inquiry));
            }
        }
        assert_eq!(Inquiry::read("DocumentReference/1"), None);
        assert_eq!(Inquiry::read("peek Observation"), None);
    }

    #[test]
    fn every_interaction_says_what_can_come_of_it() {
        for (at, (name, outcomes)) in INTERACTIONS.iter().enumerate() {
            assert!(!outcomes.is_empty(), "{name}");
            assert!(INTERACTIONS.iter().skip(at + 1).all(|(other, _)| other != name), "{name} is listed twice");
        }
    }
}
