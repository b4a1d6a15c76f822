//! The circle of a patient, as an operator sets it: carers, professionals, states of the record; and sessions from before.

use super::caller::Caller;
use super::client_app::ClientApp;
use super::person::Person;
use super::records::AMINA;
use super::token_reply::Tokens;
use super::world::World;
use rules::consent::change::{End, WantedConsent};
use rules::consent::notice::RecordState;
use rules::consent::record::Grantee;
use rules::ids::{PatientId, UserId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::scope::{Scope, UserType};
use rules::smart::request::SmartScopes;
use service::secrets::dice;
use service::secrets::tokens::{self, Kind, TokenContent};
use std::sync::Arc;
use store::opening::{self, Holder, Opening, SessionChoice};
use store::salt::Salt;
use store::sharing::change::{self, Sharer, SharingRequest};
use store::sharing::states::{self, StateRequest};
use store::{clients, organisations, patients, people};

impl World {
    pub async fn number_of(&self, patient: &str) -> PatientId {
        patients::find(&self.app.store, patient).await.unwrap().unwrap()
    }

    /// The operator declares what a patient has opened to somebody.
    pub async fn opens(&self, patient: &str, grantee: Grantee, labels: Labels) {
        let wanted = WantedConsent { labels: Some(labels), discharged: Some(false), ..WantedConsent::default() };
        self.declares(patient, grantee, wanted).await;
    }

    /// The same until a moment.
    pub async fn opens_until(&self, patient: &str, grantee: Grantee, labels: Labels, end: Moment) {
        let ends_at = Some(End::At(end));
        self.declares(patient, grantee, WantedConsent { labels: Some(labels), ends_at, ..WantedConsent::default() })
            .await;
    }

    pub async fn discharges(&self, patient: &str, grantee: Grantee) {
        self.declares(patient, grantee, WantedConsent { discharged: Some(true), ..WantedConsent::default() }).await;
    }

    async fn declares(&self, patient: &str, grantee: Grantee, wanted: WantedConsent) {
        let request = SharingRequest {
            patient: self.number_of(patient).await,
            grantee,
            sharer: Sharer::Operator,
            by: None,
            wanted,
            born: None,
            carers_end_at_age: 16,
            form: Arc::new(|_| Ok(Vec::new())),
        };
        let done = change::change(&self.app.store, request, self.now(), String::new()).await.unwrap();
        done.expect("an operator may");
    }

    /// The operator sets a state of a record.
    pub async fn sets(&self, patient: &str, state: RecordState) {
        let request = StateRequest {
            patient: self.number_of(patient).await,
            state,
            sharer: Sharer::Operator,
            by: None,
            reason: None,
            born: None,
            form: Arc::new(|_| Ok(Vec::new())),
        };
        states::set(&self.app.store, request, self.now(), String::new()).await.unwrap().expect("an operator may");
    }

    pub async fn team(&self, public_id: &str) -> Grantee {
        Grantee::Team(organisations::find_team(&self.app.store, public_id).await.unwrap().unwrap().id)
    }
}

impl<'w> Person<'w> {
    pub async fn number(&self) -> UserId {
        people::find(&self.world.app.store, self.account.username).await.unwrap().unwrap().id
    }

    pub async fn as_carer(&self) -> Grantee {
        Grantee::Carer(self.number().await)
    }

    pub async fn as_professional(&self) -> Grantee {
        Grantee::Professional(self.number().await)
    }

    /// A session of this person that an operator opened, for which nothing was chosen but this.
    pub async fn session(&self, product: &str, scope: Scope, choice: SessionChoice) -> (ClientApp<'w>, Tokens) {
        self.session_with(product, scope, choice, None).await
    }

    /// A caller in a session to which these scopes of SMART were granted: of a patient about the own record, of anybody else with
    /// Amina in context.
    pub async fn granted(&self, scopes: &str) -> Caller<'w> {
        let (product, scope, record) = match self.account.user_type {
            UserType::Patient => ("Sleep Diary", Scope::Patient, None),
            _ => ("Ward Round", Scope::Clinician, Some(self.world.number_of(AMINA).await)),
        };
        let choice = SessionChoice { record, team: None };
        let registered = SmartScopes::kept(scopes).scopes;
        self.world.change(product, move |client| client.smart_scopes.extend(registered)).await;
        let (_, tokens) = self.session_with(product, scope, choice, Some(scopes.to_owned())).await;
        Caller { world: self.world, access: tokens.access, organisation: None }
    }

    async fn session_with(
        &self,
        product: &str,
        scope: Scope,
        choice: SessionChoice,
        smart_scopes: Option<String>,
    ) -> (ClientApp<'w>, Tokens) {
        let (store, app) = (&self.world.app.store, ClientApp::of(self.world, product));
        let client = clients::find(store, app.registration.client_id).await.unwrap().unwrap().id;
        let salt = Salt::new(dice::bytes().unwrap());
        let opening = Opening {
            salt: salt.clone(),
            client,
            holder: Holder::User(self.number().await),
            choice,
            scope,
            scope_spelt: None,
            smart_scopes,
            nonce: None,
            authenticated_at: None,
            sign_in: None,
            factor: None,
            code: None,
            session_seconds: None,
            form: None,
            login: None,
        };
        let id = opening::open(store, opening, self.world.now()).await.unwrap().unwrap();
        let content = TokenContent { kind: Kind::Refresh, id: id.0, generation: 1, expires_at: Moment(0) };
        let refresh = tokens::seal(&self.world.app.keys, &salt, content).unwrap();
        let tokens = app.asks_for_tokens(&app.refreshment(&refresh)).await.granted();
        (app, tokens)
    }

    /// A session about the record of a patient that this person cares for.
    pub async fn cares_for(&self, patient: &str) -> (ClientApp<'w>, Tokens) {
        let record = Some(self.world.number_of(patient).await);
        self.session("Sleep Diary", Scope::Patient, SessionChoice { record, team: None }).await
    }

    /// A session from before one team was chosen.
    pub async fn caller_from_before(&self) -> Caller<'w> {
        let scope = Scope::Clinician;
        let (_, tokens) = self.session("Ward Round", scope, SessionChoice::default()).await;
        Caller { world: self.world, access: tokens.access, organisation: None }
    }
}
