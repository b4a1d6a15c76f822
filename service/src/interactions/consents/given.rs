//! The consents of a patient: all of them to whom may know them all, and their own to everybody else. The look is noted.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::interactions::items::record::ItemRecord;
use crate::interactions::record_view;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::consent::record::{Consent, ConsentState, Grantee};
use rules::consent::view::View;
use rules::ids::ViewerId;
use rules::moment::Moment;
use rules::reach::Right;
use store::reach::consents::StoredConsent;
use store::reach::{circle, grantees};
use views::kinds::consent::{ConsentNames, ConsentView};

/// The consents of a record that the caller may know, the newest first.
pub(crate) async fn of_record(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    state: Option<ConsentState>,
) -> Result<Vec<ConsentView>, ApiStop> {
    let circle = circle::of(&app.store, record.number).await.during("looking at who sees a patient")?;
    let views = circle.views(caller.reach(), caller.now());
    let (own, through) = own_grantee(caller);
    let opens_all = views.iter().any(|view| view.opens_consents());
    let is_shown = |consent: &Consent| opens_all || Some(consent.grantee) == own;
    let is_wanted = |consent: &Consent| state.is_none_or(|state| consent.state(caller.now()) == state);
    let mut shown: Vec<StoredConsent> = circle.consents.clone();
    shown.retain(|stored| is_shown(stored.consent()) && is_wanted(stored.consent()));
    shown.sort_by_key(|stored| (std::cmp::Reverse(stored.made_at), stored.consent().id));
    let right = match (views.as_slice(), opens_all) {
        ([View::All, ..], _) => Right::Own,
        ([View::Glass(_), ..], _) => Right::Glass,
        (_, true) => Right::Consent,
        (_, false) => Right::Participant,
    };
    app.accesses.note_one(&caller.viewer(), record.number, ResourceType::Consent.name(), right, through);
    record_view::of_views(&views);
    self::shown(app, caller, &record.patient, &shown).await
}

/// To whom the consent of this id is given, if it is one of the record.
pub(crate) async fn grantee(app: &App, record: &ItemRecord, id: &str) -> Result<Option<Grantee>, Trouble> {
    let circle = circle::of(&app.store, record.number).await.during("looking at who sees a patient")?;
    let mut consents = circle.consents.iter().map(StoredConsent::consent);
    Ok(consents.find(|consent| consent.id.to_string() == id).map(|consent| consent.grantee))
}

/// The grantee that the caller is, and through whose eyes they look.
fn own_grantee(caller: &Caller) -> (Option<Grantee>, Option<ViewerId>) {
    let reach = caller.reach();
    match (reach.record(), reach.person(), reach.teams()) {
        (Some(_), Some(user), _) => (Some(Grantee::Carer(user)), Some(user.into())),
        (None, Some(user), _) => (Some(Grantee::Professional(user)), Some(user.into())),
        (None, None, [team]) => (Some(Grantee::Team(*team)), Some((*team).into())),
        _ => (None, None),
    }
}

/// These consents of one patient, with the names of those to whom they are given.
pub(super) async fn shown(
    app: &App,
    caller: &Caller,
    patient: &str,
    consents: &[StoredConsent],
) -> Result<Vec<ConsentView>, ApiStop> {
    Ok(self::named(app, patient, consents, caller.now()).await?)
}

/// The same at a moment, for whoever may know them all.
pub(in crate::interactions) async fn named(
    app: &App,
    patient: &str,
    consents: &[StoredConsent],
    now: Moment,
) -> Result<Vec<ConsentView>, Trouble> {
    let given: Vec<Grantee> = consents.iter().map(|stored| stored.consent().grantee).collect();
    let named = grantees::named(&app.store, &given).await.during("looking up who sees a patient")?;
    let view = |stored: &StoredConsent| {
        let consent = stored.consent();
        let grantee = named.get(&consent.grantee);
        let names = ConsentNames {
            patient,
            actor: grantee.map_or("", |grantee| &grantee.id),
            actor_name: grantee.map_or("", |grantee| &grantee.name),
            actor_email: None,
            ends_at: consent.ends_at.map(when::rfc3339),
            date_added: when::rfc3339(stored.made_at),
            date_updated: when::rfc3339(stored.changed_at),
        };
        ConsentView::of(consent, names, now)
    };
    Ok(consents.iter().map(view).collect())
}
