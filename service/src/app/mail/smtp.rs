//! Sending a mail to the server that takes it: one connection for each, and never for longer than a while.

use super::letter::Letter;
use super::settings::{MailSecurity, MailSettings};
use lettre::message::{Mailbox, header::ContentType};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use rules::moment::Moment;
use std::time::{Duration, SystemTime};
use tokio::time::timeout;

/// A server that takes longer has not taken it.
const PATIENCE: Duration = Duration::from_secs(30);

type Sender = AsyncSmtpTransport<Tokio1Executor>;

/// Why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum NotSent {
    #[error("the address is none")]
    Address,
    #[error("the mail cannot be written: {0}")]
    Message(#[from] lettre::error::Error),
    #[error("{0}")]
    Server(#[from] lettre::transport::smtp::Error),
    #[error("the server did not answer in time")]
    Late,
}

impl NotSent {
    /// Whether no other try can help: the server has said for good that it takes no such mail, or it is none.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Address | Self::Message(_) => true,
            Self::Server(error) => error.is_permanent(),
            Self::Late => false,
        }
    }
}

/// The way to one server.
pub struct Smtp {
    settings: MailSettings,
    sender: Sender,
}

impl std::fmt::Debug for Smtp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Smtp").field("host", &self.settings.host).finish_non_exhaustive()
    }
}

impl Smtp {
    pub fn new(settings: &MailSettings) -> Result<Self, NotSent> {
        let host = settings.host.clone();
        let tls = match settings.security {
            MailSecurity::Starttls => Tls::Required(TlsParameters::new(host.clone())?),
            MailSecurity::Tls => Tls::Wrapper(TlsParameters::new(host.clone())?),
            MailSecurity::None => Tls::None,
        };
        let mut sender = Sender::builder_dangerous(host).port(settings.port).tls(tls).timeout(Some(PATIENCE));
        if let Some(login) = &settings.login {
            let password = login.password.reveal().to_owned();
            sender = sender.credentials(Credentials::new(login.username.clone(), password));
        }
        Ok(Self { settings: settings.clone(), sender: sender.build() })
    }

    /// Sends a mail. `id` tells it apart, so that one which is sent twice can be known to be the same.
    pub async fn send(&self, id: i64, to: &str, letter: Letter, now: Moment) -> Result<(), NotSent> {
        let to: Address = to.parse().map_err(|_| NotSent::Address)?;
        let from = &self.settings.from;
        let millis = u64::try_from(now.0).unwrap_or_default();
        let message = Message::builder()
            .from(from.clone())
            .to(Mailbox::new(None, to))
            .subject(letter.subject)
            .date(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
            .message_id(Some(format!("<{id}@{}>", from.email.domain())))
            .header(ContentType::TEXT_PLAIN)
            .body(letter.text)?;
        timeout(PATIENCE, self.sender.send(message)).await.map_err(|_| NotSent::Late)??;
        Ok(())
    }
}
