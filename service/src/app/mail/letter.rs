//! What is written to people. A subject is one of these texts, an address is read as one or is none, and nothing that somebody typed
//! is in either: no line can come into the head of a mail. What is in somebody's record is in no mail, and neither is their name.

use crate::secrets::keys::Keys;
use crate::secrets::tokens::{self, Kind, OpenToken, TokenContent};
use lettre::Address;
use rules::mail::{LinkPurpose, MailKind};
use store::accounts::links::AccountLink;

/// A mail as its reader has it.
#[derive(Clone)]
pub struct Letter {
    pub subject: &'static str,
    pub text: String,
}

/// It may have a link in it that opens an account.
impl std::fmt::Debug for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Letter").field("subject", &self.subject).finish_non_exhaustive()
    }
}

impl Letter {
    /// What is written, of a service that people reach at `base_url`.
    pub fn new(kind: MailKind, base_url: &str, link: Option<&str>) -> Self {
        let (subject, text) = match kind {
            MailKind::Reset => (
                "A new password for your account",
                "Somebody has asked for a new password for your account. If it was you, choose one here within 30 minutes:",
            ),
            MailKind::Confirm => (
                "Is this your e-mail address?",
                "Somebody has given this address as theirs. If it was you, sign in and confirm it here within 30 minutes:",
            ),
            MailKind::AddressChanged => (
                "The e-mail address of your account was changed",
                "Your account has another e-mail address now, and nothing more is sent to this one. If that was not you, \
                 sign in, change your password, and tell your care team or whoever runs the service:",
            ),
            MailKind::PasswordChanged => (
                "The password of your account was changed",
                "Your account has a new password, chosen by a link that was sent to this address. You are signed out \
                 everywhere. If that was not you, ask for another link at once, and tell your care team or whoever runs \
                 the service:",
            ),
            MailKind::Closed => (
                "Your account is closed",
                "Your account was closed, as you asked. Nobody can sign in with it any more. Your record is kept by those \
                 who care for you. If it was not you, tell your care team:",
            ),
        };
        let end = match kind {
            MailKind::Reset | MailKind::Confirm => {
                "If it was not you, there is nothing to do: without the link nothing changes. Never pass it on."
            }
            _ => "Nobody will ever ask you for your password in a mail.",
        };
        let at = link.unwrap_or(base_url);
        Self { subject, text: format!("{text}\r\n\r\n{at}\r\n\r\n{end}\r\n\r\nRecordgate, {base_url}\r\n") }
    }
}

/// The address that a link leads to; `None` for a purpose without one, or where nothing can be sealed.
pub fn address(keys: &Keys, base_url: &str, purpose: LinkPurpose, link: &AccountLink) -> Option<String> {
    let path = match purpose {
        LinkPurpose::Reset => "new-password",
        LinkPurpose::Confirm => "account/confirm",
    };
    let content = TokenContent { kind: Kind::Link, id: link.id, generation: 0, expires_at: link.expires_at };
    Some(format!("{base_url}/{path}/{}", tokens::seal(keys, &link.salt, content)?))
}

/// Whether a text is an address that can be written to.
pub fn is_address(text: &str) -> bool {
    text.parse::<Address>().is_ok()
}

/// What somebody followed, opened; `None` for anything that is no link of ours.
pub fn opened(keys: &Keys, text: &str) -> Option<OpenToken> {
    tokens::open(keys, &[Kind::Link], text)
}
