//! What every command holds: the configuration and the way its output goes.

use super::bar;
use super::failure::Failure;
use super::out::Out;
use super::way::{Way, unexpected};
use crate::config::Config;
use crate::control::{Reply, Request};

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
}
