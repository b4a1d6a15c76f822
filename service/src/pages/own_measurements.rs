//! `/record/measurements/new` and `/record/measurements/{id}`: a patient adds a measurement, and corrects or removes one of their own.

use super::own_items::{self, OwnKind};
use super::record;
use super::record_sections::RecordSection;
use super::record_words::unit_words;
use super::typed_form::{JsonBody, MemberFault, TypedForm, field, label, when};
use crate::callers::people::RecordSignIn;
use crate::formats::clinical_date;
use crate::formats::zone::Zone;
use crate::http::call::Call;
use crate::http::forms;
use crate::views::Link;
use crate::views::record_form::{FieldKind, FieldOption, FilledForm, FormField, RecordFormPage};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::labels::DEFAULT_LABEL;
use rules::params::Params;
use views::item::PrivacyLabel;
use views::kinds::measurement::Measurement;
use views::measurement_types::{MeasurementType, TYPES};
use views::view::Shown;

/// As `/record/measurements?of=` names a type.
const OF: &str = "of";
const NOTE_CHARACTERS: usize = 500;
const DATE_FAULT: &str = "Give a day that there is and that is not in the future, and a time as in 07:30, or none.";
const VALUE_FAULT: &str = "Give a number that can be, with a point before its decimals, as in 72 or 71.5.";

impl OwnKind for Measurement {
    const SECTION: RecordSection = RecordSection::Measurements;
    const NOUN: &'static str = "measurement";
    const FIELDS: &'static [&'static str] =
        &["value", "value2", "words", "unit", "date", "time", "comment", "label", OF];
    const FAULTS: &'static [MemberFault] = &[
        ("value", "value", VALUE_FAULT),
        ("value2", "value2", VALUE_FAULT),
        ("valueText", "words", "Say what was measured."),
        ("unit", "unit", "Choose one of these units."),
        ("dateTaken", "date", DATE_FAULT),
        ("comment", "comment", "Write this in plain text."),
        ("privacyLabel", "label", "Choose one of the labels."),
    ];

    fn typed(shown: &Shown<Self>, zone: &Zone) -> TypedForm {
        let Shown { item, view } = shown;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let digits =
            |number: Option<&views::members::number::Number>| number.map_or("", |number| number.digits()).to_owned();
        let (day, clock) =
            view.date_taken.as_ref().map(|date| clinical_date::fields(&date.0, zone)).unwrap_or_default();
        TypedForm::default()
            .with(OF, &view.api_ref)
            .with("value", &digits(view.value.as_ref()))
            .with("value2", &digits(view.value2.as_ref()))
            .with("words", &text(&view.value_text))
            .with("unit", &text(&view.unit))
            .with("date", &day)
            .with("time", &clock)
            .with("comment", &text(&view.comment))
            .with("label", item.privacy_label.map_or("", PrivacyLabel::word))
    }

    fn words(typed: &TypedForm, is_new: bool) -> (String, String) {
        let name = MeasurementType::named(typed.get(OF)).map_or("Measurement", |kind| kind.name);
        match is_new {
            true => (format!("Add: {name}"), "It becomes a part of your record, and says that you wrote it.".into()),
            false => (format!("Correct: {name}"), "What you correct here changes for everybody who sees it.".into()),
        }
    }

    fn fields(typed: &TypedForm) -> (Vec<FormField>, Vec<(&'static str, String)>) {
        let kind = MeasurementType::named(typed.get(OF));
        let mut kept = vec![(OF, typed.get(OF).to_owned())];
        let units: Vec<&str> = kind.map(|kind| kind.units.to_vec()).unwrap_or_default();
        let unit = typed.get("unit");
        let mut units: Vec<&str> = units;
        if !unit.is_empty() && !units.contains(&unit) {
            units.push(unit);
        }
        let hint = match units.as_slice() {
            [only] => Some(unit_words(only)).filter(|words| !words.is_empty()).map(|words| format!("In {words}.")),
            _ => None,
        };
        let number = |name, label: &str| FormField {
            hint: hint.clone(),
            is_required: true,
            ..field(typed, name, label, FieldKind::Number)
        };
        let mut fields = match kind {
            // What an app said in words is corrected in words.
            _ if !typed.get("words").is_empty() => {
                let line = FieldKind::Line("text", NOTE_CHARACTERS);
                vec![FormField { is_required: true, ..field(typed, "words", "Value", line) }]
            }
            Some(kind) if kind.components.is_some() => {
                vec![number("value", "Upper value (systolic)"), number("value2", "Lower value (diastolic)")]
            }
            _ => vec![number("value", kind.map_or("Value", |kind| kind.name))],
        };
        if units.len() > 1 {
            let option = |unit: &&str| FieldOption { value: (*unit).to_owned(), text: unit_words(unit) };
            fields.push(field(typed, "unit", "Unit", FieldKind::Choice(units.iter().map(option).collect())));
        } else if !unit.is_empty() {
            kept.push(("unit", unit.to_owned()));
        }
        fields.extend(when(typed));
        let comment = field(typed, "comment", "Comment, if you like", FieldKind::Line("text", NOTE_CHARACTERS));
        fields.extend([comment, label(typed)]);
        (fields, kept)
    }

    fn body(typed: &TypedForm, was: Option<&Self>, zone: &Zone) -> JsonBody {
        let kept = was.and_then(|was| was.date_taken.as_ref());
        let is_kept =
            |date: &str| clinical_date::fields(date, zone) == (typed.get("date").into(), typed.get("time").into());
        let date = match kept.filter(|date| is_kept(&date.0)) {
            Some(date) => date.0.clone(),
            None => clinical_date::of_fields(typed.get("date"), typed.get("time"), zone),
        };
        JsonBody::default()
            .text("apiRef", typed.get(OF))
            .number("value", typed.get("value"))
            .number("value2", typed.get("value2"))
            .text("valueText", typed.get("words"))
            .text("unit", typed.get("unit"))
            .text("dateTaken", &date)
            .text("comment", typed.get("comment"))
            .text("privacyLabel", typed.get("label"))
    }
}

