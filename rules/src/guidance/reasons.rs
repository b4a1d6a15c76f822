//! Why something is seen or is not: the steps of a decision, a sentence each. Nothing here decides; it says what was decided.

use crate::calendar::{Day, instant};
use crate::consent::decision::{Decision, Finding, RightStep};
use crate::consent::missing::Missing;
use crate::consent::situation::Situation;
use crate::labels::{Labels, Needs};
use crate::right::Right;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Every step of a decision in its order, and at the end what it comes to. `viewer` is a name, such as "the Sleep Clinic".
#[must_use]
pub fn steps(decision: &Decision, viewer: &str) -> Vec<String> {
    let asked = decision.steps.iter().filter(|step| step.finding != Finding::NotAsked);
    let mut told: Vec<String> = asked.map(|step| sentence(step, viewer)).collect();
    told.push(match (decision.right(), decision.missing()) {
        (Some(Right::Directory), _) => "seen: it is in nobody's record, and there for everybody".into(),
        (Some(right), _) => format!("seen, by the right {}", right.word()),
        (None, Some(missing)) => format!("not seen: {}", lack(missing, viewer)),
        (None, None) => "not seen".into(),
    });
    told
}

fn sentence(step: &RightStep, viewer: &str) -> String {
    let right = step.right.word();
    match step.finding {
        Finding::Holds(_) => format!("{right}: yes, {}", holding(step.right, viewer)),
        Finding::Lacks(missing) => format!("{right}: no, {}", lack(missing, viewer)),
        Finding::NotAsked => format!("{right}: not asked"),
    }
}

fn holding(right: Right, viewer: &str) -> String {
    match right {
        Right::Own => "the session is about this record, and its user is the patient".into(),
        Right::Source => format!("{viewer} made it"),
        Right::Participant => format!("{viewer} takes part in it"),
        Right::Consent => format!("the patient shares with {viewer} what it needs"),
        Right::Glass => format!("{viewer} broke the glass for this patient"),
        Right::Directory => "it is in nobody's record".into(),
    }
}

fn lack(missing: Missing, viewer: &str) -> String {
    match missing {
        Missing::OtherRecord => "it is not in the own record of the session".into(),
        Missing::NotMade => format!("{viewer} did not make it"),
        Missing::NoPart => format!("{viewer} takes no part in it"),
        Missing::NoAssociation => format!("nothing ties {viewer} to the patient"),
        Missing::RecordClosed => format!("the record is closed to {viewer}: no label is held, or it is frozen"),
        Missing::Ended(end) => format!("the consent was over at {}", instant(end)),
        Missing::Labels { needs, held } => {
            format!("it needs {}, and {viewer} holds {}", needed(needs), words(held))
        }
        Missing::SelfOnly => "it is for the patient alone".into(),
        Missing::Draft => "it is a draft, which its author alone sees".into(),
        Missing::Private => "it is a private message, which its participants and the patient alone see".into(),
        Missing::Delayed(delay) => format!("it is kept back until {}", Day::of(delay.until).text()),
        Missing::NoGlass => "no glass is broken for this patient".into(),
    }
}

fn needed(needs: Needs) -> String {
    if needs == Needs::ALL { "all four labels".into() } else { words(Labels(needs.0)) }
}

fn words(labels: Labels) -> String {
    if labels.is_none() { "no label".into() } else { labels.codes() }
}

/// What a situation answers by, for whoever asks why: the code, or that it is shown.
#[must_use]
pub fn outcome(situation: &Situation) -> String {
    match situation.denial() {
        None => "shown".into(),
        Some(denial) => format!("{} {}: {}", denial.status(), denial.code(), denial.message()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::decision::sees;
    use crate::consent::item::ItemFacts;
    use crate::consent::standing::Standing;
    use crate::consent::viewer::Viewer;
    use crate::ids::{OrganisationId, PatientId, TeamId};
    use crate::moment::Moment;
    use crate::sight::Sight;
    use crate::source::Source;

    const AMINA: PatientId = PatientId(1);
    const CLINIC: TeamId = TeamId(11);

    fn told(labels: i64, ends_at: Option<Moment>) -> Vec<String> {
        let viewer = Viewer::Teams { teams: &[CLINIC], user: None, glass: None };
        let item = ItemFacts::new(&[AMINA], Needs(2), Source::Organisation(OrganisationId(20)));
        let sight = Sight { viewer: CLINIC.into(), patient: AMINA, labels: Labels(labels), ends_at };
        steps(&sees(&viewer, &item, &[Standing { sight, stays: true }], Moment(1000)), "the Sleep Clinic")
    }

    #[test]
    fn every_right_is_told_up_to_the_one_that_holds() {
        let open = told(3, None);
        assert_eq!(open.len(), 5, "{open:?}");
        assert_eq!(open[1], "source: no, the Sleep Clinic did not make it");
        assert_eq!(open[3], "consent: yes, the patient shares with the Sleep Clinic what it needs");
        assert_eq!(open[4], "seen, by the right consent");
    }

    #[test]
    fn the_part_that_is_missing_is_told_last() {
        let wanted = "not seen: it needs MENTAL_HEALTH, and the Sleep Clinic holds GENERAL_HEALTH";
        assert_eq!(told(1, None).last().map(String::as_str), Some(wanted));
        let over = "not seen: the consent was over at 1970-01-01T00:00:01.000Z";
        assert_eq!(told(3, Some(Moment(1000))).last().map(String::as_str), Some(over));
        assert_eq!(told(3, Some(Moment(1001))).last().map(String::as_str), Some("seen, by the right consent"));
    }

    #[test]
    fn what_a_caller_hears_is_told_with_its_code() {
        assert_eq!(outcome(&Situation::Seen), "shown");
        assert!(outcome(&Situation::GlassInvalid).starts_with("403 BTG_INVALID: the token in the header"));
    }
}
