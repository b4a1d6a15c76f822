//! What the connections of the figures say: a walk through prepared requests, a chain of refreshes, a stack of tokens.

use super::driver::Script;
use super::requests;
use super::response::Response;
use crate::measure::trouble::Trouble;
use memchr::{memchr, memmem};
use std::sync::Arc;

/// Coprime to any round number of patients, so a walker visits all of them, and never two neighbours in a row.
const STEP: usize = 7919;

/// Walks a list of requests shared with the other walkers, each from a place of its own.
#[derive(Debug)]
pub(crate) struct Walk {
    requests: Arc<[Vec<u8>]>,
    place: usize,
    /// How many requests are left to send; most walkers go on for ever.
    left: Option<usize>,
}

impl Walk {
    pub(crate) fn together(requests: &Arc<[Vec<u8>]>, walkers: usize) -> Vec<Self> {
        let apart = requests.len().div_ceil(walkers.max(1));
        (0..walkers).map(|walker| Self { requests: Arc::clone(requests), place: walker * apart, left: None }).collect()
    }

    /// One walker, who sends each request once.
    pub(crate) fn once_through(requests: &Arc<[Vec<u8>]>) -> Self {
        Self { requests: Arc::clone(requests), place: 0, left: Some(requests.len()) }
    }
}

impl Script for Walk {
    fn request(&mut self) -> &[u8] {
        self.place = (self.place + STEP) % self.requests.len().max(1);
        self.left = self.left.map(|left| left.saturating_sub(1));
        self.requests.get(self.place).map_or(&[], Vec::as_slice)
    }

    fn answered(&mut self, _: &Response<'_>) -> Result<(), Trouble> {
        Ok(())
    }

    fn finished(&self) -> bool {
        self.left == Some(0)
    }
}

/// One client that refreshes for ever, each time with the refresh token that the last answer gave it.
#[derive(Debug, Clone)]
pub(crate) struct RefreshChain {
    host: String,
    client: &'static str,
    /// Ends with the refresh token to use next, which is this long.
    request: Vec<u8>,
    token_length: usize,
}

impl RefreshChain {
    pub(crate) fn new(host: &str, client: &'static str, refresh_token: &str) -> Self {
        let request = refresh(host, client, refresh_token);
        Self { host: host.to_owned(), client, request, token_length: refresh_token.len() }
    }
}

impl Script for RefreshChain {
    fn request(&mut self) -> &[u8] {
        &self.request
    }

    /// A token as long as the last, as almost all are, is put in its place: making the request anew would take a tenth of
    /// the driver's time.
    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
        let token = member(answer.body, "refresh_token")?;
        if token.len() == self.token_length {
            self.request.truncate(self.request.len() - token.len());
            self.request.extend_from_slice(token.as_bytes());
        } else {
            *self = Self::new(&self.host, self.client, token);
        }
        Ok(())
    }
}

/// Uses each refresh token of a stack once and keeps the access token it gave, beside the place it belongs to.
#[derive(Debug)]
pub(crate) struct Stack {
    host: String,
    client: &'static str,
    pub(crate) refresh_tokens: Vec<(usize, String)>,
    pub(crate) access_tokens: Vec<(usize, String)>,
    request: Vec<u8>,
}

impl Stack {
    pub(crate) fn new(host: &str, client: &'static str) -> Self {
        let (refresh_tokens, access_tokens, request) = Default::default();
        Self { host: host.to_owned(), client, refresh_tokens, access_tokens, request }
    }
}

impl Script for Stack {
    fn request(&mut self) -> &[u8] {
        let token = self.refresh_tokens.last().map_or("", |(_, token)| token.as_str());
        self.request = refresh(&self.host, self.client, token);
        &self.request
    }

    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
        if let Some((place, _)) = self.refresh_tokens.pop() {
            self.access_tokens.push((place, member(answer.body, "access_token")?.to_owned()));
        }
        Ok(())
    }

    fn finished(&self) -> bool {
        self.refresh_tokens.is_empty()
    }
}

pub(crate) fn refresh(host: &str, client: &str, token: &str) -> Vec<u8> {
    let body = format!("grant_type=refresh_token&client_id={client}&refresh_token={token}");
    requests::form(host, "/apiToken.action", &body)
}

/// A string member of a flat JSON object whose strings hold no escapes, as tokens never do. Parsing the whole object
/// would be the driver's time, not the service's.
pub(crate) fn member<'j>(json: &'j [u8], name: &str) -> Result<&'j str, Trouble> {
    let missing = || format!("the answer has no {name}");
    let quoted = |at: &usize| json.get(at.wrapping_sub(1)) == Some(&b'"') && json.get(at + name.len()) == Some(&b'"');
    let after = memmem::find_iter(json, name).find(quoted).ok_or_else(missing)? + name.len() + 1;
    let rest = json.get(after..).unwrap_or_default();
    let start = memchr(b'"', rest).ok_or_else(missing)? + 1;
    let rest = rest.get(start..).unwrap_or_default();
    let end = memchr(b'"', rest).ok_or_else(missing)?;
    Ok(std::str::from_utf8(rest.get(..end).unwrap_or_default())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_member_is_found_with_and_without_spaces() {
        let json = br#"{"access_token":"rga_1","token_type": "Bearer", "refresh_token" : "rgr_2"}"#;
        assert_eq!(member(json, "access_token").unwrap(), "rga_1");
        assert_eq!(member(json, "refresh_token").unwrap(), "rgr_2");
        assert!(member(json, "scope").unwrap_err().to_string().contains("no scope"));
    }

    #[test]
    fn one_walker_visits_every_request_before_it_visits_one_again() {
        for patients in [200, 10_000] {
            let requests: Arc<[Vec<u8>]> = (0..patients).map(|n: u32| n.to_be_bytes().to_vec()).collect();
            let mut walkers = Walk::together(&requests, 64);
            let visits: HashSet<Vec<u8>> = (0..patients).map(|_| walkers[63].request().to_vec()).collect();
            assert_eq!(visits.len(), requests.len());
        }
    }

    #[test]
    fn whoever_goes_through_once_visits_every_request_and_is_finished() {
        let requests: Arc<[Vec<u8>]> = (0..640).map(|n: u32| n.to_be_bytes().to_vec()).collect();
        let (mut walker, mut visits) = (Walk::once_through(&requests), HashSet::new());
        while !walker.finished() {
            assert!(visits.insert(walker.request().to_vec()), "one was visited twice");
        }
        assert_eq!(visits.len(), requests.len());
    }

    #[test]
    fn a_chain_sends_the_refresh_token_of_the_last_answer() {
        let mut chain = RefreshChain::new("127.0.0.1:1", "app", "first");
        assert!(chain.request().ends_with(b"client_id=app&refresh_token=first"));
        let answer = Response { status: 200, head: "", body: br#"{"refresh_token":"second"}"# };
        chain.answered(&answer).unwrap();
        assert!(chain.request().ends_with(b"client_id=app&refresh_token=second"));
        let answer = Response { status: 200, head: "", body: br#"{"refresh_token":"dritte"}"# };
        chain.answered(&answer).unwrap();
        assert_eq!(chain.request(), refresh("127.0.0.1:1", "app", "dritte"));
    }
}
