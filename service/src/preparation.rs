//! Resources on their way into the store: prepared by `fhir`, within the limits and by the labels that `rules` sets.

use fhir::audience::Audience;
use fhir::compartment::{PatientNaming, UnlinkedPatient};
use fhir::custom::definition;
use fhir::extraction::index_row::FACETS;
use fhir::fault::Fault;
use fhir::identifiers::{IdentifiedPatient, Identifier};
use fhir::issue::{Issue, IssueCode};
use fhir::limits::{Limits, Shape};
use fhir::links::Links;
use fhir::parameters::table;
use fhir::preparation::{self, Preparation};
use fhir::resource::Resource;
use fhir::types::ResourceType;
use fhir::validation::{Expectation, validate_compact};
use fhir::{shapes, strict};
use rules::labels::{self, Coding, Label, Needs, SeveralLabels};
use rules::limits::{
    ISSUES, RESOURCE_DEPTH, RESOURCE_INDEX_ROWS, RESOURCE_TOKENS, RESOURCE_VALUES, ROWS_OF_A_PATIENT,
    ROWS_OF_A_RESOURCE, TOKEN_BYTES,
};
use std::collections::HashMap;
use std::sync::Arc;
use store::write::resource_write::NewResource;

/// The shape of a resource, as JSON.
pub const SHAPE: Shape = Shape { depth: RESOURCE_DEPTH, values: RESOURCE_VALUES };
pub const LIMITS: Limits = Limits { shape: SHAPE, tokens: RESOURCE_TOKENS, token_bytes: TOKEN_BYTES };
/// What is stored already is read however many values it has: it was stored when nobody counted them.
const STORED: Limits = Limits { shape: Shape { values: usize::MAX, ..SHAPE }, ..LIMITS };

/// The code that marks a part of a resource.
const SUBSETTED: &str = "SUBSETTED";

/// Our FHIR base URL: a reference under it is a reference to what we hold.
#[must_use]
pub fn base(base_url: &str) -> String {
    format!("{base_url}/fhir")
}

/// Why a text is not stored.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    #[error("{0}")]
    Fault(#[from] Fault),
    /// All that is wrong with it as FHIR.
    #[error("{}", in_a_line(.0))]
    Issues(Vec<Issue>),
}

fn in_a_line(issues: &[Issue]) -> String {
    issues.iter().map(words).collect::<Vec<_>>().join("; ")
}

/// What is wrong, with the element before it.
#[must_use]
pub fn words(issue: &Issue) -> String {
    match issue.expression.as_str() {
        "" => issue.text.clone(),
        element => format!("{element}: {}", issue.text),
    }
}

/// What a text that was sent must be.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    pub resource_type: ResourceType,
    /// The id to store it under.
    pub id: &'w str,
    /// Whether the resource must carry this id itself: its sender chose it.
    pub is_chosen: bool,
}

/// Prepares any R4 resource to be stored under the id that it carries, or says all that is wrong with it.
pub fn prepare(json: &str, base: &str) -> Result<NewResource, Flaw> {
    let text = strict::compact(json, SHAPE)?;
    validate(&text, None, None)?;
    let resource = Resource::read(&text, None)?;
    must_be_servable(&resource, &text)?;
    prepare_new(&resource, &resource.id()?, base)
}

/// Prepares what a client sent, or says all that is wrong with it.
pub fn prepare_sent(json: &str, wanted: Wanted<'_>, base: &str) -> Result<NewResource, Flaw> {
    let text = strict::compact(json, SHAPE)?;
    validate(&text, Some(wanted.resource_type), wanted.is_chosen.then_some(wanted.id))?;
    let resource = Resource::read(&text, Some(wanted.resource_type))?;
    must_be_servable(&resource, &text)?;
    prepare_new(&resource, wanted.id, base)
}

/// Says all that is wrong with a text that was sent, if anything is.
pub fn validate_sent(json: &str, resource_type: ResourceType) -> Result<(), Flaw> {
    validate(&strict::compact(json, SHAPE)?, Some(resource_type), None)
}

/// A text of a transaction, whose links are known.
#[derive(Clone, Debug)]
pub struct LinkedText {
    pub text: Arc<str>,
    /// What its references are relative to, where that is another server.
    pub relative_to: Option<String>,
    pub resource_type: ResourceType,
    pub id: String,
    pub is_chosen: bool,
}

