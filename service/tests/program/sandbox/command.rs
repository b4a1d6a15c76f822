//! `recordgate sandbox` itself, as the built binary: what it prints, and what it does when the next port is taken.

use crate::sandbox::browser::SocketBrowser;
use crate::terminal::program::{Process, Program, command};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// Two neighbouring ports: the first free again, the second still held.
async fn a_port_with_a_taken_neighbour() -> (u16, TcpListener) {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = first.local_addr().unwrap().port();
        if let Ok(next) = TcpListener::bind(("127.0.0.1", port + 1)).await {
            return (port, next);
        }
    }
}

/// Starts a sandbox on `port` and gives it with the guide that it prints; `None` if it ends without.
fn start(directory: &TempDir, port: u16) -> Option<(Process, Value)> {
    let arguments = ["sandbox", "--json", "--listen", &format!("127.0.0.1:{port}"), "--database", "sqlite:data"];
    let mut sandbox = command(directory.path(), &arguments);
    sandbox.env("RECORDGATE_LOG_LEVEL", "error").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Process(sandbox.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(process.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let guide = serde_json::from_str(&line).ok()?;
    Some((process, guide))
}

/// Ends it and gives what it complained of.
fn end(mut process: Process) -> String {
    process.0.kill().unwrap();
    let mut complaints = String::new();
    process.0.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    complaints
}

/// Between finding two free ports and using them another test may take one; then other ports will do.
const TRIES: usize = 5;

#[tokio::test]
async fn a_sandbox_prints_its_guide_once_it_can_be_asked() {
    let directory = TempDir::new().unwrap();
    for _ in 0..TRIES {
        let (port, next) = a_port_with_a_taken_neighbour().await;
        drop(next);
        let Some((process, guide)) = start(&directory, port) else { continue };
        let Some(sample) = guide["addresses"]["sample_app"].as_str() else { continue };
        assert_eq!(guide["addresses"]["service"], format!("http://127.0.0.1:{port}"));
        assert_eq!(sample, format!("http://127.0.0.1:{}", port + 1));
        assert_eq!(guide["logins"][0]["username"], "amina");
        for url in [format!("http://127.0.0.1:{port}/readyz").as_str(), sample] {
            assert_eq!(SocketBrowser::default().get(url).await.status, 200, "{url}");
        }
        assert_eq!(end(process), "");
        return;
    }
    panic!("no sandbox with a sample app in {TRIES} tries");
}

#[tokio::test]
async fn a_sandbox_whose_next_port_is_taken_says_so_and_goes_on_without_the_sample_app() {
    let directory = TempDir::new().unwrap();
    for _ in 0..TRIES {
        let (port, _taken) = a_port_with_a_taken_neighbour().await;
        let Some((process, guide)) = start(&directory, port) else { continue };
        assert!(guide["addresses"].get("sample_app").is_none());
        assert_eq!(SocketBrowser::default().get(&format!("http://127.0.0.1:{port}/readyz")).await.status, 200);
        let complaints = end(process);
        assert!(complaints.contains(&format!("port {}", port + 1)), "{complaints}");
        return;
    }
    panic!("no sandbox in {TRIES} tries");
}

#[test]
fn a_sandbox_has_a_directory_of_its_own_unless_one_says_otherwise() {
    let directory = TempDir::new().unwrap();
    let start = |more: &[&str]| {
        let sandbox = command(directory.path(), &[&["sandbox", "--listen", "127.0.0.1:0"], more].concat());
        drop(Program::start(sandbox, directory.path().join("log")));
    };
    start(&[]);
    assert!(directory.path().join("recordgate-sandbox/records.sqlite").exists());
    start(&["--database", "sqlite:elsewhere"]);
    assert!(directory.path().join("elsewhere/records.sqlite").exists());
    assert!(!directory.path().join("recordgate-data").exists());
}
