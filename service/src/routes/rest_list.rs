//! The rows of the custom REST API (docs/rest.md): each is an operation, served under every prefix.

use super::route::{Draft, Route, delete, get, post, put};
use crate::callers::api::{RestPatient, RestReader, RestTeamReader, RestTeamWriter, RestWriter};
use crate::callers::requirement::Anyone;
use crate::interactions::items::kind::ItemKind;
use crate::reference::inputs;
use crate::reference::listing::Payload::{Content, Json, Nothing};
use crate::reference::listing::Schema;
use crate::rest;
use crate::rest::list_entry::ListEntry;
use crate::voices::stop::Voice::Rest;
use views::kinds::allergy::Allergy;
use views::kinds::diagnosis::Diagnosis;
use views::kinds::journal::JournalEntry;
use views::kinds::measurement::Measurement;
use views::kinds::medication::Medication;
use views::kinds::person::Person;
use views::kinds::symptom::Symptom;
use views::measurement_types::ListedType;
use views::view::Shown;

/// Statuses of lists, of creates, of updates and of deletes.
const LISTED: &[u16] = &[400, 404];
const MADE: &[u16] = &[200, 404, 409, 410];
const CHANGED: &[u16] = &[404, 409, 410];
const DELETED: &[u16] = &[400, 404, 409];

/// One operation: its row under each of the prefixes that the custom REST API has.
macro_rules! rest {
    ($method:ident::<$caller:ty>, $handler:expr, $($part:literal),+) => {
        [
            $method::<$caller>(Rest, concat!("/json", $($part),+), $handler),
            $method::<$caller>(Rest, concat!("/json/v1", $($part),+), $handler),
            $method::<$caller>(Rest, concat!("/json/v2", $($part),+), $handler),
            $method::<$caller>(Rest, concat!("/json/v2-beta", $($part),+), $handler),
        ]
    };
}

/// What every kind of items has: its lists, and making one for oneself.
macro_rules! items {
    ($kind:ty, $path:literal, $name:literal, $words:literal, $more:expr) => {
        [
            rest!(get::<RestPatient>, rest::list::own::<$kind>, $path).map(|row| {
                row.says(concat!("Lists the ", $words, " of the record that the session is about."))
                    .takes(inputs::LISTS)
                    .takes($more)
                    .gives(Json(Schema::of::<Vec<ListEntry<$kind>>>(concat!($name, "List"))))
                    .may_answer(LISTED)
            }),
            rest!(get::<RestTeamReader>, rest::list::of_patient::<$kind>, $path, "/forPatient/{patientId}").map(
                |row| {
                    row.says(concat!("Lists the ", $words, " of a patient."))
                        .takes(inputs::LISTS)
                        .takes($more)
                        .gives(Json(Schema::of::<Vec<ListEntry<$kind>>>(concat!($name, "List"))))
                        .may_answer(LISTED)
                },
            ),
            rest!(post::<RestPatient>, rest::create::own::<$kind>, $path).map(|row| {
                row.says(concat!("Adds to the ", $words, " of the record that the session is about, one or up to 100."))
                    .reads(Schema::sent::<$kind>(concat!("New", $name)))
                    .gives(Json(Schema::one_or_several::<Shown<$kind>>(concat!($name, "OrSeveral"))))
                    .may_answer(MADE)
            }),
        ]
    };
}

/// And what those have that teams write, too.
macro_rules! items_of_teams {
    ($kind:ty, $path:literal, $name:literal, $words:literal) => {
        [
            rest!(post::<RestTeamWriter>, rest::create::for_patient::<$kind>, $path, "/forPatient/{patientId}").map(
                |row| {
                    row.says(concat!("Adds to the ", $words, " of a patient, one or up to 100."))
                        .reads(Schema::sent::<$kind>(concat!("New", $name)))
                        .gives(Json(Schema::one_or_several::<Shown<$kind>>(concat!($name, "OrSeveral"))))
                        .may_answer(MADE)
                },
            ),
            rest!(put::<RestWriter>, rest::update::by_source::<$kind>, $path, "/{id}")
                .map(|row| changed::<$kind>(row, (concat!("Changed", $name), $name))),
            rest!(delete::<RestWriter>, rest::delete::by_source::<$kind>, $path, "/{id}").map(deleted),
        ]
    };
}

/// An update, described, under the names of what is sent and of what is shown.
fn changed<K: ItemKind>(row: Draft, (sent, shown): (&'static str, &'static str)) -> Route {
    row.says("Changes one, by its source: what it shows is replaced, and every other element stays.")
        .reads(Schema::sent_one::<K>(sent))
        .gives(Json(Schema::of::<Shown<K>>(shown)))
        .may_answer(CHANGED)
}

