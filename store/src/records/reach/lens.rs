//! A lens as SQL: a condition whose text is the same for every lens, and the list that is its argument. What it says is
//! `rules::smart::aimed::AimedLens::shows`, and the test that holds reach together holds it, too.

use super::condition::{Columns, DIRECTORY_TYPES, ReachArgs, ReachCondition};
use crate::records::index::shared_key;
use crate::sql::statement::quote;
use fhir::extraction::index_row::{short, system_number};
use fhir::parameters::table;
use fhir::types::{self, ResourceType};
use rules::smart::aimed::AimedLens;
use rules::smart::lens::{Opened, Way};
use rules::smart::permissions::Permissions;
use rules::smart::query::{MOST_CRITERIA, ScopeCriterion, ScopeQuery};

/// What a scope says for every type.
const ANY: &str = "*";
/// Cells of a row before its criteria: the number of the type, or none for all, and the patient or none.
const BEFORE_CRITERIA: usize = 2;
/// Cells of a criterion: under which number the index keeps its parameter, the code, and the system or none.
const OF_CRITERION: usize = 3;

impl ReachCondition {
    /// That a row which is in reach is in the lens, too. A criterion asks for the codes that the item has now, of which there are none
    /// once it is deleted: then it is hidden, whatever it was.
    pub(super) fn in_lens(&self, columns: Columns, lens: &str) -> String {
        let Columns { resource: r, compartments: c, .. } = columns;
        let is_everybodys = format!("{c}.patients = 0 AND {r}.type IN ({})", *DIRECTORY_TYPES);
        let in_record = self.in_record(columns, "CAST(value ->> 1 AS BIGINT)");
        let criteria: Vec<String> = (0..MOST_CRITERIA)
            .map(|at| {
                let first = BEFORE_CRITERIA + at * OF_CRITERION;
                let (code, system) = (first + 1, first + 2);
                format!(
                    "((value ->> {first}) IS NULL OR EXISTS (SELECT 1 FROM index_tokens x
                        WHERE x.resource_id = {r}.id AND x.parameter = CAST(value ->> {first} AS BIGINT)
                            AND +x.type = {r}.type AND x.code = (value ->> {code})
                            AND ((value ->> {system}) IS NULL OR x.system = CAST(value ->> {system} AS BIGINT))))"
                )
            })
            .collect();
        format!(
            "EXISTS (SELECT 1 FROM json_each({lens}, '$') WHERE ((value ->> 0) IS NULL OR CAST(value ->> 0 AS BIGINT) = {r}.type)
                AND ((value ->> 1) IS NULL OR ({is_everybodys}) OR {in_record}) AND {})",
            criteria.join(" AND ")
        )
    }
}

impl ReachArgs {
    /// The argument: a row for each way in which items of a type are opened.
    pub(super) fn of_lens(lens: &AimedLens) -> String {
        let is_of_all = lens.opens(ANY) != Opened::Nothing;
        // Of what a scope opens of all types, some may be left out that is not shown, but changed.
        let is_listed = !is_of_all || !Permissions::READ.contains(lens.needed());
        let named =
            |of: &ResourceType| lens.lens().openings().iter().any(|scope| scope.of.as_deref() == Some(of.name()));
        let mut rows = if is_listed { Vec::new() } else { rows_of(lens, None) };
        for of in types::all().filter(|of| is_listed && is_of_all || named(of)) {
            rows.extend(rows_of(lens, Some(of)));
        }
        format!("[{}]", rows.join(","))
    }
}

/// What opens a type, or every type, row by row.
fn rows_of(lens: &AimedLens, of: Option<ResourceType>) -> Vec<String> {
    let number = of.map_or_else(|| "null".to_owned(), |of| of.number().to_string());
    match lens.opens(of.map_or(ANY, ResourceType::name)) {
        Opened::Nothing => Vec::new(),
        Opened::All => vec![format!("[{number}]")],
        Opened::Some(ways) => ways.into_iter().flat_map(|way| rows_of_way((of, &number), way)).collect(),
    }
}

/// Where the values of a parameter are kept in several places, a way is as many rows.
fn rows_of_way((of, number): (Option<ResourceType>, &str), way: Way<'_>) -> Vec<String> {
    let patient = way.patient.map_or_else(|| "null".to_owned(), |patient| patient.0.to_string());
    let mut rows = vec![format!("[{number},{patient}")];
    for criterion in way.query.into_iter().flat_map(ScopeQuery::criteria) {
        let cells = cells(of, criterion);
        rows = rows.iter().flat_map(|row| cells.iter().map(move |cells| format!("{row},{cells}"))).collect();
    }
    rows.into_iter().map(|row| row + "]").collect()
}

/// A criterion at each of the places where it can be met; none where the type has no such parameter.
fn cells(of: Option<ResourceType>, criterion: &ScopeCriterion) -> Vec<String> {
    let parameter = of.and_then(|of| table::find(of, criterion.parameter.word()));
    let Some(parameter) = parameter else { return Vec::new() };
    let system = criterion.system.as_deref();
    let system = system.map_or_else(|| "null".to_owned(), |system| system_number(Some(system)).to_string());
    let mut code = String::new();
    quote(&short(&criterion.code), &mut code);
    shared_key::places(parameter).into_iter().flatten().map(|key| format!("{key},{code},{system}")).collect()
}
