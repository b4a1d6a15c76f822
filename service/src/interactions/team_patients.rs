//! The Patients of a signed-in member's teams, for the pages on which they are looked after, and on which one is chosen.

use super::noted::Noted;
use crate::app::App;
use crate::app::accesses::Viewer;
use crate::app::trouble::{During, Trouble};
use fhir::human_name;
use fhir::types::ResourceType;
use rules::ids::{PatientId, TeamId, UserId};
use rules::moment::Moment;
use rules::reach::Reach;
use serde_json::Value;
use store::reach::circle;
use store::reach::in_care::{self, CareState};
use store::{patients, read as records};

/// How many patients of a team are looked through for a name.
const LOOKED_THROUGH: i64 = 200;

/// A patient who can be chosen.
#[derive(Debug)]
pub(crate) struct PatientCandidate {
    /// The id of the Patient.
    pub id: String,
    /// The name, and what tells people of one name apart.
    pub text: String,
}

/// The Patient as these teams see them, looked at by this user.
pub(crate) async fn find(
    app: &App,
    (user, teams): (UserId, &[TeamId]),
    id: &str,
    now: Moment,
) -> Result<Option<Noted>, Trouble> {
    let reach = Reach::of_teams(teams.to_vec());
    let found = records::read(&app.store, &reach, ResourceType::Patient, id, now).await;
    let found = found.during("reading a Patient of a coordinator's team")?;
    let viewer = Viewer { client: None, user: Some(user), reach: &reach, now };
    Ok(found.map(|found| Noted::seen_by(app, &viewer, found)))
}

/// Patients who are in the care of a team now, whoever came last first, as its member sees them: those whose name has all of these
/// words, as many as `limit`. Each who is given is looked at.
pub(crate) async fn candidates(
    app: &App,
    (user, team): (UserId, TeamId),
    words: Option<&str>,
    (limit, now): (usize, Moment),
) -> Result<Vec<PatientCandidate>, Trouble> {
    let reach = Reach::of_member(user, vec![team]);
    let viewer = Viewer { client: None, user: Some(user), reach: &reach, now };
    let cared_for = in_care::of_team(&app.store, (team, CareState::Current), None, (LOOKED_THROUGH, now)).await;
    let words: Vec<String> = words.unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
    let mut candidates = Vec::new();
    for consent in cared_for.during("listing the patients of a team")? {
        if candidates.len() == limit {
            break;
        }
        let id = patients::fhir_id(&app.store, consent.consent().patient).await.during("looking a patient up")?;
        let Some(id) = id else { continue };
        let has_words = |name: &str| words.iter().all(|word| name.to_lowercase().contains(word.as_str()));
        candidates.extend(seen(app, &viewer, id, has_words).await?);
    }
    Ok(candidates)
}

/// The patient of this id, as a member of the team sees and now looks at them.
pub(crate) async fn candidate(
    app: &App,
    (user, team): (UserId, TeamId),
    id: &str,
    now: Moment,
) -> Result<Option<PatientCandidate>, Trouble> {
    let reach = Reach::of_member(user, vec![team]);
    let viewer = Viewer { client: None, user: Some(user), reach: &reach, now };
    seen(app, &viewer, id.to_owned(), |_| true).await
}

/// A Patient whom somebody sees, if their name will do; then it is looked at.
async fn seen(
    app: &App,
    viewer: &Viewer<'_>,
    id: String,
    will_do: impl Fn(&str) -> bool,
) -> Result<Option<PatientCandidate>, Trouble> {
    let found = records::read(&app.store, viewer.reach, ResourceType::Patient, &id, viewer.now).await;
    let Some(found) = found.during("reading a Patient of a team")? else { return Ok(None) };
    let body: Value = serde_json::from_str(&found.body).unwrap_or_default();
    let name = human_name::written(&body).unwrap_or_else(|| id.clone());
    if !will_do(&name) {
        return Ok(None);
    }
    drop(Noted::seen_by(app, viewer, found));
    let born = body.get("birthDate").and_then(Value::as_str).map(|born| format!(", born {born}"));
    Ok(Some(PatientCandidate { text: format!("{name}{}", born.unwrap_or_default()), id }))
}

/// The patient of this id, if a team has them in its care now and its member sees them.
pub(crate) async fn in_care(
    app: &App,
    (user, team): (UserId, TeamId),
    id: &str,
    now: Moment,
) -> Result<Option<PatientId>, Trouble> {
    let reach = Reach::of_member(user, vec![team]);
    let found = circle::in_reach(&app.store, &reach, id, now).await.during("looking a patient up")?;
    let Some(patient) = found else { return Ok(None) };
    let up_to = Some(PatientId(patient.0.saturating_add(1)));
    let newest = in_care::of_team(&app.store, (team, CareState::Current), up_to, (1, now)).await;
    let newest = newest.during("looking whether a team cares for a patient")?;
    Ok(newest.first().map(|consent| consent.consent().patient).filter(|known| *known == patient))
}