/// The same for a text of a transaction, in which its links are replaced first.
pub fn prepare_linked(sent: &LinkedText, links: &Links, base: &str) -> Result<NewResource, Flaw> {
    let text = links.replaced(&sent.text, sent.relative_to.as_deref()).map_err(Flaw::Issues)?;
    let LinkedText { resource_type, id, is_chosen, .. } = sent;
    prepare_sent(&text, Wanted { resource_type: *resource_type, id, is_chosen: *is_chosen }, base)
}

/// Whether it is FHIR R4. Whoever writes, through an API or by import, is held to this.
fn validate(compact: &str, resource_type: Option<ResourceType>, id: Option<&str>) -> Result<(), Flaw> {
    let issues = validate_compact(compact, &Expectation { resource_type, id, shape: SHAPE, issues: ISSUES });
    if issues.is_empty() { Ok(()) } else { Err(Flaw::Issues(issues)) }
}

/// Whether a search can be made by a SearchParameter, where it says that it is in use.
fn must_be_servable(resource: &Resource<'_>, compact: &str) -> Result<(), Flaw> {
    if resource.resource_type != ResourceType::SearchParameter {
        return Ok(());
    }
    let body = serde_json::from_str(compact).unwrap_or_default();
    definition::read(&body).map(|_| ()).map_err(Flaw::Issues)
}

/// Prepares a resource to be stored under this id.
fn prepare_new(resource: &Resource<'_>, id: &str, base: &str) -> Result<NewResource, Flaw> {
    if resource.resource_type == ResourceType::DocumentReference {
        shapes::complete_document(resource, base)?;
    }
    let content = Preparation::of(resource, id, base, &LIMITS)?;
    must_be_indexable(&content)?;
    let unresolved = unresolved(&content);
    if unresolved.is_empty() { new_resource(content) } else { Err(Flaw::Issues(unresolved)) }
}

/// What it costs the writer to store a resource with what comes with it, in index rows.
#[must_use]
pub fn index_rows(content: &Preparation) -> usize {
    let own = content.index.len() + content.tokens.len() + ROWS_OF_A_PATIENT * content.patients.len();
    own + ROWS_OF_A_RESOURCE + content.attachments.iter().map(index_rows).sum::<usize>()
}

/// Everybody else's writes wait while one is stored.
fn must_be_indexable(content: &Preparation) -> Result<(), Fault> {
    let (rows, name) = (index_rows(content), content.resource_type.name());
    if rows <= RESOURCE_INDEX_ROWS {
        return Ok(());
    }
    let mut of_parameters: HashMap<i64, usize> = HashMap::new();
    for row in &content.index {
        *of_parameters.entry(row.parameter.div_euclid(FACETS)).or_default() += 1;
    }
    let most =
        of_parameters.into_iter().max_by_key(|(_, rows)| *rows).filter(|(_, most)| 2 * most > content.index.len());
    let most = most.and_then(|(number, _)| {
        table::of(content.resource_type).iter().find(|parameter| i64::from(parameter.number) == number)
    });
    let mostly = most.map(|parameter| format!(", most of them by {}", parameter.code)).unwrap_or_default();
    Err(Fault::BreaksRule(format!(
        "searches would find this {name} by {rows} values{mostly}; one resource can be found by {RESOURCE_INDEX_ROWS} at the \
         most, and each patient in whose record it is counts as {ROWS_OF_A_PATIENT}: send it as several"
    )))
}

/// The elements that would put it into a patient's record, were it known whose: they name the patient by a URN that nothing has.
fn unresolved(content: &Preparation) -> Vec<Issue> {
    let urns = content.unlinked.iter().filter(|unlinked| unlinked.naming == PatientNaming::Urn);
    let issue = |unlinked: &UnlinkedPatient| {
        let words =
            "names nothing that is stored here, or with it; refer to Patient/id, or send both in one transaction";
        Issue::rule(IssueCode::NotFound, unlinked.place.clone(), words)
    };
    urns.map(issue).take(ISSUES).collect()
}

/// The same of a text that nobody has asked to store.
#[must_use]
pub fn unresolved_in(json: &str, base: &str) -> Vec<Issue> {
    let Ok(text) = strict::compact(json, SHAPE) else { return Vec::new() };
    let content = Resource::read(&text, None).and_then(|resource| Preparation::of(&resource, "new", base, &LIMITS));
    content.map(|content| unresolved(&content)).unwrap_or_default()
}