/// A delete, described.
fn deleted(row: Draft) -> Route {
    row.says("Deletes one, by its source; the history stays.").gives(Nothing).may_answer(DELETED)
}

/// Every row of the custom REST API.
pub(super) fn routes() -> Vec<Route> {
    let mut routes: Vec<Route> = Vec::new();
    routes.extend(rest!(get::<RestReader>, rest::users::read_self, "/users/self").map(|row| {
        row.says("Says who is behind the session.").gives(Json(Schema::of::<Person>("Person"))).may_answer(&[404])
    }));
    routes.extend(measurements());
    let kinds = [
        items!(Allergy, "/allergies", "Allergy", "allergies", inputs::CLINICAL_STATUS),
        items!(Medication, "/medications", "Medication", "medications", inputs::MEDICATION_STATUS),
        items!(Diagnosis, "/diagnoses", "Diagnosis", "diagnoses", inputs::CLINICAL_STATUS),
        items!(Symptom, "/symptoms", "Symptom", "symptoms", &[]),
        items!(JournalEntry, "/journal", "JournalEntry", "journal entries", &[]),
    ];
    routes.extend(kinds.into_iter().flatten().flatten());
    let of_teams = [
        items_of_teams!(Allergy, "/allergies", "Allergy", "allergies"),
        items_of_teams!(Medication, "/medications", "Medication", "medications"),
        items_of_teams!(Diagnosis, "/diagnoses", "Diagnosis", "diagnoses"),
        items_of_teams!(Symptom, "/symptoms", "Symptom", "symptoms"),
    ];
    routes.extend(of_teams.into_iter().flatten().flatten());
    // A journal is the patient's.
    routes.extend(
        rest!(put::<RestPatient>, rest::update::by_patient::<JournalEntry>, "/journal/{id}")
            .map(|row| changed::<JournalEntry>(row, ("ChangedJournalEntry", "JournalEntry"))),
    );
    routes.extend(rest!(delete::<RestPatient>, rest::delete::by_patient::<JournalEntry>, "/journal/{id}").map(deleted));
    routes.extend(rest!(get::<RestReader>, rest::attachments::give, "/attachments/{id}").map(|row| {
        row.says("Gives the content of a document, by the id of its DocumentReference or Binary.")
            .takes(inputs::RANGES)
            .gives(Content)
            .may_answer(&[206, 416])
    }));
    routes
}

fn measurements() -> Vec<Route> {
    let list = || Json(Schema::of::<Vec<ListEntry<Measurement>>>("MeasurementList"));
    let made = || Json(Schema::one_or_several::<Shown<Measurement>>("MeasurementOrSeveral"));
    let sent = || Schema::sent::<Measurement>("NewMeasurement");
    let rows = [
        rest!(get::<Anyone>, rest::measurements::types, "/measurements/apiRefs").map(|row| {
            row.says("Lists the types of measurements.")
                .gives(Json(Schema::of::<Vec<ListedType>>("MeasurementTypes")))
                .may_answer(&[400])
        }),
        rest!(get::<RestPatient>, rest::measurements::own, "/measurements").map(|row| {
            row.says("Lists the measurements of the record that the session is about.")
                .takes(inputs::MEASUREMENTS)
                .takes(inputs::LISTS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(get::<RestTeamReader>, rest::measurements::of_patient, "/measurements/{id}").map(|row| {
            row.says("Lists the measurements of the patient of this id.")
                .takes(inputs::MEASUREMENTS)
                .takes(inputs::LISTS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(get::<RestPatient>, rest::measurements::by_type, "/measurements/byType/{apiRef}").map(|row| {
            row.says("Lists the measurements of one type, of the record that the session is about.")
                .takes(inputs::LISTS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(post::<RestPatient>, rest::create::own::<Measurement>, "/measurements").map(|row| {
            row.says("Adds measurements to the record that the session is about, one or up to 100; with an id, changes that one.")
                .reads(sent())
                .gives(made())
                .may_answer(MADE)
        }),
        rest!(post::<RestTeamWriter>, rest::measurements::create_for, "/measurements/{id}").map(|row| {
            row.says("Adds measurements to the record of the patient of this id, one or up to 100; with an id, changes that one.")
                .reads(sent())
                .gives(made())
                .may_answer(MADE)
        }),
        rest!(delete::<RestWriter>, rest::delete::by_source::<Measurement>, "/measurements/{id}").map(deleted),
    ];
    rows.into_iter().flatten().collect()
}
