//! What a query asks of values, as rows that the index is compared with. Criteria of one form are one list, so that the text
//! of a statement does not vary with their number.

use super::form::Form;
use crate::records::index::shared_key;
use crate::sql::arg::OwnedArg;
use crate::sql::statement::quote;
use fhir::extraction::index_row::{
    IDENTIFIER_OF, OF_TYPE, TOKEN_TEXT, of_type, short, start, system_number, version_cell, without_nul,
};
use fhir::parameters::parameter::Parameter;
use fhir::search::criterion::{Criterion, SystemTest, TargetTest, TextManner, UnitTest, UriManner};
use fhir::values::folding::fold;
use fhir::values::magnitude::{Magnitude, key};

/// What is compared with one row of the index: under which number, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub key: i64,
    pub form: Form,
}

/// Criteria of one form: a leaf, or one for each component of a composite; and a JSON array of arrays of their cells.
#[derive(Debug)]
pub(crate) struct Group {
    pub leaves: Vec<Leaf>,
    pub rows: Vec<Vec<Cell>>,
}

/// A part of what is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Number(i64),
    Text(String),
}

impl Cell {
    /// As the argument of a statement.
    pub(crate) fn arg(&self) -> OwnedArg {
        match self {
            Self::Null => OwnedArg::Null,
            Self::Number(number) => OwnedArg::Int(*number),
            Self::Text(text) => OwnedArg::Text(text.clone()),
        }
    }

    fn write(&self, json: &mut String) {
        match self {
            Self::Null => json.push_str("null"),
            Self::Number(number) => json.push_str(&number.to_string()),
            Self::Text(text) => quote(text, json),
        }
    }
}

impl Group {
    /// The argument of a statement.
    pub(crate) fn list(&self) -> String {
        let mut json = String::new();
        for cells in &self.rows {
            json.push_str(if json.is_empty() { "[" } else { "]," });
            for (at, cell) in cells.iter().enumerate() {
                json.push(if at == 0 { '[' } else { ',' });
                cell.write(&mut json);
            }
        }
        json.push_str("]]");
        json
    }
}

/// What is asked of a component, the first where there is but one: of which facet, and how.
#[derive(Clone, Copy)]
struct Facet {
    component: usize,
    facet: i64,
    form: Form,
}

/// One way to meet a criterion.
type Alternative = (Vec<Facet>, Vec<Cell>);

/// The criteria on a parameter in groups, each of one form and on values that are kept in one place.
pub(crate) fn groups(parameter: &Parameter, criteria: &[Criterion]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let ways = criteria.iter().flat_map(alternatives);
    for (leaves, cells) in ways.flat_map(|(facets, cells)| placed(parameter, &facets, &cells)) {
        match groups.iter_mut().find(|group| group.leaves == leaves) {
            // What is asked for twice is looked up once.
            Some(group) if group.rows.contains(&cells) => {}
            Some(group) => group.rows.push(cells),
            None => groups.push(Group { leaves, rows: vec![cells] }),
        }
    }
    groups
}

/// A way to meet a criterion, for each place in which the values are kept.
fn placed(parameter: &Parameter, facets: &[Facet], cells: &[Cell]) -> Vec<(Vec<Leaf>, Vec<Cell>)> {
    let leaf = |facet: &Facet, key: i64| Leaf { key: key + facet.facet, form: facet.form };
    let of_place =
        |keys: Vec<i64>| facets.iter().filter_map(|facet| Some(leaf(facet, *keys.get(facet.component)?))).collect();
    let to = match (facets, cells) {
        ([Facet { form: Form::Target, .. }], [Cell::Number(target), ..]) => Some(*target),
        _ => None,
    };
    let places = match (facets, to) {
        ([Facet { form: Form::Target | Form::AnyTarget, .. }], _) => shared_key::references(parameter, to),
        _ => shared_key::places(parameter),
    };
    places.into_iter().map(|keys| (of_place(keys), cells.to_vec())).collect()
}

const fn single(facet: i64, form: Form) -> Facet {
    Facet { component: 0, facet, form }
}

