//! A granted session as its client holds it: the code and refresh tokens that a test presents.

use crate::world::{NOW, TERMS, World, registered};
use rules::ids::{ClientId, SessionId};
use rules::lifecycle::{Issue, Revoked, Ruling, Terms};
use rules::moment::Moment;
use rules::scope::Scope;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::Store;
use store::bearer::{self, Bearer};
use store::grants::{self, Whose};
use store::opening::{self, CodeBinding, Holder, Opening, SessionChoice};
use store::salt::Salt;
use store::sessions::{self, Presented, Redemption};

pub const REDIRECT: &str = "https://app.example/back";

/// A session and what its tokens are made of.
#[derive(Clone)]
pub struct Grant {
    pub store: Arc<Store>,
    pub id: SessionId,
    pub client: ClientId,
    pub salt: Salt,
}

impl World {
    /// Amina approves Sleep Diary; the code is not redeemed yet.
    pub async fn approved(&self) -> Grant {
        self.opened(self.approval("amina").await).await
    }

    /// Amina approves Sleep Diary, which redeems its code.
    pub async fn connected(&self) -> Grant {
        let granted = self.approved().await;
        assert_eq!(granted.redeem().await.map(generation), Some(1));
        granted
    }

    /// What approving Sleep Diary on the authorization page asks of the store.
    pub async fn approval(&self, username: &str) -> Opening {
        let user = self.user(username).await;
        let scope = user.user_type.scope().expect("a user who can grant");
        Opening { holder: Holder::User(user.id), scope, ..self.bare_approval() }
    }

    /// What Amina's approval of Sleep Diary asks of the store.
    pub fn bare_approval(&self) -> Opening {
        Opening {
            salt: fresh_salt(),
            client: self.sleep_diary,
            holder: Holder::User(self.amina),
            choice: SessionChoice::default(),
            scope: Scope::Patient,
            scope_spelt: None,
            smart_scopes: None,
            nonce: None,
            authenticated_at: None,
            factor: None,
            sign_in: None,
            code: Some(CodeBinding {
                redirect_uri: REDIRECT.into(),
                redirect_uri_sent: true,
                challenge: None,
                key: None,
            }),
            session_seconds: Some(90 * 86_400),
            form: None,
            login: None,
        }
    }

    /// What granting Ward Board on the coordinator's page asks of the store: born with a refresh token, without a code.
    pub async fn team_grant(&self) -> Opening {
        Opening {
            client: self.client("ward-board").await.id,
            holder: Holder::Team { team: self.north, coordinator: self.user("cora").await.id },
            choice: SessionChoice::default(),
            scope: Scope::Site,
            code: None,
            ..self.approval("cora").await
        }
    }

    pub async fn opened(&self, opening: Opening) -> Grant {
        let (salt, client) = (opening.salt.clone(), opening.client);
        let id = opening::open(&self.store, opening, NOW).await.unwrap().expect("a new session");
        Grant { store: self.store.clone(), id, client, salt }
    }

    /// Every column of the session's row, and how many commits have lines that wait for the ledger.
    pub fn row(&self, id: SessionId) -> String {
        let session = self.home.row(&format!("SELECT * FROM sessions WHERE id = {id}"));
        format!("{session}, {} lines", self.count("SELECT count(*) FROM session_lines"))
    }
}

impl Grant {
    pub fn code(&self) -> Presented {
        self.token("code", 0)
    }

    pub fn refresh_token(&self, generation: i64) -> Presented {
        self.token("refresh", generation)
    }

    fn token(&self, kind: &str, generation: i64) -> Presented {
        let content = format!("{kind} {} {generation}", self.id).into_bytes();
        let check = self.salt.check(&content);
        Presented { session: self.id, generation, content, check }
    }

    /// Presents the code as the client should.
    pub async fn redeem(&self) -> Option<Ruling> {
        self.redeem_with(self.code(), Some(REDIRECT), None, NOW).await
    }

    pub async fn redeem_with(
        &self,
        code: Presented,
        redirect_uri: Option<&str>,
        challenge: Option<&str>,
        now: Moment,
    ) -> Option<Ruling> {
        let asked =
            Redemption { code, redirect_uri: redirect_uri.map(String::from), challenge: challenge.map(String::from) };
        let outcome = sessions::redeem(&self.store, registered(self.client, TERMS), asked, now).await;
        outcome.expect("the store answers").map(|outcome| outcome.ruling)
    }

    /// Presents the refresh token of a generation as the client should.
    pub async fn refresh(&self, generation: i64) -> Ruling {
        self.refresh_on(TERMS, generation, NOW).await
    }

    pub async fn refresh_on(&self, terms: Terms, generation: i64, now: Moment) -> Ruling {
        let token = self.refresh_token(generation);
        let outcome = sessions::refresh(&self.store, registered(self.client, terms), token, None, now).await;
        outcome.expect("the store answers").expect("a genuine token").ruling
    }

    pub async fn revoke(&self) -> bool {
        grants::revoke(&self.store, self.id, Whose::Anyone, Revoked::ByOperator, NOW).await.expect("the store answers")
    }

    /// What an API call with an access token of it finds.
    pub async fn bearer(&self) -> Arc<Bearer> {
        bearer::find(&self.store, self.id).await.expect("the store answers").expect("the session is there")
    }
}

pub fn issue(ruling: Ruling) -> Issue {
    match ruling {
        Ruling::Issue(issue) => issue,
        other => panic!("tokens were expected, not {other:?}"),
    }
}

pub fn generation(ruling: Ruling) -> i64 {
    issue(ruling).generation
}

/// A salt that no other session of the test has.
pub fn fresh_salt() -> Salt {
    static MADE: AtomicU64 = AtomicU64::new(1);
    Salt::new(u128::from(MADE.fetch_add(1, Ordering::Relaxed)).to_be_bytes())
}
