//! Plans: a CarePlan with the words of its parts, which people wrote as text or HTML.

use crate::elements::attachment::{self, Attachment};
use crate::elements::extension;
use crate::elements::party::{Party, PartyType};
use crate::elements::source::{ItemSource, SourceType};
use crate::facts::{Facts, WriteFacts};
use crate::html;
use crate::json_object;
use crate::kinds::subject;
use crate::members::date::{ClinicalDate, Day};
use crate::members::faults::Faults;
use crate::members::made::Made;
use crate::members::object::json_body;
use crate::members::place::Place;
use crate::members::words::words;
use crate::tree::{array, items, items_mut, object, put_text, said, text, texts, tidy};
use crate::view::View;
use fhir::json::Node;
use fhir::reference;
use fhir::types::ResourceType;
use rules::rest_faults::{ShapeFault, ValueFault};

const REVIEW_DATE: &str = "urn:recordgate:review-date";
const PLAN_PART: &str = "urn:recordgate:plan-part";
const SUPPORTING: &str = "supportingInfo";

words! {
    pub enum PlanStatus {
        InDraft = "INDRAFT",
        Active = "ACTIVE",
        Ended = "ENDED",
    }
}

json_body! {
    pub struct Plan {
        "name" => name: Option<String>,
        "status" => status: Option<PlanStatus>,
        "created" => created: Made<Option<ClinicalDate>>,
        "lastEdited" => last_edited: Made<String>,
        "reviewDate" => review_date: Option<Day>,
        "actionPlan" => action_plan: Option<String>,
        "green" => green: Option<String>,
        "amber" => amber: Option<String>,
        "red" => red: Option<String>,
        "attachments" => attachments: Vec<Attachment>,
        "creator" => creator: Made<Option<ItemSource>>,
    }
}

json_object! {
    /// A plan without the words of its parts.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PlanOutline {
        "name" => name: Option<String>,
        "status" => status: Option<PlanStatus>,
        "created" => created: Option<ClinicalDate>,
        "lastEdited" => last_edited: String,
        "reviewDate" => review_date: Option<Day>,
        "attachments" => attachments: Vec<Attachment>,
        "creator" => creator: Option<ItemSource>,
    }
}

impl PlanStatus {
    /// The code that is written, and others that mean the same here.
    const fn codes(self) -> &'static [&'static str] {
        match self {
            Self::InDraft => &["draft"],
            Self::Active => &["active", "on-hold"],
            Self::Ended => &["completed", "revoked"],
        }
    }

    const fn rank(self) -> u8 {
        self as u8
    }
}

impl View for Plan {
    const KIND: &'static str = "Plan";
    const TYPES: &'static [ResourceType] = &[ResourceType::CarePlan];
    const STATUS_WORDS: &'static [&'static str] = PlanStatus::WORDS;

    fn of(resource: &Node<'_>, facts: &Facts<'_>) -> Option<Self> {
        if said(resource, "resourceType") != Some("CarePlan") {
            return None;
        }
        let code = said(resource, "status")?;
        let status = PlanStatus::ALL.iter().copied().find(|one| one.codes().contains(&code))?;
        let part = |name| part(resource, name);
        Some(Self {
            name: said(resource, "title").map(String::from),
            status: Some(status),
            created: Made(said(resource, "created").map(|text| ClinicalDate(text.into()))),
            last_edited: Made(facts.date_updated.into()),
            review_date: extension::text_in(resource, REVIEW_DATE, "valueDate").map(Day),
            action_plan: part("actionPlan"),
            green: part("green"),
            amber: part("amber"),
            red: part("red"),
            attachments: attachments(resource, facts),
            creator: Made(resource.get("author").and_then(|author| creator(author, facts.base))),
        })
    }

    fn demand(&self, place: Place<'_>, faults: &mut Faults) {
        for (name, is_there) in [("name", self.name.is_some()), ("status", self.status.is_some())] {
            if !is_there {
                faults.shape(&ShapeFault::MissingMember(&place.member(name).path()));
            }
        }
    }

    fn check(&self, was: Option<&Self>, facts: &WriteFacts<'_>, place: Place<'_>, faults: &mut Faults) {
        if let (Some(before), Some(now)) = (was.and_then(|was| was.status), self.status)
            && now.rank() < before.rank()
        {
            faults.value(place.member("status"), &ValueFault::BackTo(before.word()));
        }
        let before = Self::default();
        for ((name, words), (_, known)) in self.parts().into_iter().zip(was.unwrap_or(&before).parts()) {
            if let Some(words) = words
                && words != known.map_or("", String::as_str)
                && html::is_html(words)
                && let Some(why) = html::fault(words)
            {
                faults.value(place.member(name), &ValueFault::UnsafeHtml(&why));
            }
        }
        if was.is_none_or(|was| !attachment::are_same(&was.attachments, &self.attachments)) {
            attachment::check(&self.attachments, facts.attachments, place.member("attachments"), faults);
        }
    }

    fn blank(&self, facts: &WriteFacts<'_>) -> Node<'static> {
        let status = self.status.unwrap_or_default();
        let mut plan = object([
            ("resourceType", text("CarePlan")),
            ("status", text(written(status))),
            ("intent", text("plan")),
            ("subject", subject::patient(facts)),
            ("created", text(facts.now_text)),
        ]);
        if let Some(author) = &facts.author {
            plan.set("author", author.reference());
        }
        plan
    }

    fn write(&self, was: &Self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        if was.name != self.name {
            put_text(resource, "title", self.name.as_deref());
        }
        if let Some(status) = self.status
            && was.status != Some(status)
        {
            put_text(resource, "status", Some(written(status)));
        }
        if was.review_date != self.review_date {
            let value = self.review_date.as_ref().map(|date| text(&date.0));
            extension::set(resource, REVIEW_DATE, "valueDate", value);
        }
        for ((name, words), (_, known)) in self.parts().into_iter().zip(was.parts()) {
            if words != known {
                write_part(resource, name, words.map(String::as_str));
            }
        }
        if !attachment::are_same(&was.attachments, &self.attachments) {
            self.write_attachments(resource, facts);
        }
    }

    fn clinical_date(&self, _: &Node<'_>, _: &Facts<'_>) -> Option<String> {
        self.created.0.as_ref().map(|date| date.0.clone())
    }

    fn status(&self) -> Option<&'static str> {
        self.status.map(PlanStatus::word)
    }
}

