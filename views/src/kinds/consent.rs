//! A consent: what one patient has opened to one team, professional or carer, and what an app wants of it.

use crate::members::date::Instant;
use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::member::{Body, Member, is_object};
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::schema::{JsonSchema, sent_object};
use crate::members::words::words;
use fhir::json::Node;
use rules::consent::basis::{Basis, BasisKind, Reason};
use rules::consent::change::{End, LabelChange, WantedConsent};
use rules::consent::record::Consent;
use rules::labels::{Label, Labels};
use rules::moment::Moment;
use rules::rest_faults::{ShapeFault, ValueFault};
use serde_json::Value;

words! {
    /// To whom it is given.
    pub enum ActorType {
        Team = "TEAM",
        Professional = "PROFESSIONAL",
        Carer = "CARER",
    }
}

words! {
    pub enum ConsentBasis {
        Explicit = "EXPLICIT",
        Implied = "IMPLIED",
    }
}

words! {
    pub enum ConsentReason {
        PatientConsented = "PATIENT_CONSENTED",
        Referral = "REFERRAL",
        InTreatment = "IN_TREATMENT",
        CourtOrder = "COURT_ORDER",
        Parent = "PARENT",
        Other = "OTHER",
    }
}

words! {
    pub enum ConsentStanding {
        Pending = "PENDING",
        Active = "ACTIVE",
        Discharged = "DISCHARGED",
        Ended = "ENDED",
    }
}

json_body! {
    /// The first five members and their reasons are those of the public record.
    pub struct ConsentView {
        "id" => id: Made<String>,
        "generalHealthConsentGranted" => general: Option<bool>,
        "mentalHealthConsentGranted" => mental: Option<bool>,
        "sexualHealthConsentGranted" => sexual: Option<bool>,
        "socialCareConsentGranted" => social: Option<bool>,
        "generalHealthConsentGrantedReason" => general_reason: Option<ConsentReason>,
        "generalHealthConsentGrantedReasonText" => general_text: Option<String>,
        "mentalHealthConsentGrantedReason" => mental_reason: Option<ConsentReason>,
        "mentalHealthConsentGrantedReasonText" => mental_text: Option<String>,
        "sexualHealthConsentGrantedReason" => sexual_reason: Option<ConsentReason>,
        "sexualHealthConsentGrantedReasonText" => sexual_text: Option<String>,
        "socialCareConsentGrantedReason" => social_reason: Option<ConsentReason>,
        "socialCareConsentGrantedReasonText" => social_text: Option<String>,
        "patientId" => patient_id: Option<String>,
        "actorType" => actor_type: ActorType,
        "actorId" => actor_id: Option<String>,
        "actorEmail" => actor_email: Option<String>,
        "actorName" => actor_name: Made<Option<String>>,
        "discharged" => discharged: Option<bool>,
        "professionalEditOnly" => professional_edit_only: Option<bool>,
        "manages" => manages: Option<bool>,
        "basis" => basis: Option<ConsentBasis>,
        "reason" => reason: Option<ConsentReason>,
        "reasonText" => reason_text: Option<String>,
        "endsAt" => ends_at: Option<Instant>,
        "state" => state: Made<Option<ConsentStanding>>,
        "dateAdded" => date_added: Made<Option<String>>,
        "dateUpdated" => date_updated: Made<Option<String>>,
    }
}

json_body! {
    /// What is sent of a consent beside its own members.
    pub struct Attestation {
        /// The user of the team who attests it, for SITE.
        "userId" => user_id: Option<String>,
    }
}

/// A consent as it was sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentConsent {
    pub consent: ConsentView,
    pub attestation: Attestation,
}

/// What is known of a consent beside what the rules know.
#[derive(Clone, Debug)]
pub struct ConsentNames<'n> {
    /// The id of the Patient.
    pub patient: &'n str,
    pub actor: &'n str,
    pub actor_name: &'n str,
    /// The address by which a carer was invited, told to whoever did.
    pub actor_email: Option<&'n str>,
    pub ends_at: Option<String>,
    pub date_added: String,
    pub date_updated: String,
}

