//! What is known of resources beside what they say: who made them and when, and what they refer to. With it they are shown as items.

use super::companions::{self, ItemCompanions};
use super::kind::{Companion, ItemKind};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use fhir::json::{self, Node};
use fhir::reference;
use fhir::types::ResourceType;
use rules::ids::{PatientId, RowId};
use rules::moment::Moment;
use rules::reach::{Reach, Source, may_act_as};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use store::documents::{delays, receipts};
use store::history::beginnings;
use store::messages::{self, MessageMark};
use store::stored::resource::Resource;
use store::stored::source_names;
use views::elements::source::ItemSource;
use views::facts::{Facts, Reader};
use views::list::ListQuery;
use views::observation::{is_laboratory_report, named_by};
use views::order::ListKey;
use views::view::{self, Shown};

/// What is known of resources of one record.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemBackground {
    base: String,
    patient: String,
    names: Vec<(Source, Option<String>)>,
    first_stored: HashMap<i64, Moment>,
    first_read: HashMap<i64, Moment>,
    hidden_until: HashMap<i64, Moment>,
    companions: ItemCompanions,
    /// By which of the reports an Observation is named.
    reported: HashMap<String, usize>,
    /// Who looks, and what is known of the messages that somebody has read.
    reach: Option<Reach>,
    marks: HashMap<i64, MessageMark>,
}

/// A version of a resource, as it is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemVersion<'v> {
    pub row: Option<RowId>,
    pub source: Source,
    pub version: i64,
    pub updated_at: Moment,
    pub body: &'v str,
}

impl<'v> ItemVersion<'v> {
    pub fn of(resource: &'v Resource) -> Self {
        Self {
            row: Some(resource.row),
            source: resource.source,
            version: resource.version,
            updated_at: resource.updated_at,
            body: &resource.body,
        }
    }
}

/// An item of a list: its place, what is shown, and of what.
#[derive(Debug)]
pub(crate) struct Listed<K> {
    pub key: ListKey,
    pub shown: Shown<K>,
    pub resource: Arc<Resource>,
}

impl ItemBackground {
    /// What is known of the items of a record, before any is found.
    pub async fn begin<K: ItemKind>(app: &App, caller: &Caller, patient: &str) -> Result<Self, ApiStop> {
        let (reports, base) = (companions::reports::<K>(app, caller, patient).await?, base(&app.settings.base_url));
        Ok(Self {
            reported: reported(&reports, &base),
            reach: Some(caller.reach().clone()),
            base,
            patient: patient.to_owned(),
            companions: ItemCompanions { reports, named: Vec::new() },
            ..Self::default()
        })
    }

    /// Learns what is to be known of these.
    pub async fn learn<K: ItemKind>(
        &mut self,
        app: &App,
        caller: &Caller,
        items: &[Arc<Resource>],
    ) -> Result<(), ApiStop> {
        let changed = items.iter().filter(|item| item.version > 1).map(|item| item.row);
        let first = beginnings::first_stored(&app.store, changed).await.during("reading when items were entered")?;
        self.first_stored.extend(first);
        for item in items {
            self.learn_source(app, item.source).await?;
        }
        if K::COMPANIONS.contains(&Companion::Receipts) {
            let read = receipts::read_at(&app.store, items.iter().map(|item| item.row)).await;
            self.first_read.extend(read.during("reading receipts")?);
        }
        if K::COMPANIONS.contains(&Companion::Delays) {
            let held = delays::of_documents(&app.store, items.iter().map(|item| item.row)).await;
            self.hidden_until.extend(held.during("looking what is held back")?);
        }
        if K::COMPANIONS.contains(&Companion::Marks) {
            let rows = items.iter().map(|item| item.row);
            let marks = messages::marks(&app.store, rows, &readers(caller.reach())).await;
            self.marks.extend(marks.during("reading who has read messages")?);
        }
        let bodies: Vec<&str> = items.iter().map(|item| item.body.as_str()).collect();
        self.learn_named::<K>(app, caller, &bodies).await
    }

    /// Learns what items of these bodies name.
    pub async fn learn_named<K: ItemKind>(
        &mut self,
        app: &App,
        caller: &Caller,
        bodies: &[&str],
    ) -> Result<(), ApiStop> {
        self.companions.named.extend(companions::named::<K>(app, caller, bodies).await?);
        Ok(())
    }

    /// Learns what a source is called.
    pub async fn learn_source(&mut self, app: &App, source: Source) -> Result<(), ApiStop> {
        if !self.names.iter().any(|(known, _)| *known == source) {
            let name = source_names::name(&app.store, source).await.during("reading the name of a source")?;
            self.names.push((source, name));
        }
        Ok(())
    }

