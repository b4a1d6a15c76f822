//! The limits table: every number of the contract.

use super::{
    client_kinds::{each_kind_once, kind_named},
    durations,
    markdown::Table,
};
use crate::played::{GRANTED, Played, TERMS, right_token, since_grant};
use rules::clients::ClientKind;
use rules::lifecycle::{self, Ruling};
use rules::limits;

/// What an item of the table limits.
#[derive(Debug, PartialEq)]
enum Item {
    Code,
    AccessToken(Vec<ClientKind>),
    RefreshTokenUses,
    Session,
}

/// Holds the rules to every cell of the table.
pub(crate) fn hold(contract: &str) {
    let table = Table::headed(contract, &["Item", "Value"]);
    let (mut items, mut kinds_seen) = (Vec::new(), Vec::new());
    for row in table.rows() {
        let (item, value) = (row.first().means(item), row.cell("Value"));
        match &item {
            Item::Code => assert_eq!(value.means(durations::whole), limits::CODE_SECONDS),
            Item::AccessToken(kinds) => {
                let seconds = value.means(durations::whole);
                kinds.iter().for_each(|kind| assert_eq!(kind.access_seconds(), seconds, "{}", value.place()));
                kinds_seen.extend(kinds);
            }
            Item::RefreshTokenUses => {
                let uses = value.means(|text| text.parse().ok());
                assert_eq!(limits::REFRESH_TOKEN_USES, uses);
                assert_eq!(uses_of_one_refresh_token(), uses);
            }
            Item::Session => {
                value.reads("Configured per integration; may be non-expiring");
                for seconds in [1, 600, 90 * 86_400] {
                    let end = since_grant(seconds * 1000);
                    assert_eq!(lifecycle::ends_at(GRANTED, Some(seconds)), Some(end));
                }
                assert_eq!(lifecycle::ends_at(GRANTED, None), None);
            }
        }
        items.push(item);
    }
    for item in [Item::Code, Item::RefreshTokenUses, Item::Session] {
        assert_eq!(items.iter().filter(|known| **known == item).count(), 1, "rows for {item:?}");
    }
    each_kind_once(&kinds_seen);
    table.was_held_in_every_cell();
}

fn item(text: &str) -> Option<Item> {
    match text {
        "Authorization code validity" => Some(Item::Code),
        "Refresh token uses" => Some(Item::RefreshTokenUses),
        "Session lifetime" => Some(Item::Session),
        _ => {
            let kinds = text.strip_prefix("Access token lifetime, ")?;
            kinds.split(" and ").map(kind_named).collect::<Option<_>>().map(Item::AccessToken)
        }
    }
}

/// How often one refresh token yields tokens before it is refused.
fn uses_of_one_refresh_token() -> u32 {
    let mut played = Played::redeemed(None, TERMS);
    let mut uses = 0;
    while matches!(played.refresh(right_token(1)), Ruling::Issue(_) | Ruling::IssueAgain(_)) {
        uses += 1;
        assert!(uses < 100, "a refresh token that is never used up");
    }
    uses
}
