//! Where a test's store is: a database in the cluster that most tests share, or in one that a test may break.

use std::time::Duration;
use store::{Place, PostgresOptions, Store};

/// How long a test waits for PostgreSQL where it is not about time.
const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Clone)]
pub struct Home {
    pub url: String,
    /// The way of the test's own questions, which nobody cuts.
    direct: String,
    pub options: PostgresOptions,
}

impl Home {
    pub fn new() -> Self {
        Self::at(cluster::shared().new_database())
    }

    /// For tests that are not about time: with neighbours that keep the machine busy, a request's patience can end.
    pub fn patient() -> Self {
        Self::new().waiting()
    }

    /// The same with a test's patience.
    pub fn waiting(mut self) -> Self {
        let limits = &mut self.options;
        (limits.connect_timeout, limits.wait_timeout) = (PATIENCE, PATIENCE);
        (limits.statement_timeout, limits.answer_within) = (PATIENCE, PATIENCE);
        self
    }

    pub fn at(url: String) -> Self {
        Self { direct: url.clone(), url, options: PostgresOptions::default() }
    }

    /// The same database by another way.
    pub fn through(&self, address: &str) -> Self {
        let (user, rest) = self.url.split_once('@').expect("a user");
        let (_, database) = rest.split_once('/').expect("a database");
        Self { url: format!("{user}@{address}/{database}"), ..self.clone() }
    }

    pub fn place(&self) -> Place {
        let mut place = Place::parse(&self.url).expect("the cluster's URL");
        if let Place::Postgres(place) = &mut place {
            place.options = self.options.clone();
        }
        place
    }

    /// Another node on the same database.
    pub async fn node(&self) -> Store {
        Store::open(&self.place(), 1).await.expect("a node")
    }

    pub fn ask(&self, sql: &str) -> String {
        cluster::ask(&self.direct, sql)
    }

    pub fn count(&self, sql: &str) -> i64 {
        self.ask(sql).parse().expect("a number")
    }

    pub fn row(&self, sql: &str) -> String {
        self.ask(sql)
    }
}

/// Longer than the longest that a call may take, with room for a busy machine.
pub fn bound(options: &PostgresOptions) -> Duration {
    options.answer_within + Duration::from_secs(2)
}
