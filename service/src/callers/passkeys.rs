//! A passkey that is asked of somebody whose password was right: the question is sealed into the page's form, and answered once.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::http::forms;
use crate::secrets::dice;
use crate::secrets::passkey::{PasskeyParty, RequestState};
use crate::views::GuardedText;
use crate::views::second_factor::PasskeyQuestion;
use crate::voices::page::PageStop;
use rules::factors::FactorMeans;
use rules::limits::FACTOR_FORM_SECONDS;
use rules::moment::Moment;
use rules::params::{PASSKEY_FIELD, Params};
use serde::{Deserialize, Serialize};
use store::factors::passkeys::{self, PasskeyUse};
use store::opening::SpentForm;
use store::people::User;

/// The fields of a form that asks for a passkey.
const QUESTION: &str = "question";
pub(crate) const ANSWER: &str = PASSKEY_FIELD;

/// What a form asks, sealed.
#[derive(Serialize, Deserialize)]
struct AskedPasskey {
    passkey_of: i64,
    /// Used up by the answer that counts.
    id: i64,
    until: i64,
    state: RequestState,
}

/// What a page asks the browser for, where the user has passkeys and there are passkeys at the base URL.
pub(super) async fn question(app: &App, user: &User) -> Result<Option<PasskeyQuestion>, PageStop> {
    let Some(party) = PasskeyParty::of(&app.settings.base_url) else { return Ok(None) };
    let known = passkeys::of_user(&app.store, user.id).await.during("looking for passkeys")?;
    let Some(request) = party.request(&known).filter(|_| !known.is_empty()) else { return Ok(None) };
    let until = app.clock.now().plus_seconds(FACTOR_FORM_SECONDS).0;
    let question = AskedPasskey { passkey_of: user.id.0, id: dice::number()?, until, state: request.state };
    Ok(Some(PasskeyQuestion { sealed: GuardedText::new(forms::seal(app, &question)), options: request.options }))
}

/// What a form brings in answer to that, if it does.
pub(super) fn answer<'p>(params: &'p Params<'_>) -> Option<&'p str> {
    params.get(ANSWER).filter(|answer| !answer.is_empty())
}

/// By what the user has shown who they are, if the answer is right: it is thereby used.
pub(super) async fn is_shown(
    app: &App,
    user: &User,
    params: &Params<'_>,
    answer: &str,
) -> Result<Option<FactorMeans>, Trouble> {
    let now = app.clock.now();
    let Some(party) = PasskeyParty::of(&app.settings.base_url) else { return Ok(None) };
    let question: Option<AskedPasskey> = params.get(QUESTION).and_then(|sealed| forms::open(app, sealed));
    let question = question.filter(|asked| asked.passkey_of == user.id.0 && !now.is_past(Moment(asked.until)));
    let Some(question) = question else { return Ok(None) };
    let known = passkeys::of_user(&app.store, user.id).await.during("looking for passkeys")?;
    let Some(shown) = party.shown(answer, &question.state, (user.id, &known)) else { return Ok(None) };
    let form = SpentForm { id: question.id, expires_at: Moment(question.until) };
    let used = passkeys::count_use(&app.store, (user.id, shown.passkey.id), shown.counter, form, now).await;
    Ok(match used.during("counting that a passkey was shown")? {
        PasskeyUse::Counted => Some(shown.passkey.means()),
        PasskeyUse::Stale => None,
        PasskeyUse::Behind => {
            tracing::warn!(user = user.id.0, "a passkey was refused whose counter had not risen");
            None
        }
    })
}
