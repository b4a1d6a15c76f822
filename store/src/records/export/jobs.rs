//! Exports: who asked for what, as of which moment, and how far it has been counted. A row each, on every node the same; what an
//! export gives is not kept anywhere, but read when it is fetched.

use super::snapshot::{Run, Snapshot};
use crate::error::{Error, Result};
use crate::sql::advisory_locks::EXPORTS;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use fhir::types::{self, ResourceType};
use rules::ids::{ClientId, ExportId, PatientId, RowId};
use rules::limits::{
    EXPORT_FILE_RESOURCES, EXPORT_FILE_RUNS, EXPORT_FORSAKEN_SECONDS, EXPORT_SECONDS, EXPORT_TURN_SECONDS,
    EXPORTS_PER_CALLER,
};
use rules::moment::Moment;

/// Who asked: the client, and the number of the user, or else of the organisation or the team.
pub type ExportHolder = (ClientId, i64);

/// What is asked for.
#[derive(Clone, Debug)]
pub struct ExportOrder {
    pub holder: ExportHolder,
    /// The URL of the kick-off.
    pub request: String,
    pub types: Vec<ResourceType>,
    pub since: i64,
    pub whose: ExportSubject,
}

/// Of whom it is.
#[derive(Clone, Debug)]
pub enum ExportSubject {
    /// Everybody, and what is nobody's.
    Everything,
    Patients,
    /// Those of a Group.
    Members(Vec<PatientId>),
}

/// An export, as its row tells.
#[derive(Clone, Debug)]
pub struct Export {
    pub id: ExportId,
    pub holder: ExportHolder,
    pub request: String,
    pub expires_at: Moment,
    pub types: Vec<ResourceType>,
    pub snapshot: Snapshot,
    pub progress: ExportProgress,
}

/// What a line about a damaged row begins with, among those about files.
const DAMAGED: char = '!';

/// What became of the wish for an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportStart {
    Begun(ExportId),
    /// As many as one holder may have are under way; the first of them is given up at this moment, unless somebody asks for it.
    Full(Moment),
}

/// How far an export has been counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportProgress {
    pub types_done: usize,
    /// The last row of the next type that was looked at.
    pub row_done: RowId,
    pub files: Vec<ExportFile>,
    /// Rows that are damaged: they are in no file, and told of in one of their own.
    pub damaged: Vec<(ResourceType, RowId)>,
}

/// A part of an export that is fetched at once: all of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportFile {
    pub of: ResourceType,
    /// Rows among which there was something to see.
    pub runs: Vec<Run>,
    pub count: i64,
}

impl Export {
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.progress.types_done >= self.types.len()
    }
}

impl ExportProgress {
    /// Goes on with the next type.
    pub fn next_type(&mut self) {
        self.types_done += 1;
        self.row_done = RowId::default();
    }

    /// Notes how many there were in a run, as a part of the last file where that has room.
    pub fn add(&mut self, run: Run, count: i64) {
        self.row_done = run.until;
        match self.files.last_mut() {
            _ if count == 0 => {}
            Some(file) if file.of == run.of && file.count + count <= EXPORT_FILE_RESOURCES => {
                let is_full = file.runs.len() >= EXPORT_FILE_RUNS;
                file.count += count;
                match file.runs.last_mut() {
                    Some(last) if last.until == run.after || is_full => last.until = run.until,
                    _ => file.runs.push(run),
                }
            }
            _ => self.files.push(ExportFile { of: run.of, runs: vec![run], count }),
        }
    }

    fn files_as_text(&self) -> String {
        let line = |file: &ExportFile| {
            let runs: String = file.runs.iter().map(|run| format!(" {} {}", run.after, run.until)).collect();
            format!("{} {}{runs}", file.of.number(), file.count)
        };
        let damaged = self.damaged.iter().map(|(of, row)| format!("{DAMAGED}{} {row}", of.number()));
        self.files.iter().map(line).chain(damaged).collect::<Vec<_>>().join("\n")
    }
}

