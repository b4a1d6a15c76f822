//! The answer to the question why: what the rules decide of an item for a viewer, step by step, and what it rests on. It asks the
//! same function that decides at every call (`rules::consent::decision::sees`), over the facts that are stored.

use super::explained::{ConsentTold, Explanation, GlassTold};
use super::known_viewer::KnownViewer;
use crate::app::App;
use crate::formats::when::rfc3339;
use fhir::types::ResourceType;
use rules::consent::decision::{Decision, sees};
use rules::consent::eyes::Eyes;
use rules::consent::glass::{Glass, GlassUse};
use rules::consent::situation::Situation;
use rules::consent::standing::{self, Standing};
use rules::consent::state::PatientState;
use rules::consent::view::View;
use rules::consent::viewer::OpenGlass;
use rules::guidance::reasons;
use rules::ids::{PatientId, UserId, ViewerId};
use rules::labels::{Label, Labels};
use rules::moment::Moment;
use rules::reach::Right;
use store::reach::circle::{self, PatientCircle};
use store::reach::consents::StoredConsent;
use store::reach::why::{self, StoredFacts};
use store::sharing::glass;
use store::{Result, people};

/// The glasses of a team that are looked at: those of half an hour.
const GLASSES: i64 = 100;

/// What is asked.
#[derive(Debug)]
pub(crate) struct SightQuestion<'q> {
    /// The id of the Patient resource, and our number of it.
    pub patient: (&'q str, PatientId),
    /// The type and the id of the item.
    pub item: (ResourceType, &'q str),
    pub at: Moment,
    /// Whether the viewer presents the token of a glass that is open.
    pub glass: bool,
}

/// A glass that is open, with what is told of it.
struct FoundGlass {
    open: OpenGlass,
    told: GlassTold,
}

/// The answer, or why there is none: no such item in that record, or no open glass.
pub(crate) async fn explain(
    app: &App,
    mut viewer: KnownViewer,
    question: &SightQuestion<'_>,
) -> Result<std::result::Result<Explanation, String>> {
    let ((patient_id, patient), (of, id)) = (question.patient, question.item);
    let item = format!("{}/{id}", of.name());
    let facts = why::item(&app.store, of, id).await?;
    let is_of_record = facts.iter().any(|facts| facts.patients.contains(&patient));
    let is_of_nobody = facts.iter().all(|facts| facts.patients.is_empty());
    let [itself, carriers @ ..] = facts.as_slice() else { return Ok(Err(not_there(&item, patient_id))) };
    if !is_of_record && !is_of_nobody {
        return Ok(Err(not_there(&item, patient_id)));
    }
    let circle = circle::of(&app.store, patient).await?;
    let broken = open_glass(app, &viewer, &circle.state, question.at).await?;
    if question.glass {
        let Some(broken) = &broken else {
            return Ok(Err(format!("no glass of {} is open for {patient_id} at that moment", viewer.words)));
        };
        viewer.reach = viewer.reach.through_glass(broken.open);
    }
    let standings = why::standings(&app.store, &patients(&facts, patient)).await?;
    let decision = decide(&viewer, (itself, carriers), &standings, question.at);
    let situation = situation(&decision, &viewer, &circle, question.at);
    let is_shown = situation == Situation::Seen && !itself.is_deleted;
    let right = decision.right().filter(|_| is_shown);
    let held = held(&viewer, &standings, patient, question.at);
    Ok(Ok(Explanation {
        patient: patient_id.to_owned(),
        at: rfc3339(question.at),
        sees: is_shown,
        answer: match situation {
            Situation::Seen if itself.is_deleted => format!("410: it was deleted at {}", rfc3339(itself.updated_at)),
            situation => reasons::outcome(&situation),
        },
        right: right.map(|right| right.word().to_owned()),
        through: decision.through().filter(|_| is_shown).and_then(|eyes| name(&viewer, eyes)),
        steps: reasons::steps(&decision, &viewer.words),
        held: held.each().map(Label::code).map(String::from).collect(),
        consents: consents(app, &viewer, &circle, question.at).await?,
        notes: notes(&viewer, (itself, &circle), (broken.is_some() && !question.glass, question.at)),
        glass: broken.filter(|_| question.glass).map(|broken| broken.told),
        viewer: viewer.words,
        item,
    }))
}

/// All whose sight may bear on it.
fn patients(facts: &[StoredFacts], patient: PatientId) -> Vec<PatientId> {
    let mut all: Vec<PatientId> = facts.iter().flat_map(|facts| facts.patients.iter().copied()).collect();
    all.push(patient);
    all.sort_unstable();
    all.dedup();
    all
}

fn not_there(item: &str, patient: &str) -> String {
    format!("there is no {item} in the record of {patient}")
}

/// What is decided of the item, or of a document that opens it, whichever gives the first right that fits.
fn decide(
    viewer: &KnownViewer,
    (itself, carriers): (&StoredFacts, &[StoredFacts]),
    standings: &[Standing],
    at: Moment,
) -> Decision {
    let decided = |facts: &StoredFacts| sees(&viewer.reach.viewer(), &facts.facts(), standings, at);
    let rank = |decision: &Decision| decision.right().map_or(i64::MAX, Right::number);
    let opening = carriers.iter().filter(|carrier| !itself.is_deleted && !carrier.is_deleted);
    opening.map(decided).fold(decided(itself), |best, other| if rank(&other) < rank(&best) { other } else { best })
}

/// What the caller of a read is in: by the states of account and record, and by what was decided of the item.
fn situation(decision: &Decision, viewer: &KnownViewer, circle: &PatientCircle, at: Moment) -> Situation {
    let views = circle.views(&viewer.reach, at);
    let shut = views.iter().copied().find(|view| matches!(view, View::In | View::Out));
    let associated = views.iter().copied().find(|view| view.is_associated());
    let mut view = shut.or(associated).unwrap_or(View::None);
    // A professional sees what is in another record, too, that is not frozen; a carer's session is about the frozen one.
    if view == View::In && decision.right().is_some() && viewer.reach.record().is_none() {
        view = View::Own;
    }
    if viewer.account.is_some_and(|account| account.is_out()) {
        view = View::Out;
    }
    Situation::of(decision, view)
}

/// The labels that the viewers hold of the patient, together.
fn held(viewer: &KnownViewer, standings: &[Standing], patient: PatientId, at: Moment) -> Labels {
    let (looks, of) = (viewer.reach.viewer(), [patient]);
    let rows = standing::between(standings, |eyes| looks.looks_through(eyes), &of);
    rows.filter_map(|row| row.held(at)).fold(Labels::NONE, Labels::and)
}

fn name(viewer: &KnownViewer, eyes: ViewerId) -> Option<String> {
    viewer.names.iter().find(|(known, _)| *known == eyes).map(|(_, name)| name.clone())
}

/// The newest glass of the viewer's team that is open for the patient.
async fn open_glass(app: &App, viewer: &KnownViewer, state: &PatientState, at: Moment) -> Result<Option<FoundGlass>> {
    let ([team], None) = (viewer.reach.teams(), viewer.reach.organisation()) else { return Ok(None) };
    for (glass, reason) in glass::of_team(&app.store, (state.id, *team), at, GLASSES).await? {
        let Glass { session, team, user, patient, broken_at, .. } = glass;
        let call = GlassUse { session, team, user: None, patient: Some(patient) };
        if let Ok(open) = glass.opened(&call, state, at) {
            let broken_by = person(app, user, state.id).await?;
            let (broken_at, until) = (rfc3339(broken_at), rfc3339(open.until));
            return Ok(Some(FoundGlass { open, told: GlassTold { broken_at, broken_by, until, reason } }));
        }
    }
    Ok(None)
}

/// The consents by which the viewer is told to see something of the patient.
async fn consents(app: &App, viewer: &KnownViewer, circle: &PatientCircle, at: Moment) -> Result<Vec<ConsentTold>> {
    let mut told = Vec::new();
    for stored in &circle.consents {
        let consent = stored.consent();
        let grantee = Eyes::from(consent.grantee).id();
        let Some(to) = name(viewer, grantee).filter(|_| viewer.reach.viewers().any(|eyes| eyes == grantee)) else {
            continue;
        };
        told.push(ConsentTold {
            id: consent.id.to_string(),
            to,
            labels: consent.labels.each().map(Label::code).map(String::from).collect(),
            state: consent.state(at).code().into(),
            basis: consent.basis.as_ref().map(|basis| match &basis.text {
                Some(text) => format!("{}, {}: {text}", basis.kind.code(), basis.reason.code()),
                None => format!("{}, {}", basis.kind.code(), basis.reason.code()),
            }),
            given_at: rfc3339(stored.made_at),
            changed_at: rfc3339(stored.changed_at),
            changed_by: giver(app, stored).await?,
            ends_at: consent.ends_at.map(rfc3339),
        });
    }
    Ok(told)
}

/// Who changed a consent last.
async fn giver(app: &App, stored: &StoredConsent) -> Result<String> {
    match stored.changed_by {
        Some(user) => person(app, user, stored.consent().patient).await,
        None => Ok("the operator or a System Client".into()),
    }
}

async fn person(app: &App, user: UserId, patient: PatientId) -> Result<String> {
    let Some(found) = people::numbered(&app.store, user).await? else { return Ok("somebody who is gone".into()) };
    let own = match &found.patient_id {
        Some(own) => store::patients::find(&app.store, own).await?,
        None => None,
    };
    Ok(if own == Some(patient) { format!("the patient, {}", found.name) } else { found.name })
}

/// What else bears on it.
fn notes(
    viewer: &KnownViewer,
    (itself, circle): (&StoredFacts, &PatientCircle),
    (other_glass, at): (bool, Moment),
) -> Vec<String> {
    let state = &circle.state;
    let mut notes: Vec<String> = Vec::new();
    let mut note = |holds: bool, text: &str| {
        if holds {
            notes.push(text.to_owned());
        }
    };
    note(state.frozen, "the record is frozen: patient, carers and professionals without a team are refused");
    note(state.sharing_disabled, "the sharing of the record is disabled: no consent has an effect");
    note(state.deceased, "the patient has died");
    note(
        viewer.account.is_some_and(|account| account.frozen),
        "the account is frozen: every call is refused, whatever the record opens",
    );
    note(other_glass, "a glass is broken for this patient and open: calls that present its token see by it, too");
    if itself.updated_at > at {
        notes.push(format!(
            "the item was changed at {}, after the moment that was asked about",
            rfc3339(itself.updated_at)
        ));
    }
    for stored in &circle.consents {
        let (consent, changed) = (stored.consent(), stored.changed_at);
        let grantee = Eyes::from(consent.grantee).id();
        if changed > at && viewer.reach.viewers().any(|eyes| eyes == grantee) {
            let (id, changed) = (consent.id, rfc3339(changed));
            notes.push(format!(
                "the consent was changed at {changed}, after the moment that was asked about; what it was before is in the history of Consent/{id}"
            ));
        }
    }
    notes
}
