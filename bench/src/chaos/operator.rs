//! The operator, who revokes somebody's grant now and then and looks whether that is in force at once.

use super::dice::Dice;
use super::history::{Answer, Asked, Call};
use super::scene::Scene;
use super::wire::Wires;
use crate::service::Recordgate;
use tokio::time::sleep;

/// Revokes until the scene is over.
pub(crate) async fn work(scene: &Scene, service: &Recordgate, mut dice: Dice) {
    let mut wires = Wires::default();
    while !scene.is_over() {
        sleep(dice.millis(100, 700)).await;
        let Some(held) = scene.somebodys(&mut dice) else { continue };
        let began = scene.recorder.now();
        let done = service.run(&["grant", "revoke"], &held.grant).await.is_ok();
        let ended = scene.recorder.now();
        let answer = if done { Answer::Revoked } else { Answer::TryAgain };
        let (session, asked) = (held.session, Asked::Revoke);
        scene.recorder.call(Call { session, process: None, asked, answer, began, ended });
        if let Some(access) = &held.access {
            for node in scene.nodes.all() {
                scene.read(&mut wires, node, &held, access).await;
            }
        }
    }
}
