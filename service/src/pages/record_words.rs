//! The items of a record in the words of a page, each kind in its own.

use crate::interactions::items::kind::ItemKind;
use crate::interactions::items::record::ItemRecord;
use crate::views::record::EntryDetail;
use views::elements::code::Code;
use views::elements::source::SourceType;
use views::html;
use views::item::ItemMembers;
use views::kinds::allergy::{Allergy, AllergyStatus};
use views::kinds::appointment::{Appointment, AppointmentStatus};
use views::kinds::diagnosis::{Diagnosis, DiagnosisStatus};
use views::kinds::document::{Document, DocumentStatus};
use views::kinds::document_types::DocumentType;
use views::kinds::journal::JournalEntry;
use views::kinds::measurement::Measurement;
use views::kinds::medication::{Medication, MedicationStatus};
use views::kinds::plan::{Plan, PlanStatus};
use views::kinds::symptom::Symptom;
use views::kinds::test_result::TestResult;
use views::members::date::ClinicalDate;
use views::members::number::Number;

/// Whose record it is, and where its pages are.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordPlace<'r> {
    pub record: &'r ItemRecord,
    pub base: &'r str,
    /// Whether it is the reader's own.
    pub is_own: bool,
}

/// What a page says of an item.
#[derive(Debug, Default)]
pub(super) struct ItemWords {
    pub title: String,
    pub value: Option<String>,
    pub date: Option<String>,
    pub details: Vec<EntryDetail>,
    pub series: Option<Series>,
}

/// An item that is one of several readings of the same.
#[derive(Debug)]
pub(super) struct Series {
    /// By what the others are found.
    pub of: String,
    pub value: Option<f64>,
    pub second: Option<f64>,
    pub unit: String,
    /// From which value to which is usual.
    pub usual: (Option<f64>, Option<f64>),
}

/// A kind of item that pages show.
pub(super) trait PageItem: ItemKind {
    fn words(&self) -> ItemWords;
}