impl ConsentView {
    /// A consent as it is at a moment.
    #[must_use]
    pub fn of(consent: &Consent, names: ConsentNames<'_>, now: Moment) -> Self {
        let granted = |label: Label| Some(consent.labels.has(label));
        let basis = consent.basis.as_ref();
        let reason = basis.and_then(|basis| ConsentReason::named(basis.reason.code()));
        let text = basis.and_then(|basis| basis.text.clone());
        Self {
            id: Made(consent.id.to_string()),
            general: granted(Label::GeneralHealth),
            mental: granted(Label::MentalHealth),
            sexual: granted(Label::SexualHealth),
            social: granted(Label::SocialCare),
            general_reason: reason,
            general_text: text.clone(),
            mental_reason: reason,
            mental_text: text.clone(),
            sexual_reason: reason,
            sexual_text: text.clone(),
            social_reason: reason,
            social_text: text.clone(),
            patient_id: Some(names.patient.into()),
            actor_type: ActorType::named(consent.grantee.word()).unwrap_or_default(),
            actor_id: Some(names.actor.into()),
            actor_email: names.actor_email.map(String::from),
            actor_name: Made(Some(names.actor_name.into())),
            discharged: Some(consent.discharged),
            professional_edit_only: Some(consent.locked.is_some()),
            manages: Some(consent.manages),
            basis: basis.and_then(|basis| ConsentBasis::named(basis.kind.code())),
            reason,
            reason_text: text,
            ends_at: names.ends_at.map(Instant),
            state: Made(ConsentStanding::named(consent.state(now).code())),
            date_added: Made(Some(names.date_added)),
            date_updated: Made(Some(names.date_updated)),
        }
    }

    fn granted(&self) -> [(Label, Option<bool>); 4] {
        [
            (Label::GeneralHealth, self.general),
            (Label::MentalHealth, self.mental),
            (Label::SexualHealth, self.sexual),
            (Label::SocialCare, self.social),
        ]
    }

    /// The one reason of all four labels, as the older revision sent it; a consent rests on one.
    fn reason_of_labels(&self, place: Place<'_>, faults: &mut Faults) -> (Option<ConsentReason>, Option<String>) {
        let reasons = [
            ("generalHealthConsentGrantedReason", self.general_reason, &self.general_text),
            ("mentalHealthConsentGrantedReason", self.mental_reason, &self.mental_text),
            ("sexualHealthConsentGrantedReason", self.sexual_reason, &self.sexual_text),
            ("socialCareConsentGrantedReason", self.social_reason, &self.social_text),
        ];
        let mut first: Option<(&str, ConsentReason, &Option<String>)> = None;
        for (name, reason, text) in reasons {
            let Some(reason) = reason else { continue };
            match first {
                Some((other, known, words)) if (known, words) != (reason, text) => {
                    faults.value(place.member(name), &ValueFault::OtherThan(other));
                }
                Some(_) => {}
                None => first = Some((name, reason, text)),
            }
        }
        first.map_or((None, None), |(_, reason, text)| (Some(reason), text.clone()))
    }
}

impl SentConsent {
    /// What is wanted, as the rules take it; what was not sent stays. The patient, and who acts for the patient, need not say on what
    /// it rests.
    #[must_use]
    pub fn wanted(&self, is_for_patient: bool) -> WantedConsent {
        let sent = &self.consent;
        let labels = |wanted: bool| -> Labels {
            sent.granted().into_iter().filter(|(_, granted)| *granted == Some(wanted)).map(|(label, _)| label).collect()
        };
        let (reason, text) = match sent.reason {
            Some(reason) => (Some(reason), sent.reason_text.clone()),
            None => {
                let (reason, text) = sent.reason_of_labels(Place::ROOT, &mut Faults::default());
                (reason, sent.reason_text.clone().or(text))
            }
        };
        let reason = reason.and_then(|reason| Reason::named(reason.word()));
        let kind = sent.basis.and_then(|basis| BasisKind::named(basis.word()));
        let kind = kind.or_else(|| reason.filter(|_| is_for_patient).map(|_| BasisKind::Explicit));
        let basis = kind.map(|kind| Basis { kind, reason: reason.unwrap_or(kind.usual_reason()), text: text.clone() });
        WantedConsent {
            labels: None,
            each: LabelChange { given: labels(true), taken: labels(false) },
            discharged: sent.discharged,
            locked: sent.professional_edit_only,
            manages: sent.manages,
            basis,
            ends_at: sent
                .ends_at
                .as_ref()
                .and_then(Instant::span)
                .map(|span| End::At(Moment(span.low.div_euclid(1000)))),
            reason: text.or_else(|| reason.map(|reason| reason.code().into())),
        }
    }
}

impl Member for SentConsent {
    const IS_REQUIRED: bool = true;

    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
        if !is_object(sent, &[ConsentView::MEMBERS, Attestation::MEMBERS], place, faults) {
            return Self::default();
        }
        let consent = ConsentView::of_members(sent, place, faults);
        match (&consent.actor_id, &consent.actor_email) {
            (None, None) => faults.shape(&ShapeFault::MissingMembers(&["actorId", "actorEmail"])),
            (_, Some(_)) if consent.actor_type != ActorType::Carer => {
                faults.shape(&ShapeFault::MemberOfOthers { path: "actorEmail", only: ActorType::Carer.word() });
            }
            (Some(_), Some(_)) => faults.value(place.member("actorEmail"), &ValueFault::NotBeside("actorId")),
            _ => {}
        }
        consent.reason_of_labels(place, faults);
        Self { consent, attestation: Attestation::of_members(sent, place, faults) }
    }
}

