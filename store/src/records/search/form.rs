//! The forms that a value searched for can have: which table of the index it is compared with, and how. One value is arguments
//! of the statement; where there are more, each is a row `v` of a JSON array of arrays, so that the text is the same for however
//! many there are.

use fhir::search::prefix::Prefix;

/// How a row of the index is compared with what is searched for. What is searched for has so many cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A code, and a system or null for any.
    Token,
    /// A system, with any code.
    System,
    /// The start in the index, the end of the texts with that start, and all of it.
    TextStart,
    TextPart,
    /// What it is folded to in the index, and as it is written.
    TextExact,
    /// A type, an id or URL, and a version or null for any.
    Target,
    /// An id of any type, and a version or null for any.
    AnyTarget,
    /// From, until before.
    Date(Prefix),
    /// The number, from, until before.
    Number(Prefix),
    /// The same; then a system or null for any, the unit, the same three numbers in base units, and these or null.
    Quantity(Prefix),
    Uri,
    /// A URI and its version.
    CanonicalUri,
    /// A URI, and what all below it lie between.
    UriBelow,
}

/// Where the cells of what is searched for are, from this one on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cells {
    /// In the row `v` of a list.
    Row(usize),
    /// In arguments, which are named by `Cells::name` until it is known which of them are asked for.
    Names(usize),
}

impl Cells {
    /// What stands for a cell until it has the number of its argument.
    pub(crate) fn name(cell: usize) -> String {
        format!("<cell {cell}>")
    }

    fn text(self, cell: usize) -> String {
        match self {
            Self::Row(at) => format!("(v.value ->> {})", at + cell),
            Self::Names(at) => format!("CAST({} AS TEXT)", Self::name(at + cell)),
        }
    }

    fn number(self, cell: usize) -> String {
        match self {
            Self::Row(at) => format!("CAST(v.value ->> {} AS BIGINT)", at + cell),
            Self::Names(at) => format!("CAST({} AS BIGINT)", Self::name(at + cell)),
        }
    }
}

impl Form {
    pub(crate) const fn table(self) -> &'static str {
        match self {
            Self::Token | Self::System => "index_tokens",
            Self::TextStart | Self::TextPart | Self::TextExact => "index_texts",
            Self::Target | Self::AnyTarget => "index_references",
            Self::Date(_) => "index_dates",
            Self::Number(_) | Self::Quantity(_) => "index_amounts",
            Self::Uri | Self::CanonicalUri | Self::UriBelow => "index_uris",
        }
    }

    /// How many cells it takes.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::System | Self::TextPart | Self::Uri => 1,
            Self::Token | Self::TextExact | Self::AnyTarget | Self::Date(_) | Self::CanonicalUri => 2,
            Self::TextStart | Self::Target | Self::Number(_) | Self::UriBelow => 3,
            Self::Quantity(_) => 9,
        }
    }

    /// Whether the value and the resource together lead to few rows of the table's key.
    pub(crate) const fn is_exact(self) -> bool {
        matches!(self, Self::Token | Self::Target | Self::Uri | Self::CanonicalUri | Self::TextExact)
    }

    /// Whether few resources can be expected to be as it says, so that they may be looked for first.
    pub(crate) const fn is_narrow(self) -> bool {
        match self {
            Self::System | Self::TextPart => false,
            Self::Date(prefix) | Self::Number(prefix) | Self::Quantity(prefix) => {
                matches!(prefix, Prefix::Equal | Prefix::Approximate)
            }
            _ => true,
        }
    }

    /// The condition on the row `i` of the index. With what id a reference is compared, whose type and id these are, `named` says.
    pub(crate) fn condition(self, i: &str, cells: Cells, named: impl Fn(&str, &str) -> String) -> String {
        let text = |cell: usize| cells.text(cell);
        let number = |cell: usize| cells.number(cell);
        match self {
            Self::Token => {
                format!("{i}.code = {} AND ({} IS NULL OR {i}.system = {})", text(0), number(1), number(1))
            }
            Self::System => format!("{i}.system = {}", number(0)),
            Self::TextStart => format!(
                "{i}.folded >= {} AND {i}.folded < {} AND substr(coalesce({i}.whole, {i}.folded), 1, length({})) = {}",
                text(0),
                text(1),
                text(2),
                text(2)
            ),
            Self::TextPart => {
                let whole = format!("coalesce({i}.whole, {i}.folded)");
                format!("replace({whole}, {}, '') <> {whole}", text(0))
            }
            Self::TextExact => format!("{i}.folded = {} AND {i}.written = {}", text(0), text(1)),
            Self::Target => {
                let (kind, id) = (number(0), text(1));
                reference(i, [&kind, &named(&kind, &id), &text(2)])
            }
            Self::AnyTarget => format!(
                "{i}.target_type > 0 AND {i}.target = {} AND ({} IS NULL OR {i}.version = {})",
                text(0),
                text(1),
                text(1)
            ),
            Self::Date(prefix) => time(prefix, (&format!("{i}.low"), &format!("{i}.high")), (&number(0), &number(1))),
            Self::Number(prefix) => amount(prefix, (&format!("{i}.low"), &format!("{i}.high")), [0, 1, 2].map(number)),
            Self::Quantity(prefix) => {
                let written = amount(prefix, (&format!("{i}.low"), &format!("{i}.high")), [0, 1, 2].map(number));
                let base = (&*format!("{i}.base_low"), &*format!("{i}.base_high"));
                let base = amount(prefix, base, [5, 6, 7].map(number));
                let (system, unit, code) = (number(3), text(4), text(8));
                format!(
                    "CASE WHEN {i}.base IS NOT NULL AND {code} IS NOT NULL THEN {i}.base = {code} AND {base}
                        WHEN {system} IS NULL THEN ({i}.code = {unit} OR {i}.unit = {unit}) AND {written}
                        ELSE {i}.system = {system} AND {i}.code = {unit} AND {written} END"
                )
            }
            Self::Uri => format!("{i}.uri = {}", text(0)),
            Self::CanonicalUri => format!("{i}.uri = {} AND {i}.version = {}", text(0), text(1)),
            Self::UriBelow => {
                format!("({i}.uri = {} OR ({i}.uri >= {} AND {i}.uri < {}))", text(0), text(1), text(2))
            }
        }
    }
}

