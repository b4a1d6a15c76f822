//! What somebody grants of a SMART request: the lines that they left ticked, and the patient whom it is about.

use super::identity;
use crate::app::App;
use crate::interactions::team_patients::{self, PatientCandidate};
use crate::views::everyone::{Choice, ChoiceOption, ScopeLine};
use crate::voices::page::PageStop;
use rules::guidance::scope_lines;
use rules::ids::{PatientId, TeamId};
use rules::limits::RECORDS_OFFERED;
use rules::moment::Moment;
use rules::params::Params;
use rules::scope::Scope;
use rules::smart::offer::{Circumstances, SmartOffer};
use rules::smart::request;
use rules::smart::word::SmartScope;
use store::clients::Client;
use store::people::User;

/// The field of the page by which a clinician names a patient, and the one by which more are found.
pub(super) const PATIENT: &str = "patient";
pub(super) const QUERY: &str = "q";

/// What is granted of SMART's scopes.
pub(super) struct SmartGrant {
    pub(super) scopes: Vec<SmartScope>,
    /// As the session keeps it: behind the contract's word, where that was asked for too.
    pub(super) kept: String,
    pub(super) nonce: Option<String>,
}

/// What is granted by this user; `None` where nothing is left of it.
pub(super) fn of(
    offer: &SmartOffer,
    client: &Client,
    ticked: &[String],
    (user, scope): (&User, Scope),
    by_sign_in: bool,
) -> Option<SmartGrant> {
    let given = Circumstances {
        registered: &client.smart_scopes,
        user_type: user.user_type,
        refresh_tokens: client.refresh_tokens,
        has_fhir_user: identity::fhir_path(user.patient_id.as_deref()).is_some(),
        by_sign_in,
    };
    let granted = offer.granted(|spelt| ticked.iter().any(|one| one == spelt), &given);
    let scopes = match (granted, offer.is_pure) {
        (Some(scopes), _) => scopes,
        (None, true) => return None,
        // The contract's word was granted; but items that were asked for and unticked are never all of them.
        (None, false) if offer.scopes.iter().any(|scope| scope.resource().is_some()) => return None,
        (None, false) => Vec::new(),
    };
    let spelt = request::spelt(&scopes);
    let kept = match offer.is_pure {
        true => spelt,
        false => format!("{} {spelt}", scope.echoed()).trim_end().to_owned(),
    };
    Some(SmartGrant { scopes, kept, nonce: offer.nonce.clone() })
}

/// The lines of the page, ticked as they were left.
pub(super) fn lines(offer: Option<&SmartOffer>, ticked: Option<&[String]>) -> Vec<ScopeLine> {
    let offer = offer.into_iter().flat_map(|offer| offer.lines().enumerate());
    let line = |(at, scope): (usize, &SmartScope)| {
        let spelt = scope.to_string();
        ScopeLine {
            field: field(at),
            is_ticked: ticked.is_none_or(|ticked| ticked.contains(&spelt)),
            text: scope_lines::line(scope),
            value: spelt,
        }
    };
    offer.map(line).collect()
}

/// The lines that came back ticked.
pub(super) fn ticked(offer: &SmartOffer, params: &Params<'_>) -> Vec<String> {
    let spelt = offer.lines().enumerate().map(|(at, scope)| (at, scope.to_string()));
    spelt.filter(|(at, spelt)| params.get(&field(*at)) == Some(spelt)).map(|(_, spelt)| spelt).collect()
}

fn field(at: usize) -> String {
    format!("keep-{at}")
}

/// The patient of this id, if the team has them in its care and the user sees them now.
pub(super) async fn picked(
    app: &App,
    (user, team): (&User, TeamId),
    id: &str,
    now: Moment,
) -> Result<Option<PatientId>, PageStop> {
    Ok(team_patients::in_care(app, (user.id, team), id, now).await?)
}

/// What the patient of this id is called, as the team sees them who opened an app for them.
pub(super) async fn named(
    app: &App,
    (user, team): (&User, TeamId),
    id: &str,
    now: Moment,
) -> Result<Option<String>, PageStop> {
    if team_patients::in_care(app, (user.id, team), id, now).await?.is_none() {
        return Ok(None);
    }
    Ok(team_patients::candidate(app, (user.id, team), id, now).await?.map(|candidate| candidate.text))
}

/// The question which patient it shall be, of those whose name has these words; `None` where the team has nobody in its care.
pub(super) async fn pick(
    app: &App,
    (user, team): (&User, TeamId),
    words: Option<&str>,
    now: Moment,
) -> Result<Option<Choice>, PageStop> {
    let limit = usize::try_from(RECORDS_OFFERED).unwrap_or_default();
    let found = team_patients::candidates(app, (user.id, team), words, (limit, now)).await?;
    if found.is_empty() && words.is_none() {
        return Ok(None);
    }
    let option =
        |candidate: PatientCandidate| ChoiceOption { id: candidate.id, text: candidate.text, is_chosen: false };
    Ok(Some(Choice {
        field: PATIENT,
        legend: "Which patient?",
        hint: "The app is told of this one patient. Only patients in the care of the team can be chosen.",
        options: found.into_iter().map(option).collect(),
        search: Some(words.unwrap_or_default().to_owned()),
    }))
}
