//! What the ledger says of a user who is new or has changed.

use super::user::User;
use crate::engine::Tx;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::outbox::Outbox;
use rules::ids::PatientId;
use rules::moment::Moment;

/// Notes what is new of a user; nothing, where nothing is. `former` is the patient whose account it was until now, where it
/// is that no more: the looks at their own record are found by it.
pub(super) fn note(
    tx: &mut Tx<'_>,
    ids: &Ids,
    (before, former): (Option<&User>, Option<PatientId>),
    user: &User,
    now: Moment,
) {
    for (event, detail) in changes(before, user) {
        let patient = former.filter(|_| event == Event::UserChanged);
        let about = About { user: Some(user.id), patient, ..About::default() };
        let line = Line::new(now, event, None, about);
        let line = if detail.is_empty() { line } else { line.with_detail(detail) };
        tx.append(Outbox::Records, ids, &line);
    }
}

/// Each change with what there is to say of it. Never a password, nor what is kept of one.
fn changes(before: Option<&User>, user: &User) -> Vec<(Event, String)> {
    let Some(before) = before else { return vec![(Event::UserMade, user.user_type.word().to_owned())] };
    let mut changes = Vec::new();
    let parts = [("name", before.name != user.name), ("patient", before.patient_id != user.patient_id)];
    let parts: Vec<&str> = parts.into_iter().filter(|(_, is_new)| *is_new).map(|(part, _)| part).collect();
    if !parts.is_empty() {
        changes.push((Event::UserChanged, parts.join(" ")));
    }
    if before.user_type != user.user_type {
        let (was, is) = (before.user_type.word(), user.user_type.word());
        changes.push((Event::UserTypeChanged, format!("{was} to {is}")));
    }
    if before.password_hash != user.password_hash {
        changes.push((Event::PasswordChanged, String::new()));
    }
    match (before.frozen_at, user.frozen_at) {
        (None, Some(_)) => changes.push((Event::Frozen, String::new())),
        (Some(_), None) => changes.push((Event::Unfrozen, String::new())),
        _ => {}
    }
    changes
}
