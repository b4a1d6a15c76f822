//! TLS in process: which certificate is shown, to whom, over which HTTP, and what is said of one that will not do.

mod client;
mod issued;

use crate::terminal::operator::Operator;
use crate::terminal::patience::{PATIENCE, until_some};
use crate::terminal::program::Program;
use client::{Body, get, over_http1, over_http2, shake, text};
use hyper::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};
use issued::Issued;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

const SETTINGS: [(&str, &str); 2] = [("RECORDGATE_TLS_CERT", "cert.pem"), ("RECORDGATE_TLS_KEY", "key.pem")];
const BROKEN: &str = "the certificate has changed and cannot be used; the one before stays";

/// Puts a certificate where the service looks for it.
fn install(operator: &Operator, issued: &Issued) {
    operator.file("cert.pem", &issued.certificate);
    operator.file("key.pem", &issued.key);
}

fn serve(operator: &Operator, more: &[(&str, &str)]) -> Program {
    operator.start("serve", &operator.database, &[&SETTINGS, more].concat())
}

/// A service with this certificate.
fn with(issued: &Issued) -> (Operator, Program) {
    let operator = Operator::with_world();
    install(&operator, issued);
    let program = serve(&operator, &[]);
    (operator, program)
}

/// What `serve` says before it ends.
fn complaint(operator: &Operator, arguments: &[&str]) -> String {
    operator.run(&[&["serve", "--listen", "127.0.0.1:0"], arguments].concat()).failed(1)
}

/// All that a service without TLS, or with it, says to these bytes.
fn said(address: &str, bytes: &[u8]) -> Vec<u8> {
    let mut connection = TcpStream::connect(address).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    connection.write_all(bytes).unwrap();
    let mut said = Vec::new();
    // That the connection is torn down is as good as its end.
    let _ended = connection.read_to_end(&mut said);
    said
}

// gaps: Operation > TLS
#[tokio::test(flavor = "multi_thread")]
async fn clients_are_answered_over_http_2_where_they_can_and_over_http_1_where_they_cannot() {
    let issued = Issued::new();
    let (_operator, program) = with(&issued);
    let mut first = over_http1(program.address(), &issued).await;
    let mut second = over_http2(program.address(), &issued).await;
    for path in ["/readyz", "/sign-in"] {
        let (one, two) = (first.send_request(get(path)).await.unwrap(), second.send_request(get(path)).await.unwrap());
        assert_eq!((one.status(), two.status()), (200.try_into().unwrap(), 200.try_into().unwrap()), "{path}");
        let cookie = two.headers().get("set-cookie").map(|cookie| cookie.to_str().unwrap().to_owned());
        assert!(cookie.is_none_or(|cookie| cookie.starts_with("__Host-") && cookie.contains("; Secure")));
        assert!(!text(one).await.is_empty() && !text(two).await.is_empty());
    }
    let told = second.send_request(get("/.well-known/openid-configuration")).await.unwrap();
    assert!(text(told).await.contains("\"issuer\":\"https://127.0.0.1:"));
    let unasked = shake(program.address(), &issued, &[]).await.unwrap();
    assert_eq!(unasked.get_ref().1.alpn_protocol(), None);
    assert!(shake(program.address(), &issued, &[b"gopher"]).await.is_err());
}

