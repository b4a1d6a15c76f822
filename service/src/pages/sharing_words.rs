//! Sharing in the words of the pages: labels with what they open, consents, and why a change was refused.

use crate::formats::when;
use crate::formats::zone::Zone;
use crate::interactions::consents::label_counts::LabelCounts;
use crate::views::sharing::{LabelChoice, LabelText, SharingCell, SharingRow};
use crate::views::words;
use crate::voices::api::ApiStop;
use crate::voices::page::PageStop;
use rules::answers::Refusal;
use rules::labels::Label;
use rules::params::Params;
use rules::rest_errors::RestError;
use views::kinds::consent::{ActorType, ConsentReason, ConsentStanding, ConsentView};

/// Each label with how much of the record it is.
pub(super) fn labels(counts: LabelCounts) -> Vec<LabelText> {
    Label::ALL.map(|label| LabelText { name: label.words(), items: items(counts.of_label(label)) }).to_vec()
}

/// The same to be ticked.
pub(super) fn choices(counts: LabelCounts, ticked: &[Label]) -> Vec<LabelChoice> {
    let choice = |label: Label| LabelChoice {
        code: label.code(),
        name: label.words(),
        items: items(counts.of_label(label)),
        is_ticked: ticked.contains(&label),
    };
    Label::ALL.map(choice).to_vec()
}

fn items(count: i64) -> String {
    match count {
        0 => "nothing yet".into(),
        1 => "1 item".into(),
        _ => format!("{count} items"),
    }
}

/// The labels that were ticked in a form.
pub(super) fn ticked(params: &Params<'_>) -> Vec<Label> {
    Label::ALL.into_iter().filter(|label| params.get(label.code()).is_some()).collect()
}

/// The labels that a consent has.
pub(super) fn granted(consent: &ConsentView) -> Vec<Label> {
    let granted = [
        (Label::GeneralHealth, consent.general),
        (Label::MentalHealth, consent.mental),
        (Label::SexualHealth, consent.sexual),
        (Label::SocialCare, consent.social),
    ];
    granted.into_iter().filter(|(_, granted)| *granted == Some(true)).map(|(label, _)| label).collect()
}

/// A consent that wants these labels and no others.
pub(super) fn with_labels(consent: ConsentView, labels: &[Label]) -> ConsentView {
    let wants = |label: Label| Some(labels.contains(&label));
    ConsentView {
        general: wants(Label::GeneralHealth),
        mental: wants(Label::MentalHealth),
        sexual: wants(Label::SexualHealth),
        social: wants(Label::SocialCare),
        ..consent
    }
}

pub(super) fn row(consent: &ConsentView, change: String, zone: &Zone) -> SharingRow {
    let granted = granted(consent);
    let cell = |label: Label| SharingCell { label: label.words(), is_shared: granted.contains(&label) };
    SharingRow {
        name: consent.actor_name.0.clone().unwrap_or_default(),
        kind: match consent.actor_type {
            ActorType::Team => "Team",
            ActorType::Professional => "Professional",
            ActorType::Carer => "Carer",
        },
        cells: Label::ALL.map(cell).to_vec(),
        about: about(consent, zone),
        change,
    }
}

/// Since when, on what it rests, and what else is to be known of it.
fn about(consent: &ConsentView, zone: &Zone) -> Vec<String> {
    let day = |text: &str| when::of_instant(text).map(|moment| zone.day(moment));
    let since = consent.date_added.0.as_deref().and_then(day).map(|day| format!("Since {day}"));
    let why = consent.reason.map(|reason| reason_words(reason).to_owned());
    let why = why.map(|why| match consent.reason_text.as_deref().filter(|text| !text.trim().is_empty()) {
        Some(text) => format!("{why}: {text}"),
        None => why,
    });
    let state = consent.state.0.and_then(|state| match state {
        ConsentStanding::Pending => Some("They have not accepted the invitation yet"),
        ConsentStanding::Discharged => Some("Their care has ended"),
        ConsentStanding::Ended => Some("It is over"),
        ConsentStanding::Active => None,
    });
    let ends = consent.ends_at.as_ref().and_then(|end| day(&end.0)).map(|day| format!("Ends on {day}"));
    let manages = consent.manages == Some(true);
    let manages = manages.then(|| "Decides with whom else these items are shared".to_owned());
    let locked = consent.professional_edit_only == Some(true);
    let locked = locked.then(|| "Locked: only professionals can change it".to_owned());
    [since, why, state.map(String::from), ends, manages, locked].into_iter().flatten().collect()
}

/// What ending it comes to. Only professionals end a team's care.
pub(super) fn end(consent: &ConsentView) -> String {
    let name = consent.actor_name.0.as_deref().unwrap_or_default();
    match consent.actor_type {
        ActorType::Team => format!(
            "{name} sees from then on what it wrote itself, your name and your contact details, and nothing else. It is told, and you can share again at any time."
        ),
        ActorType::Professional | ActorType::Carer => {
            format!("{name} loses access at once, and is told. You can share again at any time.")
        }
    }
}

const fn reason_words(reason: ConsentReason) -> &'static str {
    match reason {
        ConsentReason::PatientConsented => "You agreed",
        ConsentReason::Referral => "You were referred to them",
        ConsentReason::InTreatment => "They treat you",
        ConsentReason::CourtOrder => "A court ordered it",
        ConsentReason::Parent => "A parent’s decision",
        ConsentReason::Other => "Another reason",
    }
}

/// What a change that was refused tells the person; trouble goes on.
pub(super) fn refused(stop: ApiStop) -> Result<String, PageStop> {
    match stop {
        ApiStop::Refusal(Refusal::Denied(denial)) => Ok(words::sentence(&denial.message())),
        ApiStop::Rest(RestError::Unprocessable(_)) => {
            Ok("This cannot be shared like that. Check what you chose, and try again.".into())
        }
        other => Err(other.into()),
    }
}
