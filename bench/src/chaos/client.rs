//! One client: it follows its chain of refresh tokens, reads, tries again when it is put off, and now and then does
//! what it must not. When its session is over, it sees that it is, and begins with another.

use super::dice::Dice;
use super::history::record::Answer;
use super::scene::{ClientSession, Scene};
use super::wire::Wires;
use crate::measure::trouble::Trouble;
use std::sync::Arc;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// One read in so many refreshes.
const READ_ONE_IN: usize = 4;
/// One search in so many reads.
const SEARCH_ONE_IN: usize = 4;
/// One misdeed, of each sort, in so many steps.
const MISDEED_ONE_IN: usize = 300;
/// Presentations of one token at the same time.
const AT_ONCE: usize = 6;

pub(crate) struct Client {
    scene: Arc<Scene>,
    number: usize,
    dice: Dice,
    wires: Wires,
    /// Milliseconds between two steps, from and to.
    pause: Option<(u64, u64)>,
}

/// Whether the client still has its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Alive,
    Over,
}

impl Client {
    pub(crate) fn new(scene: Arc<Scene>, number: usize, dice: Dice) -> Self {
        Self { scene, number, dice, wires: Wires::default(), pause: None }
    }

    /// One that takes its time between two steps.
    pub(crate) fn with_pauses(self, from: u64, to: u64) -> Self {
        Self { pause: Some((from, to)), ..self }
    }

    /// Lives until the scene is over, and then refreshes and reads once more: what it was given must still be good.
    pub(crate) async fn live(mut self) -> Result<(), Trouble> {
        loop {
            let mut session = self.scene.next_session(self.number % 2 == 1)?;
            while self.step(&mut session).await? == State::Alive {
                self.scene.hold(self.number, Some(session.holding.clone()));
                if self.scene.is_over() {
                    self.refresh(&mut session).await?;
                    self.read(&session).await?;
                    return Ok(());
                }
            }
            self.scene.hold(self.number, None);
            self.see_that_it_is_over(&session).await?;
        }
    }

    async fn step(&mut self, session: &mut ClientSession) -> Result<State, Trouble> {
        if let Some((from, to)) = self.pause {
            sleep(self.dice.millis(from, to)).await;
        }
        if self.dice.one_in(MISDEED_ONE_IN) {
            return self.replay(session).await;
        }
        if self.dice.one_in(MISDEED_ONE_IN) {
            return self.present_at_once(session).await;
        }
        if self.dice.one_in(READ_ONE_IN) && session.holding.access.is_some() {
            return self.read(session).await;
        }
        self.refresh(session).await
    }

    /// The same request, to any node, until it is answered.
    async fn refresh(&mut self, session: &mut ClientSession) -> Result<State, Trouble> {
        loop {
            let node = self.scene.nodes.any(&mut self.dice).ok_or("there are no nodes")?;
            let reply = self.scene.refresh(&mut self.wires, node, session, &session.refresh).await;
            if let Some((refresh, access)) = reply.tokens {
                session.take(refresh, access);
                return Ok(State::Alive);
            }
            if !self.put_off(&reply.answer).await {
                return Ok(State::Over);
            }
        }
    }

    async fn read(&mut self, session: &ClientSession) -> Result<State, Trouble> {
        let Some(access) = &session.holding.access else { return Ok(State::Alive) };
        loop {
            let node = self.scene.nodes.any(&mut self.dice).ok_or("there are no nodes")?;
            let answer = match self.dice.one_in(SEARCH_ONE_IN) {
                true => self.scene.search(&mut self.wires, node, &session.holding, access).await,
                false => self.scene.read(&mut self.wires, node, &session.holding, access).await,
            };
            match answer {
                Answer::Shown => return Ok(State::Alive),
                answer => {
                    if !self.put_off(&answer).await {
                        return Ok(State::Over);
                    }
                }
            }
        }
    }

    /// Waits a moment, if the answer asks for that. A client in a hurry is the harder one to be right for, so it does
    /// not wait for the whole second that it was asked for.
    async fn put_off(&mut self, answer: &Answer) -> bool {
        let again = matches!(answer, Answer::TryAgain | Answer::Nothing);
        if again {
            sleep(self.dice.millis(1, 100)).await;
        }
        again
    }

    /// Presents a used token. With a retry window, the last one may be used again and the one before may not.
    async fn replay(&mut self, session: &mut ClientSession) -> Result<State, Trouble> {
        let back = if session.may_retry { 1 + self.dice.below(2) } else { 1 };
        let Some(used) = session.used.len().checked_sub(back).and_then(|at| session.used.get(at)) else {
            return Ok(State::Alive);
        };
        let node = self.scene.nodes.any(&mut self.dice).ok_or("there are no nodes")?;
        let reply = self.scene.refresh(&mut self.wires, node, session, used).await;
        Ok(if reply.answer == Answer::Refused { State::Over } else { State::Alive })
    }

    /// Presents the token that it holds several times at once, to all nodes.
    async fn present_at_once(&mut self, session: &mut ClientSession) -> Result<State, Trouble> {
        let mut racers = JoinSet::new();
        for _ in 0..AT_ONCE {
            let node = self.scene.nodes.any(&mut self.dice).ok_or("there are no nodes")?;
            let (scene, session) = (Arc::clone(&self.scene), session.clone());
            racers.spawn(async move { scene.refresh(&mut Wires::default(), node, &session, &session.refresh).await });
        }
        let reply = racers.join_all().await;
        if let Some((refresh, access)) = reply.into_iter().find_map(|reply| reply.tokens) {
            session.take(refresh, access);
        }
        Ok(State::Alive)
    }

    /// No token of the session may work any more, on any node.
    async fn see_that_it_is_over(&mut self, session: &ClientSession) -> Result<(), Trouble> {
        for node in self.scene.nodes.all() {
            self.scene.refresh(&mut self.wires, node, session, &session.refresh).await;
            if let Some(access) = &session.holding.access {
                self.scene.read(&mut self.wires, node, &session.holding, access).await;
            }
        }
        Ok(())
    }
}

impl ClientSession {
    fn take(&mut self, refresh: String, access: String) {
        self.used.push(std::mem::replace(&mut self.refresh, refresh));
        self.holding.access = Some(access);
    }
}
