//! The values of a resource as the rows of an index: small integers and texts, in the form in which a database compares
//! them. Whoever searches makes the same form of what is searched for.

use crate::extraction::extract::{Contained, Entry, contained_kept, extract_kept, is_apart};
use crate::extraction::index_value::{Amount, IndexValue, Target};
use crate::parameters::shared_key::APART;
use crate::types::ResourceType;
use crate::values::magnitude::{Interval, key};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A row of the index: of which type, of which parameter and facet of it, in which part of the resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexRow {
    /// The number of the type; that of a contained resource has a minus before it.
    pub type_number: i64,
    pub parameter: i64,
    /// The instance of a composite, counted from 1; above that, the contained resource, counted from 1.
    pub part: i64,
    pub cells: IndexCells,
}

/// What a row holds, by its table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IndexCells {
    /// An empty code is none, the system 0 is none.
    Token {
        code: String,
        system: i64,
    },
    /// The start of what is folded, all of it where that is longer, and what was written, empty where nothing was.
    Text {
        folded: String,
        whole: Option<String>,
        written: String,
    },
    /// The number of a type, 0 for a URL, with a minus before it for what is contained: then the target is its number.
    Reference {
        target_type: i64,
        target: String,
        version: String,
    },
    Date {
        low: i64,
        high: i64,
    },
    Amount {
        low: i64,
        high: i64,
        system: i64,
        code: String,
        unit: String,
        base: Option<BaseUnits>,
    },
    Uri {
        uri: String,
        version: String,
    },
    /// What a patient has of a code, by the moment of the care.
    CodeTimeline {
        patient: String,
        code: String,
        moment: i64,
        system: i64,
    },
}

impl IndexCells {
    /// Whether it is a reference to a resource of this type, here or contained.
    fn is_to(&self, target: ResourceType) -> bool {
        matches!(self, Self::Reference { target_type, .. } if target_type.abs() == target.number())
    }
}

/// A quantity in base units.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BaseUnits {
    pub low: i64,
    pub high: i64,
    pub code: String,
}

/// A parameter's values of other kinds than its own (and the components of a composite) have numbers beside its own.
pub const FACETS: i64 = 4;
/// The texts of a token parameter, for `:text`.
pub const TOKEN_TEXT: i64 = 1;
/// Identifiers with their types, for `:of-type`.
pub const OF_TYPE: i64 = 2;
/// What references say of their targets, for `:identifier`.
pub const IDENTIFIER_OF: i64 = 3;

/// Instances of composites that can be told apart; contained resources are counted above them.
pub const PARTS: i64 = 65_536;

/// Parameters whose values only a store knows.
const OF_THE_STORE: [&str; 3] = ["_id", "_lastUpdated", "_source"];

/// A text longer than this is not compared as a whole by an index.
const LONGEST: usize = 400;
/// As much of a folded text as an index begins with.
const START: usize = 240;

/// The rows of a resource and of all that it contains, but for the parameters whose values only a store knows, and for what
/// another parameter keeps.
#[must_use]
pub fn rows(resource_type: ResourceType, resource: &Value, base: &str) -> Vec<IndexRow> {
    let own = extract_kept(resource_type, resource, base).into_iter();
    let own: Vec<Entry<'_>> = own.filter(|entry| !OF_THE_STORE.contains(&entry.parameter.code)).collect();
    rows_of((resource_type, resource), &own, &contained_kept(resource, base))
}

/// The rows of what was found in a resource and in all that it contains, in their order.
pub(super) fn rows_of(of: (ResourceType, &Value), own: &[Entry<'_>], inner: &[Contained<'_>]) -> Vec<IndexRow> {
    let mut rows = Rows { inner, type_number: of.0.number(), part: 0, rows: Vec::with_capacity(24) };
    rows.add_all(of.1, own);
    for (at, contained) in inner.iter().enumerate() {
        rows.type_number = -contained.resource_type.number();
        rows.part = (i64::try_from(at).unwrap_or_default() + 1) * PARTS;
        rows.add_all(contained.resource, &contained.entries);
    }
    let mut rows = rows.rows;
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// The instance of which composite was counted last, and how far.
#[derive(Default)]
struct Instances(Option<i64>, i64);

struct Rows<'r, 'a> {
    inner: &'r [Contained<'a>],
    type_number: i64,
    part: i64,
    rows: Vec<IndexRow>,
}

