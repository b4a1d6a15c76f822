//! Through which server mail is sent.

use crate::secrets::secret::Secret;
use lettre::message::Mailbox;
use std::net::IpAddr;

/// Through which server mail is sent, and from whom.
#[derive(Clone, Debug)]
pub struct MailSettings {
    pub host: String,
    pub port: u16,
    pub from: Mailbox,
    pub security: MailSecurity,
    pub login: Option<MailLogin>,
}

/// How the service signs in to the server.
#[derive(Clone, Debug)]
pub struct MailLogin {
    pub username: String,
    pub password: Secret,
}

/// Whether what is said to the server can be read on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailSecurity {
    Starttls,
    Tls,
    /// To a server on this machine.
    None,
}

impl MailSecurity {
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "starttls" => Some(Self::Starttls),
            "tls" => Some(Self::Tls),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// Whether it is the machine that the service runs on.
pub fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// The address from which mail is sent, under the name of the service.
pub fn sender(text: &str) -> Option<Mailbox> {
    Some(Mailbox::new(Some("Recordgate".into()), text.parse().ok()?))
}