impl Plan {
    const fn parts(&self) -> [(&'static str, Option<&String>); 4] {
        [
            ("actionPlan", self.action_plan.as_ref()),
            ("green", self.green.as_ref()),
            ("amber", self.amber.as_ref()),
            ("red", self.red.as_ref()),
        ]
    }

    /// Without the words of its parts.
    #[must_use]
    pub fn outline(self) -> PlanOutline {
        PlanOutline {
            name: self.name,
            status: self.status,
            created: self.created.0,
            last_edited: self.last_edited.0,
            review_date: self.review_date,
            attachments: self.attachments,
            creator: self.creator.0,
        }
    }

    /// What else supports the plan stays.
    fn write_attachments(&self, resource: &mut Node<'_>, facts: &WriteFacts<'_>) {
        let shown: Vec<String> = documents(resource, &facts.shown).map(|(named, _)| named.to_owned()).collect();
        let held = |one: &Attachment| facts.attachments.iter().find(|known| known.id == one.id())?.document.clone();
        let mut wanted: Vec<String> =
            self.attachments.iter().filter_map(held).map(|id| format!("DocumentReference/{id}")).collect();
        wanted.dedup();
        let Some(references) = items_mut(resource, SUPPORTING) else { return };
        references.retain(|one| {
            let named = said(one, "reference").unwrap_or_default();
            !shown.iter().any(|known| known == named) || wanted.iter().any(|known| known == named)
        });
        wanted.retain(|new| !references.iter().any(|one| said(one, "reference") == Some(new)));
        references.extend(wanted.iter().map(|new| texts([("reference", Some(new))])));
        tidy(resource, SUPPORTING);
    }
}

fn written(status: PlanStatus) -> &'static str {
    status.codes().first().copied().unwrap_or_default()
}

fn is_part(known: &Node<'_>, name: &str) -> bool {
    said(known, "url") == Some(PLAN_PART)
        && extension::text_in(known, "part", "valueCode").is_some_and(|part| part == name)
}

fn part(resource: &Node<'_>, name: &str) -> Option<String> {
    let known = items(resource, "extension").iter().find(|known| is_part(known, name))?;
    extension::text_in(known, "content", "valueString")
}

fn write_part(resource: &mut Node<'_>, name: &str, words: Option<&str>) {
    let new = words.map(|words| {
        let content_type = if html::is_html(words) { "text/html" } else { "text/plain" };
        let inner = array([
            extension::valued("part", "valueCode", text(name)),
            extension::valued("contentType", "valueCode", text(content_type)),
            extension::valued("content", "valueString", text(words)),
        ]);
        object([("url", text(PLAN_PART)), ("extension", inner)])
    });
    extension::set_where(resource, |known| is_part(known, name), new);
}

fn documents<'n>(resource: &'n Node<'_>, facts: &'n Facts<'_>) -> impl Iterator<Item = (&'n str, &'n Node<'n>)> {
    items(resource, SUPPORTING).iter().filter_map(|one| {
        let named = said(one, "reference")?;
        let id = reference::id_in(named, ResourceType::DocumentReference, facts.base)?;
        let known = facts.documents.iter().find(|document| said(document, "id") == Some(id))?;
        Some((named, known))
    })
}

fn attachments(resource: &Node<'_>, facts: &Facts<'_>) -> Vec<Attachment> {
    let contents = documents(resource, facts).flat_map(|(_, document)| items(document, "content"));
    contents.filter_map(|content| Attachment::of(content.get("attachment")?, facts.base)).collect()
}

/// Who wrote it, as a source is told.
fn creator(author: &Node<'_>, base: &str) -> Option<ItemSource> {
    let Party { party_type, id, name } = Party::of(author, base)?;
    let source_type = match party_type {
        PartyType::Patient => SourceType::Patient,
        PartyType::Professional | PartyType::Carer => SourceType::Person,
        PartyType::Team => SourceType::Team,
    };
    Some(ItemSource { source_type, id, name })
}