/// `GET /record/measurements/new`: which type first, and then its form.
pub async fn show_new(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let params = call.query().unwrap_or_default().as_bytes();
    let answer = match forms::params(params) {
        Ok(params) => asked(&account, &call, &params).map_err(PageStop::from),
        Err(_) => Err(Problem::unreadable_address().into()),
    };
    account.person.keep(&call.app, answer)
}

fn asked(account: &RecordSignIn, call: &Call, params: &Params<'_>) -> Result<Response, Problem> {
    let Some(of) = params.get(OF) else { return Ok(choice(account, call)) };
    let kind = MeasurementType::named(of).ok_or_else(Problem::not_found)?;
    let today = call.app.settings.time_zone.date(account.person.now);
    let typed = TypedForm::default().with(OF, kind.api_ref).with("date", &today).with("label", DEFAULT_LABEL.code());
    Ok(own_items::show_new::<Measurement>(account, call, &typed))
}

/// Asks what was measured.
fn choice(account: &RecordSignIn, call: &Call) -> Response {
    let option = |kind: &MeasurementType| FieldOption { value: kind.api_ref.into(), text: kind.name.into() };
    let kind = FieldKind::Choice(TYPES.iter().map(option).collect());
    let section = RecordSection::Measurements;
    let path = format!("{}/{}", record::PATH, section.word());
    let page = RecordFormPage {
        frame: account.person.frame(&call.app, record::PATH),
        back: Link { href: path.clone(), text: section.heading().into() },
        heading: "Add a measurement".into(),
        lead: "Choose first what you measured.".into(),
        form: FilledForm {
            method: "get",
            action: format!("{path}/new"),
            sealed: None,
            kept: Vec::new(),
            fields: vec![field(&TypedForm::default(), OF, "What did you measure?", kind)],
            problems: Vec::new(),
            button: "Go on",
        },
        removal: None,
    };
    page::html(StatusCode::OK, &page)
}

/// `POST /record/measurements/new`.
pub async fn add(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    own_items::add::<Measurement>(account, call).await
}

/// `GET /record/measurements/{id}`.
pub async fn show(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    own_items::show::<Measurement>(account, call).await
}

/// `POST /record/measurements/{id}`.
pub async fn change(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    own_items::change::<Measurement>(account, call).await
}
