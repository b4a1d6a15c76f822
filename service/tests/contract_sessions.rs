//! Sessions and tokens: the contract's transition table, and what was decided about it, through the router.

#[cfg(test)]
mod world;

use world::World;

/// A refresh token that was used before revokes every token of its session.
#[tokio::test]
async fn a_used_refresh_token_revokes_every_token_of_its_session() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let second = app.refresh(&first).await.granted();
    app.refresh(&first).await.refused("invalid_grant");
    w.calls_fhir_with(&first.access).await.says(401, "API_SESSION_INVALID");
    w.calls_fhir_with(&second.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&second).await.refused("invalid_grant");
}
