//! Starts the peer and takes it and the service through the same tasks.

use super::comparison::Comparison;
use super::door::TokenDoor;
use super::install::OidcProvider;
use super::introspection::{self, Introspection};
use super::race::{self, Door, Shot};
use super::revocation;
use crate::figures::client_credentials;
use crate::figures::ground::Ground;
use crate::figures::reads::Reads;
use crate::http::driver::{self, CONNECTIONS};
use crate::http::requests;
use crate::http::scripts::{Walk, member};
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, rate};
use crate::measure::tally::{Tally, median};
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::people::{APP, own_record};
use crate::service::sessions::{RACES, Sessions};
use std::sync::Arc;

const NAME: &str = "client_credentials_vs_peer";
const GOAL: Goal = Goal::AtLeast(8.0);
/// Node takes its time to start; the median of three is steady enough.
const STARTS: usize = 3;

/// Rounds of the peer that are not counted.
const WARMING: usize = 2;

/// `idle` is what the service weighed and how soon it answered before the load, in that order.
pub(crate) async fn measure(
    ground: &Ground<'_>,
    reads: &Reads,
    sessions: &mut Sessions,
    idle: [f64; 2],
) -> Result<Comparison, Trouble> {
    progress::say("installing oidc-provider");
    let program = OidcProvider::install().await?;
    progress::say("oidc-provider: start-up and memory");
    let mut peer = program.serve().await?;
    let mut starts = vec![peer.started_in.as_secs_f64() * 1e3];
    for _ in 1..STARTS {
        peer.stop().await?;
        peer = program.serve().await?;
        starts.push(peer.started_in.as_secs_f64() * 1e3);
    }
    let peer_rss = peer.resident_mib()?;
    let credentials = client_credentials_rounds(ground, &peer).await?;
    let introspections = introspection::rounds(ground, &peer, WARMING).await?;
    let revocations = revocation::rounds(ground, &peer, WARMING).await?;
    let checks = bearer_check_rounds(ground, reads, &peer).await?;
    progress::say("the race: one refresh token, twenty refreshes at once");
    let races = [our_races(ground, sessions).await?, peer_races(&peer).await?];
    peer.stop().await?;
    let figure = |name, [service, other]: &[Vec<Tally>; 2], durability: &str| {
        let sides = Sides { service, other, other_rate: "peer_per_second" };
        Figure::ratio(name, Some(GOAL), sides, format!("{durability}; the peer keeps its tokens in memory"))
    };
    let figures = [
        figure(NAME, &credentials, "nothing is written by the service"),
        figure(introspection::NAME, &introspections, "nothing is written by the service"),
        figure(revocation::NAME, &revocations, "the service answers after the sync, and issues each token first"),
    ];
    let rates = |[service, peer]: [Vec<Tally>; 2]| [rate(&service), rate(&peer)];
    let [rss, start] = idle;
    Ok(Comparison {
        figures,
        peer: format!("oidc-provider {} on Node {}", program.version, program.node),
        client_credentials: rates(credentials),
        bearer_checks: rates(checks),
        rss_idle_mib: [rss, peer_rss],
        start_ms: [start, median(&starts)],
        races,
    })
}

async fn client_credentials_rounds(ground: &Ground<'_>, peer: &Server) -> Result<[Vec<Tally>; 2], Trouble> {
    progress::say(NAME);
    let ours: Arc<[Vec<u8>]> = Arc::new([client_credentials::request(&ground.service.host())]);
    let theirs: Arc<[Vec<u8>]> = Arc::new([TokenDoor::oidc_provider(peer).issue()]);
    let side = async |server: &Server, all: &Arc<[Vec<u8>]>| {
        let walks = Walk::together(all, CONNECTIONS);
        server.load(ground.plan.window(), walks).await.map(|(tally, _)| tally)
    };
    // Node compiles what is hot only once it is; the peer deserves to be measured after that.
    for _ in 0..WARMING {
        side(peer, &theirs).await?;
    }
    alternate(ground.plan.rounds, [Side::Service, Side::Peer], async |which| match which {
        Side::Service => side(ground.service, &ours).await,
        _ => side(peer, &theirs).await,
    })
    .await
}

/// Ours is the whole read behind a bearer token, record and all; theirs is the introspection that an API beside
/// oidc-provider would make for each call, before it had read anything.
async fn bearer_check_rounds(ground: &Ground<'_>, reads: &Reads, peer: &Server) -> Result<[Vec<Tally>; 2], Trouble> {
    progress::say("bearer checks of both");
    let door = TokenDoor::oidc_provider(peer);
    let request = door.introspect(&door.token().await?);
    let ours = async || ground.service.load(ground.plan.window(), reads.walks()).await;
    let theirs = async || {
        let scripts = vec![Introspection(request.clone()); CONNECTIONS];
        peer.load(ground.plan.window(), scripts).await
    };
    for _ in 0..WARMING {
        theirs().await?;
    }
    alternate(ground.plan.rounds, [Side::Service, Side::Peer], async |which| match which {
        Side::Service => Ok(ours().await?.0),
        _ => Ok(theirs().await?.0),
    })
    .await
}

async fn our_races(ground: &Ground<'_>, sessions: &mut Sessions) -> Result<Vec<Shot>, Trouble> {
    let host = ground.service.host();
    let mut shots = Vec::new();
    for (patient, token) in std::mem::take(&mut sessions.of_races) {
        let door = Door {
            address: ground.service.address,
            refresh: &|token| refresh(&host, "/apiToken.action", token),
            check: &|token| own_record(&host, patient, token),
            accepted: &|status, _| status == 200,
        };
        shots.push(race::shoot(&door, &token).await?);
    }
    Ok(shots)
}

async fn peer_races(peer: &Server) -> Result<Vec<Shot>, Trouble> {
    let host = peer.host();
    let door = Door {
        address: peer.address,
        refresh: &|token| refresh(&host, "/token", token),
        check: &|token| TokenDoor::oidc_provider(peer).introspect(token),
        accepted: &|_, body| introspection::is_active(body),
    };
    let mut shots = Vec::new();
    for _ in 0..RACES {
        let (_, _, answer) = driver::once(peer.address, &requests::get(&host, "/open-session")).await?;
        shots.push(race::shoot(&door, member(&answer, "refresh_token")?).await?);
    }
    Ok(shots)
}

fn refresh(host: &str, path: &str, token: &str) -> Vec<u8> {
    requests::form(host, path, &format!("grant_type=refresh_token&client_id={APP}&refresh_token={token}"))
}
