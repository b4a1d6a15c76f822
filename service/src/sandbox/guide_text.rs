//! The guide as text: plain columns that read well and copy cleanly.

use super::examples::Example;
use super::inhabitants;
use super::world::InventedWorld;

const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

const OWN_DATA: &str = "The database holds data of your own, so the invented world was not loaded. \
                        Start on an empty --database to get it.\n";

pub(super) fn text(
    addresses: &[(&str, &str, String)],
    invented: Option<&InventedWorld>,
    examples: &[Example],
    colour: bool,
) -> String {
    let heading = |words: &str| if colour { format!("{BOLD}{words}{PLAIN}\n") } else { format!("{words}\n") };
    let mut text = heading("Recordgate sandbox. It is for trying things out; do not enter real data.");
    text.push_str(&columns(addresses.iter().map(|(name, _, url)| vec![(*name).into(), url.clone()])));
    text.push('\n');
    match invented {
        None => text.push_str(OWN_DATA),
        Some(invented) => {
            let parts = [
                ("Logins", logins(invented)),
                ("Clients", clients(invented)),
                ("Organisations", organisations(invented)),
            ];
            text.push_str(&parts.map(|(name, rows)| heading(name) + &rows).join("\n"));
        }
    }
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

fn logins(invented: &InventedWorld) -> String {
    let named = columns(invented.users.iter().map(|user| {
        let patient = user.patient.as_ref().map(|id| format!("Patient/{id}"));
        let columns = [&user.username, &user.password(), &user.user_type, &user.name];
        columns.into_iter().cloned().chain(patient).collect()
    }));
    named + &others()
}

/// Those who are too many to be listed.
fn others() -> String {
    let Some(first) = inhabitants::first() else { return String::new() };
    let (count, password) = (inhabitants::COUNT, inhabitants::PASSWORD);
    format!(
        "  {count} more patients (`recordgate user list` with this --database), all with the password {password}: {}, …\n",
        first.username
    )
}

fn clients(invented: &InventedWorld) -> String {
    columns(invented.clients.iter().map(|client| {
        let product = format!("{} by {}", client.product, client.owner);
        let secret = client.secret.as_ref().map_or_else(|| "no secret".into(), |secret| format!("secret {secret}"));
        vec![client.client_id.clone(), client.kind.clone(), product, secret]
    }))
}

fn organisations(invented: &InventedWorld) -> String {
    columns(invented.organisations.iter().map(|organisation| {
        let granted = invented.granted_by(organisation);
        let granted = if granted.is_empty() { "nothing".into() } else { granted.join(", ") };
        vec![organisation.name.clone(), organisation.public_id.clone(), format!("has granted {granted}")]
    }))
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
