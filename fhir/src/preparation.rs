//! Making a resource ready to store: what it is, whose record it belongs to, how it is found, and where it is cut.

use crate::audience::{self, Audience};
use crate::base64_binary::decode;
use crate::compartment::UnlinkedPatient;
use crate::consent::DEFAULT_SYSTEMS;
use crate::cut::{self, Cut, Replacement};
use crate::extraction::index_row::{self, IndexRow};
use crate::extraction::timeline_rows;
use crate::fault::Fault;
use crate::identifiers::{IdentifiedPatient, Identifier};
use crate::inline::{self, InlineContent};
use crate::issue::Issue;
use crate::limits::Limits;
use crate::pieces::{self, Pieces};
use crate::resource::Resource;
use crate::security::{self, Coding};
use crate::tokens::{self, CONTENT, Token};
use crate::types::ResourceType;
use crate::{compartment, identifiers, relative, shapes, strict};
use serde_json::Value;

/// All that a store has to know of a resource, so that it need not look inside.
#[derive(Clone, Debug)]
pub struct Preparation {
    pub resource_type: ResourceType,
    pub id: String,
    /// The ids of all patients in whose compartments it is, each once.
    pub patients: Vec<String>,
    /// The elements that name a patient there in another way.
    pub unlinked: Vec<UnlinkedPatient>,
    /// The identifiers that it has itself, and those beside its references to Patients of ours.
    pub identifiers: Vec<Identifier>,
    pub identified: Vec<IdentifiedPatient>,
    /// `meta.security`, as it was sent.
    pub security: Vec<Coding>,
    /// Those of `meta.tag` that are codings.
    pub tags: Vec<Coding>,
    pub tokens: Vec<Token>,
    /// What every search parameter of HL7's finds in it, but for those whose values only a store knows.
    pub index: Vec<IndexRow>,
    /// The FHIR base URL by which its references were read.
    pub base: String,
    /// Whether it says that its patient has died.
    pub deceased: bool,
    /// For whom it is meant, and what of that cannot be read.
    pub audience: Audience,
    pub audience_issues: Vec<Issue>,
    pub body: Cut,
    /// What a Binary holds, if anything; its body has a mark in its place.
    pub content: Option<Vec<u8>>,
    /// The Binaries that a document was sent with, inside it; they are stored with it.
    pub attachments: Vec<Self>,
}

/// What the texts of a row of an index take, about.
const TEXTS_OF_A_ROW: usize = 48;

/// The media type of a content of which nothing was said.
const UNKNOWN_MEDIA: &str = "application/octet-stream";

impl Preparation {
    /// Prepares a resource to be stored under `id`, on the server whose FHIR base URL is `base`. What a document has inside
    /// becomes a Binary of its own.
    pub fn of(resource: &Resource<'_>, id: &str, base: &str, limits: &Limits) -> Result<Self, Fault> {
        shapes::check(resource)?;
        let taken_out = match resource.resource_type {
            ResourceType::DocumentReference => inline::take_out(resource, id)?,
            _ => None,
        };
        match taken_out {
            None => Self::as_it_is(resource, id, base, limits),
            Some((text, contents)) => {
                let document = Self::as_it_is(&Resource::read(&text, None)?, id, base, limits)?;
                let attachments = contents.into_iter().map(|InlineContent { id, media_type, bytes }| {
                    Self::of_content((&id, base), media_type.as_deref().unwrap_or(UNKNOWN_MEDIA), None, bytes)
                });
                Ok(Self { attachments: attachments.collect(), ..document })
            }
        }
    }

    /// Prepares a Binary of this content to be stored under `id`, on the server whose FHIR base URL is `base`.
    #[must_use]
    pub fn of_content(
        (id, base): (&str, &str),
        media_type: &str,
        security_context: Option<&str>,
        bytes: Vec<u8>,
    ) -> Self {
        let mark = (!bytes.is_empty()).then(|| Pieces::of(&bytes).mark());
        Self {
            resource_type: ResourceType::Binary,
            id: id.into(),
            patients: Vec::new(),
            unlinked: Vec::new(),
            identifiers: Vec::new(),
            identified: Vec::new(),
            security: Vec::new(),
            tags: Vec::new(),
            tokens: Vec::new(),
            index: Vec::new(),
            base: base.into(),
            deceased: false,
            audience: Audience::default(),
            audience_issues: Vec::new(),
            body: cut::of_content(id, media_type, security_context, mark.as_ref()),
            content: Some(bytes).filter(|bytes| !bytes.is_empty()),
            attachments: Vec::new(),
        }
    }

