//! What a privacy officer sees: the emergency looks of the organisation's teams, and of one of its patients who they are, with whom
//! the record is shared, how that came, and who of the organisation looked. No item of a record. Each look of theirs is a line.

use super::consents::given;
use super::noted::Noted;
use crate::app::accesses::Viewer;
use crate::app::trouble::{During, Trouble};
use crate::app::{App, Shared, access_writer};
use crate::formats::when;
use crate::sharing::{birth, form};
use fhir::types::ResourceType;
use rules::consent::denial::Denial;
use rules::consent::notice::RecordState;
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use rules::moment::Moment;
use rules::reach::{Reach, Right};
use std::collections::{BTreeSet, HashSet};
use store::ledger::{self, Author, LedgerPosition, Line, NamedLine, Topic};
use store::organisations;
use store::reach::{circle, why};
use store::sharing::change::Sharer;
use store::sharing::glass::{self, GlassUseTold};
use store::sharing::states::{self, StateRequest};
use store::{patients, read as records};
use views::kinds::consent::ConsentView;

/// A privacy officer, at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Officer {
    pub user: UserId,
    pub organisation: OrganisationId,
    pub now: Moment,
}

/// A patient whom the officer's organisation knows.
#[derive(Debug)]
pub(crate) struct OverseenPatient {
    pub number: PatientId,
    pub id: String,
    pub state: PatientState,
    /// The Patient, if there is one.
    pub details: Option<Noted>,
}

/// A look at lines about a patient that was noted.
#[derive(Debug)]
pub(crate) struct OverseenLook {
    number: PatientId,
    topic: OverseenTopic,
    /// The teams of the organisation.
    teams: HashSet<TeamId>,
}

/// Some lines, and where those after them begin.
#[derive(Debug)]
pub(crate) struct OverseenLines {
    pub lines: Vec<NamedLine>,
    pub next: Option<LedgerPosition>,
}

/// Which lines about a patient are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverseenTopic {
    /// With whom the record is shared, and how that came.
    Sharing,
    /// Who of the organisation looked, wrote, asked and was refused.
    Looks,
}

impl OverseenTopic {
    /// As the line of the officer's own look says it.
    const fn words(self) -> &'static str {
        match self {
            Self::Sharing => "with whom the record is shared, and since when",
            Self::Looks => "who of the organisation looked at the record",
        }
    }
}

/// The patient of this id, if the organisation has anything to do with them. The look is noted.
pub(crate) async fn patient(app: &App, officer: Officer, id: &str) -> Result<Option<OverseenPatient>, Trouble> {
    let known = circle::known_to(&app.store, ViewerId::from(officer.organisation), id).await;
    let Some(number) = known.during("finding a patient of an organisation")? else { return Ok(None) };
    let reach = Reach::of_organisation(officer.organisation);
    let found = records::read(&app.store, &reach, ResourceType::Patient, id, officer.now).await;
    let viewer = Viewer { client: None, user: Some(officer.user), reach: &reach, now: officer.now };
    let details =
        found.during("reading a Patient of an organisation")?.map(|found| Noted::seen_by(app, &viewer, found));
    let state = patients::state(&app.store, number).await.during("looking at the state of a record")?;
    let state = state.unwrap_or(PatientState::normal(number));
    Ok(Some(OverseenPatient { number, id: id.to_owned(), state, details }))
}

/// Every consent of the record, the newest first.
pub(crate) async fn consents(
    app: &App,
    officer: Officer,
    patient: &OverseenPatient,
) -> Result<Vec<ConsentView>, Trouble> {
    let circle = circle::of(&app.store, patient.number).await.during("looking at who sees a patient")?;
    let mut consents = circle.consents.clone();
    consents.sort_by_key(|stored| (std::cmp::Reverse(stored.made_at), stored.consent().id));
    given::named(app, &patient.id, &consents, officer.now).await
}

/// Notes that an officer looks at the lines of this topic about a patient, once for all that they are shown of it together.
pub(crate) async fn begin(
    app: &Shared,
    officer: Officer,
    patient: &OverseenPatient,
    topic: OverseenTopic,
) -> Result<OverseenLook, Trouble> {
    access_writer::flush(app).await;
    note(app, officer, patient.number, topic.words()).await?;
    Ok(OverseenLook { number: patient.number, topic, teams: teams_of(app, officer.organisation).await? })
}

