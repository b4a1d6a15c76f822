//! Those who do their worst, each sort from an address of its own: deaf clients that never read, slow ones that send and read a byte
//! at a time, and a storm that connects and drops, half-asks, and tries invented names. Nobody looks at what they are answered:
//! that the others are served all the same is the point.

use crate::chaos::dice::Dice;
use crate::chaos::nodes::Node;
use crate::chaos::scene::Scene;
use crate::chaos::wire::form;
use crate::http::requests;
use crate::http::response::Reader;
use crate::measure::trouble::Trouble;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

/// How many there are of each sort.
pub(super) const DEAF: usize = 24;
pub(super) const SLOW: usize = 16;
pub(super) const STORMING: usize = 16;

const DEAF_ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const SLOW_ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
const STORM_ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 4);

/// A deaf client asks so often without reading, and has as little room for answers as the system allows.
const PIPELINED: usize = 2000;
const RECEIVE_BYTES: u32 = 4096;
/// Nobody is waited for longer than that: the node that held it may be gone.
const LONGEST: Duration = Duration::from_secs(20);
const STEP: Duration = Duration::from_millis(50);
/// Milliseconds between two gusts of one of the storm: an address has some ten thousand ports, and each is out of use for a minute.
const GUSTS: (u64, u64) = (10, 80);

/// Sends requests whose answers it never reads, until it is cut off, and comes again.
pub(super) async fn be_deaf(scene: Arc<Scene>, mut dice: Dice) {
    let many = requests::get("x", "/fhir/metadata").repeat(PIPELINED);
    while !scene.is_over() {
        sleep(dice.millis(10, 200)).await;
        let Some((node, mut wire)) = connect(&scene, &mut dice, DEAF_ADDRESS).await else { continue };
        let send = async {
            while wire.write_all(&many).await.is_ok() {
                sleep(STEP).await;
            }
        };
        tokio::select! {
            () = send => {}
            () = until_gone(&scene, node) => {}
        }
    }
}

/// Sends a request and reads its answer a byte at a time.
pub(super) async fn be_slow(scene: Arc<Scene>, mut dice: Dice) {
    while !scene.is_over() {
        sleep(dice.millis(10, 200)).await;
        let Some((node, mut wire)) = connect(&scene, &mut dice, SLOW_ADDRESS).await else { continue };
        let drip = async {
            for byte in requests::get("x", "/fhir/metadata") {
                wire.write_all(&[byte]).await?;
                sleep(STEP).await;
            }
            while wire.read(&mut [0]).await? > 0 {
                sleep(STEP).await;
            }
            Ok::<_, std::io::Error>(())
        };
        tokio::select! {
            _ = drip => {}
            () = until_gone(&scene, node) => {}
        }
    }
}

/// Connects and drops, asks for half of something, or tries a name that nobody has.
pub(super) async fn storm(scene: Arc<Scene>, number: usize, mut dice: Dice) {
    let mut attempt: u32 = 0;
    while !scene.is_over() {
        sleep(dice.millis(GUSTS.0, GUSTS.1)).await;
        attempt = attempt.wrapping_add(1);
        let Some((_, mut wire)) = connect(&scene, &mut dice, STORM_ADDRESS).await else { continue };
        match dice.below(3) {
            0 => {}
            1 => {
                let _dropped = wire.write_all(b"POST /apiToken.action HTTP/1.1\r\nHost: x\r\nContent-Le").await;
            }
            _ => {
                let _refused = timeout(LONGEST, guess(&mut wire, &format!("invented-{number}-{attempt}"))).await;
            }
        }
    }
}

async fn guess(wire: &mut TcpStream, name: &str) -> Result<(), Trouble> {
    wire.write_all(&requests::get("x", "/sign-in")).await?;
    let mut reader = Reader::new();
    let filled_in = match form(reader.answer(wire).await?.body) {
        Some(form) => format!("form={form}&next=&username={name}&password=a-guess-at-a-password"),
        None => return Ok(()),
    };
    wire.write_all(&requests::form("x", "/sign-in", &filled_in)).await?;
    reader.answer(wire).await.map(|_| ())
}

/// A connection to a node from this address, with little room for what comes; none while nobody listens.
async fn connect(scene: &Scene, dice: &mut Dice, from: Ipv4Addr) -> Option<(Node, TcpStream)> {
    let node = scene.nodes.any(dice)?;
    let socket = TcpSocket::new_v4().ok()?;
    socket.set_recv_buffer_size(RECEIVE_BYTES).ok()?;
    socket.bind(SocketAddr::from((from, 0))).ok()?;
    Some((node, timeout(LONGEST, socket.connect(node.address)).await.ok()?.ok()?))
}

/// Until the node has a successor, or the scene is over.
async fn until_gone(scene: &Scene, node: Node) {
    while !scene.is_over() && scene.nodes.all().contains(&node) {
        sleep(STEP).await;
    }
}
