//! Tests of the wire: who takes too little is lost, and nobody else.

use super::*;
use crate::http::patience::{Slowness, Watched};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

const MOST: Duration = Duration::from_secs(15);
const AN_HOUR: Duration = Duration::from_secs(3600);
const ANSWER: usize = 1024 * 1024;

impl Stream for tokio::io::DuplexStream {
    fn end_at_once(&self) {}
}

/// Sends an answer to a client that takes so many bytes at a time, and then waits for so long. Whether all of it came.
async fn delivered(bytes_at_a_time: usize, pause: Duration) -> Result<(), Slowness> {
    let (ours, mut theirs) = tokio::io::duplex(16 * 1024);
    let patience = Patience::new(MOST);
    let mut wire = Wire::new(ours, &patience, MOST);
    let takes = async {
        let mut taken = vec![0; bytes_at_a_time];
        while theirs.read_exact(&mut taken).await.is_ok() {
            tokio::time::sleep(pause).await;
        }
        std::future::pending::<()>().await
    };
    let answer = vec![b'x'; ANSWER];
    tokio::select! {
        sent = wire.write_all(&answer) => { sent.unwrap(); Ok(()) }
        slowness = patience.is_lost() => Err(slowness),
        () = takes => unreachable!("it waits for ever"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_nothing_is_lost_after_its_time() {
    let began = Instant::now();
    assert_eq!(delivered(1, AN_HOUR).await, Err(Slowness::Taking));
    assert!(began.elapsed() < 2 * MOST, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_too_little_is_lost_though_it_takes_something_all_the_time() {
    assert_eq!(delivered(1024, Duration::from_secs(1)).await, Err(Slowness::Taking));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_keeps_the_pace_gets_all_of_it_however_long_that_takes() {
    let began = Instant::now();
    assert_eq!(delivered(16 * 1024, Duration::from_secs(1)).await, Ok(()));
    assert!(began.elapsed() > 3 * MOST, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_has_taken_everything_may_be_idle() {
    let (ours, mut theirs) = tokio::io::duplex(1024);
    let patience = Patience::new(MOST);
    let mut wire = Wire::new(ours, &patience, MOST);
    let mut taken = vec![0; 4096];
    let (sent, read) = tokio::join!(wire.write_all(&[0; 4096]), theirs.read_exact(&mut taken));
    sent.and(read).unwrap();
    assert!(timeout(AN_HOUR, patience.is_lost()).await.is_err());
}
