//! A document names a Binary of ours by a relative reference, so that it still does when our address changes.

use crate::members::{Members, quoted};
use crate::reference;
use crate::types::ResourceType;
use serde_json::value::RawValue;

/// The `content` of a DocumentReference with every URL of a Binary of ours made relative; `None` where none is absolute.
pub(crate) fn content(content: &RawValue, base: &str) -> Option<String> {
    let items: Vec<&RawValue> = serde_json::from_str(content.get()).ok()?;
    let relative: Vec<Option<String>> = items.iter().map(|item| relative(item, base)).collect();
    relative.iter().any(Option::is_some).then(|| {
        let texts = items.iter().zip(&relative).map(|(item, relative)| relative.as_deref().unwrap_or(item.get()));
        format!("[{}]", texts.collect::<Vec<_>>().join(","))
    })
}

fn relative(item: &RawValue, base: &str) -> Option<String> {
    let item: Members<'_> = serde_json::from_str(item.get()).ok()?;
    let attachment: Members<'_> = serde_json::from_str(item.raw("attachment")?.get()).ok()?;
    let url = attachment.value("url")?;
    let url = url.as_str().filter(|url| reference::id_in(url, ResourceType::Binary, base).is_some())?;
    let relative = url.strip_prefix(base)?.strip_prefix('/')?;
    Some(item.with("attachment", &attachment.with("url", &quoted(relative))))
}
