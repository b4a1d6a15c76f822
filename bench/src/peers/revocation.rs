//! `revocation_vs_peer`: System Clients that give up the tokens they were just issued, of both.

use super::door::TokenDoor;
use super::introspection::is_active;
use crate::figures::ground::Ground;
use crate::http::driver::{CONNECTIONS, Script};
use crate::http::response::Response;
use crate::http::scripts::member;
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate};
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;

pub(super) const NAME: &str = "revocation_vs_peer";

/// Is issued a token and gives it up, in turns; a token can be given up only once. Only the giving up is counted.
#[derive(Debug, Clone)]
struct Revocation {
    door: TokenDoor,
    issue: Vec<u8>,
    /// What gives up the token that it holds.
    revoke: Option<Vec<u8>>,
}

impl Revocation {
    fn new(door: TokenDoor) -> Self {
        Self { issue: door.issue(), revoke: None, door }
    }
}

impl Script for Revocation {
    fn request(&mut self) -> &[u8] {
        self.revoke.as_deref().unwrap_or(&self.issue)
    }

    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
        self.revoke = match self.revoke {
            None => Some(self.door.revoke(member(answer.body, "access_token")?)),
            Some(_) => None,
        };
        Ok(())
    }

    fn counts(&self) -> bool {
        self.revoke.is_none()
    }
}

pub(super) async fn rounds(ground: &Ground<'_>, peer: &Server, warming: usize) -> Result<[Vec<Tally>; 2], Trouble> {
    progress::say(NAME);
    let (ours, theirs) = (TokenDoor::service(ground.service), TokenDoor::oidc_provider(peer));
    for (server, door) in [(ground.service, &ours), (peer, &theirs)] {
        let token = door.token().await?;
        server.sample(&door.revoke(&token)).await?;
        if is_active(&door.told(&token).await?) {
            return Err("a token that was given up is still called active".into());
        }
    }
    let side = async |server: &Server, door: &TokenDoor| {
        let scripts = vec![Revocation::new(door.clone()); CONNECTIONS];
        server.load(ground.plan.window(), scripts).await.map(|(tally, _)| tally)
    };
    for _ in 0..warming {
        side(peer, &theirs).await?;
    }
    alternate(ground.plan.rounds, [Side::Service, Side::Peer], async |which| match which {
        Side::Service => side(ground.service, &ours).await,
        _ => side(peer, &theirs).await,
    })
    .await
}
