//! Loading the invented world into an empty database, by what `recordgate apply` and `recordgate import` do.

use super::inhabitants::{self, TeamRecords};
use super::logins;
use super::world::{RECORDS, Records, WORLD};
use crate::app::Shared;
use crate::app::purpose::{self, SANDBOX_WORLD};
use crate::operator::world_file;
use crate::operator::{self, How, ImportMode, Progress, Reply, Request, ResourceText};
use std::sync::Arc;
use store::accounts::addresses;
use store::settings;

/// The setting that says how far the loading came. A start that was cut short leaves `LOADING` behind, and the next one
/// goes on: what is there already does not change.
const SETTING: &str = SANDBOX_WORLD;
const LOADING: &str = "loading";
const LOADED: &str = "loaded";

/// What `prepare` found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preparation {
    /// An empty database, which now holds the invented world.
    Loaded,
    /// A sandbox's database of before; it stays as it is.
    ThereAlready,
    /// Somebody's own data; it stays as it is.
    OwnData,
}

/// Why the world could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum CannotPrepare {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("the sandbox's world cannot be loaded: {}", .0.join("; "))]
    Refused(Vec<String>),
}

/// Loads the invented world if the database is empty, and has the pages say who can sign in to it.
pub async fn prepare(app: &Shared) -> Result<Preparation, CannotPrepare> {
    let found = load(app).await?;
    if found != Preparation::OwnData {
        logins::tell(app);
    }
    Ok(found)
}

async fn load(app: &Shared) -> Result<Preparation, CannotPrepare> {
    // Published passwords have no place in what `serve` will serve without a word.
    if purpose::is_served(&app.store).await? {
        return Ok(Preparation::OwnData);
    }
    match settings::get(&app.store, SETTING).await?.as_deref() {
        Some(LOADED) => return Ok(Preparation::ThereAlready),
        Some(_) => {}
        None if settings::is_empty(&app.store).await? => {}
        None => return Ok(Preparation::OwnData),
    }
    settings::set(&app.store, SETTING, LOADING.into()).await?;
    let declared = world_file::read(&[("world.toml".into(), WORLD.into())]).map_err(CannotPrepare::Refused)?;
    ask(app, Request::Apply { declared: Box::new(declared), how: How::Apply }).await?;
    for records in &RECORDS {
        ask(app, import(records)).await?;
    }
    ask(app, Request::Apply { declared: Box::new(inhabitants::declaration()), how: How::Apply }).await?;
    for TeamRecords { organisation, team, resources } in inhabitants::records() {
        let (organisation, team) = (organisation.into(), Some(team.into()));
        ask(app, Request::Import { organisation, team, resources, mode: ImportMode::Store }).await?;
    }
    for login in logins::of_world() {
        let address = logins::address(&login.username);
        addresses::declare(&app.store, login.username, address, app.clock.now()).await?;
    }
    settings::set(&app.store, SETTING, LOADED.into()).await?;
    Ok(Preparation::Loaded)
}

fn import(records: &Records) -> Request {
    let given =
        |(line, json): (usize, &str)| ResourceText { at: format!("{}:{}", records.file, line + 1), json: json.into() };
    Request::Import {
        organisation: records.organisation.into(),
        team: Some(records.team.into()),
        resources: records.lines.lines().enumerate().map(given).collect(),
        mode: ImportMode::Store,
    }
}

async fn ask(app: &Shared, request: Request) -> Result<(), CannotPrepare> {
    let unheard: Progress = Arc::new(|_, _| ());
    match operator::execute(app, request, &unheard).await {
        Reply::Refused(why) => Err(CannotPrepare::Refused(why)),
        Reply::Imported(imported) if !imported.problems.is_empty() => Err(CannotPrepare::Refused(imported.problems)),
        _ => Ok(()),
    }
}
