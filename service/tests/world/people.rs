//! The people of the world, and what they do: open an app's authorization page, approve, deny, sign in.

use super::browser::Browser;
use super::client_app::ClientApp;
use super::page::Page;
use super::reply::Reply;
use super::token_reply::Tokens;
use super::{HILLSIDE_TEAM, RIVERSIDE_TEAM, World, fields, records};
use rules::scope::UserType;
use service::secrets::passwords;
use service::secrets::secret::Secret;
use std::sync::OnceLock;
use store::people::{PasswordHash, User};

/// What is known of a person.
pub struct About {
    pub username: &'static str,
    pub password: &'static str,
    pub name: &'static str,
    pub user_type: UserType,
    pub patient: Option<&'static str>,
    pub team: Option<&'static str>,
}

pub const AMINA: About = About {
    username: "amina@example.org",
    password: "river-otter-violin-42",
    name: "Amina Rahman",
    user_type: UserType::Patient,
    patient: Some(records::AMINA),
    team: Some(RIVERSIDE_TEAM),
};
pub const BEN: About = About {
    username: "ben@example.org",
    password: "copper-lantern-moss-17",
    name: "Ben Whitlock",
    user_type: UserType::Patient,
    patient: Some(records::BEN),
    team: Some(HILLSIDE_TEAM),
};
pub const OKAFOR: About = About {
    username: "okafor@riverside.example",
    password: "granite-heron-piano-63",
    name: "Dr Okafor",
    user_type: UserType::Clinician,
    patient: None,
    team: Some(RIVERSIDE_TEAM),
};
pub const GRACE: About = About {
    username: "grace@riverside.example",
    password: "amber-walnut-kite-88",
    name: "Grace Lindqvist",
    user_type: UserType::TeamCoord,
    patient: None,
    team: Some(RIVERSIDE_TEAM),
};
pub const HENRY: About = About {
    username: "henry@hillside.example",
    password: "silver-badger-drum-29",
    name: "Henry Osei",
    user_type: UserType::TeamCoord,
    patient: None,
    team: Some(HILLSIDE_TEAM),
};
pub const ADMIN: About = About {
    username: "admin@records.example",
    password: "velvet-anchor-plum-51",
    name: "Ines Admin",
    user_type: UserType::Admin,
    patient: None,
    team: None,
};
const ALL: [&About; 6] = [&AMINA, &BEN, &OKAFOR, &GRACE, &HENRY, &ADMIN];

/// Hashing is meant to be slow, so each password is hashed once per process.
fn hashes() -> &'static [PasswordHash] {
    static HASHES: OnceLock<Vec<PasswordHash>> = OnceLock::new();
    HASHES.get_or_init(|| {
        let hash = |about: &&About| passwords::hash(&Secret::new(about.password.to_owned())).unwrap();
        ALL.iter().map(hash).collect()
    })
}

pub fn users() -> Vec<(User, Vec<String>)> {
    let user = |(about, hash): (&&About, &PasswordHash)| {
        let user = User {
            id: 0,
            username: about.username.into(),
            password_hash: hash.clone(),
            user_type: about.user_type,
            name: about.name.into(),
            patient_id: about.patient.map(String::from),
            frozen_at: None,
        };
        (user, about.team.map(String::from).into_iter().collect())
    };
    ALL.iter().zip(hashes()).map(user).collect()
}

/// Somebody, in a world.
#[derive(Clone, Copy)]
pub struct Person<'w> {
    pub world: &'w World,
    pub about: &'static About,
}

impl<'w> Person<'w> {
    /// Follows an app's link to the authorization page, signs in there, approves; the app redeems the code.
    pub async fn approves(&self, product: &str) -> (ClientApp<'w>, Tokens) {
        let app = self.world.client(product);
        let code = self.approves_asked(&app, &app.asks()).await;
        let tokens = app.redeem(&code).await.granted();
        (app, tokens)
    }

    /// Approves and leaves the code with the app, unredeemed.
    pub async fn gives_code(&self, product: &str) -> (ClientApp<'w>, String) {
        let app = self.world.client(product);
        let code = self.approves_asked(&app, &app.asks()).await;
        (app, code)
    }

    /// Approves this very authorization request.
    pub async fn approves_asked(&self, app: &ClientApp<'_>, asked: &[(String, String)]) -> String {
        let page = app.sends_to_page(asked).await;
        self.decides(&page, "approve").await.redirect().code()
    }

    /// Fills in the page's form and presses one of its two buttons.
    pub async fn decides(&self, page: &Page, decision: &str) -> Reply {
        self.decides_with(page, decision, self.about.password).await
    }

    pub async fn decides_with(&self, page: &Page, decision: &str, password: &str) -> Reply {
        let (username, form) = (self.about.username, page.hidden_form());
        let filled = fields([("form", form), ("username", username), ("password", password), ("decision", decision)]);
        self.world.post_form(page.action(), &filled).await
    }

    /// Signs in on the sign-in page.
    pub async fn signs_in(&self) -> Browser<'w> {
        let mut browser = Browser::new(self.world);
        let reply = browser.signs_in(self.about.username, self.about.password).await;
        assert_eq!(reply.status, 303, "{}", reply.text());
        browser
    }

    /// The operator freezes this person's account.
    pub async fn is_frozen(&self) {
        let now = self.world.now();
        let freeze = move |user: &mut User| user.frozen_at = Some(now);
        let store = &self.world.app.store;
        store::people::change(store, self.about.username.into(), freeze, now).await.unwrap().unwrap();
    }
}
