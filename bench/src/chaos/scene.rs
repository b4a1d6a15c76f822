//! What everybody in the chaos shares: the nodes, the history, the sessions that wait for a client, and what each client
//! holds now, so that the operator can take it away.

use super::dice::Dice;
use super::history::record::{Answer, Call, Request};
use super::history::recorder::Recorder;
use super::nodes::{Node, Nodes};
use super::wire::{Expectation, Reply, Wires};
use crate::http::scripts;
use crate::measure::trouble::Trouble;
use crate::service::people::{APP, RETRY_WINDOW, RETRYING_APP, own_record, own_record_searched, patient_id};
use crate::service::sessions::NewSession;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) nodes: Nodes,
    pub(crate) recorder: Recorder,
    /// Of clients without a retry window, and of clients with one.
    waiting: [Mutex<Vec<NewSession>>; 2],
    holding: Vec<Mutex<Option<Holding>>>,
    over: AtomicBool,
}

/// What the operator needs to know of a session in order to end it and to see that it ended.
#[derive(Debug, Clone)]
pub(crate) struct Holding {
    pub(crate) session: u32,
    pub(crate) patient: usize,
    pub(crate) grant: String,
    pub(crate) access: Option<String>,
}

/// A session in the hands of its client.
#[derive(Debug, Clone)]
pub(crate) struct ClientSession {
    pub(crate) holding: Holding,
    pub(crate) may_retry: bool,
    pub(crate) refresh: String,
    /// Refresh tokens that were used, the last one last.
    pub(crate) used: Vec<String>,
}

impl Scene {
    pub(crate) fn new(nodes: Nodes, strict: Vec<NewSession>, retrying: Vec<NewSession>, clients: usize) -> Self {
        let holding = (0..clients).map(|_| Mutex::default()).collect();
        let waiting = [Mutex::new(strict), Mutex::new(retrying)];
        Self { nodes, recorder: Recorder::new(), waiting, holding, over: AtomicBool::new(false) }
    }

    /// From now on clients only finish what they began.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    pub(crate) fn next_session(&self, may_retry: bool) -> Result<ClientSession, Trouble> {
        let [strict, retrying] = &self.waiting;
        let new = locked(if may_retry { retrying } else { strict }).pop().ok_or("all sessions are used up")?;
        let session = self.recorder.session(may_retry.then_some(RETRY_WINDOW), new.patient);
        let holding = Holding { session, patient: new.patient, grant: new.grant, access: None };
        Ok(ClientSession { holding, may_retry, refresh: new.refresh_token, used: Vec::new() })
    }

    /// Says what a client holds now; nothing while it is between two sessions.
    pub(crate) fn hold(&self, client: usize, holding: Option<Holding>) {
        if let Some(place) = self.holding.get(client) {
            *locked(place) = holding;
        }
    }

    pub(crate) fn somebodys(&self, dice: &mut Dice) -> Option<Holding> {
        self.holding.get(dice.below(self.holding.len())).and_then(|holding| locked(holding).clone())
    }

    /// Presents a refresh token to a node.
    pub(crate) async fn refresh(&self, wires: &mut Wires, node: Node, session: &ClientSession, token: &str) -> Reply {
        let app = if session.may_retry { RETRYING_APP } else { APP };
        let bytes = scripts::refresh(&node.address.to_string(), app, token);
        let request = Request::Refresh(self.recorder.token(token));
        self.ask(wires, node, (session.holding.session, request), &bytes, Expectation::Tokens).await
    }

    /// Reads the patient's own record with an access token.
    pub(crate) async fn read(&self, wires: &mut Wires, node: Node, holding: &Holding, access: &str) -> Answer {
        let bytes = own_record(&node.address.to_string(), holding.patient, access);
        let id = patient_id(holding.patient);
        self.ask(wires, node, (holding.session, Request::Read), &bytes, Expectation::Record(&id)).await.answer
    }

    /// Searches for the patient's own record with an access token.
    pub(crate) async fn search(&self, wires: &mut Wires, node: Node, holding: &Holding, access: &str) -> Answer {
        let bytes = own_record_searched(&node.address.to_string(), holding.patient, access);
        let id = patient_id(holding.patient);
        self.ask(wires, node, (holding.session, Request::Search), &bytes, Expectation::Record(&id)).await.answer
    }

    pub(crate) async fn ask(
        &self,
        wires: &mut Wires,
        node: Node,
        (session, request): (u32, Request),
        bytes: &[u8],
        expectation: Expectation<'_>,
    ) -> Reply {
        let began = self.recorder.now();
        let reply = wires.ask(node, bytes, expectation, &self.recorder).await;
        let ended = self.recorder.now();
        let answer = reply.answer.clone();
        self.recorder.call(Call { session, process: Some(node.process), request, answer, began, ended });
        reply
    }
}

fn locked<T>(place: &Mutex<T>) -> MutexGuard<'_, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}