statements! {
    OF_HOLDER = "SELECT id, types, types_done, begun_at, turn_until FROM exports
        WHERE client_id = $1 AND holder_id = $2 AND expires_at > $3 ORDER BY begun_at, id";
    BEGIN = "INSERT INTO exports (id, client_id, holder_id, begun_at, expires_at, request, types, since, patients, members,
        types_done, row_done, files, turn_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, '', 0)";
    FIND = "SELECT client_id, holder_id, begun_at, expires_at, request, types, since, patients, members, types_done, row_done,
        files FROM exports WHERE id = $1 AND expires_at > $2";
    TAKE_TURN = "UPDATE exports SET turn_until = $3 WHERE id = $1 AND turn_until <= $2";
    GO_ON = "UPDATE exports SET types_done = $3, row_done = $4, files = $5, turn_until = $6 WHERE id = $1 AND turn_until = $2";
    CANCEL = "DELETE FROM exports WHERE id = $1";
}

/// Begins an export as of now. Where its holder has as many as one may have, the oldest that is counted is let go for it, and else
/// the one that nobody has asked for longest, if that is long ago.
pub async fn begin(store: &Store, order: ExportOrder, now: Moment) -> Result<ExportStart> {
    store.room()?;
    let id = ExportId(store.ids.next(now));
    // Versions may lie ahead of a clock that was set back, and belong into it all the same.
    let as_of = now.max(store.newest_version());
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let (client, holder) = order.holder;
            tx.take_exclusive_lock(EXPORTS).await?;
            let open = tx.query(OF_HOLDER, args![client, holder, now.0], held).await?;
            if open.len() >= EXPORTS_PER_CALLER {
                match place_for_one(&open, now) {
                    Ok(gone) => tx.execute(CANCEL, args![gone]).await?,
                    Err(until) => return Ok(ExportStart::Full(until)),
                };
            }
            let types: Vec<String> = order.types.iter().map(|of| of.number().to_string()).collect();
            let (patients, members) = match &order.whose {
                ExportSubject::Everything => (0, None),
                ExportSubject::Patients => (1, None),
                ExportSubject::Members(members) => (1, Some(list(members.iter().map(|member| member.0)))),
            };
            let (ends, types) = (now.plus_seconds(EXPORT_SECONDS).0, types.join(","));
            let row = args![
                id,
                client,
                holder,
                as_of.0,
                ends,
                &order.request,
                &types,
                order.since,
                patients,
                members.as_ref()
            ];
            tx.execute(BEGIN, row).await?;
            Ok(ExportStart::Begun(id))
        })
    });
    write.await
}

/// An export that its holder has.
struct HeldExport {
    id: ExportId,
    is_counted: bool,
    /// When it was begun, or its status was last asked for.
    asked_at: Moment,
}

fn held(row: &dyn Row) -> Result<HeldExport> {
    let types = row.text(1)?.split(',').filter(|number| !number.is_empty()).count();
    let is_counted = usize::try_from(row.int(2)?).is_ok_and(|done| done >= types);
    Ok(HeldExport { id: row.id(0)?, is_counted, asked_at: Moment(row.int(3)?.max(row.int(4)?)) })
}

/// Which of these, the oldest first, makes place for another; or when one will.
fn place_for_one(open: &[HeldExport], now: Moment) -> std::result::Result<ExportId, Moment> {
    if let Some(oldest) = open.iter().find(|export| export.is_counted) {
        return Ok(oldest.id);
    }
    let given_up = |export: &HeldExport| export.asked_at.plus_seconds(EXPORT_FORSAKEN_SECONDS);
    match open.iter().min_by_key(|export| export.asked_at) {
        Some(forsaken) if now.is_past(given_up(forsaken)) => Ok(forsaken.id),
        other => Err(other.map_or(now, given_up)),
    }
}

/// An export that can still be fetched.
pub async fn find(store: &Store, id: ExportId, now: Moment) -> Result<Option<Export>> {
    store.db.read_one(FIND, args![id, now.0], |row| export(id, row)).await
}

