//! The rows of the custom REST API (docs/rest.md): each is an operation, served under every prefix.

use super::route::{Draft, Route, delete, get, post, put};
use crate::callers::api::{RestCoordinator, RestPatient, RestReader, RestTeamReader, RestTeamWriter, RestWriter};
use crate::callers::requirement::Anyone;
use crate::interactions::items::kind::ItemKind;
use crate::reference::inputs;
use crate::reference::listing::Payload::{Content, Json, JsonOrCsv, Nothing};
use crate::reference::listing::{FileBody, Schema};
use crate::rest;
use crate::rest::arrivals::MessagesAfter;
use crate::rest::list_entry::ListEntry;
use crate::voices::stop::Voice::Rest;
use views::elements::attachment::NewAttachment;
use views::kinds::allergy::Allergy;
use views::kinds::appointment::Appointment;
use views::kinds::consent::{ConsentView, SentConsent};
use views::kinds::conversation::Conversation;
use views::kinds::deactivation::{DeactivatedAccount, DeactivationSent};
use views::kinds::diagnosis::Diagnosis;
use views::kinds::document::Document;
use views::kinds::glass::OpenedGlass;
use views::kinds::invitation::InvitationView;
use views::kinds::journal::JournalEntry;
use views::kinds::labelling::{LabelSent, LabelledItem};
use views::kinds::log_line::LogLine;
use views::kinds::measurement::Measurement;
use views::kinds::medication::Medication;
use views::kinds::message::{Message, ReadMark};
use views::kinds::notice::Notice;
use views::kinds::person::Person;
use views::kinds::plan::{Plan, PlanOutline};
use views::kinds::symptom::Symptom;
use views::kinds::team::{TeamPatient, TeamView};
use views::kinds::test_list::ListedTest;
use views::kinds::test_result::TestResult;
use views::measurement_types::ListedType;
use views::view::Shown;

/// Statuses of lists, of creates, of updates and of deletes.
const LISTED: &[u16] = &[400, 404];
const MADE: &[u16] = &[200, 404, 409, 410];
const CHANGED: &[u16] = &[404, 409, 410];
const DELETED: &[u16] = &[400, 404, 409];
/// Of what is shared, and of a broken glass.
const SHARED: &[u16] = &[200, 404];
const BROKEN: &[u16] = &[404];

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
                    .reads(Schema::sent::<$kind>(concat!("New", $name, "OrSeveral")))
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
                        .reads(Schema::sent::<$kind>(concat!("New", $name, "OrSeveral")))
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
    routes.extend(rest!(get::<RestReader>, rest::users::read_one, "/users/{id}").map(|row| {
        row.says("Tells of a patient whom the caller may see, or of a professional by name alone.")
            .gives(Json(Schema::of::<Person>("Person")))
            .may_answer(LISTED)
    }));
    routes.extend(
        rest!(get::<RestTeamReader>, rest::users::by_national_id, "/users/byNationalId/{value}/{idType}").map(|row| {
            row.says("Finds a patient by a national number, and tells what they are recognised by.")
                .gives(Json(Schema::of::<Person>("Person")))
                .may_answer(LISTED)
        }),
    );
    routes.extend(rest!(post::<RestCoordinator>, rest::accounts::deactivate, "/users/{id}/deactivate").map(|row| {
        row.says(
            "Ends the account of a patient: nobody signs in with it any more, and its sessions end. The record stays.",
        )
        .reads(Schema::of_body::<DeactivationSent>("DeactivationSent"))
        .gives(Json(Schema::of::<DeactivatedAccount>("DeactivatedAccount")))
        .may_answer(&[200, 404, 409])
    }));
    routes.extend(teams());
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
    routes.extend(tests());
    routes.extend(appointments());
    routes.extend(plans());
    routes.extend(messages());
    routes.extend(documents());
    routes.extend(rest!(post::<RestWriter>, rest::attachments::keep, "/attachments").map(|row| {
        row.says(
            "Keeps the bytes of a file, for its sender alone, until a document or a message holds it: for 24 hours.",
        )
        .takes(inputs::ATTACHMENT)
        .reads_files(FileBody::Bytes)
        .gives(Json(Schema::of::<NewAttachment>("NewAttachment")))
        .may_answer(&[400, 404])
    }));
    routes.extend(sharing());
    routes.extend(notices());
    routes.extend(rest!(put::<RestWriter>, rest::privacy_labels::set, "/privacyLabels/{resourceType}/{id}").map(
        |row| {
            row.says(
                "Sets the label of an item: the patient of any in the own record, everybody else of what they made.",
            )
            .reads(Schema::of_body::<LabelSent>("PrivacyLabelSent"))
            .gives(Json(Schema::of::<LabelledItem>("LabelledItem")))
            .may_answer(CHANGED)
        },
    ));
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
    let sent = || Schema::sent::<Measurement>("NewMeasurementOrSeveral");
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