// gaps: Operation > HTTP/2
#[tokio::test(flavor = "multi_thread")]
async fn many_streams_of_one_connection_are_all_answered() {
    let issued = Issued::new();
    let (_operator, program) = with(&issued);
    let client = over_http2(program.address(), &issued).await;
    let asked = (0..300).map(|_| {
        let mut client = client.clone();
        tokio::spawn(async move { text(client.send_request(get("/docs")).await.unwrap()).await.len() })
    });
    let mut lengths = Vec::new();
    for one in asked.collect::<Vec<_>>() {
        lengths.push(one.await.unwrap());
    }
    assert!(lengths[0] > 32 * 1024 && lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
}

// gaps: Operation > HTTP/2
#[tokio::test(flavor = "multi_thread")]
async fn heads_and_bodies_are_bounded_over_http_2_as_over_http_1() {
    let issued = Issued::new();
    let (_operator, program) = with(&issued);
    let mut client = over_http2(program.address(), &issued).await;
    let long = Request::get("https://localhost/readyz").header("x-long", "x".repeat(40 * 1024));
    let answer = client.send_request(long.body(Body::default()).unwrap()).await.unwrap();
    assert_eq!(answer.status(), 431);
    let form = Request::post("https://localhost/apiToken.action")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(vec![b'x'; 100 * 1024]));
    assert_eq!(client.send_request(form.unwrap()).await.unwrap().status(), 413);
    let tunnel = Request::connect("localhost:443").body(Body::default()).unwrap();
    assert!(client.send_request(tunnel).await.unwrap().status().is_client_error());
    assert_eq!(client.send_request(get("/readyz")).await.unwrap().status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_opens_no_window_for_its_answer_loses_the_connection() {
    let issued = Issued::new();
    let operator = Operator::with_world();
    install(&operator, &issued);
    let program = serve(&operator, &[("RECORDGATE_CONNECTIONS_DELIVERY_SECONDS", "1")]);
    let stream = shake(program.address(), &issued, &[b"h2"]).await.unwrap();
    let mut builder = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
    let shaken = builder.initial_stream_window_size(1).handshake::<_, Body>(TokioIo::new(stream)).await;
    let (mut client, connection) = shaken.unwrap();
    let connection = tokio::spawn(connection);
    let answer = client.send_request(get("/docs")).await.unwrap();
    assert_eq!(answer.status(), 200);
    let ended = tokio::time::timeout(PATIENCE, connection).await;
    assert!(ended.is_ok(), "the connection goes on");
    drop(answer);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_does_not_wait_for_idle_connections() {
    let issued = Issued::new();
    let (_operator, program) = with(&issued);
    let mut first = over_http1(program.address(), &issued).await;
    let mut second = over_http2(program.address(), &issued).await;
    assert_eq!(first.send_request(get("/readyz")).await.unwrap().status(), 200);
    assert_eq!(second.send_request(get("/readyz")).await.unwrap().status(), 200);
    let half = TcpStream::connect(program.address()).unwrap();
    let began = Instant::now();
    tokio::task::spawn_blocking(|| program.stop()).await.unwrap();
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    drop(half);
}

// gaps: Operation > TLS
#[tokio::test(flavor = "multi_thread")]
async fn a_new_certificate_is_shown_to_new_connections_and_a_broken_one_to_nobody() {
    let [first, second] = [Issued::new(), Issued::new()];
    let (operator, program) = with(&first);
    let mut old = over_http1(program.address(), &first).await;
    assert_eq!(old.send_request(get("/readyz")).await.unwrap().status(), 200);
    install(&operator, &second);
    let began = Instant::now();
    while shake(program.address(), &second, &[]).await.is_err() {
        assert!(began.elapsed() < PATIENCE, "the new certificate is not shown");
    }
    assert!(shake(program.address(), &first, &[]).await.is_err());
    assert_eq!(old.send_request(get("/readyz")).await.unwrap().status(), 200);

    let log = operator.path("log0");
    let said = |times: usize, why: &str| {
        until_some("what is wrong with the new certificate", || {
            let text = std::fs::read_to_string(&log).unwrap();
            let lines: Vec<&str> = text.lines().filter(|line| line.contains(BROKEN)).collect();
            (lines.len() == times && lines[times - 1].contains(why)).then_some(())
        });
    };
    operator.file("key.pem", &first.key);
    said(1, "is not the private key of the first certificate");
    shake(program.address(), &second, &[]).await.unwrap();
    operator.file("cert.pem", "nothing");
    said(2, "holds no certificate");
    shake(program.address(), &second, &[]).await.unwrap();
    std::fs::remove_file(operator.path("cert.pem")).unwrap();
    said(3, "cannot be read");
    install(&operator, &first);
    while shake(program.address(), &first, &[]).await.is_err() {
        assert!(began.elapsed() < 2 * PATIENCE, "the certificate is not shown again");
    }
    assert_eq!(program.kill().matches(BROKEN).count(), 3);
}

#[test]
fn a_certificate_that_will_not_do_is_told_before_the_service_listens() {
    let operator = Operator::with_world();
    let [issued, other] = [Issued::new(), Issued::new()];
    let both = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    let missing = complaint(&operator, &both);
    assert!(missing.contains("tls_cert = \"cert.pem\" cannot be read: No such file"), "{missing}");
    operator.file("cert.pem", &issued.certificate);
    let missing = complaint(&operator, &both);
    assert!(missing.contains("tls_key = \"key.pem\" cannot be read: No such file"), "{missing}");
    operator.file("key.pem", &other.key);
    let mismatch = complaint(&operator, &both);
    assert!(mismatch.contains("\"key.pem\" is not the private key of the first certificate in tls_cert"), "{mismatch}");
    operator.file("key.pem", &issued.certificate);
    let swapped = complaint(&operator, &both);
    assert!(swapped.contains("\"key.pem\" holds no private key") && swapped.contains("BEGIN PRIVATE KEY"), "{swapped}");
    operator.file("cert.pem", &issued.key);
    let swapped = complaint(&operator, &both);
    assert!(swapped.contains("\"cert.pem\" holds no certificate"), "{swapped}");
}

#[test]
fn certificate_and_key_are_set_together_and_with_an_https_url() {
    let operator = Operator::new();
    let failed = |arguments: &[&str]| operator.run(&[&["serve"], arguments].concat()).failed(2);
    let alone = failed(&["--tls-cert", "cert.pem"]);
    assert!(alone.contains("it must be set together with tls_key"), "{alone}");
    let alone = failed(&["--tls-key", "key.pem"]);
    assert!(alone.contains("it must be set together with tls_cert"), "{alone}");
    let plain = failed(&["--tls-cert", "c", "--tls-key", "k", "--base-url", "http://records.example.org"]);
    assert!(plain.contains("it must be an https:// URL, because tls_cert is set"), "{plain}");
    let mut sandbox = operator.command(&["sandbox", "--listen", "127.0.0.1:0"]);
    let refused = sandbox.envs(SETTINGS).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("a sandbox is served without TLS"));
}

#[test]
fn an_expired_certificate_is_shown_with_a_warning() {
    let (_operator, program) = with(&Issued::expired());
    let log = program.kill();
    assert!(log.contains("clients will not trust the certificate") && log.contains("it ended at 2020-01-01"), "{log}");
}

#[test]
fn who_speaks_plain_http_to_the_port_of_https_is_told() {
    let (_operator, program) = with(&Issued::new());
    for request in ["GET /readyz HTTP/1.1\r\nHost: test\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
        let answer = String::from_utf8(said(program.address(), request.as_bytes())).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("https://"), "{answer}");
    }
    assert_eq!(said(program.address(), b"\x00\x01\x02"), b"");
}

#[test]
fn http_2_is_not_spoken_in_clear() {
    let operator = Operator::with_world();
    let program = operator.serve();
    let answer = said(program.address(), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00");
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{answer:?}");
}

/// A record with the hello of a client that knows this version and none that is newer, and an ECDSA suite.
fn hello(version: [u8; 2]) -> Vec<u8> {
    let with_length = |bytes: &[u8]| [&u16::try_from(bytes.len()).unwrap().to_be_bytes(), bytes].concat();
    let curves = [0, 10, 0, 4, 0, 2, 0, 23];
    let point_formats = [0, 11, 0, 2, 1, 0];
    let signatures = [0, 13, 0, 4, 0, 2, 4, 3];
    let extensions = with_length(&[&curves[..], &point_formats, &signatures].concat());
    let suites = with_length(&[0xc0, 0x2b]);
    let body = [&version[..], &[7; 32], &[0], &suites, &[1, 0], &extensions].concat();
    [&[22, 3, 1][..], &with_length(&[&[1, 0][..], &with_length(&body)].concat())].concat()
}

#[test]
fn a_client_that_knows_no_newer_tls_than_1_1_is_refused() {
    const PROTOCOL_VERSION: u8 = 70;
    let (_operator, program) = with(&Issued::new());
    let answer = said(program.address(), &hello([3, 2]));
    assert_eq!((answer[0], &answer[5..]), (21, &[2, PROTOCOL_VERSION][..]), "{answer:?}");
    let mut newer = TcpStream::connect(program.address()).unwrap();
    newer.write_all(&hello([3, 3])).unwrap();
    let mut answer = [0; 6];
    newer.read_exact(&mut answer).unwrap();
    assert_eq!((answer[0], answer[5]), (22, 2), "the server's hello");
}

#[test]
fn health_asks_over_tls_where_the_service_has_it() {
    let issued = Issued::new();
    let (operator, program) = with(&issued);
    let ask = |settings: &[(&str, &str)]| {
        let mut command = operator.command(&["health", "--listen", program.address()]);
        command.envs(settings.iter().copied()).output().unwrap()
    };
    assert!(ask(&SETTINGS).status.success());
    assert!(String::from_utf8_lossy(&ask(&[]).stderr).contains("is not ready: HTTP/1.1 400"));
}
