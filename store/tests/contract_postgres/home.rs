//! Where a test's store is: a database of its own in the cluster that all tests of this program share.

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

    pub fn place(&self) -> Place {
        Place::parse(&self.url).expect("the cluster's URL")
    }

    /// The first column of the first row, asked behind the store's back.
    pub fn count(&self, sql: &str) -> i64 {
        cluster::ask(&self.url, sql).parse().expect("a number")
    }

    /// Every column of the first row.
    pub fn row(&self, sql: &str) -> String {
        let row = cluster::ask(&self.url, sql);
        assert!(!row.is_empty(), "a row");
        row
    }
}
