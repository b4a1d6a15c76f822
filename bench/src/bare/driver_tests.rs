//! The load driver against the bare server: what is sent is answered, counted, and looked at.

use super::order::{self, Work};
use super::server::in_this_process;
use crate::http::driver::{Script, load};
use crate::http::requests;
use crate::http::scripts::{RefreshChain, Stack, Walk};
use crate::measure::window::Window;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

const TOKENS: &[u8] = br#"{"access_token":"rga_1","refresh_token":"rgr_1"}"#;

async fn server(body: &[u8]) -> SocketAddr {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
    in_this_process(&order::line(head, body, &Work::Nothing).unwrap()).await.unwrap()
}

fn moment() -> Window {
    Window::after(Duration::ZERO, Duration::from_millis(100))
}

#[tokio::test]
async fn load_on_keep_alive_connections_is_answered_and_counted() {
    let address = server(b"hello").await;
    let requests: Arc<[Vec<u8>]> = Arc::new([requests::get("here", "/"), requests::form("here", "/", "a=b")]);
    let (tally, scripts) = load(address, moment(), Walk::together(&requests, 8)).await.unwrap();
    assert_eq!(scripts.len(), 8);
    assert!(tally.per_second() > 100.0 && tally.percentile_ms(0.99) > 0.0);
}

#[tokio::test]
async fn a_stack_is_used_up_and_a_chain_comes_back() {
    let address = server(TOKENS).await;
    let mut stack = Stack::new("here", "app");
    stack.refresh_tokens = (0..10).map(|place| (place, "rgr_0".to_owned())).collect();
    let (_, stacks) = load(address, moment(), vec![stack]).await.unwrap();
    assert_eq!((stacks[0].refresh_tokens.len(), stacks[0].access_tokens.len()), (0, 10));
    let (_, mut chains) = load(address, moment(), vec![RefreshChain::new("here", "app", "rgr_0")]).await.unwrap();
    assert!(chains[0].request().ends_with(b"refresh_token=rgr_1"));
}

#[tokio::test]
async fn an_answer_that_a_script_cannot_use_ends_the_load() {
    let address = server(b"{}").await;
    let outcome = load(address, moment(), vec![RefreshChain::new("here", "app", "rgr_0")]).await;
    assert!(outcome.unwrap_err().to_string().contains("no refresh_token"));
}
