//! What the figures that need a running service share.

use super::plan::Plan;
use crate::http::scripts::RefreshChain;
use crate::service::child::Server;
use crate::service::people::APP;

#[derive(Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) service: &'a Server,
}

impl Ground<'_> {
    /// One client per token, who refreshes from there on.
    pub(crate) fn chains(&self, tokens: &[String]) -> Vec<RefreshChain> {
        let host = self.service.host();
        tokens.iter().map(|token| RefreshChain::new(&host, APP, token)).collect()
    }
}
