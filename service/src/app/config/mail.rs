//! The `[mail]` table: through which server people are written to, if through any.

use super::layers::Layers;
use crate::app::mail::settings::{MailLogin, MailSecurity, MailSettings, is_this_machine, sender};
use crate::secrets::secret::Secret;
use std::ops::RangeInclusive;

const PORT: RangeInclusive<u16> = 1..=u16::MAX;

/// The settings as the layers have them; `None` where there is no host.
pub(super) fn settings(layers: &mut Layers) -> Option<MailSettings> {
    let host = layers.value("mail.host", "the name or the address of a server", |text| {
        (!text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '/')).then(|| text.to_owned())
    });
    let must_be = format!("a number from {} to {}", PORT.start(), PORT.end());
    let port = layers.value("mail.port", &must_be, |text| text.parse().ok().filter(|port| PORT.contains(port)));
    let security = layers.value("mail.security", "starttls, tls or none", MailSecurity::named);
    let from = layers.value("mail.from", "an e-mail address, for example records@example.org", sender);
    let username = layers.value("mail.username", "a name", |text| (!text.is_empty()).then(|| text.to_owned()));
    let password = layers.value("mail.password_file", "a file that can be read, with one line in it", |path| {
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.strip_suffix('\n').unwrap_or(&text);
        (!line.is_empty() && !line.contains(char::is_control)).then(|| Secret::new(line.to_owned()))
    });
    let host = host?;
    if security == Some(MailSecurity::None) && !is_this_machine(&host) {
        layers.complain("mail.security", "starttls or tls, unless the server is on this machine");
    }
    if from.is_none() {
        layers.complain("mail.host", "set together with mail.from");
    }
    if username.is_some() != password.is_some() {
        layers.complain("mail.host", "set with both mail.username and mail.password_file, or with neither");
    }
    let login = username.zip(password).map(|(username, password)| MailLogin { username, password });
    Some(MailSettings { host, port: port?, from: from?, security: security?, login })
}
