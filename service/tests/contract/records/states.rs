//! The table of states, cell by cell: what each kind of caller gets of a record at the next call, and at the token endpoint.

use super::glass::breaks;
use crate::kit::caller::Caller;
use crate::kit::client_app::ClientApp;
use crate::kit::records::{AMINA, amina_is_deceased, observation};
use crate::kit::token_reply::Tokens;
use crate::kit::{MINUTE, RIVERSIDE_TEAM, World, fields};
use rules::consent::notice::RecordState;
use rules::consent::record::Grantee;
use rules::labels::{Label, Labels};
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../../../docs/consent.md");
const GENERAL: Labels = Labels(Label::GeneralHealth.bit());
const COLUMNS: [&str; 5] = ["self", "carer", "team", "individual", "organisation"];

/// The rows of the table: a state, and what each column has of it, without what is in brackets.
fn rows() -> Vec<(String, Vec<String>)> {
    let (_, table) = PAGE.split_once("<!-- table: states -->").unwrap();
    let lines = table.lines().skip(3).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let word = |cell: &&str| cell.split(" (").next().unwrap().to_owned();
        (word(&cells[0]), cells[2..7].iter().map(word).collect())
    };
    lines.map(row).collect()
}

/// Somebody who looks at Amina's record.
struct Onlooker<'w> {
    column: &'static str,
    name: &'static str,
    caller: Caller<'w>,
    /// The client with its tokens, where there is a token to refresh.
    session: Option<(ClientApp<'w>, Tokens)>,
    /// What they made themselves, or their team.
    own: Option<String>,
}

/// Everybody, and two items of Amina's own: general and mental.
struct Stage<'w> {
    w: &'w World,
    onlookers: Vec<Onlooker<'w>>,
    general: String,
    mental: String,
}

fn labelled(label: &str) -> Value {
    let mut item = observation(AMINA);
    item["meta"] = json!({ "security": [{ "system": "urn:recordgate:privacy-label", "code": label }] });
    item
}

fn at<'w>(w: &'w World, access: &str) -> Caller<'w> {
    Caller { world: w, access: access.to_owned(), organisation: None }
}

async fn grantees(w: &World) -> [Grantee; 3] {
    [w.ben().as_carer().await, w.team(RIVERSIDE_TEAM).await, w.dr_silva().as_professional().await]
}

impl<'w> Stage<'w> {
    /// Where the team, the carer and the professional hold the general label; each has made something, if they are to.
    async fn set(w: &'w World, have_made: bool) -> Self {
        w.dr_silva().is_of(&[]).await;
        if have_made {
            for grantee in grantees(w).await {
                w.opens(AMINA, grantee, GENERAL).await;
            }
        }
        let mut stage = Self { w, onlookers: Vec::new(), general: String::new(), mental: String::new() };
        let amina = w.amina().approves("Sleep Diary").await;
        stage.general = at(w, &amina.1.access).makes(&labelled("GENERAL_HEALTH")).await;
        stage.mental = at(w, &amina.1.access).makes(&labelled("MENTAL_HEALTH")).await;
        stage.joins("self", "the patient", amina, None).await;
        let made = have_made.then_some("GENERAL_HEALTH");
        stage.joins("carer", "a carer", w.ben().cares_for(AMINA).await, made).await;
        let of_team = have_made.then_some("MENTAL_HEALTH");
        stage.joins("team", "a clinician", w.dr_okafor().approves("Ward Round").await, of_team).await;
        let own = stage.onlookers.last().unwrap().own.clone();
        stage.joins("team", "a coordinator", w.grace().approves("Ward Round").await, None).await;
        stage.onlookers.last_mut().unwrap().own = own.clone();
        let bridge = w.client("Old Bridge");
        let shown = w.grace().signs_in().await.grants("old-bridge").await;
        let site = bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
        stage.joins("team", "a team itself", (bridge, site), None).await;
        stage.onlookers.last_mut().unwrap().own = own;
        stage.joins("individual", "a professional", w.dr_silva().approves("Ward Round").await, made).await;
        let system = if have_made { w.system().await } else { w.system_for_hillside().await };
        let own = if have_made { Some(system.makes(&labelled("MENTAL_HEALTH")).await) } else { None };
        let (column, name) = ("organisation", "a System Client");
        stage.onlookers.push(Onlooker { column, name, caller: system, session: None, own });
        stage
    }

