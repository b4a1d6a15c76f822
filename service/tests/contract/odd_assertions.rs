//! Assertions that no client would send: broken, altered, and genuinely signed nonsense. None is a 500, none gets in.

use crate::kit::signer::{ASSERTION_TYPE, Signer, base64url, claims};
use crate::kit::{World, encoded, fields, form_request};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::OnceLock;
use tokio::runtime::Runtime;

const CASES: u32 = 256;

struct Stage {
    runtime: Runtime,
    world: World,
    signer: Signer,
}

/// One world for all cases, in which Lab Link signs.
fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| {
        let (runtime, signer) = (Runtime::new().unwrap(), Signer::for_algorithm("ES256"));
        let world = runtime.block_on(World::new());
        let keys = vec![signer.key(), Signer::for_algorithm("RS256").key()];
        runtime.block_on(world.change("Lab Link", move |client| (client.keys, client.secret) = (keys, None)));
        Stage { runtime, world, signer }
    })
}

/// The status and words of the answer to a request with this assertion.
fn answer(assertion: &str) -> (u16, String) {
    let body = fields([
        ("grant_type", "client_credentials"),
        ("client_assertion_type", ASSERTION_TYPE),
        ("client_assertion", assertion),
    ]);
    let stage = stage();
    let reply = stage.runtime.block_on(stage.world.send(form_request("/apiToken.action", &body)));
    (reply.status, encoded(&fields([("answer", &reply.text())])))
}

fn is_refused(assertion: &str) -> Result<(), TestCaseError> {
    let (status, words) = answer(assertion);
    prop_assert!([400, 429].contains(&status), "{status} {words}");
    Ok(())
}

/// Any JSON, but not much of it.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,20}".prop_map(Value::from),
        Just(json!("lab-link")),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,3}", inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_refused(text in ".{1,200}") {
        is_refused(&text)?;
    }

    #[test]
    fn any_three_parts_are_refused(header in json_value(), claims in json_value(), signature in "[A-Za-z0-9_-]{0,90}") {
        is_refused(&format!("{}.{}.{signature}", base64url(header.to_string()), base64url(claims.to_string())))?;
    }

    #[test]
    fn an_altered_assertion_is_refused(at in any::<prop::sample::Index>(), other in "[A-Za-z0-9_.-]") {
        let Stage { world, signer, .. } = stage();
        let good = signer.assertion(world, "lab-link");
        let at = at.index(good.len());
        prop_assume!(good.get(at..=at) != Some(other.as_str()));
        let altered = format!("{}{other}{}", &good[..at], &good[at + 1..]);
        // The last character of base64 may have bits that mean nothing; those must be zero, or it is refused too.
        is_refused(&altered)?;
    }

    /// One claim or header of a genuine assertion is anything at all: it is refused, or it was as good as before.
    #[test]
    fn signed_nonsense_is_answered(
        header in any::<bool>(),
        name in prop::sample::select(vec!["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "kid", "typ", "crit", "jwk", "x5c"]),
        value in json_value(),
    ) {
        let Stage { world, signer, .. } = stage();
        let (mut head, mut body) = (signer.header(), claims(world, "lab-link"));
        if header { head[name] = value } else { body[name] = value }
        let (status, words) = answer(&signer.sign(&head, &body));
        prop_assert!(status < 500, "{status} {words}");
    }
}
