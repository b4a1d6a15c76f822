//! What every command holds: the configuration, the way to the data and the way its output goes.

use super::bar;
use super::failure::Failure;
use super::out::Out;
use super::store_presence::StoreChoice;
use super::way::{Way, unexpected};
use crate::app::Shared;
use crate::app::config::Config;
use crate::operator::{Reply, Request};
use serde::Serialize;
use std::sync::OnceLock;
use store::ledger;

pub(super) struct Context {
    pub config: Config,
    pub out: Out,
    /// The store, where no server holds it and the command has opened it itself.
    store: OnceLock<Shared>,
}

impl Context {
    pub(super) const fn new(config: Config, out: Out) -> Self {
        Self { config, out, store: OnceLock::new() }
    }

    pub(super) async fn way(&self, choice: StoreChoice) -> Result<Way, Failure> {
        Ok(self.remember(Way::open(&self.config, choice).await?))
    }

    /// The way for commands that put a key ring right that is lost or refused.
    pub(super) async fn way_with_any_ring(&self) -> Result<Way, Failure> {
        Ok(self.remember(Way::open_with_any_ring(&self.config).await?))
    }

    fn remember(&self, way: Way) -> Way {
        if let Way::Store(app) = &way {
            let _known_already = self.store.set(app.clone());
        }
        way
    }

    /// Adds to the ledger what the command noted, if there is no server that does so. Once, at its end: an import would
    /// wait for the disk at every batch.
    pub(super) async fn finish(&self) {
        let Some(app) = self.store.get() else { return };
        if let Err(error) = ledger::add(&app.store, app.clock.now()).await {
            // It waits where it is on disk, and whoever adds next adds it.
            tracing::error!(%error, "what was done is noted, and not yet in the ledger");
        }
    }

    /// Asks one thing about data that is there, and takes what `pick` knows of the answer.
    pub(super) async fn ask<T>(
        &self,
        request: Request,
        pick: impl FnOnce(Reply) -> Result<T, Reply>,
    ) -> Result<T, Failure> {
        let reply = self.way(StoreChoice::Existing).await?.ask(request, &bar::none()).await?;
        pick(reply).map_err(unexpected)
    }

    /// Asks for a change, and says `done`, with `before` behind it where it was so already.
    pub(super) async fn change(&self, request: Request, done: &str, before: &str) -> Result<(), Failure> {
        let pick = |reply| if let Reply::Changed(changed) = reply { Ok(changed) } else { Err(reply) };
        let changed = self.ask(request, pick).await?;
        self.tell_change(changed, done, before);
        Ok(())
    }

    pub(super) fn tell_change(&self, changed: bool, done: &str, before: &str) {
        self.out.value(&serde_json::json!({ "changed": changed }));
        self.out.say(&if changed { done.to_owned() } else { format!("{done} ({before})") });
    }

    /// A list: a table for people, an array for programs.
    pub(super) fn list<const N: usize, T: Serialize>(&self, heading: [&str; N], rows: &[[String; N]], values: &[T]) {
        self.out.value(values);
        self.out.table(heading, rows);
    }
}
