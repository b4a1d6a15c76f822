//! `/teams/{id}/patients/{patientId}`: a clinician reads a patient's record through one team, by the same sections as the patient does
//! and by the same interactions as an app would. What the team sees is said at the top, by the consent alone.

use super::apps;
use super::record_words::RecordPlace;
use super::{record, refusals};
use super::{team_words, teams};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::staff::{ClinicianSignIn, TeamLook};
use crate::http::call::Call;
use crate::interactions::items::record::{self as records, ItemRecord};
use crate::interactions::{read, record_view};
use crate::views::TimeText;
use crate::views::record::{RecordBanner, RecordPage, RecordSectionPage};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::json;
use fhir::types::ResourceType;
use views::kinds::person::{PatientFacts, Person};

/// A record that a clinician has found, and how they see it.
pub(super) struct FoundRecord<'s> {
    pub look: TeamLook<'s>,
    pub record: ItemRecord,
    pub base: String,
    pub banner: RecordBanner,
}

impl FoundRecord<'_> {
    pub(super) fn place(&self) -> RecordPlace<'_> {
        RecordPlace { record: &self.record, base: &self.base, is_own: false }
    }
}

/// `GET /teams/{id}/patients/{patientId}`.
pub async fn show(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let (app, named) = (&call.app, named(&call));
    let showing = async {
        let found = find(app, &clinician, &named).await?;
        let sections = record::overview(app, &found.look.caller, found.place()).await?;
        let page = RecordPage {
            frame: clinician.person.frame(app, teams::PATH),
            whose: Some(found.banner),
            news: None,
            sections,
        };
        Ok(page::html(StatusCode::OK, &page))
    };
    let answer = showing.await;
    clinician.person.keep(app, answer)
}

/// `GET /teams/{id}/patients/{patientId}/{section}`.
pub async fn show_section(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let (app, named, asked) = (&call.app, named(&call), record::asked(&call));
    let showing = async {
        let found = find(app, &clinician, &named).await?;
        let page = record::section(app, &found.look.caller, found.place(), asked?).await?;
        let frame = clinician.person.frame(app, teams::PATH);
        Ok(page::html(StatusCode::OK, &RecordSectionPage { frame, whose: Some(found.banner), ..page }))
    };
    let answer = showing.await;
    clinician.person.keep(app, answer)
}

/// The team and the patient of an address.
pub(super) fn named(call: &Call) -> (String, String) {
    let part = |name| call.part(name).unwrap_or_default().into_owned();
    (part("id"), part("patientId"))
}

/// Where the record of a patient is, for a team.
pub(super) fn path((team, patient): &(String, String)) -> String {
    format!("{}/patients/{patient}", teams::of_team(team))
}

pub(super) fn end_purpose((team, patient): &(String, String)) -> String {
    format!("end-emergency {team} {patient}")
}

/// The record of an address, if the team has anything to do with it. A team of others, a patient of others and what never was are
/// the same.
pub(super) async fn find<'s>(
    app: &App,
    clinician: &'s ClinicianSignIn,
    named: &(String, String),
) -> Result<FoundRecord<'s>, PageStop> {
    let (team, patient) = named;
    let look = clinician.look(team).ok_or_else(Problem::not_found)?;
    let look = look.of_patient(app, patient).await?;
    let caller = &look.caller;
    let record = records::named(app, caller, patient).await.map_err(refusals::unread)?;
    let found = read::if_there(app, caller, ResourceType::Patient, patient).await?.ok_or_else(Problem::not_found)?;
    let person = Person::patient(patient, json::read(&found.body).as_ref(), PatientFacts::default()).banner();
    let view = record_view::seen(app, caller, record.number).await.during("looking at what a team sees")?;
    let (base, zone) = (path(named), &app.settings.time_zone);
    let glass = caller.glass().map(|open| open.glass.ends_at());
    let banner = RecordBanner {
        name: team_words::name(&person),
        born: team_words::born(&person, zone),
        numbers: team_words::numbers(&person),
        team: look.team.name.clone(),
        back: teams::of_team(team),
        sees: team_words::sees(view),
        until: glass.map(|until| TimeText::new(until, zone)),
        apps: if glass.is_none() { apps::for_patient(app, &clinician.person, look.team, patient).await? } else { None },
        emergency: (glass.is_none() && look.team.settings.break_glass).then(|| format!("{base}/emergency")),
        end: glass.map(|_| (format!("{base}/emergency/end"), clinician.person.form(app, &end_purpose(named)))),
    };
    Ok(FoundRecord { look, record, base, banner })
}
