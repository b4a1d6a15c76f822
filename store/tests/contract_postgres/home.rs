//! Where a test's store is: a database of its own in the cluster that all tests of this program share.

use std::time::Duration;
use store::Place;

pub struct Home {
    url: String,
}

impl Home {
    pub fn new() -> Self {
        Self { url: cluster::shared().new_database() }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// With all the time in the world: these tests are about what is answered, not when, on however busy a machine.
    pub fn place(&self) -> Place {
        let Ok(Place::Postgres(mut place)) = Place::parse(&self.url) else { panic!("the cluster's URL") };
        let patience = Duration::from_secs(300);
        let limits = &mut place.options;
        (limits.connect_timeout, limits.wait_timeout) = (patience, patience);
        (limits.statement_timeout, limits.answer_within) = (patience, patience);
        Place::Postgres(place)
    }

    /// The first column of the first row, asked behind the store's back.
    pub fn count(&self, sql: &str) -> i64 {
        cluster::ask(&self.url, sql).parse().expect("a number")
    }

    /// Changes something behind the store's back.
    pub fn run(&self, sql: &str) {
        cluster::ask(&self.url, sql);
    }

    /// Every column of the first row.
    pub fn row(&self, sql: &str) -> String {
        let row = cluster::ask(&self.url, sql);
        assert!(!row.is_empty(), "a row");
        row
    }
}