fn messages() -> Vec<Route> {
    let shown = || Json(Schema::of::<Shown<Message>>("Message"));
    let conversations = || Json(Schema::of::<Vec<Conversation>>("Conversations"));
    let rows = [
        rest!(get::<RestPatient>, rest::messages::own, "/conversations").map(|row| {
            row.says("Lists the conversations of the record that the session is about.")
                .takes(inputs::LISTS)
                .gives(conversations())
                .may_answer(LISTED)
        }),
        rest!(get::<RestTeamWriter>, rest::messages::of_patient, "/conversations/forPatient/{patientId}").map(|row| {
            row.says("Lists the conversations about a patient that the caller sees.")
                .takes(inputs::LISTS)
                .gives(conversations())
                .may_answer(LISTED)
        }),
        rest!(get::<RestWriter>, rest::messages::one, "/conversations/{id}").map(|row| {
            row.says("Gives the messages of a conversation, the oldest first.")
                .takes(inputs::LIST_PAGES)
                .gives(Json(Schema::of::<Vec<Shown<Message>>>("Messages")))
                .may_answer(LISTED)
        }),
        rest!(get::<RestWriter>, rest::arrivals::after, "/messages/after/{time}").map(|row| {
            row.says(
                "Gives the messages and documents that were stored from a moment on; with nextTime, none is missed.",
            )
            .takes(inputs::ARRIVALS)
            .gives(Json(Schema::of::<MessagesAfter>("MessagesAfter")))
            .may_answer(LISTED)
        }),
        rest!(post::<RestWriter>, rest::messages::create, "/messages").map(|row| {
            row.says("Sends a message, or drafts it: to those to whom the record is open, or who take part already.")
                .reads(Schema::sent_one::<Message>("NewMessage"))
                .gives(shown())
                .may_answer(MADE)
        }),
        rest!(put::<RestWriter>, rest::messages::change, "/messages/{id}").map(|row| {
            row.says("Changes a draft of one's own, and sends it where its status says so.")
                .reads(Schema::sent_one::<Message>("ChangedMessage"))
                .gives(shown())
                .may_answer(CHANGED)
        }),
        rest!(delete::<RestWriter>, rest::messages::delete, "/messages/{id}")
            .map(|row| row.says("Drops a draft of one's own.").gives(Nothing).may_answer(DELETED)),
        rest!(post::<RestWriter>, rest::messages::read, "/messages/{id}/read").map(|row| {
            row.says("Notes that the caller has read a message, or has not; when the patient did first stays.")
                .reads(Schema::of_body::<ReadMark>("ReadMark"))
                .gives(shown())
                .may_answer(MADE)
        }),
    ];
    rows.into_iter().flatten().collect()
}

