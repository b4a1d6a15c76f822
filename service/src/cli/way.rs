//! The way to the data: the server that holds the directory, by its control socket, or the store itself. A PostgreSQL
//! database is nobody's alone, so the way to it is always its own.

use super::failure::Failure;
use super::store_presence::{self, StoreChoice};
use crate::app::config::Config;
use crate::app::{App, CannotOpen, Shared};
use crate::operator::{self, Connection, Progress, Reply, Request};
use std::io::ErrorKind;
use std::time::Duration;

/// How long a command waits for another one, or for a server that is just starting or stopping.
const PATIENCE: Duration = Duration::from_secs(10);
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

pub(super) enum Way {
    Server(Connection),
    Store(Shared),
}

impl Way {
    /// Finds the way to a store that is there, or to a new one where the command may make it.
    pub(super) async fn open(config: &Config, choice: StoreChoice) -> Result<Self, Failure> {
        Self::find(config, choice, async || App::open(config, false).await).await
    }

    /// The way for commands that put a key ring right that is lost or refused.
    pub(super) async fn open_with_any_ring(config: &Config) -> Result<Self, Failure> {
        Self::find(config, StoreChoice::Existing, async || App::open_with_any_ring(config).await).await
    }

    async fn find(
        config: &Config,
        choice: StoreChoice,
        open: impl AsyncFn() -> Result<Shared, CannotOpen>,
    ) -> Result<Self, Failure> {
        let mut waited = Duration::ZERO;
        loop {
            match Connection::open(&config.database).await {
                Ok(connection) => return Ok(Self::Server(connection)),
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    return Err(Failure::because(format!(
                        "the data in {} belongs to another user of this machine: {error}",
                        config.database
                    )));
                }
                // No socket, or a dead process's.
                Err(_) => {}
            }
            store_presence::check(config, choice).await?;
            match open().await {
                Ok(app) => return Ok(Self::Store(app)),
                Err(CannotOpen::Store(store::Error::InUse(_))) if waited < PATIENCE => {}
                Err(error) => return Err(error.into()),
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
            waited += BETWEEN_TRIES;
        }
    }

    /// Asks, and waits for the answer. A refusal is a failure of the command.
    pub(super) async fn ask(&mut self, request: Request, progress: &Progress) -> Result<Reply, Failure> {
        match self.ask_or_hear_no(request, progress).await? {
            Reply::Refused(why) => Err(Failure::all(why)),
            other => Ok(other),
        }
    }

    /// Asks, and waits for the answer, which may be a refusal.
    pub(super) async fn ask_or_hear_no(&mut self, request: Request, progress: &Progress) -> Result<Reply, Failure> {
        match self {
            Self::Store(app) => Ok(operator::execute(app, request, progress).await),
            Self::Server(connection) => connection
                .ask(&request, progress)
                .await
                .map_err(|error| Failure::because(format!("the server that holds the data did not answer: {error}"))),
        }
    }
}

/// A server of another version may answer what this one does not expect.
pub(super) fn unexpected(_: Reply) -> Failure {
    Failure::because("the server gave an unexpected answer; is it of the same version as this command?")
}