/// The details that there are.
fn details<const N: usize>(all: [(&'static str, Option<String>); N]) -> Vec<EntryDetail> {
    let known = all.into_iter().filter_map(|(name, text)| Some((name, text.filter(|text| !text.trim().is_empty())?)));
    known.map(|(name, text)| EntryDetail { name, text }).collect()
}

fn date(date: Option<&ClinicalDate>) -> Option<String> {
    date.map(|date| date.0.clone())
}

fn named(name: Option<&String>, code: Option<&Code>, otherwise: &str) -> String {
    let coded = || code.and_then(|code| code.display.clone().or_else(|| code.code.clone()));
    name.cloned().or_else(coded).unwrap_or_else(|| otherwise.to_owned())
}

fn float(number: Option<&Number>) -> Option<f64> {
    number?.digits().parse().ok()
}

/// A number with its unit, as UCUM writes it without its brackets.
fn quantity(number: Option<&Number>, unit: Option<&String>) -> Option<String> {
    let digits = number?.digits();
    let unit = unit.map(|unit| unit_words(unit)).filter(|unit| !unit.is_empty());
    Some(unit.map_or_else(|| digits.to_owned(), |unit| format!("{digits} {unit}")))
}

/// A unit for people: `mm[Hg]` is mmHg, `[lb_av]` lb, `{score}` nothing.
pub(super) fn unit_words(unit: &str) -> String {
    match unit {
        "[lb_av]" => "lb".into(),
        "[in_i]" => "in".into(),
        "Cel" => "°C".into(),
        "[degF]" => "°F".into(),
        annotation if annotation.starts_with('{') && annotation.ends_with('}') => String::new(),
        other => other.replace(['[', ']', '{', '}'], ""),
    }
}

impl PageItem for Measurement {
    fn words(&self) -> ItemWords {
        let unit = self.unit.as_ref();
        let pair = self.value2.as_ref().and_then(|second| {
            let text = format!("{}/{}", self.value.as_ref()?.digits(), second.digits());
            Some(unit.map_or_else(|| text.clone(), |unit| format!("{text} {}", unit_words(unit))))
        });
        ItemWords {
            title: self.name.0.to_owned(),
            value: pair.or_else(|| quantity(self.value.as_ref(), unit)).or_else(|| self.value_text.clone()),
            date: date(self.date_taken.as_ref()),
            details: details([("Comment", self.comment.clone())]),
            series: Some(Series {
                of: self.api_ref.clone(),
                value: float(self.value.as_ref()),
                second: float(self.value2.as_ref()),
                unit: unit.map(|unit| unit_words(unit)).unwrap_or_default(),
                usual: (None, None),
            }),
        }
    }
}

impl PageItem for TestResult {
    fn words(&self) -> ItemWords {
        let value = quantity(self.value.as_ref(), self.unit.as_ref());
        let compared = value.map(|value| match &self.comparator {
            Some(comparator) => format!("{comparator} {value}"),
            None => value,
        });
        let (low, high) = (self.reference_low.as_ref(), self.reference_high.as_ref());
        let usual = self.reference_text.clone().or_else(|| match (low, high) {
            (Some(low), Some(high)) => Some(format!("{} to {}", low.digits(), high.digits())),
            (Some(low), None) => Some(format!("{} and more", low.digits())),
            (None, Some(high)) => Some(format!("up to {}", high.digits())),
            (None, None) => None,
        });
        ItemWords {
            title: self.name.clone().unwrap_or_else(|| "Test".into()),
            value: compared.or_else(|| self.value_text.clone()),
            date: date(self.date_taken.as_ref()),
            details: details([
                ("Usual range", usual),
                ("Marked", self.interpretation.clone()),
                ("Report", self.report_name.0.clone()),
                ("What the report says", self.report_text.0.clone()),
                ("Comment", self.comment.clone()),
            ]),
            series: self.test_id.clone().map(|of| Series {
                of,
                value: float(self.value.as_ref()),
                second: None,
                unit: self.unit.clone().unwrap_or_default(),
                usual: (float(low), float(high)),
            }),
        }
    }
}

impl PageItem for Medication {
    fn words(&self) -> ItemWords {
        let status = self.status.map(|status| match status {
            MedicationStatus::Current => "Taken now",
            MedicationStatus::Past => "Not taken any more",
        });
        ItemWords {
            title: named(self.substance.as_ref(), self.substance_code.as_ref(), "A medicine"),
            value: quantity(self.dose_value.as_ref(), self.dose_unit.as_ref()),
            date: date(self.start_date.as_ref()),
            details: details([
                ("How often", self.frequency.clone()),
                ("Status", status.map(String::from)),
                ("Until", date(self.end_date.as_ref())),
            ]),
            series: None,
        }
    }
}

impl PageItem for Allergy {
    fn words(&self) -> ItemWords {
        let status = self.status.map(|status| match status {
            AllergyStatus::Active => "Active",
            AllergyStatus::Inactive => "Not active",
            AllergyStatus::Resolved => "Over",
        });
        let word = |word: &str| lower(word);
        ItemWords {
            title: named(self.substance.as_ref(), self.substance_code.as_ref(), "An allergy"),
            value: self.severity.map(|severity| word(severity.word())),
            date: None,
            details: details([
                ("Reactions", Some(self.reactions.join(", "))),
                ("Since", self.onset.clone()),
                ("Risk", self.criticality.map(|risk| word(risk.word()))),
                ("Status", status.map(String::from)),
            ]),
            series: None,
        }
    }
}

impl PageItem for Diagnosis {
    fn words(&self) -> ItemWords {
        let status = self.status.map(|status| match status {
            DiagnosisStatus::Active => "Active",
            DiagnosisStatus::Inactive => "Not active",
            DiagnosisStatus::Resolved => "Over",
        });
        ItemWords {
            title: named(self.name.as_ref(), self.code.as_ref(), "A condition"),
            value: None,
            date: date(self.onset_date.as_ref()),
            details: details([
                ("Status", status.map(String::from)),
                ("Until", date(self.end_date.as_ref())),
                ("Comment", self.comment.clone()),
            ]),
            series: None,
        }
    }
}

impl PageItem for Symptom {
    fn words(&self) -> ItemWords {
        ItemWords {
            title: named(self.name.as_ref(), self.code.as_ref(), "A symptom"),
            value: self.severity.map(|severity| format!("{severity} of 10")),
            date: date(self.date_started.as_ref()),
            details: details([("Until", date(self.date_ended.as_ref())), ("Comment", self.comment.clone())]),
            series: None,
        }
    }
}

impl PageItem for JournalEntry {
    fn words(&self) -> ItemWords {
        ItemWords {
            title: self.title.clone().unwrap_or_else(|| "Journal".into()),
            value: None,
            date: date(self.date.as_ref()),
            details: details([("Text", self.words.clone())]),
            series: None,
        }
    }
}

impl PageItem for Appointment {
    fn words(&self) -> ItemWords {
        let with = self.participants.iter().filter_map(|one| one.name.clone()).collect::<Vec<_>>().join(", ");
        let status = match self.status {
            AppointmentStatus::Active => None,
            AppointmentStatus::Cancelled => Some("Cancelled"),
            AppointmentStatus::DidNotAttend => Some("Not attended"),
        };
        ItemWords {
            title: self.subject.clone().unwrap_or_else(|| "Appointment".into()),
            value: status.map(String::from),
            date: self.start.as_ref().map(|start| start.0.clone()),
            details: details([
                ("Where", self.location.clone()),
                ("With", Some(with)),
                ("About it", self.description.clone()),
            ]),
            series: None,
        }
    }
}

impl PageItem for Plan {
    fn words(&self) -> ItemWords {
        let status = self.status.map(|status| match status {
            PlanStatus::InDraft => "Draft",
            PlanStatus::Active => "In force",
            PlanStatus::Ended => "Over",
        });
        // A part can be HTML that another wrote: its words are shown, and nothing of it is a part of our page.
        let part = |part: &Option<String>| part.as_deref().map(html::words);
        ItemWords {
            title: self.name.clone().unwrap_or_else(|| "Plan".into()),
            value: status.map(String::from),
            date: date(self.created.0.as_ref()),
            details: details([
                ("What to do", part(&self.action_plan)),
                ("When all is well", part(&self.green)),
                ("When it gets worse", part(&self.amber)),
                ("In an emergency", part(&self.red)),
                ("To be looked at again", self.review_date.as_ref().map(|day| day.0.clone())),
            ]),
            series: None,
        }
    }
}

impl PageItem for Document {
    fn words(&self) -> ItemWords {
        let opened = match self.status.0 {
            DocumentStatus::Unread => "Not opened yet",
            DocumentStatus::Read => "Opened",
        };
        let kind = document_type(self);
        ItemWords {
            title: self.title.clone().unwrap_or_else(|| kind.clone()),
            value: Some(opened.into()),
            date: date(self.date.as_ref()),
            details: details([
                ("Kind", Some(kind)),
                ("Written by", self.author.0.as_ref().and_then(|author| author.name.clone())),
            ]),
            series: None,
        }
    }
}

/// What a letter is.
pub(super) fn document_type(letter: &Document) -> String {
    let known = match letter.document_type.unwrap_or_default() {
        DocumentType::Other => None,
        DocumentType::AdmissionLetter => Some("Admission letter"),
        DocumentType::AlertNotification => Some("Alert"),
        DocumentType::AppointmentLetter => Some("Appointment letter"),
        DocumentType::BirthReport => Some("Birth report"),
        DocumentType::ClinicLetter => Some("Clinic letter"),
        DocumentType::DischargeLetter => Some("Discharge letter"),
        DocumentType::DischargeSummary => Some("Discharge summary"),
        DocumentType::TeamMeetingNotes => Some("Notes of a team meeting"),
        DocumentType::ReferralLetter => Some("Referral letter"),
    };
    let otherwise = || letter.type_text.clone().unwrap_or_else(|| "Letter or document".into());
    known.map_or_else(otherwise, String::from)
}

/// Who wrote an item.
pub(super) fn written_by(place: RecordPlace<'_>, item: &ItemMembers) -> String {
    match (item.source.source_type, &item.source.name) {
        _ if is_own(place, item) => "you".into(),
        (_, Some(name)) => name.clone(),
        (SourceType::Patient, None) => "the patient".into(),
        (SourceType::Person, None) => "a person".into(),
        (SourceType::Team, None) => "a team".into(),
        (SourceType::Organisation, None) => "an organisation".into(),
    }
}

/// Whether the reader, whose record it is, wrote an item.
pub(super) fn is_own(place: RecordPlace<'_>, item: &ItemMembers) -> bool {
    place.is_own && item.source.source_type == SourceType::Patient && item.source.id == place.record.patient
}

/// A word of the API as people write it: `MODERATE` is moderate.
fn lower(word: &str) -> String {
    word.to_ascii_lowercase().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_told_as_people_write_them() {
        let told = ["kg", "mm[Hg]", "[lb_av]", "Cel", "{score}", "mmol/L", "/min"].map(unit_words);
        assert_eq!(told, ["kg", "mmHg", "lb", "°C", "", "mmol/L", "/min"]);
    }

    #[test]
    fn the_parts_of_a_plan_are_words_and_no_markup() {
        let plan = Plan { action_plan: Some("<p>Lights <b>out</b><script>x</script></p>".into()), ..Plan::default() };
        let told = plan.words().details;
        assert_eq!(told[0].name, "What to do");
        assert!(!told[0].text.contains('<'), "{}", told[0].text);
    }
}