fn tests() -> Vec<Route> {
    let listed = || Json(Schema::of::<Vec<ListedTest>>("Tests"));
    let list = || Json(Schema::of::<Vec<ListEntry<TestResult>>>("TestResultList"));
    let made = || Json(Schema::one_or_several::<Shown<TestResult>>("TestResultOrSeveral"));
    let sent = || Schema::sent::<TestResult>("NewTestResultOrSeveral");
    let rows = [
        rest!(get::<RestPatient>, rest::test_results::own, "/tests").map(|row| {
            row.says("Lists the tests that the record of the session has results of.")
                .gives(listed())
                .may_answer(LISTED)
        }),
        rest!(get::<RestTeamReader>, rest::test_results::of_patient, "/tests/forPatient/{patientId}")
            .map(|row| row.says("Lists the tests that a patient has results of.").gives(listed()).may_answer(LISTED)),
        rest!(get::<RestPatient>, rest::test_results::own_results, "/tests/results").map(|row| {
            row.says("Lists the test results of the record that the session is about.")
                .takes(inputs::TESTS)
                .takes(inputs::LISTS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(get::<RestTeamReader>, rest::test_results::results_of, "/tests/results/forPatient/{patientId}").map(
            |row| {
                row.says("Lists the test results of a patient.")
                    .takes(inputs::TESTS)
                    .takes(inputs::LISTS)
                    .gives(list())
                    .may_answer(LISTED)
            },
        ),
        rest!(get::<RestTeamReader>, rest::test_results::by_test_ids, "/tests/results/forPatient/byTestIds").map(
            |row| {
                row.says("Lists the results of some tests of a patient.")
                    .takes(inputs::TESTS_OF_PATIENT)
                    .takes(inputs::LISTS)
                    .gives(list())
                    .may_answer(LISTED)
            },
        ),
        rest!(post::<RestPatient>, rest::create::own::<TestResult>, "/tests/results").map(|row| {
            row.says("Adds test results to the record that the session is about, one or up to 100.")
                .reads(sent())
                .gives(made())
                .may_answer(MADE)
        }),
        rest!(post::<RestTeamWriter>, rest::create::for_patient::<TestResult>, "/tests/results/forPatient/{patientId}")
            .map(|row| {
                row.says("Adds test results to the record of a patient, one or up to 100.")
                    .reads(sent())
                    .gives(made())
                    .may_answer(MADE)
            }),
    ];
    rows.into_iter().flatten().collect()
}

fn documents() -> Vec<Route> {
    let list = || Json(Schema::of::<Vec<ListEntry<Document>>>("DocumentList"));
    let one = || Json(Schema::of::<Shown<Document>>("Document"));
    let sent = || Schema::sent_one::<Document>("NewDocument");
    let with_files = || FileBody::Parts(Schema::sent_one::<Document>("NewDocument"));
    let rows = [
        rest!(get::<RestPatient>, rest::documents::own, "/documents").map(|row| {
            row.says("Lists the documents of the record that the session is about.")
                .takes(inputs::LISTS)
                .takes(inputs::DOCUMENTS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(get::<RestTeamReader>, rest::documents::of_patient, "/documents/forPatient/{patientId}").map(|row| {
            row.says("Lists the documents of a patient.")
                .takes(inputs::LISTS)
                .takes(inputs::DOCUMENTS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(get::<RestReader>, rest::one::by_id::<Document>, "/documents/{id}")
            .map(|row| row.says("Gives one document, without its content.").gives(one()).may_answer(&[400, 404, 410])),
        rest!(post::<RestPatient>, rest::documents::create_own, "/documents").map(|row| {
            row.says("Adds a document to the record that the session is about: around attachments, or with its files as further parts.")
                .reads(sent())
                .reads_files(with_files())
                .gives(one())
                .may_answer(MADE)
        }),
        rest!(post::<RestTeamWriter>, rest::documents::create_for, "/documents/forPatient/{patientId}").map(|row| {
            row.says("Adds a document to the record of a patient: around attachments, or with its files as further parts.")
                .reads(sent())
                .reads_files(with_files())
                .gives(one())
                .may_answer(MADE)
        }),
        rest!(delete::<RestWriter>, rest::delete::by_source::<Document>, "/documents/{id}").map(deleted),
    ];
    rows.into_iter().flatten().collect()
}

fn appointments() -> Vec<Route> {
    let list = || Json(Schema::of::<Vec<ListEntry<Appointment>>>("AppointmentList"));
    let rows = [
        rest!(get::<RestPatient>, rest::list::own::<Appointment>, "/appointments").map(|row| {
            row.says("Lists the appointments of the record that the session is about.")
                .takes(inputs::LISTS)
                .takes(inputs::APPOINTMENT_STATUS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(get::<RestTeamReader>, rest::list::of_patient::<Appointment>, "/appointments/forPatient/{patientId}")
            .map(|row| {
                row.says("Lists the appointments of a patient.")
                    .takes(inputs::LISTS)
                    .takes(inputs::APPOINTMENT_STATUS)
                    .gives(list())
                    .may_answer(LISTED)
            }),
        rest!(post::<RestTeamWriter>, rest::create::for_patient::<Appointment>, "/appointments/forPatient/{patientId}")
            .map(|row| {
                row.says("Makes an appointment for a patient.")
                    .reads(Schema::sent_one::<Appointment>("NewAppointment"))
                    .gives(Json(Schema::of::<Shown<Appointment>>("Appointment")))
                    .may_answer(MADE)
            }),
        rest!(put::<RestTeamWriter>, rest::update::by_team::<Appointment>, "/appointments/{id}")
            .map(|row| changed::<Appointment>(row, ("NewAppointment", "Appointment"))),
        rest!(delete::<RestTeamWriter>, rest::delete::by_team::<Appointment>, "/appointments/{id}").map(deleted),
    ];
    rows.into_iter().flatten().collect()
}

fn plans() -> Vec<Route> {
    let list = || Json(Schema::of::<Vec<ListEntry<Plan>>>("PlanList"));
    let rows = [
        rest!(post::<RestWriter>, rest::plans::create, "/treatmentPlans").map(|row| {
            row.says("Makes a plan: a patient in their own record, others in that of the patient whom it names.")
                .reads(Schema::sent_one::<Plan>("NewPlan"))
                .gives(Json(Schema::of::<Shown<Plan>>("Plan")))
                .may_answer(MADE)
        }),
        rest!(get::<RestPatient>, rest::plans::own, "/treatmentPlans/mine").map(|row| {
            row.says("Lists the plans of the record that the session is about.")
                .takes(inputs::LISTS)
                .takes(inputs::PLANS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(get::<RestTeamReader>, rest::plans::of_patient, "/treatmentPlans/forPatient/{patientId}").map(|row| {
            row.says("Lists the plans of a patient.")
                .takes(inputs::LISTS)
                .takes(inputs::PLANS)
                .gives(list())
                .may_answer(LISTED)
        }),
        rest!(get::<RestTeamReader>, rest::plans::outlines, "/careplans/{patientId}").map(|row| {
            row.says("Lists the plans of a patient without the words of their parts.")
                .takes(inputs::LISTS)
                .takes(inputs::PLANS)
                .gives(Json(Schema::of::<Vec<ListEntry<PlanOutline>>>("PlanOutlineList")))
                .may_answer(LISTED)
        }),
        rest!(put::<RestWriter>, rest::update::by_source::<Plan>, "/treatmentPlans/{id}")
            .map(|row| changed::<Plan>(row, ("NewPlan", "Plan"))),
    ];
    rows.into_iter().flatten().collect()
}

fn sharing() -> Vec<Route> {
    let rows = [
        rest!(get::<RestReader>, rest::consents::list, "/consents/byPatient/{patientId}").map(|row| {
            row.says("Lists the consents of a patient: to the patient and to who holds all four labels all, to others their own.")
                .takes(inputs::CONSENT_STATES)
                .gives(Json(Schema::of::<Vec<ConsentView>>("Consents")))
                .may_answer(LISTED)
        }),
        rest!(post::<RestReader>, rest::consents::share, "/consents/forPatient/{patientId}").map(|row| {
            row.says("Shares a record with a team, a professional or a carer, or changes what is shared; what is left out stays.")
                .reads(Schema::of::<SentConsent>("NewConsent"))
                .gives(Json(Schema::of::<ConsentView>("Consent")))
                .may_answer(SHARED)
        }),
        rest!(post::<RestTeamWriter>, rest::glass::break_glass, "/consents/BTG/{patientId}").map(|row| {
            row.says("Breaks the glass of a patient: an emergency look for 30 minutes, of which everybody concerned is told.")
                .takes(inputs::GLASS)
                .gives(Json(Schema::of::<OpenedGlass>("OpenedGlass")))
                .may_answer(BROKEN)
        }),
        rest!(delete::<RestTeamWriter>, rest::glass::mend_glass, "/consents/BTG/{patientId}").map(|row| {
            row.says("Hands the glass of the header breaktheglass back.")
                .takes(inputs::GLASS_HEADER)
                .gives(Nothing)
                .may_answer(&[400, 404])
        }),
    ];
    rows.into_iter().flatten().collect()
}

fn notices() -> Vec<Route> {
    let rows = [
        rest!(get::<RestPatient>, rest::access_log::show, "/accessLog").map(|row| {
            row.says("Lists who looked at the own record and what was done with it, the newest first; with Accept: text/csv as a table.")
                .takes(inputs::ACCESS_LOG)
                .gives(JsonOrCsv(Schema::of::<Vec<LogLine>>("AccessLog")))
                .may_answer(&[400])
        }),
        rest!(get::<RestReader>, rest::notices::list, "/notices").map(|row| {
            row.says("Lists what the caller was told, the newest first, up to 1000.")
                .takes(inputs::NOTICES)
                .gives(Json(Schema::of::<Vec<Notice>>("Notices")))
                .may_answer(&[400])
        }),
        rest!(post::<RestReader>, rest::notices::seen, "/notices/{id}/seen").map(|row| {
            row.says("Notes that a notice was seen; the first time counts.")
                .gives(Json(Schema::of::<Notice>("Notice")))
                .may_answer(&[404])
        }),
    ];
    rows.into_iter().flatten().collect()
}

fn teams() -> Vec<Route> {
    let invites = "Invites a patient to make an account, by a pair of 30 days that ends the one before.";
    let rows = [
        rest!(get::<RestTeamReader>, rest::invitations::invite, "/users/{id}/recordAccessToken").map(|row| {
            row.says(invites).gives(Json(Schema::of::<InvitationView>("Invitation"))).may_answer(&[400, 404, 422])
        }),
        rest!(post::<RestTeamReader>, rest::invitations::invite, "/users/{id}/recordAccessToken")
            .map(|row| row.says(invites).gives(Json(Schema::of::<InvitationView>("Invitation"))).may_answer(&[404])),
        rest!(get::<RestTeamReader>, rest::teams::mine, "/teams/mine").map(|row| {
            row.says("Lists the teams through which the caller looks.")
                .gives(Json(Schema::of::<Vec<TeamView>>("Teams")))
                .may_answer(&[400])
        }),
        rest!(get::<RestTeamReader>, rest::teams::patients, "/teams/{teamId}/patients").map(|row| {
            row.says("Lists the patients in the care of a team of the caller, whoever came last first.")
                .takes(inputs::TEAM_PATIENTS)
                .gives(Json(Schema::of::<Vec<TeamPatient>>("TeamPatients")))
                .may_answer(LISTED)
        }),
    ];
    rows.into_iter().flatten().collect()
}
