//! A good client, who reads a record now and then on a few connections. It has a thread of its own, so that what it waits for is
//! the service and not the connections that the driver has beside it.

use super::driver::{self, Script};
use super::response::Response;
use super::scripts::Walk;
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

const CONNECTIONS: usize = 4;
/// Between an answer and the next request.
const PAUSE: Duration = Duration::from_millis(1);

/// What its answers came to, and how many of them were refusals.
pub(crate) async fn read(
    address: SocketAddr,
    window: Window,
    requests: &Arc<[Vec<u8>]>,
) -> Result<(Tally, u32), Trouble> {
    let walks = Walk::together(requests, CONNECTIONS);
    let scripts: Vec<Unhurried> = walks.into_iter().map(|walk| Unhurried { walk, refused: 0 }).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (tell, told) = oneshot::channel();
    std::thread::spawn(move || tell.send(runtime.block_on(driver::load(address, window, scripts))));
    let (tally, scripts) = told.await??;
    Ok((tally, scripts.iter().map(|script| script.refused).sum()))
}

struct Unhurried {
    walk: Walk,
    refused: u32,
}

impl Script for Unhurried {
    fn request(&mut self) -> &[u8] {
        self.walk.request()
    }

    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
        self.refused += u32::from(answer.status != 200);
        Ok(())
    }

    fn accepts(&self, _: u16) -> bool {
        true
    }

    fn pause(&self) -> Option<Duration> {
        Some(PAUSE)
    }
}
