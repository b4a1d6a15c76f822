//! A line with the names of those whom it concerns, as they are called today.

use crate::error::Result;
use crate::lines::event::Event;
use crate::lines::line::Line;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list, statements};
use crate::store::Store;
use rules::moment::Moment;
use rules::reach::Right;
use std::collections::{BTreeSet, HashMap};

statements! {
    CLIENTS = "SELECT id, product, owner, client_id FROM clients WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    USERS = "SELECT id, name, username FROM users WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    TEAMS = "SELECT id, name, public_id FROM teams WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    ORGANISATIONS = "SELECT id, name, public_id FROM organisations
    WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    PATIENTS = "SELECT id, fhir_id FROM patients WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
}

/// One line as somebody reads it.
#[derive(Clone, Debug)]
pub struct NamedLine {
    /// It grows with time, and no other line has it.
    pub id: i64,
    /// Lines are counted from one, without gaps.
    pub number: i64,
    pub at: Moment,
    pub event: Event,
    pub session: Option<i64>,
    pub detail: Option<String>,
    pub times: i64,
    /// By which right a record was seen; lines of the first release do not say.
    pub right: Option<Right>,
    pub operator: Option<String>,
    pub product: Option<String>,
    pub owner: Option<String>,
    /// The Client ID.
    pub client: Option<String>,
    pub user: Option<String>,
    pub username: Option<String>,
    pub team: Option<String>,
    pub organisation: Option<String>,
    /// The FHIR id.
    pub patient: Option<String>,
}

/// A line and where it is.
#[derive(Clone, Debug)]
pub(super) struct PlacedLine {
    pub id: i64,
    pub number: i64,
    pub line: Line,
}

type NameTexts<const N: usize> = HashMap<i64, [String; N]>;

/// Gives each line the names of those whom it concerns.
pub(super) async fn name(store: &Store, lines: Vec<PlacedLine>) -> Result<Vec<NamedLine>> {
    let of = |number: fn(&Line) -> Option<i64>| -> BTreeSet<i64> {
        lines.iter().filter_map(|placed| number(&placed.line)).collect()
    };
    let clients: NameTexts<3> = find(store, CLIENTS, of(|line| line.about.client.map(|id| id.0))).await?;
    let users: NameTexts<2> = find(store, USERS, of(|line| line.about.user.map(|id| id.0))).await?;
    let teams: NameTexts<2> = find(store, TEAMS, of(|line| line.about.team.map(|id| id.0))).await?;
    let organisations: NameTexts<2> =
        find(store, ORGANISATIONS, of(|line| line.about.organisation.map(|id| id.0))).await?;
    let patients: NameTexts<1> = find(store, PATIENTS, of(|line| line.about.patient.map(|id| id.0))).await?;
    let named = |PlacedLine { id, number, line }| {
        let about = &line.about;
        let [product, owner, client] = texts(&clients, about.client.map(|id| id.0));
        let [user, username] = texts(&users, about.user.map(|id| id.0));
        let [team, _] = texts(&teams, about.team.map(|id| id.0));
        let [organisation, _] = texts(&organisations, about.organisation.map(|id| id.0));
        let [patient] = texts(&patients, about.patient.map(|id| id.0));
        let (at, event, session, times, right) =
            (line.at, line.event, line.session.map(|id| id.0), line.times, line.right);
        let (detail, operator) = (line.detail.map(Into::into), line.operator);
        NamedLine {
            id,
            number,
            at,
            event,
            session,
            detail,
            times,
            right,
            operator,
            product,
            owner,
            client,
            user,
            username,
            team,
            organisation,
            patient,
        }
    };
    Ok(lines.into_iter().map(named).collect())
}

/// The texts of each of these numbers, of those that are there.
async fn find<const N: usize>(
    store: &Store,
    statement: Statement<'static>,
    numbers: BTreeSet<i64>,
) -> Result<NameTexts<N>> {
    if numbers.is_empty() {
        return Ok(HashMap::new());
    }
    let texts = |row: &dyn Row| {
        let mut texts = [const { String::new() }; N];
        for (at, text) in texts.iter_mut().enumerate() {
            *text = row.text(at + 1)?;
        }
        Ok((row.int(0)?, texts))
    };
    let rows = store.db.page(statement, args![&list(numbers)], texts).await?;
    Ok(rows.into_iter().collect())
}

fn texts<const N: usize>(known: &NameTexts<N>, number: Option<i64>) -> [Option<String>; N] {
    let found = number.and_then(|number| known.get(&number));
    found.map_or([const { None }; N], |texts| texts.clone().map(Some))
}