/// That the row `i` of the index is a reference to a resource of this type and id, and of this version if one is said.
pub(crate) fn reference(i: &str, [kind, id, version]: [&str; 3]) -> String {
    format!("{i}.target_type = {kind} AND {i}.target = {id} AND ({version} IS NULL OR {i}.version = {version})")
}

/// How a stored span of time stands to the one searched for: `fhir::search::comparison::time`, as SQL.
pub(crate) fn time(prefix: Prefix, (low, high): (&str, &str), (from, until): (&str, &str)) -> String {
    // What ends before an end begins before it, which an index can use.
    let equal = format!("({low} >= {from} AND {low} <= {until} AND {high} <= {until})");
    match prefix {
        Prefix::Equal => equal,
        Prefix::NotEqual => format!("NOT {equal}"),
        Prefix::Greater => format!("{high} > {until}"),
        Prefix::Less => format!("{low} < {from}"),
        Prefix::GreaterOrEqual => format!("({equal} OR {high} > {until})"),
        Prefix::LessOrEqual => format!("({equal} OR {low} < {from})"),
        Prefix::StartsAfter => format!("{low} >= {until}"),
        Prefix::EndsBefore => format!("{high} <= {from}"),
        Prefix::Approximate => format!("({from} < {high} AND {low} < {until})"),
    }
}

/// How a stored number stands to the one searched for: `fhir::search::comparison::number`, as SQL.
fn amount(prefix: Prefix, (low, high): (&str, &str), [value, from, until]: [String; 3]) -> String {
    let equal = format!("({low} >= {from} AND {low} < {until} AND {high} < {until})");
    match prefix {
        Prefix::Equal => equal,
        Prefix::NotEqual => format!("NOT {equal}"),
        Prefix::Greater => format!("{high} > {value}"),
        Prefix::Less => format!("{low} < {value}"),
        Prefix::GreaterOrEqual => format!("{high} >= {value}"),
        Prefix::LessOrEqual => format!("{low} <= {value}"),
        Prefix::StartsAfter => format!("{low} > {value}"),
        Prefix::EndsBefore => format!("{high} < {value}"),
        Prefix::Approximate => format!("({low} <= {until} AND {from} <= {high})"),
    }
}
