//! What every command holds: the configuration and the way its output goes.

use super::bar;
use super::failure::Failure;
use super::out::Out;
use super::way::{Way, unexpected};
use crate::app::config::Config;
use crate::operator::{Reply, Request};
use serde::Serialize;

pub(super) struct Context {
    pub config: Config,
    pub out: Out,
}

impl Context {
    pub(super) async fn way(&self, makes_data: bool) -> Result<Way, Failure> {
        Way::open(&self.config, makes_data).await
    }

    /// Asks one thing about data that is there, and takes what `pick` knows of the answer.
    pub(super) async fn ask<T>(
        &self,
        request: Request,
        pick: impl FnOnce(Reply) -> Result<T, Reply>,
    ) -> Result<T, Failure> {
        let reply = self.way(false).await?.ask(request, &bar::none()).await?;
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
