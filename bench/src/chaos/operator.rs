//! The operator, who revokes somebody's grant now and then and looks whether that is in force at once.

use super::dice::Dice;
use super::history::record::{Answer, Call, Request};
use super::scene::Scene;
use super::wire::Wires;
use crate::service::recordgate::Recordgate;
use tokio::time::sleep;

/// Revokes until the scene is over.
pub(crate) async fn work(scene: &Scene, service: &Recordgate, mut dice: Dice) {
    let mut wires = Wires::default();
    while !scene.is_over() {
        sleep(dice.millis(100, 700)).await;
        let Some(holding) = scene.somebodys(&mut dice) else { continue };
        let began = scene.recorder.now();
        let done = service.run(&["grant", "revoke"], &holding.grant).await.is_ok();
        let ended = scene.recorder.now();
        let answer = if done { Answer::Revoked } else { Answer::TryAgain };
        let (session, request) = (holding.session, Request::Revoke);
        scene.recorder.call(Call { session, process: None, request, answer, began, ended });
        if let Some(access) = &holding.access {
            for node in scene.nodes.all() {
                scene.read(&mut wires, node, &holding, access).await;
            }
        }
    }
}
