//! Appointments: when and where, with whom, and what about.

use crate::elements::party::{Party, PartyType};
use crate::facts::{Facts, WriteFacts};
use crate::members::date::{Instant, in_order};
use crate::members::faults::Faults;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{array, first, items, items_mut, object, put_text, said, text, texts, tidy};
use crate::view::View;
use fhir::json::Node;
use fhir::types::ResourceType;
use rules::rest_faults::ShapeFault;

/// HL7's way to say that a value is not known, so that FHIR's rule of a start and an end together holds.
const ABSENT: &str = "http://hl7.org/fhir/StructureDefinition/data-absent-reason";

words! {
    pub enum AppointmentStatus {
        Active = "ACTIVE",
        Cancelled = "CANCELLED",
        DidNotAttend = "DNA",
    }
}

json_body! {
    pub struct Appointment {
        "status" => status: AppointmentStatus,
        "subject" => subject: Option<String>,
        "description" => description: Option<String>,
        "start" => start: Option<Instant>,
        "end" => end: Option<Instant>,
        "location" => location: Option<String>,
        "participants" => participants: Vec<Party>,
    }
}

impl AppointmentStatus {
    /// The code that is written, and finer ones that mean the same here.
    const fn codes(self) -> &'static [&'static str] {
        match self {
            Self::Active => &["booked", "proposed", "pending", "arrived", "checked-in", "fulfilled", "waitlist"],
            Self::Cancelled => &["cancelled"],
            Self::DidNotAttend => &["noshow"],
        }
    }

    fn written(self) -> &'static str {
        self.codes().first().copied().unwrap_or_default()
    }
}

impl View for Appointment {
    const KIND: &'static str = "Appointment";
    const TYPES: &'static [ResourceType] = &[ResourceType::Appointment];
    const STATUS_WORDS: &'static [&'static str] = AppointmentStatus::WORDS;

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        if said(resource, "resourceType") != Some("Appointment") {
            return None;
        }
        let code = said(resource, "status")?;
        let moment = |name| said(resource, name).map(|text| Instant(text.into()));
        let actors = || items(resource, "participant").iter().filter_map(|one| one.get("actor"));
        Some(Self {
            status: AppointmentStatus::ALL.iter().copied().find(|one| one.codes().contains(&code))?,
            subject: reason(resource).or_else(|| said(resource, "description")).map(String::from),
            description: said(resource, "comment").map(String::from),
            start: moment("start"),
            end: moment("end"),
            location: actors().find(|actor| is_place(actor)).and_then(|actor| said(actor, "display")).map(String::from),
            participants: actors().filter_map(|actor| Party::of(actor, facts.base)).collect(),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        for (name, is_there) in [("start", self.start.is_some()), ("subject", self.subject.is_some())] {
            if !is_there {
                faults.shape(&ShapeFault::MissingMember(&place.member(name).path()));
            }
        }
    }

    fn check(&self, _: Option<&Self>, _: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        let span = |moment: &Option<Instant>| moment.as_ref().and_then(Instant::span);
        in_order(("start", span(&self.start)), (place.member("end"), span(&self.end)), faults);
        let participants = place.member("participants");
        for (at, party) in self.participants.iter().enumerate() {
            party.check(participants.item(at), faults);
        }
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        let mut resource = object([("resourceType", text("Appointment")), ("status", text(self.status.written()))]);
        // An appointment is in the record of the patient who takes part in it.
        let patient = patient(facts);
        if !self.participants.iter().any(|one| one.is(&patient)) {
            resource.set("participant", array([participant(patient.reference())]));
        }
        resource
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        if was.status != self.status {
            put_text(resource, "status", Some(self.status.written()));
            // A reason to cancel is of what is cancelled only.
            if self.status != AppointmentStatus::Cancelled {
                resource.remove("cancelationReason");
            }
        }
        if was.subject != self.subject {
            write_subject(resource, self.subject.as_deref());
        }
        if was.description != self.description {
            put_text(resource, "comment", self.description.as_deref());
        }
        if (&was.start, &was.end) != (&self.start, &self.end) {
            self.write_times(resource);
        }
        if was.location != self.location {
            write_location(resource, self.location.as_deref());
        }
        if was.participants != self.participants {
            self.write_participants(resource, facts);
        }
    }

    fn clinical_date(&self, _: &Node<'_>, _: &Facts<'_>) -> Option<String> {
        self.start.as_ref().map(|start| start.0.clone())
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.word())
    }
}