impl Rows<'_, '_> {
    /// Adds what was found in a resource.
    fn add_all(&mut self, resource: &Value, entries: &[Entry<'_>]) {
        let mut instances = Instances::default();
        for Entry { parameter, value } in entries {
            let (before, facet) =
                (self.rows.len(), if is_apart(parameter, value, resource) { i64::from(APART) } else { 0 });
            self.add(i64::from(parameter.number), facet, value, &mut instances);
            if let Some((_, target)) = parameter.shared_keys.instead {
                let added = self.rows.split_off(before);
                self.rows.extend(added.into_iter().filter(|row| !row.cells.is_to(target)));
            }
        }
    }

    fn add(&mut self, parameter: i64, facet: i64, value: &IndexValue<'_>, instances: &mut Instances) {
        let IndexValue::Composite(components) = value else { return self.put(parameter, facet, self.part, value) };
        let count = if instances.0 == Some(parameter) { instances.1 + 1 } else { 1 };
        *instances = Instances(Some(parameter), count);
        for (at, values) in components.iter().enumerate() {
            let facet = i64::try_from(at).unwrap_or_default();
            // What is beyond all bounds shares the last instance.
            let part = self.part + count.min(PARTS - 1);
            values.iter().for_each(|value| self.put(parameter, facet, part, value));
        }
    }

    fn put(&mut self, parameter: i64, component: i64, part: i64, value: &IndexValue<'_>) {
        let (facet, cells) = match value {
            IndexValue::Token { system, code } => (0, token(*system, code.unwrap_or_default())),
            IndexValue::TokenText(folded) => (TOKEN_TEXT, text(folded, "")),
            IndexValue::TokenOfType { system, code, value } => (OF_TYPE, token(*system, &of_type(code, value))),
            IndexValue::Text { written, folded } => (0, text(folded, written)),
            IndexValue::Whole(folded) => (0, text(folded, "")),
            IndexValue::Reference { target, version } => {
                return self.reference(parameter, component, part, *target, *version);
            }
            IndexValue::Identifier { system, value } => (IDENTIFIER_OF, token(*system, value)),
            IndexValue::Date(span) => (0, IndexCells::Date { low: span.low, high: span.high }),
            IndexValue::Number(interval) => (0, number(*interval)),
            IndexValue::Quantity(stored) => (0, amount(stored)),
            IndexValue::Uri { uri, version } => {
                (0, IndexCells::Uri { uri: short(uri), version: version_cell(*version) })
            }
            IndexValue::Composite(_) => return,
        };
        self.push(parameter, component + facet, part, cells);
    }

    fn reference(&mut self, parameter: i64, component: i64, part: i64, target: Target<'_>, version: Option<&str>) {
        let (version, inner) = (version_cell(version), self.inner);
        let mut put = |target_type, target| {
            let cells = IndexCells::Reference { target_type, target, version: version.clone() };
            self.push(parameter, component, part, cells);
        };
        match target {
            Target::Local(resource_type, id) => put(resource_type.number(), id.into()),
            Target::Url(url) => put(0, short(url)),
            Target::Contained(id) => {
                let known: Vec<_> = inner.iter().enumerate().filter(|(_, inner)| inner.id == id).collect();
                if known.is_empty() {
                    put(0, short(&format!("#{id}")));
                }
                for (at, inner) in known {
                    put(-inner.resource_type.number(), (at + 1).to_string());
                }
            }
        }
    }

    fn push(&mut self, parameter: i64, facet: i64, part: i64, cells: IndexCells) {
        let parameter = parameter * FACETS + facet;
        self.rows.push(IndexRow { type_number: self.type_number, parameter, part, cells });
    }
}

fn token(system: Option<&str>, code: &str) -> IndexCells {
    IndexCells::Token { code: short(code), system: system_number(system) }
}

fn text(folded: &str, written: &str) -> IndexCells {
    let start = start(folded);
    let whole = (start.len() < folded.len()).then(|| folded.to_owned());
    IndexCells::Text { folded: start.into(), whole, written: without_nul(written) }
}

fn number(Interval { low, high }: Interval) -> IndexCells {
    let (code, unit) = (String::new(), String::new());
    IndexCells::Amount { low: key(low), high: key(high), system: 0, code, unit, base: None }
}

fn amount(stored: &Amount<'_>) -> IndexCells {
    let base = stored.canonical.as_ref().map(|(interval, code)| BaseUnits {
        low: key(interval.low),
        high: key(interval.high),
        code: short(code),
    });
    IndexCells::Amount {
        low: key(stored.written.low),
        high: key(stored.written.high),
        system: system_number(stored.system),
        code: short(stored.code.unwrap_or_default()),
        unit: short(stored.unit.unwrap_or_default()),
        base,
    }
}

/// The number that stands for a system: the first bytes of its hash, so that nobody has to look it up. 0 where there is none.
#[must_use]
pub fn system_number(system: Option<&str>) -> i64 {
    let Some(system) = system else { return 0 };
    let hash: [u8; 32] = Sha256::digest(system).into();
    let number = hash.iter().take(8).fold(0_i64, |number, byte| (number << 8) | i64::from(*byte));
    // Chance alone makes it 0.
    number | 1
}

/// A text as an index compares it: itself, or its start and its hash where it is long.
#[must_use]
pub fn short(text: &str) -> String {
    if text.len() <= LONGEST {
        return without_nul(text);
    }
    let hash: [u8; 32] = Sha256::digest(text).into();
    let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}…{digits}", without_nul(within(text, START)))
}

/// The start of a folded text, with which an index begins.
#[must_use]
pub fn start(folded: &str) -> &str {
    within(folded, START)
}

/// How the type, the code of it and the value of an identifier stand in one text, whatever is in them.
#[must_use]
pub fn of_type(code: &str, value: &str) -> String {
    format!("{}|{code}{value}", code.len())
}

/// A version, told apart from none.
#[must_use]
pub fn version_cell(version: Option<&str>) -> String {
    version.map(|version| short(&format!("|{version}"))).unwrap_or_default()
}

/// PostgreSQL's text cannot hold NUL.
#[must_use]
pub fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{1}")
}

fn within(text: &str, bytes: usize) -> &str {
    (0..=bytes.min(text.len())).rev().find_map(|at| text.get(..at)).unwrap_or_default()
}

#[cfg(test)]
#[path = "index_row_tests.rs"]
mod tests;