/// Prepares a Binary of this content, to be stored under this id.
#[must_use]
pub fn prepare_content(
    named: (&str, &str),
    media_type: &str,
    security_context: Option<&str>,
    bytes: Vec<u8>,
) -> NewResource {
    let content = Preparation::of_content(named, media_type, security_context, bytes);
    let needs = needs(&content).unwrap_or(Needs::ALL);
    NewResource::as_sent(content, needs)
}

/// Prepares a resource that is stored already. One whose labels contradict each other, which is refused today, needs all.
#[must_use]
pub fn prepare_stored(json: &str, base: &str) -> Option<NewResource> {
    let content = preparation::reread(json, base, &STORED).ok()?;
    let needs = needs(&content).unwrap_or(Needs::ALL);
    Some(NewResource::as_sent(content, needs))
}

/// What was prepared, as the store takes it: with the labels that it takes to see it.
fn new_resource(content: Preparation) -> Result<NewResource, Flaw> {
    no_coding_of_ours(&content)?;
    must_be_whole(&content)?;
    if !content.audience_issues.is_empty() {
        return Err(Flaw::Issues(content.audience_issues));
    }
    let needs = needs(&content).map_err(|SeveralLabels(one, other)| {
        let (one, other) = (one.code(), other.code());
        Fault::BreaksRule(format!("meta.security says two privacy labels, {one} and {other}; an item has one at most"))
    })?;
    Ok(NewResource::as_sent(content, needs))
}

/// What is said in a system of ours is said by us; the privacy labels alone are for the source to set.
fn no_coding_of_ours(content: &Preparation) -> Result<(), Fault> {
    let tags = content.tags.iter().map(|coding| ("tag", coding));
    let security = content.security.iter().map(|coding| ("security", coding));
    for (member, coding) in tags.chain(security) {
        let Some(system) = coding.system.as_deref().filter(|system| labels::is_ours(system)) else { continue };
        let is_label = || coding.code.as_deref().and_then(Label::named).is_some();
        if (member, system) == ("security", labels::LABEL_SYSTEM) && !is_label() {
            let code = rules::params::shown(coding.code.as_deref().unwrap_or_default());
            return Err(Fault::BreaksRule(format!("meta.security has the privacy label {code}, which there is not")));
        }
        if (member, system) != ("security", labels::LABEL_SYSTEM) {
            return Err(Fault::BreaksRule(format!(
                "meta.{member} has a coding of the system {system}, which only this service sets; leave it out"
            )));
        }
    }
    Ok(())
}

/// Refuses a part of a resource, as a search or a read with `_summary` or `_elements` gives it: what was left out would be lost.
fn must_be_whole(content: &Preparation) -> Result<(), Fault> {
    let is_part = |tag: &fhir::security::Coding| {
        let system = tag.system.as_deref().unwrap_or_default();
        tag.code.as_deref() == Some(SUBSETTED) && (system.is_empty() || system.ends_with("ObservationValue"))
    };
    match content.tags.iter().any(is_part) {
        true => Err(Fault::BreaksRule(
            "meta.tag says SUBSETTED: this is a part of a resource, and what was left out would be lost; read the whole, and \
             send that"
                .into(),
        )),
        false => Ok(()),
    }
}

fn needs(content: &Preparation) -> Result<Needs, SeveralLabels> {
    let security = content.security.iter();
    let codings = security.map(|coding| Coding { system: coding.system.as_deref(), code: coding.code.as_deref() });
    let Audience { is_draft, is_private, .. } = content.audience;
    Ok(labels::needs(content.resource_type.name(), codings)?.of_draft(is_draft).of_private(is_private))
}

/// What is wrong with an identifier beside a reference to the Patient who has these.
#[must_use]
pub fn foreign_identifier(beside: &IdentifiedPatient, own: &[Identifier]) -> Option<Issue> {
    let words = format!("is no identifier of Patient/{} that this caller may see; leave it out", beside.patient);
    let is_own = own.iter().any(|own| beside.identifier.is_of(own));
    (!is_own).then(|| Issue::rule(IssueCode::Processing, format!("{}.identifier", beside.place), words))
}
