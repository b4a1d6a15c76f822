//! `read_ratio`: patients reading their own record, each by a token of their own, beside a bare hyper server.

use super::{CONNECTIONS, Figure, Goal, Ground};
use crate::Trouble;
use crate::child::Server;
use crate::driver::{self, Script, Window};
use crate::response::Answer;
use crate::rounds::{alternate, cpu_us, p99_ms};
use crate::scripts::{Stack, Walk};
use crate::world::{APP, Sessions, own_record, patient_id};
use crate::{bare, progress};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const NAME: &str = "read_ratio";
const GOAL: Goal = Goal::AtLeast(0.55);
/// More than any machine needs to prepare ten thousand tokens.
const PREPARATION: Duration = Duration::from_secs(600);

/// The requests of all patients and the bare server that answers like one of them.
#[derive(Debug)]
pub(crate) struct Reads {
    pub(crate) requests: Arc<[Vec<u8>]>,
    pub(crate) bare: Server,
}

impl Reads {
    /// Refreshes every patient's session once over HTTP for its access token, reads every record once and looks at it,
    /// and sets up the counterpart from one of the answers.
    pub(crate) async fn prepare(service: &Server, sessions: &mut Sessions) -> Result<Self, Trouble> {
        progress::say("refreshing each patient's session once");
        let host = service.host();
        let mut stacks: Vec<Stack> = (0..CONNECTIONS).map(|_| Stack::new(&host, APP)).collect();
        for (turn, token) in std::mem::take(&mut sessions.of_patients).into_iter().enumerate() {
            if let Some(stack) = stacks.get_mut(turn % CONNECTIONS) {
                stack.refresh_tokens.push(token);
            }
        }
        let whole = Window::after(Duration::ZERO, PREPARATION);
        let (_, stacks) = driver::load(service.address, whole, stacks).await?;
        let mut tokens: Vec<_> = stacks.into_iter().flat_map(|stack| stack.access_tokens).collect();
        tokens.sort_unstable();
        progress::say("reading each record once");
        let requests: Arc<[Vec<u8>]> = tokens.iter().map(|(place, token)| own_record(&host, *place, token)).collect();
        let proofs = (0..CONNECTIONS).map(|place| Proof { requests: Arc::clone(&requests), place }).collect();
        driver::load(service.address, whole, proofs).await?;
        let sample = requests.first().ok_or("there is no patient to read")?;
        let (_, head, body) = driver::once(service.address, sample).await?;
        let bare = Server::bare(&bare::order(&head, &body)?).await?;
        Ok(Self { requests, bare })
    }

    pub(crate) fn walks(&self) -> Vec<Walk> {
        Walk::together(&self.requests, CONNECTIONS)
    }
}

pub(crate) async fn measure(ground: &Ground<'_>, reads: &Reads) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let side = async |server: &Server| server.load(ground.window(), reads.walks()).await.map(|(tally, _)| tally);
    let rounds =
        alternate(ground.plan.rounds, async || side(ground.service).await, async || side(&reads.bare).await).await?;
    let durability = "the answer waits for no write; the ledger of who looked at whose record follows within seconds";
    Ok(Figure::ratio(NAME, GOAL, &rounds, durability.to_owned())
        .with("service_cpu_us", cpu_us(&rounds.ours))
        .with("bare_cpu_us", cpu_us(&rounds.theirs))
        .with("service_p99_ms", p99_ms(&rounds.ours))
        .with("bare_p99_ms", p99_ms(&rounds.theirs)))
}

/// Reads every CONNECTIONS-th record once and sees that it is the right one.
struct Proof {
    requests: Arc<[Vec<u8>]>,
    place: usize,
}

impl Script for Proof {
    fn request(&mut self) -> &[u8] {
        self.requests.get(self.place).map_or(&[], Vec::as_slice)
    }

    fn answered(&mut self, answer: &Answer<'_>) -> Result<(), Trouble> {
        let id = patient_id(self.place);
        if memchr::memmem::find(answer.body, id.as_bytes()).is_none() {
            return Err(format!("the record of patient {id} was asked for and another came").into());
        }
        self.place += CONNECTIONS;
        Ok(())
    }

    fn finished(&self) -> bool {
        self.place >= self.requests.len()
    }
}