impl Appointment {
    fn write_times(&self, resource: &mut Node<'_>) {
        let words = |moment: &Option<Instant>| moment.as_ref().map(|moment| moment.0.clone());
        let (start, end) = (words(&self.start), words(&self.end));
        put_text(resource, "start", start.as_deref());
        put_text(resource, "end", end.as_deref());
        if start.is_some() && end.is_none() {
            let unknown = texts([("url", Some(ABSENT)), ("valueCode", Some("unknown"))]);
            resource.set("_end", object([("extension", array([unknown]))]));
        } else if end.is_some() {
            resource.remove("_end");
        }
    }

    /// Those who stay keep what is known of their part; so do rooms, devices and whoever is not shown. The patient stays whatever
    /// is sent: without them it would be in nobody's record.
    fn write_participants(&self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        let Some(all) = items_mut(resource, "participant") else { return };
        let party = |one: &Node<'_>| one.get("actor").and_then(|actor| Party::of(actor, facts.base));
        let patient = patient(facts);
        let stays = |known: Party| known.is(&patient) || self.participants.iter().any(|sent| sent.is(&known));
        all.retain(|one| party(one).is_none_or(stays));
        for sent in &self.participants {
            let known = all.iter_mut().find(|one| party(one).is_some_and(|known| known.is(sent)));
            match known {
                Some(known) => {
                    if let (Some(actor), Some(name)) = (known.get_mut("actor"), &sent.name) {
                        put_text(actor, "display", Some(name));
                    }
                }
                None => all.push(participant(sent.reference_by_identifier())),
            }
        }
    }
}

fn patient(facts: &WriteFacts<'_>) -> Party {
    Party { party_type: PartyType::Patient, id: facts.patient_id.into(), name: None }
}

fn participant(actor: Node<'static>) -> Node<'static> {
    object([("actor", actor), ("status", text("accepted"))])
}

/// What the first reason calls it.
fn reason<'n>(resource: &'n Node<'_>) -> Option<&'n str> {
    let concept = first(resource, "reasonCode")?;
    let displayed = items(concept, "coding").iter().find_map(|coding| said(coding, "display"));
    displayed.or_else(|| said(concept, "text"))
}

/// Writes it where it was read: the first reason, or the description of an appointment without one.
fn write_subject(resource: &mut Node<'_>, subject: Option<&str>) {
    if reason(resource).is_none() && said(resource, "description").is_some() {
        return put_text(resource, "description", subject);
    }
    let new = subject.map(|subject| object([("text", text(subject))]));
    let Some(reasons) = items_mut(resource, "reasonCode") else { return };
    match (reasons.first_mut(), new) {
        (Some(known), Some(new)) => *known = new,
        (None, Some(new)) => reasons.push(new),
        (Some(_), None) => drop(reasons.remove(0)),
        (None, None) => {}
    }
    tidy(resource, "reasonCode");
}

fn is_place(actor: &Node<'_>) -> bool {
    said(actor, "type") == Some("Location") || said(actor, "reference").is_some_and(|one| one.contains("Location/"))
}

/// A place that is named anew is no longer the one that was referred to.
fn write_location(resource: &mut Node<'_>, name: Option<&str>) {
    let Some(all) = items_mut(resource, "participant") else { return };
    let at = all.iter().position(|one| one.get("actor").is_some_and(is_place));
    let new = name.map(|name| texts([("type", Some("Location")), ("display", Some(name))]));
    match (at.and_then(|at| all.get_mut(at)), new) {
        (Some(known), Some(actor)) => known.set("actor", actor),
        (None, Some(actor)) => all.push(participant(actor)),
        (_, None) => {
            if let Some(at) = at {
                all.remove(at);
            }
        }
    }
    tidy(resource, "participant");
}
