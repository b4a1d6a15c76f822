//! Tests of the handshake: one that does not end is not waited for, however much of it comes.

use super::*;
use crate::app::config::TlsFiles;
use crate::server::certificate::PairText;
use rcgen::generate_simple_self_signed;
use tokio::net::TcpListener;
use tokio::time::Instant;

fn config() -> Arc<ServerConfig> {
    let folder = tempfile::tempdir().unwrap();
    let files = TlsFiles { certificate: folder.path().join("cert"), key: folder.path().join("key") };
    let issued = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(&files.certificate, issued.cert.pem()).unwrap();
    std::fs::write(&files.key, issued.signing_key.serialize_pem()).unwrap();
    PairText::read(&files).unwrap().certificate(&files).unwrap().config
}

/// For how long a client is waited for that sends this and no more, if it is lost.
async fn waited(sent: &[u8]) -> Option<Duration> {
    let config = config();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (client, accepted) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
    let mut client = client.unwrap();
    client.write_all(sent).await.unwrap();
    let (_go, mut stop) = watch::channel(false);
    let began = Instant::now();
    let patience = Patience::new(WITHIN);
    let shaken = shake(accepted.unwrap().0, config, (&patience, WITHIN), &mut stop).await;
    shaken.is_none().then(|| began.elapsed())
}

#[tokio::test(start_paused = true)]
async fn a_handshake_that_does_not_begin_or_does_not_end_is_waited_for_as_long_as_a_head() {
    for sent in [&b""[..], &[HANDSHAKE, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]] {
        let waited = waited(sent).await.unwrap();
        assert!(waited >= WITHIN && waited < 2 * WITHIN, "{waited:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn who_does_not_hang_up_after_plain_http_is_not_waited_for_longer() {
    assert!(waited(b"GET / HTTP/1.1\r\n").await.unwrap() < 2 * WITHIN);
}

#[tokio::test(start_paused = true)]
async fn a_handshake_does_not_keep_the_service_from_stopping() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (client, accepted) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
    let (go, mut stop) = watch::channel(false);
    go.send_replace(true);
    let began = Instant::now();
    let patience = Patience::new(WITHIN);
    let shaken = shake(accepted.unwrap().0, config(), (&patience, WITHIN), &mut stop).await;
    assert!(shaken.is_none() && began.elapsed() < WITHIN);
    drop(client);
}
