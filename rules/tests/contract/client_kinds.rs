//! The client-kind table: how each kind obtains tokens and which API it may call.

use super::{GAPS, markdown::Table};
use crate::played::{Played, RIGHT_CODE, TERMS};
use rules::clients::{Api, ClientKind, GrantType, Obtains};
use rules::lifecycle::{Ruling, Terms};

const HOW: &str = "How it obtains an access token";
const REFRESH: &str = "Refresh token issued";
const CUSTOM_REST: &str = "Can call custom REST API";

/// The kind that the contract calls `name`, also where it adds "(older kind)".
pub(crate) fn kind_named(name: &str) -> Option<ClientKind> {
    let name = name.strip_suffix(" (older kind)").unwrap_or(name);
    ClientKind::ALL.into_iter().find(|kind| kind.contract_name() == name)
}

/// Fails unless `kinds` are the three kinds, each once.
pub(crate) fn each_kind_once(kinds: &[ClientKind]) {
    for kind in ClientKind::ALL {
        assert_eq!(kinds.iter().filter(|known| **known == kind).count(), 1, "cells for {}", kind.contract_name());
    }
}

/// Holds the rules to every cell of the table.
pub(crate) fn hold(contract: &str) {
    let table = Table::headed(contract, &["Client kind", HOW, REFRESH, CUSTOM_REST]);
    let mut kinds = Vec::new();
    for row in table.rows() {
        let kind = row.first().means(kind_named);
        let (obtains, grant_type) = row.cell(HOW).means(how);
        assert_eq!(kind.obtains(), obtains, "{}", row.cell(HOW).place());
        for grant in [GrantType::AuthorizationCode, GrantType::ClientCredentials] {
            assert_eq!(kind.may_use(grant), Some(grant) == grant_type, "{} {grant:?}", row.cell(HOW).place());
        }
        let holds = row.cell(REFRESH).means(refresh_token_issued);
        assert_eq!(kind.may_hold_refresh_token(), holds, "{}", row.cell(REFRESH).place());
        assert_eq!(kind.may_use(GrantType::RefreshToken), holds, "{}", row.cell(REFRESH).place());
        let calls = row.cell(CUSTOM_REST).means(can_call_custom_rest);
        assert_eq!(kind.may_call(Api::CustomRest), calls, "{}", row.cell(CUSTOM_REST).place());
        assert!(kind.may_call(Api::Fhir), "every kind may call the FHIR API");
        kinds.push(kind);
    }
    each_kind_once(&kinds);
    table.was_held_in_every_cell();
}

/// How the kind comes by tokens, and the grant type of the token endpoint that stands for it, where there is one.
fn how(text: &str) -> Option<(Obtains, Option<GrantType>)> {
    match text {
        "Authorization Code Grant (a user grants access to their own account)" => {
            Some((Obtains::AuthorizationCode, Some(GrantType::AuthorizationCode)))
        }
        "Client Credentials Grant" => Some((Obtains::ClientCredentials, Some(GrantType::ClientCredentials))),
        "A Team Coordinator grants access from the web interface" => Some((Obtains::CoordinatorGrant, None)),
        _ => None,
    }
}

fn refresh_token_issued(text: &str) -> Option<bool> {
    match text {
        "Yes, possibly" => {
            assert!(issued_with(TERMS), "a refresh token is issued where the registration says so");
            assert!(!issued_with(Terms { refresh_tokens: false, ..TERMS }), "and is not where it says no");
            Some(true)
        }
        "No" => Some(false),
        "Not stated" => Some(decided_for_tethered_tokens()),
        _ => None,
    }
}

fn issued_with(terms: Terms) -> bool {
    matches!(Played::granted(None, terms).redeem(RIGHT_CODE), Ruling::Issue(issue) if issue.with_refresh_token)
}

/// The contract's "Not stated", as docs/gaps.md decides it.
fn decided_for_tethered_tokens() -> bool {
    let clients = GAPS.split("\n## ").find(|section| section.starts_with("Clients\n"));
    let table = Table::headed(clients.expect("docs/gaps.md has a section Clients"), &["blank", "decision"]);
    table.row("Tethered-Token: refresh token?").cell("decision").means(|text| match text.split_once('.')? {
        ("Yes", _) => Some(true),
        ("No", _) => Some(false),
        _ => None,
    })
}

fn can_call_custom_rest(text: &str) -> Option<bool> {
    match text {
        "Yes" => Some(true),
        "No (FHIR API only)" => Some(false),
        _ => None,
    }
}
