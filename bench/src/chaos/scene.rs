//! What everybody in the chaos shares: the nodes, the history, the sessions that wait for a client, and what each client
//! holds now, so that the operator can take it away.

use super::dice::Dice;
use super::history::{Answer, Asked, Call, Recorder};
use super::nodes::{Node, Nodes};
use super::wire::{Expecting, Heard, Wires};
use crate::world::{APP, Opened, RETRY_WINDOW, RETRYING_APP, own_record, patient_id};
use crate::{Trouble, scripts};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) nodes: Nodes,
    pub(crate) recorder: Recorder,
    /// Of clients without a retry window, and of clients with one.
    waiting: [Mutex<Vec<Opened>>; 2],
    held: Vec<Mutex<Option<Held>>>,
    over: AtomicBool,
}

/// What the operator needs to know of a session in order to end it and to see that it ended.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) session: u32,
    pub(crate) patient: usize,
    pub(crate) grant: String,
    pub(crate) access: Option<String>,
}

/// A session in the hands of its client.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) held: Held,
    pub(crate) may_retry: bool,
    pub(crate) refresh: String,
    /// Refresh tokens that were used, the last one last.
    pub(crate) used: Vec<String>,
}

impl Scene {
    pub(crate) fn new(nodes: Nodes, strict: Vec<Opened>, retrying: Vec<Opened>, clients: usize) -> Self {
        let held = (0..clients).map(|_| Mutex::default()).collect();
        let waiting = [Mutex::new(strict), Mutex::new(retrying)];
        Self { nodes, recorder: Recorder::new(), waiting, held, over: AtomicBool::new(false) }
    }

    /// From now on clients only finish what they began.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    pub(crate) fn next_session(&self, may_retry: bool) -> Result<Session, Trouble> {
        let [strict, retrying] = &self.waiting;
        let opened = locked(if may_retry { retrying } else { strict }).pop().ok_or("all sessions are used up")?;
        let session = self.recorder.session(may_retry.then_some(RETRY_WINDOW));
        let held = Held { session, patient: opened.patient, grant: opened.grant, access: None };
        Ok(Session { held, may_retry, refresh: opened.refresh_token, used: Vec::new() })
    }

    /// Says what a client holds now; nothing while it is between two sessions.
    pub(crate) fn hold(&self, client: usize, held: Option<Held>) {
        if let Some(place) = self.held.get(client) {
            *locked(place) = held;
        }
    }

    pub(crate) fn somebodys(&self, dice: &mut Dice) -> Option<Held> {
        self.held.get(dice.below(self.held.len())).and_then(|held| locked(held).clone())
    }

    /// Presents a refresh token to a node.
    pub(crate) async fn refresh(&self, wires: &mut Wires, node: Node, session: &Session, token: &str) -> Heard {
        let app = if session.may_retry { RETRYING_APP } else { APP };
        let request = scripts::refresh(&node.address.to_string(), app, token);
        let asked = Asked::Refresh(self.recorder.token(token));
        self.ask(wires, node, session.held.session, asked, &request, Expecting::Tokens).await
    }

    /// Reads the patient's own record with an access token.
    pub(crate) async fn read(&self, wires: &mut Wires, node: Node, held: &Held, access: &str) -> Answer {
        let request = own_record(&node.address.to_string(), held.patient, access);
        let id = patient_id(held.patient);
        self.ask(wires, node, held.session, Asked::Read, &request, Expecting::Record(&id)).await.answer
    }

    async fn ask(
        &self,
        wires: &mut Wires,
        node: Node,
        session: u32,
        asked: Asked,
        request: &[u8],
        expecting: Expecting<'_>,
    ) -> Heard {
        let began = self.recorder.now();
        let heard = wires.ask(node, request, expecting, &self.recorder).await;
        let ended = self.recorder.now();
        let answer = heard.answer.clone();
        self.recorder.call(Call { session, process: Some(node.process), asked, answer, began, ended });
        heard
    }
}

fn locked<T>(place: &Mutex<T>) -> MutexGuard<'_, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}
