//! The walks of all browsers, in memory and bounded: where there are too many, the oldest makes way.

use super::walk::Walk;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

const COOKIE: &str = "sleep-diary";
const MOST: usize = 200;

#[derive(Debug, Default)]
pub(super) struct Browsers(Mutex<Walks>);

#[derive(Default)]
struct Walks {
    walks: HashMap<String, Walk>,
    /// Their keys, the oldest first.
    ages: VecDeque<String>,
}

impl std::fmt::Debug for Walks {
    /// Without the keys, which are the browsers' cookies.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Walks({})", self.walks.len())
    }
}

impl Browsers {
    pub(super) fn begin(&self, key: String, walk: Walk) {
        let mut walks_at_hand = self.walks_at_hand();
        if walks_at_hand.walks.len() >= MOST
            && let Some(oldest) = walks_at_hand.ages.pop_front()
        {
            walks_at_hand.walks.remove(&oldest);
        }
        walks_at_hand.ages.push_back(key.clone());
        walks_at_hand.walks.insert(key, walk);
    }

    /// Does something with the walk of the browser that sent `headers`, if there is one.
    pub(super) fn with<T>(&self, headers: &HeaderMap, act: impl FnOnce(&mut Walk) -> T) -> Option<T> {
        self.walks_at_hand().walks.get_mut(key(headers)?).map(act)
    }

    fn walks_at_hand(&self) -> MutexGuard<'_, Walks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Tells the browser the key of its walk.
pub(super) fn remember(response: &mut Response, key: &str) {
    if let Ok(cookie) = HeaderValue::from_str(&format!("{COOKIE}={key}; Path=/; HttpOnly; SameSite=Lax")) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(key: usize) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, format!("other=1; {COOKIE}={key}").parse().unwrap())])
    }

    #[test]
    fn the_oldest_walk_makes_way_when_there_are_too_many() {
        let browsers = Browsers::default();
        for key in 0..=MOST {
            browsers.begin(key.to_string(), Walk::new().unwrap().0);
        }
        assert_eq!(browsers.walks_at_hand().walks.len(), MOST);
        assert_eq!(browsers.walks_at_hand().ages.len(), MOST);
        assert!(browsers.with(&cookie(0), |_| ()).is_none(), "the oldest is gone");
        assert!(browsers.with(&cookie(1), |_| ()).is_some(), "the one after it is there");
        assert!(browsers.with(&cookie(MOST), |_| ()).is_some(), "the newest is there");
    }
}