/// Takes the turn to count on, until a moment; `false` if somebody else has it.
pub async fn take_turn(store: &Store, id: ExportId, until: Moment, now: Moment) -> Result<bool> {
    let take = store
        .db
        .write(move |tx| Box::pin(async move { Ok(tx.execute(TAKE_TURN, args![id, now.0, until.0]).await? == 1) }));
    take.await
}

/// Writes down how far it has been counted, and gives the turn up; `false` if the turn was lost, or the export cancelled. What is
/// left of the turn is when it was taken: so long ago was the export asked for.
pub async fn go_on(store: &Store, id: ExportId, turn: Moment, progress: &ExportProgress) -> Result<bool> {
    let (types, row, files) = (progress.types_done, progress.row_done, progress.files_as_text());
    let types = i64::try_from(types).unwrap_or(i64::MAX);
    let taken = turn.plus_seconds(-EXPORT_TURN_SECONDS).0;
    let write = store.db.write(move |tx| {
        Box::pin(async move { Ok(tx.execute(GO_ON, args![id, turn.0, types, row, &files, taken]).await? == 1) })
    });
    write.await
}

/// Ends an export: nothing of it can be fetched any more.
pub async fn cancel(store: &Store, id: ExportId) -> Result<bool> {
    store.db.write(move |tx| Box::pin(async move { Ok(tx.execute(CANCEL, args![id]).await? == 1) })).await
}

fn export(id: ExportId, row: &dyn Row) -> Result<Export> {
    let types = row.text(5)?;
    let types = types.split(',').filter(|number| !number.is_empty()).map(of_type).collect::<Result<Vec<_>>>()?;
    let files = row.text(11)?;
    let (damaged, files): (Vec<&str>, Vec<&str>) = files.lines().partition(|line| line.starts_with(DAMAGED));
    let files = files.into_iter().map(file).collect::<Result<Vec<_>>>()?;
    let damaged = damaged.into_iter().map(damaged_row).collect::<Result<Vec<_>>>()?;
    Ok(Export {
        id,
        holder: (row.id(0)?, row.int(1)?),
        request: row.text(4)?,
        expires_at: Moment(row.int(3)?),
        types,
        snapshot: Snapshot {
            at: Moment(row.int(2)?),
            since: row.int(6)?,
            patients: row.int(7)?,
            members: row.opt_text(8)?,
        },
        progress: ExportProgress {
            types_done: usize::try_from(row.int(9)?).unwrap_or_default(),
            row_done: row.id(10)?,
            files,
            damaged,
        },
    })
}

fn file(line: &str) -> Result<ExportFile> {
    let (of, numbers) = line.split_once(' ').unwrap_or_default();
    let of = of_type(of)?;
    let numbers: Option<Vec<i64>> = numbers.split(' ').map(|number| number.parse().ok()).collect();
    let numbers = numbers.ok_or_else(|| impossible("a file of an export without its rows"))?;
    let (count, rows) = numbers.split_first().ok_or_else(|| impossible("a file of an export without its count"))?;
    let (pairs, _) = rows.as_chunks();
    let runs = pairs.iter().map(|[after, until]| Run { of, after: RowId(*after), until: RowId(*until) });
    Ok(ExportFile { of, runs: runs.collect(), count: *count })
}

fn damaged_row(line: &str) -> Result<(ResourceType, RowId)> {
    let (of, row) = line.trim_start_matches(DAMAGED).split_once(' ').unwrap_or_default();
    let row = row.parse().map_err(|_| impossible("a damaged row of an export without its number"))?;
    Ok((of_type(of)?, RowId(row)))
}

fn of_type(number: &str) -> Result<ResourceType> {
    let of = number.parse().ok().and_then(types::numbered);
    of.ok_or_else(|| impossible("an export of a type that there is not"))
}

fn impossible(what: &str) -> Error {
    Error::Impossible(what.into())
}
