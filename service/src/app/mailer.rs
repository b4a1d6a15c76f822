//! Sends the mail that waits, one after the other, beside the requests: nobody's page waits for a mail server. Where there are several
//! nodes, each mail is tried by one of them at a time. A sandbox sends nothing and shows what it would have sent.

use super::mail::letter::{self, Letter};
use super::mail::smtp::{NotSent, Smtp};
use super::state::Shared;
use super::trouble::Trouble;
use crate::secrets::dice;
use std::time::Duration;
use store::accounts::mails::{self, MailTurn, OutgoingMail};
use store::salt::Salt;
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(2);

/// The mailer of one process.
#[derive(Debug)]
pub struct Mailer {
    app: Shared,
    /// The way to the server, once it is made.
    smtp: Option<Smtp>,
}

impl Mailer {
    pub fn new(app: Shared) -> Self {
        Self { app, smtp: None }
    }

    /// Tries the next mail, if one waits for its turn; tells whether it did.
    pub async fn step(&mut self) -> Result<bool, Trouble> {
        let app = &self.app;
        if !app.settings.writes_mail() || !mails::is_due(&app.store, app.clock.now()).await? {
            return Ok(false);
        }
        let salt = Salt::new(dice::bytes()?);
        match mails::take(&app.store, salt, app.clock.now()).await? {
            MailTurn::Nothing => return Ok(false),
            MailTurn::LetGo => {}
            MailTurn::Send(mail) => self.post(mail).await?,
        }
        Ok(true)
    }

    async fn post(&mut self, mail: OutgoingMail) -> Result<(), Trouble> {
        let now = self.app.clock.now();
        let Some(settings) = self.app.settings.mail.clone().filter(|_| !self.app.settings.sandbox) else {
            return Ok(mails::show(&self.app.store, mail, now).await?);
        };
        let base_url = &self.app.settings.base_url;
        let link = mail.kind.link().zip(mail.link.as_ref());
        let link = link.and_then(|(purpose, link)| letter::address(&self.app.keys, base_url, purpose, link));
        let letter = Letter::new(mail.kind, base_url, link.as_deref());
        let sent = match self.smtp.take().map_or_else(|| Smtp::new(&settings), Ok) {
            Ok(smtp) => {
                let sent = smtp.send(mail.id, &mail.address, letter, now).await;
                self.smtp = Some(smtp);
                sent
            }
            Err(error) => Err(error),
        };
        let (kind, tries) = (mail.kind.word(), mail.tries);
        match sent {
            Ok(()) => mails::sent(&self.app.store, mail.id).await?,
            Err(error) if error.is_final() => {
                tracing::warn!(kind, error = told(&error), "a mail was refused for good, and is let go");
                mails::sent(&self.app.store, mail.id).await?;
            }
            Err(error) => {
                tracing::warn!(kind, tries, error = told(&error), "a mail could not be sent; it will be tried again")
            }
        }
        Ok(())
    }

    /// Sends until `stop` turns true. What is under way then is tried again by whoever comes next.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        if !self.app.settings.writes_mail() {
            return;
        }
        loop {
            let pause = tokio::select! {
                stepped = self.step() => match stepped {
                    Ok(true) => Duration::ZERO,
                    Ok(false) => EVERY,
                    Err(trouble) => {
                        trouble.report_work("sending mail");
                        EVERY
                    }
                },
                _ = stop.wait_for(|stop| *stop) => return,
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }
}

/// An error as the log has it: servers like to repeat the address that was wrong, which is somebody's.
fn told(error: &NotSent) -> String {
    match error {
        NotSent::Server(error) => match error.status() {
            Some(code) => format!("the server answered {code}"),
            None if error.is_timeout() => "the server did not answer in time".into(),
            None => "there is no way to the server, or it does not speak SMTP as it should".into(),
        },
        other => other.to_string(),
    }
}