/// The newest lines of a look that was noted before a place, among as many as are looked at.
pub(crate) async fn lines(
    app: &Shared,
    officer: Officer,
    look: &OverseenLook,
    (before, looked_at): (LedgerPosition, usize),
) -> Result<OverseenLines, Trouble> {
    let is_own = |line: &Line| {
        line.about.organisation == Some(officer.organisation)
            || line.about.team.is_some_and(|team| look.teams.contains(&team))
    };
    let wanted = |line: &Line| match look.topic {
        OverseenTopic::Sharing => line.event.topic() == Topic::Role && line.event != ledger::Event::Explained,
        OverseenTopic::Looks => line.event.topic() == Topic::Record && is_own(line),
    };
    let most = i64::try_from(looked_at).unwrap_or(i64::MAX);
    let found = ledger::of_patient_alone(&app.store, look.number, (before, most), wanted).await;
    let (lines, next) = found.during("reading the ledger")?;
    Ok(OverseenLines { lines, next })
}

/// The emergency looks of the organisation's teams before one, the newest first. That they were looked at is noted for each patient.
pub(crate) async fn glasses(
    app: &App,
    officer: Officer,
    before: i64,
    limit: usize,
) -> Result<Vec<GlassUseTold>, Trouble> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let found = glass::of_organisation(&app.store, officer.organisation, before, limit).await;
    let found = found.during("listing the emergency looks of an organisation")?;
    let patients: BTreeSet<PatientId> = found.iter().map(|told| told.glass.patient).collect();
    for patient in patients {
        note(app, officer, patient, "the emergency looks of the organisation").await?;
    }
    Ok(found)
}

/// One of them with what was seen through it: the lines of that look, the newest first.
pub(crate) async fn glass(
    app: &Shared,
    officer: Officer,
    (id, most): (i64, usize),
) -> Result<Option<(GlassUseTold, Vec<NamedLine>)>, Trouble> {
    let found = glass::of_organisation(&app.store, officer.organisation, id.saturating_add(1), 1).await;
    let found = found.during("finding an emergency look")?.into_iter().find(|told| told.id == id);
    let Some(told) = found else { return Ok(None) };
    access_writer::flush(app).await;
    note(app, officer, told.glass.patient, "what was seen in an emergency look").await?;
    let (broken, end) = (told.glass, told.glass.ends_at());
    let seen = |line: &Line| {
        line.right == Some(Right::Glass)
            && line.about.team == Some(broken.team)
            && line.about.user.is_none_or(|user| user == broken.user)
            && line.at >= broken.broken_at
    };
    let place = (LedgerPosition { at: end, id: i64::MAX }, i64::try_from(most).unwrap_or(i64::MAX));
    let lines = ledger::of_patient_alone(&app.store, broken.patient, place, seen).await;
    Ok(Some((told, lines.during("reading what was seen in an emergency")?.0)))
}

/// Sets a state of the record, or says why not.
pub(crate) async fn set_state(
    app: &App,
    officer: Officer,
    patient: &OverseenPatient,
    (state, reason): (RecordState, String),
) -> Result<Result<bool, Denial>, Trouble> {
    let born = birth::born(app, patient.number, &patient.id).await.during("reading a Patient")?;
    let request = StateRequest {
        patient: patient.number,
        state,
        sharer: Sharer::PrivacyOfficer(officer.organisation),
        by: Some(officer.user),
        reason: Some(reason),
        born,
        form: form::consent_form(app, None),
    };
    let store = app.store.by(author(officer));
    states::set(&store, request, officer.now, when::rfc3339(officer.now)).await.during("setting the state of a record")
}

async fn note(app: &App, officer: Officer, patient: PatientId, what: &str) -> Result<(), Trouble> {
    let store = app.store.by(author(officer));
    let noted = why::note_by_officer(&store, patient, officer.organisation, what.to_owned(), officer.now).await;
    noted.during("noting the look of a privacy officer")
}

fn author(officer: Officer) -> Author {
    Author { session: None, client: None, user: Some(officer.user), operator: None }
}

async fn teams_of(app: &App, organisation: OrganisationId) -> Result<HashSet<TeamId>, Trouble> {
    let all = organisations::list_teams(&app.store).await.during("listing teams")?;
    Ok(all.into_iter().filter(|team| team.organisation == organisation).map(|team| team.id).collect())
}
