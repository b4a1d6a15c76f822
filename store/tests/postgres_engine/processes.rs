//! The shots across two processes: sixty-four callers, one refresh token, exactly one winner.

use crate::home::Home;
use crate::together::{CALLERS, together};
use crate::world::{NOW, TERMS, World, registered};
use rules::ids::{ClientId, SessionId};
use rules::lifecycle::{Refused, Revoked, Ruling};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use store::salt::TokenCheck;
use store::sessions::{self, Presented};

const URL: &str = "RECORDGATE_TEST_SHOT_URL";
const ROUNDS: usize = 20;

struct Node {
    process: Child,
    to: ChildStdin,
    from: BufReader<std::process::ChildStdout>,
}

impl Node {
    fn start(url: &str) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", "processes::fires_when_told"])
            .env(URL, url)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the other process");
        let (to, from) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut node = Self { process, to, from };
        node.hear("ready");
        node
    }

    /// The rest of the next line that begins with `word`.
    fn hear(&mut self, word: &str) -> String {
        let mut line = String::new();
        while self.from.read_line(&mut line).unwrap() > 0 {
            // The test runner's own words may stand before it on the same line.
            if let Some(at) = line.find(word) {
                return line[at + word.len()..].trim().to_owned();
            }
            line.clear();
        }
        panic!("the other process ended without a word");
    }

    /// How many of its callers got tokens, gave the replay away, and met a revoked session.
    fn counts(&mut self) -> [usize; 3] {
        let line = self.hear("fired");
        let counts: Vec<usize> = line.split_whitespace().map(|count| count.parse().unwrap()).collect();
        counts.try_into().unwrap()
    }
}

#[tokio::test]
async fn of_sixty_four_callers_in_two_processes_with_one_refresh_token_one_wins() {
    let home = Home::patient();
    let w = World::at(home.clone()).await;
    let mut nodes = [Node::start(&home.url), Node::start(&home.url)];
    for _ in 0..ROUNDS {
        let granted = w.connected().await;
        let token = granted.refresh_token(1);
        let content = String::from_utf8(token.content).unwrap().replace(' ', "_");
        let shot = format!("{} {} {content} {}\n", granted.client, granted.id, u128::from_be_bytes(token.check.0));
        for node in &mut nodes {
            node.to.write_all(shot.as_bytes()).unwrap();
        }
        let counts = nodes.each_mut().map(Node::counts);
        let all: Vec<usize> = (0..3).map(|at| counts.iter().map(|counts| counts[at]).sum()).collect();
        assert_eq!(all, [1, 1, CALLERS - 2], "{counts:?}");
        assert_eq!(granted.bearer().await.session.revoked_at, Some(NOW));
        assert_eq!(granted.bearer().await.session.generation, 2);
    }
    for mut node in nodes {
        drop(node.to);
        assert!(node.process.wait().unwrap().success());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the other process of the test above, which runs it"]
async fn fires_when_told() {
    let store = Arc::new(Home::at(std::env::var(URL).expect("run by the test above")).waiting().node().await);
    say("ready");
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let [client, session, content, check] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let token = Presented {
            session: SessionId(session.parse().unwrap()),
            generation: 1,
            content: content.replace('_', " ").into_bytes(),
            check: TokenCheck(check.parse::<u128>().unwrap().to_be_bytes()),
        };
        let client = ClientId(client.parse().unwrap());
        let callers = (0..CALLERS / 2).map(|_| {
            let (store, token) = (store.clone(), token.clone());
            async move {
                sessions::refresh(&store, registered(client, TERMS), token, None, NOW).await.unwrap().unwrap().ruling
            }
        });
        let mut counts = [0; 3];
        for ruling in together(callers).await {
            counts[match ruling {
                Ruling::Issue(_) => 0,
                Ruling::Revoke(Revoked::RefreshTokenReplayed) => 1,
                Ruling::Refuse(Refused::SessionRevoked) => 2,
                other => panic!("{other:?}"),
            }] += 1;
        }
        say(&format!("fired {} {} {}", counts[0], counts[1], counts[2]));
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush()).expect("the test above listens");
}
