//! Changing a consent: the one function through which FHIR, the custom REST API, pages, world file and command line go. What is
//! wanted is compared with what is there, each difference is held to the table of rights, and the consent as it is afterwards
//! comes out, or the refusal.

use crate::consent::actor::{Act, Actor, GranteeFacts};
use crate::consent::basis::{Basis, BasisKind, OTHER_NEEDS_TEXT};
use crate::consent::denial::Denial;
use crate::consent::record::{Consent, ConsentId, ConsentState, Grantee};
use crate::consent::state::PatientState;
use crate::ids::UserId;
use crate::labels::Labels;
use crate::moment::Moment;
use alloc::string::String;
use alloc::vec::Vec;

/// A consent as somebody wants it. What is `None` stays as it is, or has its default in a new one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedConsent {
    pub labels: Option<Labels>,
    /// Single labels given or taken; each that is not named stays, whoever changes it meanwhile.
    pub each: LabelChange,
    pub discharged: Option<bool>,
    pub locked: Option<bool>,
    pub manages: Option<bool>,
    pub basis: Option<Basis>,
    pub ends_at: Option<End>,
    /// Why it is locked or unlocked.
    pub reason: Option<String>,
}

/// Labels that are given and labels that are taken, beside those that stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelChange {
    pub given: Labels,
    pub taken: Labels,
}

/// When a consent shall end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Never,
    At(Moment),
}

/// What is known of the pair before a change.
#[derive(Clone, Copy, Debug)]
pub struct ConsentFacts<'c> {
    pub patient: &'c PatientState,
    pub to: GranteeFacts,
    /// The consent of the pair, if there is one.
    pub before: Option<&'c Consent>,
    /// Whether the patient is one of the actor's organisation.
    pub is_associated: bool,
    /// The setting `carers.end_at_age`.
    pub carers_end_at_age: i64,
}

/// A change that the rules let happen: the consent as it is now, and what was done, for ledger and notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentChange {
    pub after: Consent,
    /// Nothing, where all is as it was.
    pub acts: Vec<Act>,
}

const WITHDRAWN: Denial = Denial::NoConsent(
    "the patient has taken labels away; an implied consent does not give them back, an explicit one does",
);
const BASIS_MISSING: Denial =
    Denial::Unprocessable("say on what the consent rests: basis EXPLICIT or IMPLIED, with a reason");
const CARERS_ONLY: Denial = Denial::Unprocessable("only a carer's consent can have manages");
const REASON_MISSING: Denial = Denial::Unprocessable("say why the consent is locked or unlocked: send a reason");
const ATTESTED_BY_NOBODY: Denial = Denial::Unprocessable("name the user of the team who attests the consent");

/// What becomes of the consent of a pair. `id` is for a new one.
pub fn change(
    actor: Actor,
    wanted: &WantedConsent,
    facts: &ConsentFacts<'_>,
    id: ConsentId,
    now: Moment,
) -> Result<ConsentChange, Denial> {
    let is_stranger = match actor {
        // To a carer without a label it is as if the patient did not exist; their own consent they may leave.
        Actor::Carer { user, held, .. } => held.is_none() && facts.to.grantee != Grantee::Carer(user),
        _ => actor.needs_association() && !facts.is_associated,
    };
    if is_stranger {
        return Err(Denial::NotFound);
    }
    let after = wanted_record(actor, wanted, facts, id, now);
    if after.manages && !after.grantee.is_carer() {
        return Err(CARERS_ONLY);
    }
    if wanted.basis.as_ref().is_some_and(|basis| !basis.is_complete()) {
        return Err(Denial::Unprocessable(OTHER_NEEDS_TEXT));
    }
    let acts = acts(facts.before, &after, now);
    let widens = acts.iter().any(|act| matches!(act, Act::Widen(_)));
    let basis = basis(actor, wanted, facts.before);
    // Whoever may widen nothing is told that, and nothing else.
    let gives = !matches!(actor, Actor::PrivacyOfficer(_) | Actor::Other);
    if widens && gives {
        if facts.patient.sharing_disabled {
            return Err(Denial::SharingDisabled);
        }
        let basis = basis.as_ref().ok_or(BASIS_MISSING)?;
        if basis.kind == BasisKind::Implied && facts.before.is_some_and(|before| before.withdrawn) {
            return Err(WITHDRAWN);
        }
    }
    let kind = basis.as_ref().map_or(BasisKind::Explicit, |basis| basis.kind);
    for act in &acts {
        actor.may(*act, &facts.to, facts.before, kind)?;
        demand(actor, *act, kind, wanted)?;
    }
    let takes = facts.before.is_some_and(|before| takes_away(before, &after, now));
    let opens = acts.iter().any(|act| matches!(act, Act::Widen(labels) if !labels.is_none()));
    let is_explicit = opens && kind == BasisKind::Explicit;
    let before_withdrawn = facts.before.is_some_and(|before| before.withdrawn);
    let withdrawn = match actor {
        Actor::Patient if takes => true,
        _ => before_withdrawn && !is_explicit,
    };
    let basis = if widens { basis } else { after.basis };
    Ok(ConsentChange { after: Consent { basis, withdrawn, ..after }, acts })
}

/// Whether labels are taken away: those in force, or those that would be in force again if care began anew.
fn takes_away(before: &Consent, after: &Consent, now: Moment) -> bool {
    let holds = opened(after, now);
    !opened(before, now).are_within(holds) || (holds.is_none() && !before.labels.are_within(after.labels))
}

