//! Being invited to care for somebody's record: the carer who was invited accepts, and nobody else.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::formats::when;
use crate::sharing::form;
use rules::consent::denial::Denial;
use rules::consent::record::{ConsentId, ConsentState, Grantee};
use rules::ids::UserId;
use rules::moment::Moment;
use store::ledger::Author;
use store::patients;
use store::reach::circle;
use store::sharing::change;

/// The invitation of this user to the record of a patient, if it waits to be accepted.
pub(crate) async fn pending(app: &App, user: UserId, patient: &str, now: Moment) -> Result<Option<ConsentId>, Trouble> {
    let Some(number) = patients::find(&app.store, patient).await.during("looking a patient up")? else {
        return Ok(None);
    };
    let circle = circle::of(&app.store, number).await.during("looking at who sees a patient")?;
    let mut own = circle.consents.iter().map(|stored| stored.consent());
    let own =
        own.find(|consent| consent.grantee == Grantee::Carer(user) && consent.state(now) == ConsentState::Pending);
    Ok(own.map(|consent| consent.id))
}

/// Accepts it for this user.
pub(crate) async fn accept(
    app: &App,
    user: UserId,
    invitation: ConsentId,
    now: Moment,
) -> Result<Result<(), Denial>, Trouble> {
    let author = Author { user: Some(user), ..Author::default() };
    let how = (form::consent_form(app, None), now, when::rfc3339(now));
    let accepted = change::accept(&app.store.by(author), invitation, Some(user), how).await;
    Ok(accepted.during("accepting to care for a record")?.map(|_| ()))
}