    async fn joins(
        &mut self,
        column: &'static str,
        name: &'static str,
        (app, tokens): (ClientApp<'w>, Tokens),
        makes: Option<&str>,
    ) {
        let caller = at(self.w, &tokens.access);
        let own = match makes {
            Some(label) => Some(caller.makes(&labelled(label)).await),
            None => None,
        };
        self.onlookers.push(Onlooker { column, name, caller, session: Some((app, tokens)), own });
    }

    /// What somebody gets of the record, in the words of the table; every way of asking must agree.
    async fn view(&self, of: &Onlooker<'_>) -> &'static str {
        let (caller, name) = (&of.caller, of.name);
        let patient = caller.get("/fhir/Patient/amina").await;
        let list = caller.get("/fhir/Observation?patient=amina&_total=accurate").await;
        match (patient.status, patient.text()) {
            (403, text) if text.contains("ACCESS_FROZEN_OUTWARD") => {
                for path in ["/fhir/Observation", self.general.as_str(), "/fhir/Patient/nobody"] {
                    caller.get(path).await.says(403, "ACCESS_FROZEN_OUTWARD");
                }
                return "out";
            }
            (403, text) if text.contains("ACCESS_FROZEN_INWARD") => {
                let item = of.own.as_ref().unwrap_or(&self.general);
                caller.get(item).await.says(403, "ACCESS_FROZEN_INWARD");
                assert!(list.status == 403 || list.found().is_empty(), "{name}: {}", list.text());
                return "in";
            }
            (404, _) => {
                for path in [Some(&self.general), Some(&self.mental), of.own.as_ref()].into_iter().flatten() {
                    caller.get(path).await.says(404, "NOT_FOUND");
                }
                assert!(list.found().is_empty(), "{name}: {}", list.text());
                return "none";
            }
            (200, _) => {}
            (status, text) => panic!("{name}: {status} {text}"),
        }
        let (general, mental) = (caller.status(&self.general).await, caller.status(&self.mental).await);
        if let Some(own) = &of.own {
            assert_eq!(caller.status(own).await, 200, "{name} sees what they made");
        }
        let shows = |path: &String| list.found().iter().any(|id| path.ends_with(id.as_str()));
        assert_eq!((shows(&self.general), shows(&self.mental)), (general == 200, mental == 200), "{name}: the list");
        match (general, mental) {
            (200, 200) => "all",
            (200, 404) => "labels",
            (404, 404) => "own",
            other => panic!("{name}: {other:?}"),
        }
    }

    /// That a session is refreshed, or not where its holder is out.
    async fn refreshes(&self, of: &Onlooker<'_>, is_out: bool, state: &str) {
        let Some((app, tokens)) = &of.session else { return };
        let reply = app.asks_for_tokens(&app.refreshment(tokens.refresh())).await;
        match is_out {
            true => reply.refused("invalid_grant"),
            false => assert_eq!(reply.0.status, 200, "{state}, {}: {}", of.name, reply.0.text()),
        }
    }

    /// Each cell of a row.
    async fn holds(&self, state: &str, cells: &[String]) {
        for of in &self.onlookers {
            let at = COLUMNS.iter().position(|column| *column == of.column).unwrap();
            // "out (not SITE)": nobody's account is behind a team's grant.
            let wanted = match (state, of.name, cells[at].as_str()) {
                (_, _, "–") => continue,
                ("account frozen", "a team itself", _) => "labels",
                (_, _, wanted) => wanted,
            };
            assert_eq!(self.view(of).await, wanted, "{state}: {}", of.name);
            self.refreshes(of, wanted == "out", state).await;
        }
    }
}

/// Makes a state so.
async fn comes(w: &World, state: &str) {
    match state {
        "normal" => {}
        "consent with no label" => {
            for grantee in grantees(w).await {
                w.opens(AMINA, grantee, Labels::NONE).await;
            }
        }
        "consent discharged or ended" => {
            for grantee in grantees(w).await {
                w.discharges(AMINA, grantee).await;
            }
        }
        "account frozen" => {
            for person in [w.amina(), w.ben(), w.dr_okafor(), w.grace(), w.dr_silva()] {
                person.is_frozen().await;
            }
        }
        "record frozen" => w.sets(AMINA, RecordState::Frozen).await,
        "sharing disabled" => w.sets(AMINA, RecordState::SharingDisabled).await,
        "deceased" => amina_is_deceased(&w.app.store, w.now()).await,
        other => panic!("{other} is no state that this test knows"),
    }
}

#[tokio::test]
async fn each_cell_of_the_table_of_states_is_so_at_the_next_call_and_at_the_token_endpoint() {
    let rows = rows();
    assert_eq!(rows.len(), 9, "{rows:?}");
    for (state, cells) in &rows {
        if ["no consent, never any item made", "broken glass, this patient"].contains(&state.as_str()) {
            continue;
        }
        let w = World::new().await;
        let stage = Stage::set(&w, true).await;
        comes(&w, state).await;
        stage.holds(state, cells).await;
    }
}

/// An end is compared at the call: at the millisecond it is over.
#[tokio::test]
async fn a_consent_that_ends_is_as_one_that_is_discharged() {
    let w = World::new().await;
    let stage = Stage::set(&w, true).await;
    for grantee in grantees(&w).await {
        w.opens_until(AMINA, grantee, GENERAL, w.now().plus_seconds(MINUTE)).await;
    }
    let all = rows();
    let cells = |state: &str| all.iter().find(|(known, _)| known == state).unwrap().1.clone();
    for of in stage.onlookers.iter().filter(|of| ["carer", "team", "individual"].contains(&of.column)) {
        assert_eq!(stage.view(of).await, "labels", "{}", of.name);
    }
    w.after(MINUTE);
    stage.holds("consent discharged or ended", &cells("consent discharged or ended")).await;
}

#[tokio::test]
async fn who_never_had_anything_to_do_with_a_patient_gets_nothing() {
    let w = World::new().await;
    w.dr_okafor().is_of(&[crate::kit::HILLSIDE_TEAM]).await;
    let stage = Stage::set(&w, false).await;
    let all = rows();
    let (state, cells) = all.iter().find(|(state, _)| state.starts_with("no consent")).unwrap();
    let strangers = |of: &&Onlooker<'_>| !["the patient", "a coordinator", "a team itself"].contains(&of.name);
    for of in stage.onlookers.iter().filter(strangers) {
        let at = COLUMNS.iter().position(|column| *column == of.column).unwrap();
        assert_eq!(stage.view(of).await, cells[at], "{state}: {}", of.name);
        stage.refreshes(of, false, state).await;
    }
}

/// Glass opens all labels to the team that broke it; where sharing is disabled or the patient has died it opens nothing.
#[tokio::test]
async fn a_broken_glass_shows_all_labels_and_no_state_is_got_around_by_it() {
    for state in ["normal", "record frozen", "sharing disabled", "deceased", "account frozen"] {
        let w = World::new().await;
        w.may_break_the_glass(RIVERSIDE_TEAM).await;
        let stage = Stage::set(&w, true).await;
        let okafor = stage.onlookers.iter().find(|of| of.name == "a clinician").unwrap();
        let token = breaks(&okafor.caller, AMINA).await;
        let with = [("breaktheglass", token.as_str())];
        comes(&w, state).await;
        let seen = okafor.caller.get_with(&stage.mental, &with).await;
        match state {
            "normal" | "record frozen" => assert_eq!(seen.status, 200, "{state}: {}", seen.text()),
            "account frozen" => seen.says(403, "ACCESS_FROZEN_OUTWARD"),
            "sharing disabled" => seen.says(403, "BTG_INVALID"),
            // It was broken while the patient lived.
            _ => assert!([200, 403].contains(&seen.status), "{state}: {}", seen.text()),
        }
    }
}

/// Who is out does not sign in, neither on the pages nor on the authorization page; a code that was on its way opens nothing.
#[tokio::test]
async fn who_is_out_does_not_sign_in() {
    for state in ["account frozen", "record frozen", "deceased"] {
        let w = World::new().await;
        let (app, code) = w.amina().gives_code("Sleep Diary").await;
        let mut browser = w.amina().signs_in().await;
        let open = app.sends_to_page(&app.asks()).await;
        comes(&w, state).await;
        assert_eq!(browser.get("/access-log").await.status, 303, "{state}: who was signed in is not any more");
        let reply = browser.signs_in("amina@example.org", "river-otter-violin-42").await;
        assert_ne!(reply.status, 303, "{state}: {}", reply.text());
        for decision in ["approve", "look"] {
            let page = if decision == "approve" { open.clone() } else { app.sends_to_page(&app.asks()).await };
            let (username, password) = (w.amina().account.username, w.amina().account.password);
            let filled = fields([
                ("form", page.hidden_form()),
                ("username", username),
                ("password", password),
                ("decision", decision),
            ]);
            let answer = w.post_form(page.action(), &filled).await;
            assert_eq!(answer.redirect().error(), "access_denied", "{state}");
        }
        app.redeem(&code).await.refused("invalid_grant");
    }
}

/// Who is a carer is out as such, too, where their own record is frozen or they have died.
#[tokio::test]
async fn a_patient_who_is_out_is_out_as_a_carer_too() {
    for state in [RecordState::Frozen, RecordState::SharingDisabled] {
        let w = World::new().await;
        w.opens(AMINA, w.ben().as_carer().await, GENERAL).await;
        let (app, tokens) = w.ben().cares_for(AMINA).await;
        let carer = at(&w, &tokens.access);
        assert_eq!(carer.status("/fhir/Patient/amina").await, 200);
        w.sets("ben", state).await;
        match state {
            RecordState::Frozen => {
                carer.get("/fhir/Patient/amina").await.says(403, "ACCESS_FROZEN_OUTWARD");
                app.refresh(&tokens).await.refused("invalid_grant");
            }
            _ => assert_eq!(carer.status("/fhir/Patient/amina").await, 200, "own sharing is another matter"),
        }
    }
}
