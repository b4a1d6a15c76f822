//! Patients who read their own record, each by a token of their own, and what is measured beside them.

use crate::bare::order::{self, Work};
use crate::http::driver::{self, CONNECTIONS, Script};
use crate::http::response::Response;
use crate::http::scripts::{Stack, Walk};
use crate::measure::progress;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use crate::service::child::Server;
use crate::service::people::{APP, own_record, patient_id};
use crate::service::sessions::Sessions;
use std::sync::Arc;
use std::time::Duration;

/// More than any machine needs to prepare ten thousand tokens.
const PREPARATION: Duration = Duration::from_secs(600);

/// The requests of all patients, and the answer to one of them.
#[derive(Debug)]
pub(crate) struct Reads {
    pub(crate) requests: Arc<[Vec<u8>]>,
    /// The access tokens, each beside the number of its patient.
    tokens: Vec<(usize, String)>,
    /// Head and body of one of the answers.
    sample: (String, Vec<u8>),
}

impl Reads {
    /// Refreshes every patient's session once over HTTP for its access token, and reads every record once and looks at it.
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
        let requests = requests(&host, &tokens);
        let proofs = (0..CONNECTIONS).map(|place| Proof { requests: Arc::clone(&requests), place }).collect();
        driver::load(service.address, whole, proofs).await?;
        let sample = requests.first().ok_or("there is no patient to read")?;
        let sample = service.sample(sample).await?;
        Ok(Self { requests, tokens, sample })
    }

    /// The same reads of another process that serves the store.
    pub(crate) fn of(&self, service: &Server) -> Vec<Walk> {
        Walk::together(&requests(&service.host(), &self.tokens), CONNECTIONS)
    }

    /// A bare server that answers like one of the records, after this work.
    pub(crate) async fn counterpart(&self, work: &Work) -> Result<Server, Trouble> {
        let (head, body) = &self.sample;
        Server::bare(&order::line(head, body, work)?).await
    }

    pub(crate) fn walks(&self) -> Vec<Walk> {
        Walk::together(&self.requests, CONNECTIONS)
    }
}

fn requests(host: &str, tokens: &[(usize, String)]) -> Arc<[Vec<u8>]> {
    tokens.iter().map(|(place, token)| own_record(host, *place, token)).collect()
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

    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
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
