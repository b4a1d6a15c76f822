//! Choices: the records that a PATIENT session can be about, the teams that a CLINICIAN or TEAMCOORD session can be for, and what such
//! a session would see of a record today. A number is no look: no item of the record is shown.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use fhir::human_name;
use fhir::types::ResourceType;
use rules::ids::{PatientId, UserId};
use rules::limits::{ITEMS_COUNTED, RECORDS_OFFERED};
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::Scope;
use serde_json::Value;
use store::opening::SessionChoice;
use store::people::User;
use store::reach::cared_for;
use store::search::inventory::{self, ItemCount};
use store::{organisations, patients, read as records};

/// The fields of the authorization page by which one is chosen.
pub(crate) const RECORD: &str = "record";
pub(crate) const TEAM: &str = "team";

/// What a session can be about or for.
#[derive(Debug)]
pub(crate) struct Choices {
    /// The field by which one is chosen.
    pub field: &'static str,
    pub options: Vec<SessionOption>,
}

#[derive(Debug)]
pub(crate) struct SessionOption {
    /// The id of the Patient, or the public id of the team.
    pub id: String,
    /// The name of the patient or the team.
    pub name: String,
    /// The organisation of a team.
    pub home: Option<String>,
    pub is_own: bool,
    pub choice: SessionChoice,
    record: Option<(Reach, PatientId)>,
}

/// What came of what was sent as a choice.
#[derive(Debug)]
pub(crate) enum Chosen {
    This(SessionChoice),
    /// There are several, and none was named.
    Nothing,
    /// Not the user's to choose.
    Foreign,
}

/// What a user can choose for a session of this scope.
pub(crate) async fn of(app: &App, user: &User, scope: Scope, now: Moment) -> Result<Choices, Trouble> {
    match scope {
        Scope::Patient => Ok(Choices { field: RECORD, options: records(app, user, now).await? }),
        Scope::Clinician | Scope::TeamCoord | Scope::Site => {
            Ok(Choices { field: TEAM, options: teams(app, user).await? })
        }
    }
}

impl SessionOption {
    /// What it is called, in the middle of a sentence.
    pub(crate) fn text(&self) -> String {
        match (&self.home, self.is_own) {
            (Some(home), _) => format!("{}, {home}", self.name),
            (None, true) => format!("your own record ({})", self.name),
            (None, false) => format!("the record of {}", self.name),
        }
    }
}

impl Choices {
    /// The one of this id alone, if it is among them.
    pub(crate) fn only(mut self, id: &str) -> Self {
        self.options.retain(|option| option.id == id);
        self
    }

    /// What is chosen by the value of each field. Where there is only one, nobody needs to name it.
    pub(crate) fn chosen(&self, named: impl Fn(&str) -> Option<String>) -> Chosen {
        let other = if self.field == RECORD { TEAM } else { RECORD };
        match (named(other), named(self.field), self.options.as_slice()) {
            (Some(_), ..) => Chosen::Foreign,
            (None, Some(id), options) => match options.iter().find(|option| option.id == id) {
                Some(option) => Chosen::This(option.choice),
                None => Chosen::Foreign,
            },
            (None, None, []) => Chosen::This(SessionChoice::default()),
            (None, None, [only]) => Chosen::This(only.choice),
            (None, None, _) => Chosen::Nothing,
        }
    }
}

/// The own record first, then those that the user cares for.
async fn records(app: &App, user: &User, now: Moment) -> Result<Vec<SessionOption>, Trouble> {
    let mut options = Vec::new();
    if let Some(id) = &user.patient_id {
        let number = patients::find(&app.store, id).await.during("looking a patient up")?;
        options.push(SessionOption {
            id: id.clone(),
            name: user.name.clone(),
            home: None,
            is_own: true,
            choice: SessionChoice::default(),
            record: number.map(|number| (Reach::of_patient(number), number)),
        });
    }
    let cared_for = cared_for::of_carer(&app.store, user.id, RECORDS_OFFERED, now).await;
    for (number, id) in cared_for.during("listing the records that a user cares for")? {
        options.push(SessionOption {
            name: name(app, user.id, number, now).await?.unwrap_or_else(|| id.clone()),
            id,
            home: None,
            is_own: false,
            choice: SessionChoice { record: Some(number), team: None },
            record: Some((Reach::of_carer(user.id, number), number)),
        });
    }
    Ok(options)
}

/// What a patient is called, as a carer sees it; nobody else is told.
pub(crate) async fn name(app: &App, carer: UserId, patient: PatientId, now: Moment) -> Result<Option<String>, Trouble> {
    let Some(id) = patients::fhir_id(&app.store, patient).await.during("looking a patient up")? else {
        return Ok(None);
    };
    let reach = Reach::of_carer(carer, patient);
    let found = records::read(&app.store, &reach, ResourceType::Patient, &id, now).await;
    let found = found.during("reading the Patient whom somebody cares for")?;
    let body: Option<Value> = found.and_then(|found| serde_json::from_str(&found.body).ok());
    Ok(body.map(|body| human_name::written(&body).unwrap_or(id)))
}

async fn teams(app: &App, user: &User) -> Result<Vec<SessionOption>, Trouble> {
    let teams = organisations::teams_of_user(&app.store, user.id).await.during("listing the teams of a user")?;
    let option = |team: organisations::Team| SessionOption {
        id: team.public_id,
        name: team.name,
        home: Some(team.organisation_name),
        is_own: false,
        choice: SessionChoice { record: None, team: Some(team.id) },
        record: None,
    };
    Ok(teams.into_iter().map(option).collect())
}

/// What a session about this record would see of it now, counted by type and label; none for a session that is about no record.
pub(crate) async fn counted(app: &App, option: &SessionOption, now: Moment) -> Result<Option<Vec<ItemCount>>, Trouble> {
    let Some((reach, patient)) = &option.record else { return Ok(None) };
    let counts = inventory::count(&app.store, reach, *patient, ITEMS_COUNTED, now).await;
    Ok(Some(counts.during("counting what is in a record")?))
}
