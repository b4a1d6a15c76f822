//! The guide as text: plain columns that read well and copy cleanly.

use super::examples::Example;
use super::invented::Invented;

const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

pub(super) fn text(
    addresses: &[(&str, &str, String)],
    invented: &Invented,
    examples: &[Example],
    colour: bool,
) -> String {
    let heading = |words: &str| if colour { format!("{BOLD}{words}{PLAIN}\n") } else { format!("{words}\n") };
    let mut text = heading("Recordgate sandbox. Nobody in it is real; do not enter real data.");
    text.push_str(&columns(addresses.iter().map(|(name, _, url)| vec![(*name).into(), url.clone()])));

    text.push('\n');
    text.push_str(&heading("Logins"));
    text.push_str(&columns(invented.users.iter().map(|user| {
        let patient = user.patient.as_ref().map(|id| format!("Patient/{id}"));
        let columns = [&user.username, &user.password(), &user.user_type, &user.name];
        columns.into_iter().cloned().chain(patient).collect()
    })));

    text.push('\n');
    text.push_str(&heading("Clients"));
    text.push_str(&columns(invented.clients.iter().map(|client| {
        let product = format!("{} by {}", client.product, client.owner);
        let secret = client.secret.as_ref().map_or_else(|| "no secret".into(), |secret| format!("secret {secret}"));
        vec![client.client_id.clone(), client.kind.clone(), product, secret]
    })));

    text.push('\n');
    text.push_str(&heading("Organisations"));
    text.push_str(&columns(invented.organisations.iter().map(|organisation| {
        let granted = invented.granted_by(organisation);
        let granted = if granted.is_empty() { "nothing".into() } else { granted.join(", ") };
        vec![organisation.name.clone(), organisation.public_id.clone(), format!("has granted {granted}")]
    })));

    for example in examples {
        text.push('\n');
        text.push_str(&heading(&example.about));
        for line in &example.lines {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// Rows with each column as wide as its widest cell.
fn columns(rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let mut text = String::new();
    for row in &rows {
        let padded = row.iter().enumerate().map(|(at, cell)| format!("{cell:<0$}", width(at).unwrap_or(0)));
        text.push_str(format!("  {}", padded.collect::<Vec<_>>().join("  ")).trim_end());
        text.push('\n');
    }
    text
}
