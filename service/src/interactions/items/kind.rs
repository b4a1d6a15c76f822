//! What a kind of item takes beside its own resource, and how the store finds those of a record.

use fhir::types::ResourceType;
use rules::labels::EXTERNAL_ID_SYSTEM;
use views::elements::attachment::Attachment;
use views::kinds::allergy::Allergy;
use views::kinds::appointment::Appointment;
use views::kinds::diagnosis::Diagnosis;
use views::kinds::document::Document;
use views::kinds::journal::JournalEntry;
use views::kinds::measurement::Measurement;
use views::kinds::medication::Medication;
use views::kinds::message::Message;
use views::kinds::plan::Plan;
use views::kinds::symptom::Symptom;
use views::kinds::test_result::TestResult;
use views::measurement_types::TYPES;
use views::observation::{CATEGORY_SYSTEM, HL7_CATEGORY_SYSTEM};
use views::view::View;

/// A parameter of FHIR's search and its value.
pub(crate) type Criterion = (&'static str, String);

/// What is read beside an item, because it says a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Companion {
    /// The laboratory reports of the record, which make test results of the Observations that they name.
    Reports,
    /// The Medication that an item refers to.
    Medication,
    /// The DocumentReferences that an item names.
    Documents,
    /// Who has read it.
    Marks,
    /// When it was first read.
    Receipts,
    /// Until when it is held back from the patient and carers.
    Delays,
}

/// How a kind holds what is attached to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attaching {
    /// Nothing can be.
    Nothing,
    /// By itself: it is a document.
    Itself,
    /// By documents that it names.
    Documents,
}

/// A kind of item as the store finds it.
pub(crate) trait ItemKind: View + Send + Sync + 'static {
    const COMPANIONS: &'static [Companion] = &[];
    /// Whether several may be made at once.
    const IS_SENT_TOGETHER: bool = true;
    /// Whether a create that names an id means the item of that id.
    const IS_SENT_AGAIN: bool = false;
    /// The search parameter whose order is that of the kind's clinical date, where there is one for certain.
    const DATE: Option<&'static str> = None;

    const ATTACHING: Attaching = Attaching::Nothing;

    /// The ids of what is attached to one.
    fn attachments(&self) -> Vec<String> {
        Vec::new()
    }

    /// Criteria of which all of this kind meet some; what meets them may be another.
    fn criteria() -> Vec<Vec<Criterion>> {
        vec![Vec::new()]
    }

    /// The id of the report of which a part is shown with it.
    fn report(&self) -> Option<&str> {
        None
    }
}

impl ItemKind for Allergy {}

impl ItemKind for Diagnosis {}

impl ItemKind for Medication {
    const COMPANIONS: &'static [Companion] = &[Companion::Medication];
}

impl ItemKind for Measurement {
    const IS_SENT_AGAIN: bool = true;
    const COMPANIONS: &'static [Companion] = &[Companion::Reports];
    const DATE: Option<&'static str> = Some("date");

    fn criteria() -> Vec<Vec<Criterion>> {
        vec![vec![codes(TYPES.iter().map(|one| one.api_ref))]]
    }
}

impl ItemKind for Symptom {
    const COMPANIONS: &'static [Companion] = &[Companion::Reports];
    const DATE: Option<&'static str> = Some("date");

    fn criteria() -> Vec<Vec<Criterion>> {
        vec![vec![category("SYMPTOM")]]
    }
}

impl ItemKind for JournalEntry {
    const COMPANIONS: &'static [Companion] = &[Companion::Reports, Companion::Documents];
    const DATE: Option<&'static str> = Some("date");
    const ATTACHING: Attaching = Attaching::Documents;

    fn attachments(&self) -> Vec<String> {
        self.attachments.clone()
    }

    fn criteria() -> Vec<Vec<Criterion>> {
        vec![vec![category("JOURNAL")]]
    }
}

impl ItemKind for TestResult {
    const COMPANIONS: &'static [Companion] = &[Companion::Reports];
    const DATE: Option<&'static str> = Some("date");

    /// A laboratory's by their category, or by a report that names them.
    fn criteria() -> Vec<Vec<Criterion>> {
        let (ours, hl7) = (format!("{CATEGORY_SYSTEM}|LABORATORY"), format!("{HL7_CATEGORY_SYSTEM}|laboratory"));
        let reported = ("_has:DiagnosticReport:result:category", LABORATORY_REPORTS.to_owned());
        vec![vec![("category", format!("{ours},{hl7}"))], vec![reported]]
    }

    fn report(&self) -> Option<&str> {
        self.report_id.0.as_deref()
    }
}

impl ItemKind for Appointment {
    const IS_SENT_TOGETHER: bool = false;
    const DATE: Option<&'static str> = Some("date");
}

impl ItemKind for Message {
    const COMPANIONS: &'static [Companion] = &[Companion::Marks];
    const IS_SENT_TOGETHER: bool = false;
}

impl ItemKind for Plan {
    const COMPANIONS: &'static [Companion] = &[Companion::Documents];
    const IS_SENT_TOGETHER: bool = false;
    const ATTACHING: Attaching = Attaching::Documents;

    fn attachments(&self) -> Vec<String> {
        ids(&self.attachments)
    }
}

impl ItemKind for Document {
    const COMPANIONS: &'static [Companion] = &[Companion::Receipts, Companion::Delays];
    const IS_SENT_TOGETHER: bool = false;
    const DATE: Option<&'static str> = Some("date");
    const ATTACHING: Attaching = Attaching::Itself;

    fn attachments(&self) -> Vec<String> {
        ids(&self.attachments)
    }
}

fn ids(attachments: &[Attachment]) -> Vec<String> {
    attachments.iter().map(|one| one.id().to_owned()).collect()
}

/// The category of laboratory reports.
pub(crate) const LABORATORY_REPORTS: &str = "http://terminology.hl7.org/CodeSystem/v2-0074|LAB";

/// The code of a test, as its id says it: `system|code`, or a code of whatever system.
pub(crate) fn tests<'a>(test_ids: impl Iterator<Item = &'a str>) -> Criterion {
    let named = test_ids.map(|id| match id.rsplit_once('|') {
        Some((system, code)) => format!("{}|{}", escaped(system), escaped(code)),
        None => escaped(id),
    });
    ("code", named.collect::<Vec<_>>().join(","))
}

fn category(code: &str) -> Criterion {
    ("category", format!("{CATEGORY_SYSTEM}|{code}"))
}

/// The codes of these types of measurements.
pub(crate) fn codes<'a>(api_refs: impl Iterator<Item = &'a str>) -> Criterion {
    let named = api_refs.filter_map(|api_ref| TYPES.iter().find(|one| one.api_ref == api_ref));
    let codes = named.flat_map(|one| one.codes.iter().map(|code| format!("{}|{code}", one.system)));
    ("code", codes.collect::<Vec<_>>().join(","))
}

/// The id that an app gave.
pub(crate) fn external_id(id: &str) -> Criterion {
    ("identifier", format!("{EXTERNAL_ID_SYSTEM}|{}", escaped(id)))
}

/// In the record of this patient.
pub(crate) fn of_patient(id: &str) -> Criterion {
    ("patient", format!("{}/{id}", ResourceType::Patient.name()))
}

/// A value in which nothing separates or escapes.
fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for letter in value.chars() {
        if matches!(letter, '\\' | ',' | '|' | '$') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
