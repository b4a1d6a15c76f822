//! Moving everything from one database to another of any engine: copied, compared, and only then put in place.
//!
//! The steps are values, so that none can be left out: `Begun`, `UnprovenCopy`, `ProvenCopy`. Whoever stops between two,
//! by an error or by being killed, leaves the source as it was and a target that is refused until a move into it is
//! finished.

use super::content::Content;
use crate::engine;
use crate::error::{Error, Result};
use crate::place::Place;
use crate::schema::SCHEMA;
use crate::sql::marks;
use crate::sql::table::{Table, Values};
use crate::sql::transfer_endpoint::{Target, TransferEndpoint};
use crate::sqlite;

/// Every table of this release.
pub fn tables() -> Result<Vec<Table>> {
    sqlite::tables(SCHEMA)
}

/// Both databases, held: nobody writes to the source, and nobody uses the target.
#[derive(Debug)]
pub struct Begun {
    source: Box<dyn TransferEndpoint>,
    target: Box<dyn TransferEndpoint>,
    /// Where to, as the source will say.
    to: String,
    tables: Vec<Table>,
    /// Rows in all.
    pub rows: u64,
    /// Whether there is any session: then the key ring that sealed its tokens must come along.
    pub has_sessions: bool,
}

/// Everything is in the target, as far as we know.
#[derive(Debug)]
pub struct UnprovenCopy {
    begun: Begun,
    /// What was read from the source.
    contents: Vec<Content>,
}

/// Everything is in the target, as it says itself.
#[derive(Debug)]
pub struct ProvenCopy {
    begun: Begun,
    pub moved: Vec<Moved>,
}

/// A table that is the same in source and target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub table: String,
    pub content: Content,
}

/// Takes hold of both databases and makes an empty target. One that holds a database already is refused; what an earlier
/// move left half done is thrown away.
pub async fn begin(from: &Place, to: &Place) -> Result<Begun> {
    let tables = tables()?;
    let name = to.absolute()?.to_string();
    let (source, moved_to) = engine::source(from, &tables).await?;
    let target = engine::target(to, &tables).await?;
    match (moved_to, target.state()) {
        // Cut short between the last two writes of a move: the source was marked, the target not yet let go.
        (Some(earlier), Target::Unfinished) if earlier == name => {}
        (Some(earlier), _) => return Err(marks::moved(&earlier)),
        (None, Target::Used) => {
            return Err(Error::Setup(format!(
                "there is a database in {to} already, and nothing in it will be overwritten; name a new one"
            )));
        }
        (None, Target::New | Target::Unfinished) => {}
    }
    let target = target.prepare(&tables).await?;
    let (mut rows, mut has_sessions) = (0, false);
    for table in &tables {
        let count = source.count(table).await?;
        rows += count;
        has_sessions |= table.name == "sessions" && count > 0;
    }
    Ok(Begun { source, target, to: name, tables, rows, has_sessions })
}

impl Begun {
    /// Copies every table. `tick` hears of rows copied since it was told last.
    pub async fn copy(mut self, mut tick: impl FnMut(u64)) -> Result<UnprovenCopy> {
        let mut contents = Vec::new();
        for table in &self.tables {
            let mut content = Content::default();
            loop {
                let batch = self.source.next(table).await?;
                if batch.is_empty() {
                    break;
                }
                batch.iter().for_each(|values| content.add(values));
                tick(count(&batch));
                self.target.write(table, &batch).await?;
            }
            self.target.complete(table).await?;
            contents.push(content);
        }
        Ok(UnprovenCopy { begun: self, contents })
    }
}

impl UnprovenCopy {
    /// Reads the target back and holds each table of it to what was read from the source.
    pub async fn compare(mut self, mut tick: impl FnMut(u64)) -> Result<ProvenCopy> {
        let mut moved = Vec::new();
        let mut differ = Vec::new();
        for (table, sent) in self.begun.tables.iter().zip(self.contents) {
            let mut content = Content::default();
            loop {
                let batch = self.begun.target.next(table).await?;
                if batch.is_empty() {
                    break;
                }
                batch.iter().for_each(|values| content.add(values));
                tick(count(&batch));
            }
            if content == sent {
                moved.push(Moved { table: table.name.clone(), content });
            } else {
                let tell = |content: &Content| format!("{} rows, hash {}", content.rows, content.hash());
                differ.push(format!("{}: sent {}; found {}", table.name, tell(&sent), tell(&content)));
            }
        }
        if differ.is_empty() { Ok(ProvenCopy { begun: self.begun, moved }) } else { Err(Error::MovedWrongly(differ)) }
    }
}

impl ProvenCopy {
    /// Puts the target in place of the source, which from then on is refused: with both in use, a refresh token would work
    /// once in each. The source goes first. In the instant between, neither is used, and the same move, begun again,
    /// ends it.
    pub async fn finish(self) -> Result<Vec<Moved>> {
        let Begun { source, target, to, tables, .. } = self.begun;
        source.leave(&to, &tables).await?;
        target.arrive().await?;
        Ok(self.moved)
    }
}

/// Makes a source usable again that was moved. Whoever asks for this must have given up what it was moved to.
pub async fn reopen(place: &Place) -> Result<()> {
    let (source, moved_to) = engine::source(place, &tables()?).await?;
    match moved_to {
        Some(to) => source.stay(&to).await,
        None => Err(Error::Setup(format!("{place} was not moved anywhere; it can be used as it is"))),
    }
}

fn count(batch: &[Values]) -> u64 {
    u64::try_from(batch.len()).unwrap_or(u64::MAX)
}