impl JsonSchema for SentConsent {
    fn json_schema() -> Value {
        let members: Vec<_> = ConsentView::sent_members().into_iter().chain(Attestation::sent_members()).collect();
        let required: Vec<&str> = members.iter().filter(|member| member.2).map(|member| member.0).collect();
        sent_object(members.iter().map(|member| (member.0.to_owned(), member.1.clone())).collect(), &required)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sent::body;
    use rules::consent::record::{ConsentId, ConsentState, Grantee};
    use rules::ids::{PatientId, TeamId};
    use serde_json::json;

    #[test]
    fn the_words_are_those_of_the_rules() {
        assert_eq!(ConsentBasis::WORDS, BasisKind::ALL.map(BasisKind::code));
        assert_eq!(ConsentReason::WORDS, Reason::ALL.map(Reason::code));
        assert_eq!(ConsentStanding::WORDS, ConsentState::ALL.map(ConsentState::code));
        for word in ActorType::WORDS {
            assert!(Grantee::named(word, 1).is_some(), "{word}");
        }
    }

    fn sent(value: &Value) -> Result<SentConsent, String> {
        body(&value.to_string()).map_err(|error| error.answer().message.into())
    }

    #[test]
    fn what_is_not_sent_stays_and_what_is_sent_is_given_or_taken() {
        let some = json!({ "actorType": "TEAM", "actorId": "a", "generalHealthConsentGranted": true,
            "mentalHealthConsentGranted": false, "sexualHealthConsentGranted": null });
        let wanted = sent(&some).unwrap().wanted(true);
        assert_eq!(wanted.each, LabelChange { given: Labels(1), taken: Labels(2) });
        assert_eq!(wanted, WantedConsent { each: wanted.each, ..WantedConsent::default() });
    }

    #[test]
    fn a_reason_of_the_older_revision_is_one_for_all_labels() {
        let mut older = json!({ "actorType": "TEAM", "actorId": "a", "generalHealthConsentGranted": true,
            "generalHealthConsentGrantedReason": "REFERRAL" });
        let basis = sent(&older).unwrap().wanted(true).basis.unwrap();
        assert_eq!((basis.kind, basis.reason), (BasisKind::Explicit, Reason::Referral));
        assert_eq!(sent(&older).unwrap().wanted(false).basis, None, "a team says what it attests");
        older["socialCareConsentGrantedReason"] = json!("PARENT");
        let refused = sent(&older).unwrap_err();
        assert_eq!(
            refused,
            "socialCareConsentGrantedReason: must be the same as generalHealthConsentGrantedReason: a consent has one"
        );
    }

    #[test]
    fn a_consent_that_was_shown_can_be_sent_back_and_wants_nothing_else() {
        let consent = Consent {
            labels: Labels(9),
            ends_at: Some(Moment(1_800_000_000_123)),
            ..Consent::new(ConsentId(7), PatientId(1), Grantee::Team(TeamId(2)))
        };
        let names = ConsentNames {
            patient: "amina",
            actor: "t",
            actor_name: "Team",
            actor_email: None,
            ends_at: Some("2027-01-15T08:00:00.123Z".into()),
            date_added: "2026-01-01T00:00:00.000Z".into(),
            date_updated: "2026-01-01T00:00:00.000Z".into(),
        };
        let shown = serde_json::to_value(ConsentView::of(&consent, names, Moment(0))).unwrap();
        assert_eq!((&shown["state"], &shown["socialCareConsentGranted"]), (&json!("ACTIVE"), &json!(true)));
        let wanted = sent(&shown).unwrap().wanted(true);
        assert_eq!(wanted.each, LabelChange { given: Labels(9), taken: Labels(6) });
        assert_eq!(wanted.ends_at, consent.ends_at.map(End::At));
        assert_eq!(wanted.basis, None);
    }

    #[test]
    fn whom_it_is_for_is_said_in_one_way() {
        let refused = |value: Value| sent(&value).unwrap_err();
        assert_eq!(refused(json!({ "actorType": "CARER" })), "missing member actorId or actorEmail");
        let team = json!({ "actorType": "TEAM", "actorEmail": "a@b.example" });
        assert_eq!(refused(team), "actorEmail: is for CARER only; send null or leave it out");
        assert!(refused(json!({ "actorType": "FRIEND", "actorId": "a" })).contains("TEAM, PROFESSIONAL, CARER"));
        assert!(refused(json!({ "actorId": "a", "colour": 1 })).contains("unknown member colour"));
    }
}
