//! Honest people and programs beside the clients with sessions: a System Client that gets tokens and reads with them, and people who
//! sign in. What the nuisances do must not keep them out.

use crate::chaos::dice::Dice;
use crate::chaos::history::record::Request;
use crate::chaos::scene::Scene;
use crate::chaos::wire::{Expectation, Wires};
use crate::http::requests;
use crate::measure::trouble::Trouble;
use crate::service::people::{SIGNERS_PASSWORD, SYSTEM, SYSTEM_SECRET, patient_id, record_for_organisation, signer};
use std::sync::Arc;
use tokio::time::sleep;

/// Milliseconds between two tokens, and between two sign-ins: a password costs much more of the machine than a token.
const TOKENS: (u64, u64) = (5, 40);
const SIGN_INS: (u64, u64) = (100, 500);

/// Gets tokens for the organisation, and reads a patient's record with each, until the scene is over.
pub(super) async fn get_tokens(scene: Arc<Scene>, patient: usize, mut dice: Dice) -> Result<(), Trouble> {
    let (mut wires, number, id) = (Wires::default(), scene.recorder.session(None, patient), patient_id(patient));
    while !scene.is_over() {
        sleep(dice.millis(TOKENS.0, TOKENS.1)).await;
        let node = scene.nodes.any(&mut dice).ok_or("there are no nodes")?;
        let host = node.address.to_string();
        let form = "grant_type=client_credentials";
        let bytes = requests::form_with_secret(&host, "/apiToken.action", SYSTEM, SYSTEM_SECRET, form);
        let expectation = Expectation::Member("access_token");
        let reply = scene.ask(&mut wires, node, (number, Request::Credentials), &bytes, expectation).await;
        let Some(token) = reply.text else { continue };
        let bytes = record_for_organisation(&host, patient, &token);
        scene.ask(&mut wires, node, (number, Request::Read), &bytes, Expectation::Record(&id)).await;
    }
    Ok(())
}

/// Signs one person in again and again, until the scene is over.
pub(super) async fn sign_in(scene: Arc<Scene>, person: usize, mut dice: Dice) -> Result<(), Trouble> {
    let (mut wires, number) = (Wires::default(), scene.recorder.session(None, 0));
    while !scene.is_over() {
        sleep(dice.millis(SIGN_INS.0, SIGN_INS.1)).await;
        let node = scene.nodes.any(&mut dice).ok_or("there are no nodes")?;
        let host = node.address.to_string();
        let page = requests::get(&host, "/sign-in");
        let reply = scene.ask(&mut wires, node, (number, Request::SignIn), &page, Expectation::Form).await;
        let Some(form) = reply.text else { continue };
        let filled_in = format!("form={form}&next=&username={}&password={SIGNERS_PASSWORD}", signer(person));
        let bytes = requests::form(&host, "/sign-in", &filled_in);
        scene.ask(&mut wires, node, (number, Request::SignIn), &bytes, Expectation::Redirect).await;
    }
    Ok(())
}