/// What somebody must say besides having the right.
fn demand(actor: Actor, act: Act, kind: BasisKind, wanted: &WantedConsent) -> Result<(), Denial> {
    let has_reason = wanted.reason.as_ref().is_some_and(|reason| !reason.trim().is_empty());
    match (actor, act) {
        (Actor::Clinician { .. }, Act::Lock | Act::Unlock) if !has_reason => Err(REASON_MISSING),
        (Actor::Clinician { attesting: None, .. }, Act::Widen(_)) if kind == BasisKind::Explicit => {
            Err(ATTESTED_BY_NOBODY)
        }
        _ => Ok(()),
    }
}

/// The basis that is claimed. Of the patient, and of who acts for the patient, it needs no saying; everybody else attests one.
/// Who acts for the patient and sends back the basis of somebody else, as it was shown, claims nothing by it.
fn basis(actor: Actor, wanted: &WantedConsent, before: Option<&Consent>) -> Option<Basis> {
    let is_for_patient = matches!(actor, Actor::Patient | Actor::Carer { .. });
    let was = before.and_then(|before| before.basis.as_ref()).filter(|_| is_for_patient);
    let claimed = wanted.basis.clone().filter(|basis| was != Some(basis));
    let default = (is_for_patient || actor == Actor::Operator).then(Basis::of_patient);
    claimed.or(default)
}

/// The consent as it is wanted, whoever may want that.
fn wanted_record(
    actor: Actor,
    wanted: &WantedConsent,
    facts: &ConsentFacts<'_>,
    id: ConsentId,
    now: Moment,
) -> Consent {
    let GranteeFacts { grantee, default_access, .. } = facts.to;
    let base = facts.before.cloned().unwrap_or_else(|| Consent {
        labels: grantee.default_labels(default_access),
        ends_at: grantee.default_end(facts.patient.born, facts.carers_end_at_age, now),
        // Whoever is invited must accept; what an operator declares is so.
        accepted: !grantee.is_carer() || actor == Actor::Operator,
        ..Consent::new(id, facts.patient.id, grantee)
    });
    // Sharing again after the end of care, or of the consent, opens it again; sharing nothing does not.
    let gives = wanted.labels.is_some_and(|labels| !labels.is_none()) || !wanted.each.given.is_none();
    let reopens = gives && wanted.discharged.is_none();
    let over = base.ends_at.is_some_and(|end| now.is_past(end));
    let locked = match (wanted.locked, base.locked) {
        (Some(true), None) => Some(actor.locker()),
        (Some(false), _) => None,
        (_, locked) => locked,
    };
    // Whoever ends the care keeps the labels, without effect.
    let keeps_labels = wanted.discharged == Some(true) && facts.before.is_some();
    let LabelChange { given, taken } = wanted.each;
    let labels = wanted.labels.unwrap_or(base.labels).and(given).without(taken);
    Consent {
        labels: if keeps_labels { base.labels } else { labels },
        discharged: wanted.discharged.unwrap_or(base.discharged && !reopens),
        locked,
        manages: wanted.manages.unwrap_or(base.manages),
        ends_at: match wanted.ends_at {
            Some(End::Never) => None,
            Some(End::At(end)) => Some(end),
            None if over && reopens => grantee.default_end(facts.patient.born, facts.carers_end_at_age, now),
            None => base.ends_at,
        },
        ..base
    }
}

/// The labels that a consent opens, or will open once it is accepted.
fn opened(consent: &Consent, now: Moment) -> Labels {
    match consent.state(now) {
        ConsentState::Active | ConsentState::Pending => consent.labels,
        ConsentState::Discharged | ConsentState::Ended => Labels::NONE,
    }
}

/// In what a consent differs from the one before. What has no effect now counts too: it would have one when care begins again.
fn acts(before: Option<&Consent>, after: &Consent, now: Moment) -> Vec<Act> {
    let Some(before) = before else { return new_acts(after) };
    let (held, holds) = (opened(before, now), opened(after, now));
    let is_closed = holds.is_none();
    let reopens = (before.discharged && !after.discharged) || (held.is_none() && !is_closed);
    let discharges = after.discharged && !before.discharged;
    let end = |consent: &Consent| consent.ends_at.unwrap_or(Moment(i64::MAX));
    let (later, earlier) = (!reopens && end(after) > end(before), !reopens && end(after) < end(before));
    let (mut added, mut taken) = (holds.without(held), held.without(holds));
    if is_closed {
        (added, taken) = (after.labels.without(before.labels), before.labels.without(after.labels));
    }
    if later {
        added = after.labels;
    }
    if earlier {
        taken = before.labels;
    }
    let mut acts = Vec::new();
    if reopens || later || !added.is_none() || (after.manages && !before.manages) {
        acts.push(Act::Widen(added));
    }
    if earlier || !taken.is_none() || (before.manages && !after.manages) {
        acts.push(Act::Narrow(taken));
    }
    if discharges {
        acts.push(Act::Discharge);
    }
    match (before.locked, after.locked) {
        (None, Some(_)) => acts.push(Act::Lock),
        (Some(_), None) => acts.push(Act::Unlock),
        _ => {}
    }
    acts
}

/// What is done where there was no consent.
fn new_acts(after: &Consent) -> Vec<Act> {
    let mut acts = Vec::from([Act::Widen(after.labels)]);
    if after.discharged {
        acts.push(Act::Discharge);
    }
    if after.locked.is_some() {
        acts.push(Act::Lock);
    }
    acts
}

/// A carer accepts the own invitation; nobody else can, but for the operator.
pub fn accept(consent: &Consent, by: Option<UserId>, now: Moment) -> Result<Consent, Denial> {
    let is_invited = by.is_none_or(|user| consent.grantee == Grantee::Carer(user));
    if !is_invited || consent.state(now) != ConsentState::Pending {
        return Err(Denial::NotFound);
    }
    Ok(Consent { accepted: true, ..consent.clone() })
}
