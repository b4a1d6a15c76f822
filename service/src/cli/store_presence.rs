//! Whether there is a store where a command looks for it. Only `serve`, `sandbox` and `apply` make a new one: a command that
//! made one quietly would work on an empty store beside the one that was meant, a sandbox's most likely.

use crate::app::config::{Config, Origin};
use crate::operator::Connection;
use store::{Place, Store};

/// Where a sandbox has its data: never where `serve` has it.
pub(super) const SANDBOX_DATABASE: &str = "sqlite:recordgate-sandbox";

/// Which stores a command works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoreChoice {
    /// One that is there.
    Existing,
    /// One that is there, or a new one in the place that was named.
    ExistingOrNew,
}

/// Why a command has no store to work on.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoStore {
    /// There is none, and what to do about it.
    #[error("{0}")]
    Absent(String),
    #[error(transparent)]
    Unknown(#[from] store::Error),
}

/// A sandbox beside the command: its data are in the working directory.
struct NearbySandbox {
    is_running: bool,
}

impl NearbySandbox {
    async fn find() -> Option<Self> {
        let place = Place::parse(SANDBOX_DATABASE).ok()?;
        let is_there = Store::is_there(&place).await.unwrap_or(false);
        if is_there { Some(Self { is_running: Connection::open(&place).await.is_ok() }) } else { None }
    }

    const fn sentence(&self) -> &'static str {
        if self.is_running {
            "a sandbox is running on ./recordgate-sandbox"
        } else {
            "there is a sandbox's data in ./recordgate-sandbox (not running)"
        }
    }
}

/// Refuses where there is no store and the command must not make one.
pub(super) async fn check(config: &Config, choice: StoreChoice) -> Result<(), NoStore> {
    if Store::is_there(&config.database).await? {
        return Ok(());
    }
    let is_default = config.database_from == Origin::Default;
    let sandbox = if is_default { NearbySandbox::find().await } else { None };
    match (choice, sandbox) {
        (StoreChoice::ExistingOrNew, None) => Ok(()),
        (_, sandbox) => Err(NoStore::Absent(no_data(config, choice, sandbox.as_ref()))),
    }
}

fn no_data(config: &Config, choice: StoreChoice, sandbox: Option<&NearbySandbox>) -> String {
    let place = &config.database;
    let looked = match &config.database_from {
        Origin::Default => format!("there is no data in {place}, the default place"),
        named => format!("there is no data in {place} ({named})"),
    };
    match (choice, sandbox) {
        (StoreChoice::ExistingOrNew, Some(sandbox)) => format!(
            "{looked}, but {}; name the database: --database {SANDBOX_DATABASE} to change the sandbox, or --database \
             {place} to make a new store",
            sandbox.sentence()
        ),
        (StoreChoice::Existing, Some(sandbox)) => {
            format!("{looked}, but {}; to use that, add --database {SANDBOX_DATABASE}", sandbox.sentence())
        }
        (_, None) => format!(
            "{looked}; name another place with --database, or make a new store with `recordgate apply FILE` or `recordgate \
             serve`"
        ),
    }
}
