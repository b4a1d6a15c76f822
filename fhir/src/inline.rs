//! Content that a document was sent with, inside its attachments: taken out, so that it can be stored as a Binary that the
//! document names.

use crate::base64_binary::{decode, encode};
use crate::fault::Fault;
use crate::members::{Members, quoted};
use crate::pieces::{Mark, Pieces};
use crate::resource::Resource;
use serde_json::Value;
use serde_json::value::RawValue;
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// What the attachment says of itself when its content is a Binary, in the place of what its sender said.
const OURS: [&str; 4] = ["data", "url", "size", "hash"];

/// One content, and the Binary that it becomes.
#[derive(Debug)]
pub(crate) struct InlineContent {
    pub id: String,
    pub media_type: Option<String>,
    pub bytes: Vec<u8>,
}

/// A document's text with every content taken out, and the contents; `None` where it has none inside. `id` is the document's.
pub(crate) fn take_out(document: &Resource<'_>, id: &str) -> Result<Option<(String, Vec<InlineContent>)>, Fault> {
    let Some(content) = document.members.raw("content") else { return Ok(None) };
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(content.get()) else { return Ok(None) };
    let mut contents = Vec::new();
    let mut texts = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        match taken_out_of(item, id, at)? {
            Some((text, content)) => {
                texts.push(text);
                contents.push(content);
            }
            None => texts.push(item.get().to_owned()),
        }
    }
    let text = || document.members.with("content", &format!("[{}]", texts.join(",")));
    Ok((!contents.is_empty()).then(|| (text(), contents)))
}

fn taken_out_of(item: &RawValue, document: &str, at: usize) -> Result<Option<(String, InlineContent)>, Fault> {
    let Ok(item) = serde_json::from_str::<Members<'_>>(item.get()) else { return Ok(None) };
    let attachment = item.raw("attachment").and_then(|raw| serde_json::from_str::<Members<'_>>(raw.get()).ok());
    let Some(attachment) = attachment else { return Ok(None) };
    let data = attachment.value("data");
    let Some(bytes) = data.as_ref().and_then(Value::as_str).and_then(decode) else { return Ok(None) };
    let hash = Sha1::digest(&bytes);
    agrees(&attachment, bytes.len(), &hash)?;
    let id = id_of(document, at, &Pieces::of(&bytes).mark());
    let mut members: Vec<String> = attachment
        .0
        .iter()
        .filter(|(name, _)| !OURS.contains(&name.as_str()))
        .map(|(name, raw)| format!("{}:{}", quoted(name), raw.get()))
        .collect();
    let (size, hash) = (bytes.len(), encode(&hash));
    members.push(format!("\"url\":\"Binary/{id}\",\"size\":{size},\"hash\":\"{hash}\""));
    let text = item.with("attachment", &format!("{{{}}}", members.join(",")));
    let media_type = attachment.value("contentType").and_then(|said| said.as_str().map(String::from));
    Ok(Some((text, InlineContent { id, media_type, bytes })))
}

/// Whether the content is what its sender says of it; otherwise something was lost on the way.
fn agrees(attachment: &Members<'_>, size: usize, hash: &[u8]) -> Result<(), Fault> {
    let refused = |what| Err(Fault::BreaksRule(format!("DocumentReference.content.attachment.{what} of its data")));
    if attachment.value("size").is_some_and(|said| said.as_u64() != Some(size as u64)) {
        return refused("size is not the number of bytes");
    }
    let is_hash = |said: &Value| said.as_str().and_then(decode).is_some_and(|said| said == hash);
    if attachment.value("hash").is_some_and(|said| !is_hash(&said)) {
        return refused("hash is not the SHA-1 (in base64)");
    }
    Ok(())
}

/// The same document with the same content names the same Binary, however often it is sent; another content is another
/// Binary, so that what an older version names stays what it was.
fn id_of(document: &str, at: usize, mark: &Mark) -> String {
    let digest = Sha256::digest(format!("{document}/{at}/{}", mark.ending()));
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    uuid(&digits)
}

/// Digits as a UUID of version 8 (RFC 9562 5.8): one whose bits its maker chooses, as here by what it names.
fn uuid(digits: &str) -> String {
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    // 8 stands for the version, and then for the variant.
    format!("{}-{}-8{}-8{}-{}", part(0, 8), part(8, 12), part(12, 15), part(15, 18), part(18, 30))
}