fn alternatives(criterion: &Criterion) -> Vec<Alternative> {
    let one = |facet, form, cells: Vec<Cell>| vec![(vec![single(facet, form)], cells)];
    match criterion {
        Criterion::Token { system, code } => token(0, system, code.as_deref()),
        Criterion::Identifier { system, value } => token(IDENTIFIER_OF, system, value.as_deref()),
        Criterion::TokenText(folded) => one(TOKEN_TEXT, Form::TextStart, text_start(folded)),
        Criterion::TokenOfType { system, code, value } => {
            let system = system.as_deref().map(|system| system_number(Some(system)));
            one(OF_TYPE, Form::Token, vec![text(&short(&of_type(code, value))), number_or_null(system)])
        }
        Criterion::Text { manner, text: searched } => match manner {
            TextManner::Start => one(0, Form::TextStart, text_start(searched)),
            TextManner::Contains => one(0, Form::TextPart, vec![text(searched)]),
            TextManner::Exact => {
                let folded = fold(searched);
                one(0, Form::TextExact, vec![text(start(&folded)), text(&without_nul(searched))])
            }
        },
        // Words are not in the index: they are sifted by, before a query comes here.
        Criterion::Words(_) => Vec::new(),
        Criterion::Reference { target, version } => {
            let version = version.as_deref().map_or(Cell::Null, |version| text(&version_cell(Some(version))));
            let to = |target_type: i64, target: &str| {
                one(0, Form::Target, vec![Cell::Number(target_type), text(target), version.clone()])
            };
            match target {
                TargetTest::Url(url) => to(0, &short(url)),
                TargetTest::Id(types, id) if types.is_empty() => {
                    one(0, Form::AnyTarget, vec![text(id), version.clone()])
                }
                TargetTest::Id(types, id) => types.iter().flat_map(|kind| to(kind.number(), id)).collect(),
            }
        }
        Criterion::Date { prefix, span } => {
            one(0, Form::Date(*prefix), vec![Cell::Number(span.low), Cell::Number(span.high)])
        }
        Criterion::Number { prefix, magnitude } | Criterion::Quantity { prefix, magnitude, unit: None } => {
            one(0, Form::Number(*prefix), three(*magnitude))
        }
        Criterion::Quantity { prefix, magnitude, unit: Some(unit) } => {
            one(0, Form::Quantity(*prefix), quantity(*magnitude, unit))
        }
        Criterion::Uri { manner, uri: searched } => uri(*manner, searched),
        Criterion::Composite(parts) => composite(parts),
    }
}

fn token(facet: i64, system: &SystemTest, code: Option<&str>) -> Vec<Alternative> {
    let system = match system {
        SystemTest::Any => None,
        SystemTest::None => Some(0),
        SystemTest::Is(system) => Some(system_number(Some(system))),
    };
    let (form, cells) = match code {
        Some(code) => (Form::Token, vec![text(&short(code)), number_or_null(system)]),
        None => (Form::System, vec![number_or_null(system)]),
    };
    vec![(vec![single(facet, form)], cells)]
}

/// What begins with it lies between it and itself with the last of all characters behind it.
fn text_start(folded: &str) -> Vec<Cell> {
    let start = start(folded);
    vec![text(start), text(&format!("{start}\u{10ffff}")), text(folded)]
}

fn three(magnitude: Magnitude) -> Vec<Cell> {
    [magnitude.value, magnitude.low, magnitude.high].map(|number| Cell::Number(key(number))).into()
}

fn quantity(magnitude: Magnitude, unit: &UnitTest) -> Vec<Cell> {
    let mut cells = three(magnitude);
    cells.push(number_or_null(unit.system.as_deref().map(|system| system_number(Some(system)))));
    cells.push(text(&short(&unit.code)));
    match &unit.canonical {
        Some((magnitude, base)) => {
            cells.extend(three(*magnitude));
            cells.push(text(&short(base)));
        }
        None => cells.extend([const { Cell::Null }; 4]),
    }
    cells
}

fn uri(manner: UriManner, uri: &str) -> Vec<Alternative> {
    let alternative = |form, cells: Vec<Cell>| (vec![single(0, form)], cells);
    let itself = |uri: &str| alternative(Form::Uri, vec![text(&short(uri))]);
    match manner {
        UriManner::Equal => {
            let canonical = uri.split_once('|').map(|(uri, version)| {
                let cells = vec![text(&short(uri)), text(&version_cell(Some(version)))];
                alternative(Form::CanonicalUri, cells)
            });
            canonical.into_iter().chain([itself(uri)]).collect()
        }
        // All that it could be below: itself, and it until each slash, with the slash or without.
        UriManner::Above => {
            let slashes = uri.match_indices('/').flat_map(|(at, _)| [uri.get(..at), uri.get(..=at)]);
            let mut above: Vec<&str> = slashes.flatten().chain([uri]).filter(|uri| !uri.is_empty()).collect();
            above.sort_unstable();
            above.dedup();
            above.into_iter().map(itself).collect()
        }
        UriManner::Below => {
            let folder = format!("{}/", uri.strip_suffix('/').unwrap_or(uri));
            // The character after the slash.
            let end = format!("{}0", folder.strip_suffix('/').unwrap_or_default());
            vec![alternative(Form::UriBelow, vec![text(&short(uri)), text(&folder), text(&end)])]
        }
    }
}

/// Each way of one component with each of the next.
fn composite(parts: &[Criterion]) -> Vec<Alternative> {
    let mut all: Vec<Alternative> = vec![(Vec::new(), Vec::new())];
    for (component, part) in parts.iter().enumerate() {
        let ways = alternatives(part);
        let longer = all.iter().flat_map(|(leaves, cells)| {
            ways.iter().map(move |(leaf, more)| {
                let leaf = leaf.iter().map(|facet| Facet { component, ..*facet });
                let leaves = leaves.iter().copied().chain(leaf).collect();
                (leaves, cells.iter().chain(more).cloned().collect())
            })
        });
        all = longer.collect();
    }
    all
}

fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

fn number_or_null(number: Option<i64>) -> Cell {
    number.map_or(Cell::Null, Cell::Number)
}
