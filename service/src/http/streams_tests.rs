//! Tests of patience with streams: a client that holds one back is lost, one that keeps the pace is not.

use super::*;
use http_body_util::BodyExt;
use tokio::time::timeout;

const MOST: Duration = Duration::from_secs(15);
const AN_HOUR: Duration = Duration::from_secs(3600);
const ANSWER: usize = 1024 * 1024;

fn streams() -> Arc<Streams> {
    Streams::new(MOST, Patience::new(MOST))
}

async fn answer(streams: &Arc<Streams>) -> StreamAnswer {
    let turn = streams.clone().turn().await;
    turn.deliver(Response::new(Body::from(vec![0; ANSWER]))).into_body()
}

/// Takes so much of a piece at a time, with pauses, to its end.
async fn take(mut piece: AnswerPiece, at_a_time: usize, pause: Duration) {
    while piece.has_remaining() {
        tokio::time::sleep(pause).await;
        piece.advance(at_a_time.min(piece.remaining()));
    }
}

async fn piece_of(mut body: StreamAnswer) -> AnswerPiece {
    body.frame().await.unwrap().unwrap().into_data().ok().unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_never_asked_for_and_a_piece_that_is_never_taken_lose_the_client() {
    for is_begun in [false, true] {
        let (streams, began) = (streams(), Instant::now());
        let body = answer(&streams).await;
        let (_body, _piece) = if is_begun { (None, Some(piece_of(body).await)) } else { (Some(body), None) };
        assert_eq!(streams.is_lost().await, Slowness::Taking);
        assert!(began.elapsed() < 3 * MOST, "{:?}", began.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_held_back_loses_the_client_though_others_go_on() {
    let streams = streams();
    let _held = answer(&streams).await;
    let others = async {
        loop {
            take(piece_of(answer(&streams).await).await, ANSWER, Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        slowness = streams.is_lost() => assert_eq!(slowness, Slowness::Taking),
        () = others => unreachable!("they go on for ever"),
    }
}

#[tokio::test(start_paused = true)]
async fn who_keeps_the_pace_over_all_streams_gets_all_and_who_takes_less_is_lost() {
    for (at_a_time, is_served) in [(16 * 1024, true), (1024, false)] {
        let streams = streams();
        let [one, two] = [piece_of(answer(&streams).await).await, piece_of(answer(&streams).await).await];
        // Each gets half of what the line carries.
        let pause = Duration::from_secs(2);
        let taken = async { tokio::join!(take(one, at_a_time, pause), take(two, at_a_time, pause)) };
        tokio::select! {
            slowness = streams.is_lost() => assert!(!is_served && slowness == Slowness::Taking),
            _ = taken => assert!(is_served),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_waits_for_us_is_not_lost() {
    let streams = streams();
    let turn = streams.clone().turn().await;
    assert!(timeout(AN_HOUR, streams.is_lost()).await.is_err());
    let slow = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
    let mut body = turn.deliver(Response::new(Body::from_stream(slow))).into_body();
    tokio::select! {
        slowness = streams.is_lost() => panic!("{slowness:?}"),
        _ = timeout(AN_HOUR, body.frame()) => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_streams_is_idle_after_a_while_and_not_before() {
    for most in [MOST, Duration::from_secs(1)] {
        let (streams, began) = (Streams::new(most, Patience::new(most)), Instant::now());
        assert_eq!(streams.is_lost().await, Slowness::Idle);
        assert!(began.elapsed() >= WITHIN && began.elapsed() <= 2 * WITHIN, "{:?}", began.elapsed());
    }
    let streams = streams();
    let requests = async {
        for _ in 0..20 {
            tokio::time::sleep(WITHIN / 2).await;
            drop(streams.clone().turn().await);
        }
    };
    tokio::select! {
        slowness = streams.is_lost() => panic!("{slowness:?}, though it asks again and again"),
        () = requests => {}
    }
}

#[tokio::test]
async fn streams_that_are_over_are_forgotten() {
    let streams = streams();
    for _ in 0..1000 {
        drop(answer(&streams).await);
    }
    assert!(streams.waits().len() <= 2 * HTTP2_STREAMS as usize);
}

#[tokio::test(start_paused = true)]
async fn no_more_answers_are_begun_than_may_lie_about() {
    let streams = streams();
    let mut bodies = Vec::new();
    for _ in 0..HTTP2_ANSWERS {
        bodies.push(answer(&streams).await);
    }
    assert!(timeout(MOST / 2, answer(&streams)).await.is_err());
    let piece = piece_of(bodies.pop().unwrap()).await;
    assert!(timeout(MOST / 2, answer(&streams)).await.is_err());
    drop(piece);
    assert!(timeout(MOST / 2, answer(&streams)).await.is_ok());
}
