//! Tests of patience with clients that are slow to send.

use super::*;
use hyper::rt::Timer;
use tokio::time::timeout;

const AN_HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(start_paused = true)]
async fn patience_is_lost_with_a_head_that_does_not_come() {
    let patience = Patience::new(WITHIN);
    let timer = Heads(Arc::clone(&patience));
    let began = Instant::now();
    let _head = timer.sleep(WITHIN);
    assert!(timeout(AN_HOUR, patience.is_lost()).await.is_ok());
    assert_eq!(began.elapsed().as_secs(), ARRIVAL_SECONDS);
}

#[tokio::test(start_paused = true)]
async fn patience_is_not_lost_while_the_client_waits_for_us() {
    let patience = Patience::new(WITHIN);
    drop(Heads(Arc::clone(&patience)).sleep(WITHIN));
    assert!(timeout(AN_HOUR, patience.is_lost()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn each_head_is_waited_for_anew() {
    let patience = Patience::new(WITHIN);
    let timer = Heads(Arc::clone(&patience));
    let began = Instant::now();
    let next_head = async {
        for _ in 0..4 {
            let _head = timer.sleep(WITHIN);
            tokio::time::sleep(WITHIN / 2).await;
        }
        let _never_comes = timer.sleep(WITHIN);
        tokio::time::sleep(AN_HOUR).await;
    };
    tokio::select! {
        slowness = patience.is_lost() => assert_eq!(slowness, Slowness::Sending),
        () = next_head => {}
    }
    assert_eq!(began.elapsed().as_secs(), 3 * ARRIVAL_SECONDS);
}
/// A body whose first piece is there, and whose second is not.
struct Half(Option<Bytes>);

impl HttpBody for Half {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.take().map_or(Poll::Pending, |piece| Poll::Ready(Some(Ok(Frame::data(piece)))))
    }
}

#[tokio::test(start_paused = true)]
async fn patience_with_a_body_runs_only_while_it_is_waited_for() {
    let patience = Patience::new(WITHIN);
    let piece = Some(Bytes::from_static(b"grant_type="));
    let mut body = Arrival { body: Half(None), patience: Arc::clone(&patience), bytes: 0, since: None };
    let mut look = |piece: Option<Bytes>| {
        body.body.0 = piece;
        Pin::new(&mut body).poll_frame(&mut Context::from_waker(std::task::Waker::noop())).is_ready()
    };
    assert!(!look(None) && look(piece));
    assert!(timeout(AN_HOUR, patience.is_lost()).await.is_err(), "what came is being worked on");
    assert!(!look(None));
    assert!(timeout(AN_HOUR, patience.is_lost()).await.is_ok());
    drop(body);
    assert!(timeout(AN_HOUR, patience.is_lost()).await.is_err(), "nobody wants the rest");
}

#[tokio::test(start_paused = true)]
async fn a_large_body_may_take_as_long_as_a_thin_line_needs() {
    for (bytes, seconds) in [(0, 15), (16 * 1024 - 1, 15), (16 * 1024, 16), (1024 * 1024, 15 + 64)] {
        let patience = Patience::new(WITHIN);
        let began = Instant::now();
        let arrived = Some(Bytes::from(vec![b' '; bytes]));
        let mut body = Arrival { body: Half(arrived), patience: Arc::clone(&patience), bytes: 0, since: None };
        let mut look = || Pin::new(&mut body).poll_frame(&mut Context::from_waker(std::task::Waker::noop()));
        assert!(look().is_ready() && look().is_pending());
        patience.is_lost().await;
        assert_eq!(began.elapsed().as_secs(), seconds, "after {bytes} bytes");
    }
}
