//! Changing an item: what it shows is replaced, and every element that it does not show stays.

use super::attached::{self, Attached};
use super::background::ItemVersion;
use super::creation;
use super::existing::{self, ExistingItem};
use super::kind::ItemKind;
use super::writing::{self, ItemWrite, WriteSetting, Written, WrittenItem};
use crate::app::App;
use crate::callers::caller::Caller;
use crate::interactions::write::request;
use crate::voices::api::ApiStop;
use rules::limits::WRITE_TRIES;
use rules::rest_errors::RestError;
use views::sent::Sent;
use views::view;

/// Has the item of this id say what was sent. Where others change it meanwhile it is done to what is there then, unless a version
/// was demanded.
pub(crate) async fn update<K: ItemKind>(
    app: &App,
    caller: &Caller,
    id: &str,
    sent: &Sent<K>,
) -> Result<WrittenItem<K>, ApiStop> {
    let mut setting = WriteSetting::of(app, caller).await?;
    for _ in 0..WRITE_TRIES {
        let since = app.store.mark();
        let ExistingItem { resource, record, mut background } = existing::own::<K>(app, caller, id).await?;
        let Attached { known, to_hold, preconditions } =
            attached::known(app, caller, &record, (&[&sent.view], &[id])).await?;
        setting.attachments = known;
        let changed = background.with_facts(ItemVersion::of(&resource), |node, shown| {
            view::update(node, resource.version, sent, &setting.facts(shown.clone()))
        });
        let changed = changed.ok_or(RestError::NotFound(K::KIND))??;
        let beside = creation::holding(&setting, &record, (&changed, 0), &to_hold);
        let write = ItemWrite { resource: changed, before: Some(resource), beside };
        match writing::write::<K>(app, caller, vec![write], (preconditions, since), &mut background).await? {
            Written::Done(written) => {
                return written.into_iter().next().ok_or_else(|| request::overtaken().into());
            }
            Written::OtherVersion(current) => {
                if let Some(sent) = sent.item.version {
                    return Err(RestError::OtherVersion { current, sent }.into());
                }
            }
            Written::Moved => {}
        }
    }
    Err(request::overtaken().into())
}
