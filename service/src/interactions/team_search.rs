//! A team's patients by name or number, found by the same search as the FHIR API's; those who are not in its care are left out.

use super::inquiries;
use super::items::companions;
use super::noted::Noted;
use super::teams;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::consent::record::{Consent, Grantee};
use rules::ids::TeamId;
use rules::moment::Moment;
use rules::noted::Outcome;
use std::sync::Arc;
use store::reach::circle;
use store::reach::in_care::CareState;
use store::search::multi_type;
use store::stored::resource::Resource;
use views::kinds::team::TeamPatient;

/// Rows of a look, and how many looks for one answer: of those who are found, few may be in the team's care.
const ROWS: i64 = 101;
const READS: usize = 10;
/// Words of a name that are looked for.
const MOST_WORDS: usize = 5;

/// Who was found, and whether there are more.
#[derive(Debug)]
pub(crate) struct FoundPatients {
    pub patients: Vec<TeamPatient>,
    pub is_cut: bool,
}

/// Those of a team's patients whose names begin with these words, or who have this number.
pub(crate) async fn find(
    app: &App,
    caller: &Caller,
    (team, state): (TeamId, CareState),
    text: &str,
    limit: usize,
) -> Result<FoundPatients, ApiStop> {
    let parts = [companions::queried(app, caller, ResourceType::Patient, &criteria(text))?];
    let (mut found, mut after): (Vec<(Arc<Resource>, _)>, _) = (Vec::new(), None);
    let mut is_cut = true;
    for _ in 0..READS {
        let page = multi_type::page(&app.store, caller.reach(), &parts, (after.as_ref(), ROWS), caller.now()).await;
        let page = page.during("searching the patients of a team")?;
        let is_last = !page.is_full && i64::try_from(page.entries.len()).unwrap_or(i64::MAX) < ROWS;
        after = page.entries.last().map(|last| last.place.clone());
        for entry in page.entries {
            let Some(patient) = entry.resource.patient else { continue };
            let circle = circle::of(&app.store, patient).await.during("looking at who sees a patient")?;
            let mut of_team = circle.consents.iter().filter(|one| one.consent().grantee == Grantee::Team(team));
            if let Some(consent) = of_team.next()
                && is_asked_for(consent.consent(), state, caller.now())
            {
                found.push((entry.resource, consent.clone()));
            }
        }
        is_cut = !is_last;
        if is_last || after.is_none() || found.len() > limit {
            break;
        }
    }
    is_cut |= found.len() > limit;
    found.truncate(limit);
    let (resources, consents): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let shown = Noted::all(app, caller, resources);
    inquiries::searched((app, caller), parts.iter().map(|(query, _)| query), Outcome::Withheld, &shown);
    let patients = shown.iter().zip(&consents).map(|(found, consent)| teams::shown(found, consent)).collect();
    Ok(FoundPatients { patients, is_cut })
}

/// A text with a digit in it is a number, which is asked for as a whole; its blanks are for the eye.
fn criteria(text: &str) -> Vec<(&'static str, String)> {
    let escaped = |word: &str| word.replace('\\', "\\\\").replace(',', "\\,").replace('|', "\\|").replace('$', "\\$");
    if text.chars().any(|letter| letter.is_ascii_digit()) {
        let number: String = text.split_whitespace().collect();
        return vec![("identifier", escaped(&number))];
    }
    text.split_whitespace().take(MOST_WORDS).map(|word| ("name", escaped(word))).collect()
}

fn is_asked_for(consent: &Consent, state: CareState, now: Moment) -> bool {
    let is_current = !consent.discharged && consent.ends_at.is_none_or(|end| end > now);
    match state {
        CareState::All => true,
        CareState::Current => is_current,
        CareState::Past => !is_current,
    }
}
