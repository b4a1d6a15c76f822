//! What to try: a link for the browser and curl lines that can be copied as they are. A word in capital letters stands
//! for what an answer before it gave.

use super::world::{Client, InventedWorld};

/// One thing to try.
#[derive(Debug)]
pub(super) struct Example {
    pub about: String,
    pub lines: Vec<String>,
}

/// A letter of Larkfield Hospitals that its patient has not opened yet.
const UNREAD_LETTER: &str = "d0c00000-0000-4000-8000-000000000001";
/// A patient of Larkfield Hospitals, by NHS number.
const PATIENT: &str = "https://fhir.nhs.uk/Id/nhs-number|9990000107";

/// All examples; without the invented world only those that need nobody.
pub(super) fn all(base: &str, sample_url: Option<&str>, invented: Option<&InventedWorld>) -> Vec<Example> {
    let mut all: Vec<Example> = sample_url.map(sample).into_iter().collect();
    if let Some(invented) = invented {
        all.extend(invented.client_of_kind("user").into_iter().flat_map(|user| by_hand(base, sample_url, user)));
        all.extend(invented.client_of_kind("system").and_then(|client| system(base, client, invented)));
        all.extend(invented.client_of_kind("tethered").map(|client| tethered(base, client)));
    }
    all.push(clock(base));
    all
}

fn sample(url: &str) -> Example {
    let about = "Try the sample app: it shows every message of the flow. Log in as amina.".into();
    Example { about, lines: vec![url.into()] }
}

/// The authorization code flow without the sample app.
fn by_hand(base: &str, sample_url: Option<&str>, client: &Client) -> [Example; 3] {
    let registered = client.redirect_uris.first().cloned().unwrap_or_default();
    let redirect_uri = sample_url.map_or(registered, |url| format!("{url}/callback"));
    let encoded: String = form_urlencoded::byte_serialize(redirect_uri.as_bytes()).collect();
    let id = &client.client_id;
    [
        Example {
            about:
                "A User Client by hand. Open this in a browser, approve as amina, and copy the code that comes back in \
                    the address."
                    .into(),
            lines: vec![format!(
                "{base}/apiAuthorize.action?response_type=code&client_id={id}&redirect_uri={encoded}&scope=PATIENT&state=by-hand"
            )],
        },
        Example {
            about: "Exchange the code, and use the access token for both APIs.".into(),
            lines: vec![
                format!(
                    "curl -s {base}/apiToken.action -d grant_type=authorization_code -d client_id={id} -d redirect_uri={encoded} -d code=CODE"
                ),
                format!("curl -s {base}/fhir/Patient/amina-okafor -H 'Authorization: Bearer ACCESS_TOKEN'"),
                format!("curl -s {base}/json/users/self -H 'Authorization: Bearer ACCESS_TOKEN'"),
            ],
        },
        Example {
            about: "Refresh. Each refresh token works once; sent again, it ends the session.".into(),
            lines: vec![format!(
                "curl -s {base}/apiToken.action -d grant_type=refresh_token -d client_id={id} -d scope=PATIENT -d refresh_token=REFRESH_TOKEN"
            )],
        },
    ]
}

fn system(base: &str, client: &Client, invented: &InventedWorld) -> Option<Example> {
    let Client { client_id, secret, .. } = client;
    let secret = secret.as_ref()?;
    let organisation = invented.organisations.iter().find(|one| invented.granted_by(one).contains(&client_id.as_str()));
    let organisation = organisation?;
    let called = format!("-H \"Authorization: Bearer $TOKEN\" -H 'X-Org-Public-Id: {}'", organisation.public_id);
    let query = format!(
        r#"{{"resourceType":"Parameters","parameter":[{{"name":"documentIdentifier","valueString":"{UNREAD_LETTER}"}}]}}"#
    );
    Some(Example {
        about: format!(
            "A System Client, for {}: find a patient, then ask whether a letter was read.",
            organisation.name
        ),
        lines: vec![
            format!(
                r#"TOKEN=$(curl -s {base}/apiToken.action -u {client_id}:{secret} -d grant_type=client_credentials | sed 's/.*"access_token":"\([^"]*\)".*/\1/')"#
            ),
            format!("curl -s -G {base}/fhir/Patient --data-urlencode 'identifier={PATIENT}' {called}"),
            format!(
                "curl -s '{base}/fhir/DocumentReference/$read-receipt-query' {called} -H 'Content-Type: application/fhir+json' -d '{query}'"
            ),
        ],
    })
}

fn tethered(base: &str, client: &Client) -> Example {
    let id = &client.client_id;
    Example {
        about: format!(
            "A Tethered-Token System Client. Sign in as colin, grant {id} access, and copy the refresh token shown once."
        ),
        lines: vec![
            format!("{base}/coordinator/api-access"),
            format!(
                "curl -s {base}/apiToken.action -d grant_type=refresh_token -d client_id={id} -d scope=SITE -d refresh_token=REFRESH_TOKEN"
            ),
        ],
    }
}

/// What tells the clock that no web page's form is calling.
const JSON: &str = "-H 'Content-Type: application/json'";

fn clock(base: &str) -> Example {
    Example {
        about: "Move the clock, here by ten minutes, to meet every expiry in seconds; and set it back.".into(),
        lines: vec![
            format!("curl -s {base}/sandbox/clock"),
            format!("curl -s {base}/sandbox/clock {JSON} -d '{{\"advance_seconds\": 600}}'"),
            format!("curl -s {base}/sandbox/clock {JSON} -d '{{\"reset\": true}}'"),
        ],
    }
}