    fn as_it_is(resource: &Resource<'_>, id: &str, base: &str, limits: &Limits) -> Result<Self, Fault> {
        let is = |resource_type| resource.resource_type == resource_type;
        let content = resource.members.raw("content").filter(|_| is(ResourceType::DocumentReference));
        let content = content.and_then(|content| relative::content(content, base));
        let data = if is(ResourceType::Binary) { resource.member("data") } else { None };
        let data = data.as_ref().and_then(Value::as_str).and_then(decode);
        let leaves_data = data.is_some();
        let data = data.filter(|data| !data.is_empty());
        let mark = data.as_deref().map(|data| Pieces::of(data).mark());
        let replaced = Replacement { content: content.as_deref(), leaves_data, mark: mark.as_ref() };
        let body = cut::cut(resource, id, replaced)?;
        let stored: Value = serde_json::from_str(&body.joined(0, "", "")).unwrap_or_default();
        let (audience, audience_issues) = audience::of(resource.resource_type, &stored, base, &[DEFAULT_SYSTEMS]);
        Ok(Self {
            resource_type: resource.resource_type,
            id: id.into(),
            patients: compartment::patients(resource, id, base),
            unlinked: compartment::unlinked(resource.resource_type, &stored, base),
            identifiers: identifiers::own(&stored),
            identified: identifiers::beside_references(&stored, base),
            security: security::labels(resource)?,
            tags: security::tags(resource),
            tokens: tokens::of(resource, base, limits)?,
            index: index(resource.resource_type, &stored, base),
            base: base.into(),
            deceased: is_deceased(resource),
            audience,
            audience_issues,
            body,
            content: data,
            attachments: Vec::new(),
        })
    }

    /// About how many bytes of memory it takes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let texts = self.body.before.len() + self.body.after.len() + self.content.as_ref().map_or(0, Vec::len);
        let rows = self.index.len() * (size_of::<IndexRow>() + TEXTS_OF_A_ROW);
        let tokens = self.tokens.len() * (size_of::<Token>() + TEXTS_OF_A_ROW);
        texts + rows + tokens + self.attachments.iter().map(Self::held_bytes).sum::<usize>()
    }

    /// The ids of the Binaries that a document carries and that it was not sent with.
    pub fn foreign_binaries(&self) -> impl Iterator<Item = &str> {
        self.binaries().filter(|id| self.attachments.iter().all(|own| own.id != **id))
    }

    /// The ids of the Binaries that a document carries.
    pub fn binaries(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter(|token| token.parameter == CONTENT).map(|token| token.value.as_str())
    }
}

/// The index rows of the body as it will be stored.
pub(crate) fn index(resource_type: ResourceType, stored: &Value, base: &str) -> Vec<IndexRow> {
    let mut rows = index_row::rows(resource_type, stored, base);
    rows.extend(timeline_rows::rows(resource_type, &rows));
    rows.sort_unstable();
    rows
}

/// A Patient that is deceased, at a known time or not.
fn is_deceased(resource: &Resource<'_>) -> bool {
    resource.resource_type == ResourceType::Patient
        && (resource.member("deceasedBoolean") == Some(Value::Bool(true))
            || resource.member("deceasedDateTime").is_some_and(|at| at.is_string()))
}

/// Prepares any R4 resource to be stored under the id that it carries.
pub fn prepare(json: &str, base: &str, limits: &Limits) -> Result<Preparation, Fault> {
    let text = strict::compact(json, limits.shape)?;
    let resource = Resource::read(&text, None)?;
    Preparation::of(&resource, &resource.id()?, base, limits)
}

/// Prepares a resource as it is stored: with a mark for its content, or with content inside, if it was stored so.
pub fn reread(stored: &str, base: &str, limits: &Limits) -> Result<Preparation, Fault> {
    let (without_mark, _) = pieces::apart(stored);
    let text = strict::compact(&without_mark, limits.shape)?;
    let resource = Resource::read(&text, None)?;
    shapes::check(&resource)?;
    Preparation::as_it_is(&resource, &resource.id()?, base, limits)
}

#[cfg(test)]
#[path = "preparation_tests.rs"]
mod tests;
