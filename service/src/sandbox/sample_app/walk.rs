//! One browser's walk through the flow: what the app waits for, which tokens it holds, what was found and said so far.

use super::findings::Findings;
use crate::secrets::dice::{self, NoRandomness};
use crate::secrets::secret::Secret;
use crate::views::GuardedText;
use crate::views::sample::{Exchange, STEPS, SampleStep};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// The trace of a patient tester is long enough with this many; older messages make way.
const MOST_EXCHANGES: usize = 40;

#[derive(Debug)]
pub(super) struct Walk {
    /// Ties the page's buttons to this browser.
    form: Secret,
    awaited: Option<Expectation>,
    pub access: Option<Secret>,
    pub refresh: Option<Secret>,
    /// The refresh token that was used last.
    pub used: Option<Secret>,
    pub findings: Findings,
    exchanges: Vec<Exchange>,
}

/// What the app made for one authorization request, and needs when the browser comes back.
#[derive(Clone, Debug)]
pub(super) struct Expectation {
    pub state: Secret,
    pub verifier: Secret,
}

impl Walk {
    /// A walk that begins with an authorization request.
    pub(super) fn new() -> Result<(Self, Expectation), NoRandomness> {
        let awaited = Expectation { state: random()?, verifier: random()? };
        let walk = Self {
            form: random()?,
            awaited: Some(awaited.clone()),
            access: None,
            refresh: None,
            used: None,
            findings: Findings::default(),
            exchanges: Vec::new(),
        };
        Ok((walk, awaited))
    }

    /// What belongs to the answer with this state; each state is answered once.
    pub(super) fn answered(&mut self, state: &str) -> Option<Expectation> {
        self.awaited.take_if(|awaited| awaited.state.reveal() == state)
    }

    pub(super) fn is_own_form(&self, form: &str) -> bool {
        self.form.reveal() == form
    }

    pub(super) fn form(&self) -> GuardedText {
        GuardedText::new(self.form.reveal())
    }

    /// Adds to the trace.
    pub(super) fn note(&mut self, exchange: Exchange) {
        if self.exchanges.len() == MOST_EXCHANGES {
            self.exchanges.remove(0);
        }
        self.exchanges.push(exchange);
    }

    pub(super) fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// The buttons that can do something now.
    pub(super) fn steps(&self) -> Vec<SampleStep> {
        let can = |step: &SampleStep| match step.action {
            "/refresh" => self.refresh.is_some(),
            "/replay" => self.used.is_some(),
            "/search" | "/find-letter" => self.findings.patient.is_some(),
            "/next-page" => self.findings.next_page.is_some(),
            "/open-letter" => self.findings.letter.is_some(),
            _ => self.access.is_some(),
        };
        STEPS.into_iter().filter(can).collect()
    }
}

impl Expectation {
    /// What the authorization request shows of the verifier (PKCE, S256).
    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier.reveal().as_bytes()))
    }
}

/// A value that nobody can guess.
pub(super) fn random() -> Result<Secret, NoRandomness> {
    Ok(Secret::new(URL_SAFE_NO_PAD.encode(dice::bytes::<32>()?)))
}
