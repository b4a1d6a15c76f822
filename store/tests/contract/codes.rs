//! Authorization codes: redeemed once, by the client and with the redirect URI and verifier they are bound to.

use crate::grant::{REDIRECT, generation};
use crate::world::{NOW, TERMS, World, registered};
use rules::lifecycle::{Refused, Revoked, Ruling};
use rules::limits::CODE_SECONDS;
use store::ledger::Event;
use store::opening::CodeBinding;
use store::sessions::{self, Redemption};

#[tokio::test]
async fn a_code_is_redeemed_once_and_opens_generation_one() {
    let w = World::new().await;
    let granted = w.approved().await;
    assert_eq!(granted.bearer().await.session.generation, 0);
    assert_eq!(granted.redeem().await.map(generation), Some(1));
    assert_eq!(granted.bearer().await.session.generation, 1);
    assert_eq!(w.noted(Event::CodeRedeemed).await, 1);
}

#[tokio::test]
async fn a_used_code_presented_again_revokes_the_session_it_opened() {
    let w = World::new().await;
    let granted = w.connected().await;
    assert_eq!(granted.redeem().await, Some(Ruling::Revoke(Revoked::CodeReplayed)));
    assert_eq!(granted.bearer().await.session.revoked_at, Some(NOW));
    assert_eq!(granted.refresh(1).await, Ruling::Refuse(Refused::SessionRevoked));
    assert_eq!(w.count("SELECT count(*) FROM sessions WHERE revoked_why = 'code-replayed'"), 1);
}

#[tokio::test]
async fn a_code_reuse_leaves_the_users_other_sessions_alone() {
    let w = World::new().await;
    let (reused, other) = (w.connected().await, w.connected().await);
    reused.redeem().await;
    assert_eq!(generation(other.refresh(1).await), 2);
}

#[tokio::test]
async fn a_code_is_over_at_the_very_millisecond_of_its_limit() {
    let w = World::new().await;
    let granted = w.approved().await;
    let limit = NOW.plus_seconds(CODE_SECONDS);
    let at_limit = granted.redeem_with(granted.code(), Some(REDIRECT), None, limit).await;
    assert_eq!(at_limit, Some(Ruling::Refuse(Refused::CodeExpired)));
    let just_before = rules::moment::Moment(limit.0 - 1);
    let before = granted.redeem_with(granted.code(), Some(REDIRECT), None, just_before).await;
    assert_eq!(before.map(generation), Some(1));
}

#[tokio::test]
async fn a_forged_code_changes_nothing() {
    let w = World::new().await;
    for granted in [w.approved().await, w.connected().await] {
        let before = w.row(granted.id);
        for altered in 0..16 {
            let mut code = granted.code();
            code.check.0[altered] ^= 1;
            assert_eq!(granted.redeem_with(code, Some(REDIRECT), None, NOW).await, None);
        }
        let mut code = granted.code();
        code.content.push(b'!');
        assert_eq!(granted.redeem_with(code, Some(REDIRECT), None, NOW).await, None);
        assert_eq!(w.row(granted.id), before);
    }
}

#[tokio::test]
async fn a_code_of_a_session_that_is_not_there_is_unknown() {
    let w = World::new().await;
    let granted = w.approved().await;
    let mut code = granted.code();
    code.session.0 += 1;
    assert_eq!(granted.redeem_with(code, Some(REDIRECT), None, NOW).await, None);
}

#[tokio::test]
async fn a_foreign_client_gets_nothing_for_a_code_and_changes_nothing() {
    let w = World::new().await;
    let foreign = w.client("ward-board").await.id;
    for granted in [w.approved().await, w.connected().await] {
        let before = w.row(granted.id);
        let asked = Redemption { code: granted.code(), redirect_uri: Some(REDIRECT.into()), challenge: None };
        let outcome =
            sessions::redeem(&w.store, registered(foreign, TERMS), asked, NOW).await.unwrap().expect("a genuine code");
        assert_eq!(outcome.ruling, Ruling::Refuse(Refused::ForeignClient));
        assert_eq!(w.row(granted.id), before);
    }
}

#[tokio::test]
async fn a_code_is_bound_to_the_redirect_uri_that_was_sent_for_it() {
    let w = World::new().await;
    let granted = w.approved().await;
    let before = w.row(granted.id);
    for wrong in [None, Some("https://app.example/back/"), Some("https://app.example"), Some("")] {
        let ruling = granted.redeem_with(granted.code(), wrong, None, NOW).await;
        assert_eq!(ruling, Some(Ruling::Refuse(Refused::WrongRedirectUri)), "with {wrong:?}");
    }
    assert_eq!(w.row(granted.id), before);
    assert_eq!(granted.redeem().await.map(generation), Some(1));
}

#[tokio::test]
async fn where_no_redirect_uri_was_sent_the_code_needs_none_but_refuses_a_wrong_one() {
    let w = World::new().await;
    for (named, fits) in [(None, true), (Some(REDIRECT), true), (Some("https://evil.example/"), false)] {
        let mut approval = w.approval("amina").await;
        approval.code =
            Some(CodeBinding { redirect_uri: REDIRECT.into(), redirect_uri_sent: false, challenge: None, key: None });
        let granted = w.opened(approval).await;
        let ruling = granted.redeem_with(granted.code(), named, None, NOW).await.expect("a genuine code");
        assert_eq!(matches!(ruling, Ruling::Issue(_)), fits, "with {named:?}: {ruling:?}");
    }
}

#[tokio::test]
async fn a_code_is_bound_to_the_challenge_that_was_sent_for_it() {
    let w = World::new().await;
    let cases = [
        (None, None, None),
        (None, Some("challenge"), Some(Refused::UnexpectedVerifier)),
        (Some("challenge"), None, Some(Refused::WrongVerifier)),
        (Some("challenge"), Some("Challenge"), Some(Refused::WrongVerifier)),
        (Some("challenge"), Some("challenge"), None),
    ];
    for (bound, sent, refused) in cases {
        let mut approval = w.approval("amina").await;
        let challenge = bound.map(String::from);
        approval.code =
            Some(CodeBinding { redirect_uri: REDIRECT.into(), redirect_uri_sent: true, challenge, key: None });
        let granted = w.opened(approval).await;
        let before = w.row(granted.id);
        let ruling = granted.redeem_with(granted.code(), Some(REDIRECT), sent, NOW).await.expect("a genuine code");
        match refused {
            None => assert_eq!(generation(ruling), 1),
            Some(why) => {
                assert_eq!(ruling, Ruling::Refuse(why), "bound to {bound:?}, sent {sent:?}");
                assert_eq!(w.row(granted.id), before, "the code is not burnt");
            }
        }
    }
}
