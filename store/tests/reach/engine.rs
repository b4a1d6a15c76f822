//! Where the worlds of one test are: one database of one engine, and a way to the table `sight` behind the store's back.

use rules::consent::standing::Standing;
use rules::ids::{PatientId, ViewerId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::sight::Sight;
use std::time::Duration;
use store::{Place, Store};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

pub enum Engine {
    Sqlite(TempDir),
    Postgres(String),
}

/// A connection of the test's own.
pub enum Behind {
    Sqlite { connection: rusqlite::Connection, _directory: TempDir },
    Postgres(Client),
}

const SIGHT: &str = "SELECT viewer_id, patient_id, labels, ends_at, stays FROM sight WHERE patient_id = $1";
const OPEN: &str = "INSERT INTO sight (patient_id, viewer_id, labels, ends_at, stays) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (patient_id, viewer_id) DO UPDATE SET labels = $3, ends_at = $4, stays = $5";

impl Engine {
    pub fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    pub fn postgres() -> Self {
        Self::Postgres(cluster::shared().new_database())
    }

    pub async fn open(self) -> (Store, Behind) {
        match self {
            Self::Sqlite(directory) => {
                let store = Store::open(&Place::Sqlite(directory.path().into()), 1).await.unwrap();
                let connection = rusqlite::Connection::open(directory.path().join("records.sqlite")).unwrap();
                connection.busy_timeout(Duration::from_secs(60)).unwrap();
                (store, Behind::Sqlite { connection, _directory: directory })
            }
            Self::Postgres(url) => {
                let Ok(Place::Postgres(mut place)) = Place::parse(&url) else { panic!("the cluster's URL") };
                let (limits, patience) = (&mut place.options, Duration::from_secs(300));
                (limits.connect_timeout, limits.wait_timeout) = (patience, patience);
                (limits.statement_timeout, limits.answer_within) = (patience, patience);
                let store = Store::open(&Place::Postgres(place), 1).await.unwrap();
                let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
                tokio::spawn(connection);
                (store, Behind::Postgres(client))
            }
        }
    }
}

impl Behind {
    /// The rows of one patient.
    pub async fn sight(&self, patient: PatientId) -> Vec<Standing> {
        let row = |viewer, patient, labels, ends_at: Option<i64>, stays: i64| {
            let (viewer, patient) = (ViewerId(viewer), PatientId(patient));
            let sight = Sight { viewer, patient, labels: Labels(labels), ends_at: ends_at.map(Moment) };
            Standing { sight, stays: stays == 1 }
        };
        match self {
            Self::Sqlite { connection, .. } => {
                let mut statement = connection.prepare_cached(SIGHT).unwrap();
                let rows = statement
                    .query_map([patient.0], |r| Ok(row(r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?)));
                rows.unwrap().map(Result::unwrap).collect()
            }
            Self::Postgres(client) => {
                let rows = client.query(SIGHT, &[&patient.0]).await.unwrap();
                rows.iter().map(|r| row(r.get(0), r.get(1), r.get(2), r.get(3), r.get(4))).collect()
            }
        }
    }

    pub async fn open(&self, row: &Standing) {
        let (Sight { viewer, patient, labels, ends_at }, stays) = (row.sight, i64::from(row.stays));
        let ends_at = ends_at.map(|end| end.0);
        match self {
            Self::Sqlite { connection, .. } => {
                let row = (patient.0, viewer.0, labels.0, ends_at, stays);
                connection.prepare_cached(OPEN).unwrap().execute(row).unwrap();
            }
            Self::Postgres(client) => {
                client.execute(OPEN, &[&patient.0, &viewer.0, &labels.0, &ends_at, &stays]).await.unwrap();
            }
        }
    }
}