    /// The reports of these ids.
    pub fn reports(&self, ids: &HashSet<&str>) -> Vec<Arc<Resource>> {
        let reports = self.companions.reports.iter();
        reports.filter(|report| ids.contains(report.id.as_str())).cloned().collect()
    }

    /// Does something with the facts of a version.
    pub fn with_facts<T>(&self, of: ItemVersion<'_>, then: impl FnOnce(&Node<'_>, &Facts<'_>) -> T) -> Option<T> {
        let resource = json::read(of.body)?;
        let entered = match (of.version, of.row.and_then(|row| self.first_stored.get(&row.0))) {
            (2.., Some(first)) => *first,
            _ => of.updated_at,
        };
        let (date_entered, date_updated) = (when::rfc3339(entered), when::rfc3339(of.updated_at));
        let id = resource.get("id").and_then(Node::text).unwrap_or_default();
        let is_named = |one: &&Arc<Resource>| of.body.contains(&format!("{}/{}", one.resource_type.name(), one.id));
        let named = self.companions.named.iter().filter(is_named);
        let trees: Vec<Node<'_>> = named.filter_map(|one| json::read(&one.body)).collect();
        let report = self.reported.get(id).and_then(|at| self.companions.reports.get(*at));
        let report = report.and_then(|report| json::read(&report.body));
        let report = report.as_ref();
        let name = self.names.iter().find(|(source, _)| *source == of.source).and_then(|(_, name)| name.as_deref());
        let uri = resource.get("meta").and_then(|meta| meta.get("source")).and_then(Node::text).unwrap_or_default();
        let medication = trees.iter().find(|tree| is_medication(tree, &resource, &self.base));
        let mark = of.row.and_then(|row| self.marks.get(&row.0)).copied().unwrap_or_default();
        let receipt = of.row.and_then(|row| self.first_read.get(&row.0)).copied();
        let first_read = receipt.or(mark.first_read).map(when::rfc3339);
        let hidden_until = of.row.and_then(|row| self.hidden_until.get(&row.0)).copied().map(when::rfc3339);
        let is_own = self.reach.as_ref().is_none_or(|reach| may_act_as(reach, of.source));
        let reader = if is_own { Reader::Sender } else { Reader::Recipient { has_read: mark.is_read } };
        let facts = Facts {
            reader,
            base: &self.base,
            patient_id: &self.patient,
            version: of.version,
            source: ItemSource::of_uri(uri, name).unwrap_or_default(),
            date_entered: &date_entered,
            date_updated: &date_updated,
            medication,
            report,
            is_reported: report.is_some(),
            documents: &trees,
            first_read: first_read.as_deref(),
            hidden_until: hidden_until.as_deref(),
        };
        Some(then(&resource, &facts))
    }

    /// A version as an item; none where it is not of the kind.
    pub fn show<K: ItemKind>(&self, of: ItemVersion<'_>) -> Option<Shown<K>> {
        self.with_facts(of, view::show).flatten()
    }

    /// Those of the resources that are of the kind and asked for, each with its place in the list.
    pub fn listed<K: ItemKind>(&self, found: Vec<Arc<Resource>>, query: &ListQuery) -> Vec<Listed<K>> {
        let listed = found.into_iter().filter_map(|resource| {
            let of = ItemVersion::of(&resource);
            let (key, shown) = self.with_facts(of, |node, facts| view::listed(node, facts, query)).flatten()?;
            Some(Listed { key, shown, resource })
        });
        listed.collect()
    }
}

/// As whom a caller of this reach reads messages, by number.
pub(crate) fn readers(reach: &Reach) -> Vec<i64> {
    match reach.own() {
        Some(PatientId(own)) => vec![own],
        None => reach.viewers().map(|viewer| viewer.0).collect(),
    }
}

/// The Observations that laboratory reports name, each with the place of its report.
fn reported(reports: &[Arc<Resource>], base: &str) -> HashMap<String, usize> {
    let mut reported = HashMap::new();
    for (at, report) in reports.iter().enumerate() {
        let Some(report) = json::read(&report.body).filter(is_laboratory_report) else { continue };
        let results = named_by(&report).filter_map(|named| reference::id_in(named, ResourceType::Observation, base));
        reported.extend(results.map(|id| (id.to_owned(), at)));
    }
    reported
}

/// Whether this is the Medication that an item refers to.
fn is_medication(tree: &Node<'_>, item: &Node<'_>, base: &str) -> bool {
    let named = item.get("medicationReference").and_then(|named| named.get("reference")).and_then(Node::text);
    let id = named.and_then(|named| reference::id_in(named, ResourceType::Medication, base));
    id.is_some() && tree.get("id").and_then(Node::text) == id
}
