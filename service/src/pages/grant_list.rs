//! A page of a long list of grants, and where the next one is: a plain link, so that it works without scripts.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use rules::ids::SessionId;
use rules::limits::PAGE_GRANTS;
use rules::moment::Moment;
use rules::params::Params;
use store::grants::{self, Grant, NEWEST, Whose};

pub(super) struct GrantList {
    pub grants: Vec<Grant>,
    /// Where older ones are, if there are any.
    pub older: Option<String>,
}

/// The grant before which a page begins, as its address says.
pub(super) fn before(params: &Params<'_>) -> SessionId {
    params.get("before").and_then(|id| id.parse().ok()).map_or(NEWEST, SessionId)
}

/// Reads the page that begins before a grant, of a list at `path`. Where nothing is left there, the first page.
pub(super) async fn read(
    app: &App,
    whose: &Whose,
    before: SessionId,
    path: &str,
    now: Moment,
) -> Result<GrantList, Trouble> {
    let one_more = PAGE_GRANTS.saturating_add(1);
    let mut grants = grants::page(&app.store, whose, before, one_more, now).await.during("listing grants")?;
    if grants.is_empty() && before != NEWEST {
        grants = grants::page(&app.store, whose, NEWEST, one_more, now).await.during("listing grants")?;
    }
    let room = usize::try_from(PAGE_GRANTS).unwrap_or(usize::MAX);
    let has_more = grants.len() > room;
    grants.truncate(room);
    let older = grants.last().filter(|_| has_more).map(|last| format!("{path}?before={}", last.id));
    Ok(GrantList { grants, older })
}
