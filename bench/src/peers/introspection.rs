//! `introspection_vs_peer`: what a resource server asks about a bearer token, again and again, of both.

use super::door::TokenDoor;
use crate::figures::ground::Ground;
use crate::http::driver::{CONNECTIONS, Script};
use crate::http::response::Response;
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate};
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;

pub(super) const NAME: &str = "introspection_vs_peer";

#[derive(Debug, Clone)]
pub(super) struct Introspection(pub(super) Vec<u8>);

impl Script for Introspection {
    fn request(&mut self) -> &[u8] {
        &self.0
    }

    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
        if is_active(answer.body) { Ok(()) } else { Err("a live token was called inactive".into()) }
    }
}

pub(super) fn is_active(body: &[u8]) -> bool {
    memchr::memmem::find(body, b"\"active\":true").is_some()
}

/// Each side about a System Client's token of its own.
pub(super) async fn rounds(ground: &Ground<'_>, peer: &Server, warming: usize) -> Result<[Vec<Tally>; 2], Trouble> {
    progress::say(NAME);
    let (ours, theirs) = (TokenDoor::service(ground.service), TokenDoor::oidc_provider(peer));
    let requests = [ours.introspect(&ours.token().await?), theirs.introspect(&theirs.token().await?)];
    let [our_request, their_request] = requests.map(Introspection);
    let side = async |server: &Server, script: &Introspection| {
        server.load(ground.plan.window(), vec![script.clone(); CONNECTIONS]).await.map(|(tally, _)| tally)
    };
    for _ in 0..warming {
        side(peer, &their_request).await?;
    }
    alternate(ground.plan.rounds, [Side::Service, Side::Peer], async |which| match which {
        Side::Service => side(ground.service, &our_request).await,
        _ => side(peer, &their_request).await,
    })
    .await
}
