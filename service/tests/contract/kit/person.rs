//! Somebody at work: opens an app's authorization page, approves, denies, signs in, calls through an app.

use super::browser::Browser;
use super::caller::Caller;
use super::client_app::ClientApp;
use super::page::Page;
use super::people::{self, Account};
use super::records;
use super::reply::Reply;
use super::requests::fields;
use super::token_reply::Tokens;
use super::world::World;
use rules::scope::UserType;
use store::people::{PasswordHash, User};

/// Somebody, in a world.
#[derive(Clone, Copy)]
pub struct Person<'w> {
    pub world: &'w World,
    pub account: &'static Account,
}

impl<'w> Person<'w> {
    /// Follows an app's link to the authorization page, signs in there, approves; the app redeems the code.
    pub async fn approves(&self, product: &str) -> (ClientApp<'w>, Tokens) {
        let app = ClientApp::of(self.world, product);
        let code = self.approves_asked(&app, &app.asks()).await;
        let tokens = app.redeem(&code).await.granted();
        (app, tokens)
    }

    /// Approves the app that is made for people of their type, and calls through it.
    pub async fn caller(&self) -> Caller<'w> {
        let product = if self.account.user_type == UserType::Patient { "Sleep Diary" } else { "Ward Round" };
        let access = self.approves(product).await.1.access;
        Caller { world: self.world, access, organisation: None }
    }

    /// Approves and leaves the code with the app, unredeemed.
    pub async fn gives_code(&self, product: &str) -> (ClientApp<'w>, String) {
        let app = ClientApp::of(self.world, product);
        let code = self.approves_asked(&app, &app.asks()).await;
        (app, code)
    }

    /// Approves this very authorization request.
    pub async fn approves_asked(&self, app: &ClientApp<'_>, asked: &[(String, String)]) -> String {
        let page = app.sends_to_page(asked).await;
        self.decides(&page, "approve").await.redirect().code()
    }

    /// Approves with a choice of a record or a team; the app redeems the code.
    pub async fn approves_with(&self, app: &ClientApp<'w>, (field, value): (&str, &str)) -> Tokens {
        let page = app.sends_to_page(&app.asks()).await;
        let (username, password) = (self.account.username, self.account.password);
        let filled = fields([
            ("form", page.hidden_form()),
            ("username", username),
            ("password", password),
            ("decision", "approve"),
            (field, value),
        ]);
        let code = self.world.post_form(page.action(), &filled).await.redirect().code();
        app.redeem(&code).await.granted()
    }

    /// What is stored of this person's password.
    pub async fn password_hash(&self) -> PasswordHash {
        let user = store::people::find(&self.world.app.store, self.account.username).await.unwrap();
        user.unwrap().password_hash
    }

    /// The operator gives this person the password of which this is stored.
    pub async fn has_the_password(&self, hash: PasswordHash) {
        self.is_changed(move |user| user.password_hash = hash).await;
    }

    /// Fills in the page's form and presses one of its two buttons.
    pub async fn decides(&self, page: &Page, decision: &str) -> Reply {
        self.decides_with(page, decision, self.account.password).await
    }

    pub async fn decides_with(&self, page: &Page, decision: &str, password: &str) -> Reply {
        let (username, form) = (self.account.username, page.hidden_form());
        let filled = fields([("form", form), ("username", username), ("password", password), ("decision", decision)]);
        self.world.post_form(page.action(), &filled).await
    }

    /// Signs in on the sign-in page.
    pub async fn signs_in(&self) -> Browser<'w> {
        let mut browser = Browser::new(self.world);
        let reply = browser.signs_in(self.account.username, self.account.password).await;
        assert_eq!(reply.status, 303, "{}", reply.text());
        browser
    }

    /// The operator declares this person anew, with these teams: a patient is registered with them, others are members.
    pub async fn is_of(&self, teams: &[&str]) {
        let users = people::users().into_iter().filter(|(user, _)| user.username == self.account.username);
        let teams: Vec<String> = teams.iter().map(|team| (*team).to_owned()).collect();
        let users = users.map(|(user, _)| (user, teams.clone())).collect();
        let declared = store::world::World { users, ..Default::default() };
        store::world::apply(&self.world.app.store, declared, self.world.now()).await.unwrap();
    }

    /// The operator gives this person's account another patient's record.
    pub async fn is_somebody_else(&self, patient: &'static str) {
        self.has_the_record_of(Some(patient)).await;
    }

    /// The operator declares this person's account anew, as another patient's.
    pub async fn is_declared_to_be(&self, patient: &'static str) {
        let users = people::users().into_iter().filter(|(user, _)| user.username == self.account.username);
        let users = users.map(|(user, teams)| (User { patient_id: Some(patient.to_owned()), ..user }, teams));
        let declared = store::world::World { users: users.collect(), ..Default::default() };
        store::world::apply(&self.world.app.store, declared, self.world.now()).await.unwrap();
    }

    /// The operator takes the record from this person's account.
    pub async fn is_nobody(&self) {
        self.has_the_record_of(None).await;
    }

    async fn has_the_record_of(&self, patient: Option<&'static str>) {
        self.is_changed(move |user| user.patient_id = patient.map(String::from)).await;
    }

    /// The operator freezes this person's account.
    pub async fn is_frozen(&self) {
        let now = self.world.now();
        self.is_changed(move |user| user.frozen_at = Some(now)).await;
    }

    /// The operator lets this person in again.
    pub async fn is_let_in_again(&self) {
        self.is_changed(|user| user.frozen_at = None).await;
    }

    /// The operator declares this person's account anew, as one of another type.
    pub async fn becomes(&self, user_type: UserType) {
        let patient = (user_type == UserType::Patient).then(|| records::BEN.to_owned());
        let users = people::users().into_iter().filter(|(user, _)| user.username == self.account.username);
        let users = users.map(|(user, _)| (User { user_type, patient_id: patient.clone(), ..user }, Vec::new()));
        let declared = store::world::World { users: users.collect(), ..Default::default() };
        store::world::apply(&self.world.app.store, declared, self.world.now()).await.unwrap();
    }

    async fn is_changed(&self, change: impl FnOnce(&mut User) + Send + 'static) {
        let (store, now) = (&self.world.app.store, self.world.now());
        store::people::change(store, self.account.username.into(), change, now).await.unwrap().unwrap();
    }
}
