//! Every variant of every refusal is among the specimens that the documentation lists, with guidance of its own words.
#![expect(clippy::panic, reason = "what is not as expected must fail the test")]

use rules::guidance::{Guidance, authorization, calls, denials, token_requests};
use std::fmt::Debug;

/// The names of the variants of an enum, read off its source.
fn variants<'s>(source: &'s str, name: &str) -> Vec<&'s str> {
    let Some((_, rest)) = source.split_once(&format!("pub enum {name} {{\n")) else { panic!("no enum {name}") };
    let Some((body, _)) = rest.split_once("\n}") else { panic!("no end of {name}") };
    let is_name = |line: &&str| line.starts_with("    ") && line.chars().nth(4).is_some_and(char::is_uppercase);
    body.lines().filter(is_name).map(|line| line.trim().split(['(', ' ', ',', '{']).next().unwrap_or(line)).collect()
}

fn hold(source: &str, name: &str, specimens: &[impl Debug]) {
    let shown: Vec<String> = specimens.iter().map(|specimen| format!("{specimen:?}")).collect();
    let variants = variants(source, name);
    assert!(variants.len() > 1, "{name} was not read");
    for variant in variants {
        let is_shown =
            shown.iter().any(|shown| shown.split(|c: char| !c.is_alphanumeric()).any(|word| word == variant));
        assert!(is_shown, "no specimen of {name}::{variant}: add one in rules/src/guidance/");
    }
}

#[test]
fn every_refusal_has_a_specimen() {
    let (lifecycle, params) = (include_str!("../src/lifecycle.rs"), include_str!("../src/params.rs"));
    let tokens = include_str!("../src/oauth_errors.rs");
    hold(include_str!("../src/answers.rs"), "Refusal", &calls::every());
    hold(include_str!("../src/consent/denial.rs"), "Denial", &denials::every());
    hold(lifecycle, "Lapse", &calls::every());
    hold(tokens, "TokenRefusal", &token_requests::every());
    hold(lifecycle, "Refused", &token_requests::every());
    hold(include_str!("../src/revocation.rs"), "Revoked", &token_requests::every());
    hold(include_str!("../src/assertions.rs"), "AssertionFault", &token_requests::every());
    hold(include_str!("../src/dpop/fault.rs"), "ProofFault", &token_requests::every());
    hold(include_str!("../src/dpop/fault.rs"), "ProofFault", &calls::every());
    hold(params, "ParamFault", &token_requests::every());
    hold(include_str!("../src/authorize.rs"), "Fault", &authorization::every_fault());
    hold(params, "ParamFault", &authorization::every_fault());
    hold(tokens, "RedirectError", &authorization::every_redirect_error());
}

/// The check above is worth its name only if a variant without a specimen is found.
#[test]
#[should_panic(expected = "no specimen of Door::Ajar")]
fn a_variant_without_a_specimen_is_told() {
    hold("pub enum Door {\n    Open,\n    /// Half.\n    Ajar(u8),\n}\n", "Door", &["Open"]);
}

#[test]
fn every_guidance_says_what_is_meant_and_what_to_do() {
    let mut every: Vec<Guidance> = calls::every().iter().map(calls::guidance).collect();
    every.extend(denials::every().iter().map(denials::guidance));
    every.extend(token_requests::every().iter().map(token_requests::guidance));
    every.extend(authorization::every_fault().iter().map(authorization::of_fault));
    every.extend(authorization::every_redirect_error().map(authorization::of_redirect_error));
    for Guidance { meaning, remedy } in every {
        assert!(meaning.ends_with('.') && remedy.ends_with('.') && meaning != remedy, "{meaning} {remedy}");
        assert!(!meaning.contains('|') && !remedy.contains('|'), "a table could not hold it: {meaning} {remedy}");
    }
}
