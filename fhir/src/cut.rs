//! Cutting a resource where `meta.versionId`, `meta.lastUpdated` and `meta.source` go: only the transaction that stores it
//! knows them.

use crate::base64_binary;
use crate::fault::Fault;
use crate::members::{Members, quoted};
use crate::pieces::{Mark, Pieces};
use crate::resource::Resource;
use crate::types::ResourceType;
use serde_json::Value;
use serde_json::value::RawValue;

/// Members that come first, in this order, whatever the client's order was.
const FIRST: [&str; 3] = ["resourceType", "id", "meta"];
/// The member of `meta` that has the security labels.
const SECURITY: &str = "security";
/// Members of `meta` that are ours to set, and what FHIR lets a sender hang on them.
pub(crate) const OURS: [&str; 6] = ["versionId", "lastUpdated", "source", "_versionId", "_lastUpdated", "_source"];

/// `{…"meta":{` and `,…}`: what stands before and after the members that we set.
#[derive(Clone, Debug)]
pub struct Cut {
    pub before: String,
    pub after: String,
}

impl Cut {
    /// The body of a version.
    #[must_use]
    pub fn joined(&self, version: i64, updated: &str, source: &str) -> String {
        format!(
            "{}\"versionId\":\"{version}\",\"lastUpdated\":\"{updated}\",\"source\":\"{source}\"{}",
            self.before, self.after
        )
    }

    /// Whether a stored body is this one but for the members that we set.
    #[must_use]
    pub fn is_of(&self, stored: &str) -> bool {
        let between = stored.strip_prefix(&self.before).and_then(|rest| rest.strip_suffix(&self.after));
        // Three members have twelve quotation marks; more would be a member of `meta` that is gone from this one.
        between.is_some_and(|ours| ours.matches('"').count() == 12)
    }
}

/// Members that are not stored as they were written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Replacement<'a> {
    /// The text in the place of `content`.
    pub content: Option<&'a str>,
    /// Whether `data` is left out, and what stands for it at the end of the body.
    pub leaves_data: bool,
    pub mark: Option<&'a Mark>,
}

/// The body with `resourceType`, `id` and `meta` in front, cut inside `meta`; all other members as they were written, but
/// for those that are replaced.
pub(crate) fn cut(resource: &Resource<'_>, id: &str, replaced: Replacement<'_>) -> Result<Cut, Fault> {
    let type_name = resource.resource_type.name();
    let mut after = String::new();
    let first = FIRST.iter().chain(replaced.leaves_data.then_some(&"data"));
    let left_out: Vec<&str> = first.copied().collect();
    if let Some(meta) = resource.members.raw("meta") {
        let meta: Members<'_> = serde_json::from_str(meta.get())
            .map_err(|_| Fault::BreaksRule(format!("{type_name}.meta must be a JSON object")))?;
        push_all_but(&mut after, &meta, &OURS, None);
    }
    after.push('}');
    push_all_but(&mut after, &resource.members, &left_out, replaced.content);
    after.push_str(&replaced.mark.map_or_else(|| "}".to_owned(), Mark::ending));
    Ok(Cut { before: format!("{}{id}\",\"meta\":{{", start(type_name)), after })
}

/// The body with these security labels instead of those that it has, each as it is written in JSON.
pub(crate) fn with_security(body: &str, security: &[String]) -> Option<Cut> {
    let resource = Resource::read(body, None).ok()?;
    let meta: Members<'_> = serde_json::from_str(resource.members.raw("meta")?.get()).ok()?;
    let mut after = String::new();
    if !security.is_empty() {
        after.push_str(&format!(",\"security\":[{}]", security.join(",")));
    }
    let left_out: Vec<&str> = OURS.iter().copied().chain([SECURITY]).collect();
    push_all_but(&mut after, &meta, &left_out, None);
    after.push('}');
    push_all_but(&mut after, &resource.members, &FIRST, None);
    after.push('}');
    Some(Cut {
        before: format!("{}{}\",\"meta\":{{", start(resource.resource_type.name()), resource.id().ok()?),
        after,
    })
}

/// The security labels of a body, each as it is written.
pub(crate) fn security(body: &str) -> Option<Vec<String>> {
    let resource = Resource::read(body, None).ok()?;
    let meta: Members<'_> = serde_json::from_str(resource.members.raw("meta")?.get()).ok()?;
    let Some(labels) = meta.raw(SECURITY) else { return Some(Vec::new()) };
    let labels: Vec<&RawValue> = serde_json::from_str(labels.get()).ok()?;
    Some(labels.into_iter().map(|label| label.get().to_owned()).collect())
}

/// A body that was stored as this version, with this source and nothing else changed; `None` where it is no such body.
#[must_use]
pub fn with_source(stored: &str, version: i64, source: &str) -> Option<String> {
    let resource = Resource::read(stored, None).ok()?;
    let meta = resource.member("meta")?;
    let cut = cut(&resource, &resource.id().ok()?, Replacement::default()).ok()?;
    Some(cut.joined(version, meta.get("lastUpdated")?.as_str()?, source))
}

/// The body and the content of a Binary that was stored with its content inside; `None` where it is no such Binary.
#[must_use]
pub fn without_data(stored: &str, version: i64) -> Option<(String, Vec<u8>)> {
    let binary = Resource::read(stored, Some(ResourceType::Binary)).ok()?;
    let bytes = base64_binary::decode(binary.member("data")?.as_str()?)?;
    let meta = binary.member("meta")?;
    let text = |member| meta.get(member).and_then(Value::as_str);
    let mark = (!bytes.is_empty()).then(|| Pieces::of(&bytes).mark());
    let replaced = Replacement { leaves_data: true, mark: mark.as_ref(), ..Replacement::default() };
    let cut = cut(&binary, &binary.id().ok()?, replaced).ok()?;
    Some((cut.joined(version, text("lastUpdated")?, text("source")?), bytes))
}

/// A Binary that is this content: what its sender says it is, and whose access it is to follow.
pub(crate) fn of_content(id: &str, media_type: &str, security_context: Option<&str>, mark: Option<&Mark>) -> Cut {
    let mut after = format!("}},\"contentType\":{}", quoted(media_type));
    if let Some(reference) = security_context {
        after.push_str(&format!(",\"securityContext\":{{\"reference\":{}}}", quoted(reference)));
    }
    after.push_str(&mark.map_or_else(|| "}".to_owned(), Mark::ending));
    Cut { before: format!("{}{id}\",\"meta\":{{", start(ResourceType::Binary.name())), after }
}

/// The id of a stored resource, from the start that `cut` gave its body.
#[must_use]
pub fn id_of<'a>(body: &'a str, type_name: &str) -> Option<&'a str> {
    body.strip_prefix(&start(type_name))?.split('"').next()
}

fn start(type_name: &str) -> String {
    format!("{{\"resourceType\":\"{type_name}\",\"id\":\"")
}

fn push_all_but(text: &mut String, members: &Members<'_>, left_out: &[&str], content: Option<&str>) {
    for (name, value) in members.0.iter().filter(|(name, _)| !left_out.contains(&name.as_str())) {
        text.push(',');
        text.push_str(&quoted(name));
        text.push(':');
        text.push_str(content.filter(|_| name == "content").unwrap_or(value.get()));
    }
}
