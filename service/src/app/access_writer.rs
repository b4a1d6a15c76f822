//! Writes down who looked at whose record, and adds what is written down, here and by transactions, to the ledger, whose
//! months it closes.

use super::log_limit::LogLimit;
use super::months;
use super::state::Shared;
use super::trouble::Trouble;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::ledger;
use tokio::sync::watch;

/// So much of what was looked at a killed process, or a machine without power, may forget.
const WRITTEN_WITHIN: Duration = Duration::from_millis(100);
/// How often what is written down is added to the ledger. The lines of all records that are looked at go to as many places of
/// it, so that adding them seldom costs a fraction; whoever reads the ledger has them added first.
const ADDED_EVERY: Duration = Duration::from_secs(10);
/// How long a stop goes on adding. After a flood of grants and looks there is more to add than anybody who stops a service waits
/// for; all of it is on disk, and nothing is lost if it is added later.
const FINISHED_WITHIN: Duration = Duration::from_secs(5);

/// A disk that is full fails ten times a second, and more often where answers wait for it.
static UNWRITTEN: LogLimit = LogLimit::of(1);

/// Writes and adds until `stop` turns true, and once more at the end, for a while.
pub async fn run(app: Shared, mut stop: watch::Receiver<bool>) {
    let mut adding = tokio::spawn(add_now_and_then(app.clone(), stop.clone()));
    loop {
        let over = tokio::select! {
            () = tokio::time::sleep(WRITTEN_WITHIN) => false,
            () = app.accesses.wanted.notified() => false,
            _ = stop.wait_for(|stop| *stop) => true,
        };
        if over {
            break;
        }
        write(&app).await;
    }
    write_last(&app).await;
    let rest = async {
        let _ended = (&mut adding).await;
        finish(&app).await
    };
    match tokio::time::timeout(FINISHED_WITHIN, rest).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => Trouble::from(error).report_work("adding to the ledger"),
        Err(_) => {
            adding.abort();
            tracing::info!("what is written down and not yet in the ledger is left to the next start");
        }
    }
    let lost = app.accesses.take().times();
    if lost > 0 {
        app.metrics.lost_accesses.inc_by(lost);
        tracing::error!(lost, "accesses are lost: neither the spool nor the ledger could be written before the end");
    }
}

/// What the spool had no room for goes straight to the ledger: nobody writes it down later.
async fn write_last(app: &Shared) {
    write(app).await;
    if !app.accesses.are_stuck() {
        return;
    }
    let (counting, now) = (app.accesses.take(), app.belief.moment(&app.clock));
    let lines: Vec<_> = counting.lines().collect();
    match app.spool.add_unspooled(&app.store, lines, now).await {
        Ok(()) => app.accesses.have_been_written(&counting),
        Err(error) => {
            app.accesses.put_back(&counting);
            Trouble::from(error).report_work("adding to the ledger");
        }
    }
}

async fn add_now_and_then(app: Shared, mut stop: watch::Receiver<bool>) {
    let mut is_logged = false;
    let mut present = None;
    loop {
        tokio::select! {
            () = tokio::time::sleep(ADDED_EVERY) => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
        let added = match add(&app).await {
            Ok(()) => months::close(&app, &mut present).await,
            Err(error) => Err(error),
        };
        match added {
            Ok(()) => is_logged = false,
            // Said once, not every second.
            Err(error) if !is_logged => {
                is_logged = true;
                Trouble::from(error).report_work("adding to the ledger");
            }
            Err(_) => {}
        }
    }
}

/// Writes down what was counted so far, and adds to the ledger what is written down: whoever reads it next finds all of it.
pub async fn flush(app: &Shared) {
    write(app).await;
    if let Err(error) = add(app).await {
        Trouble::from(error).report_work("adding to the ledger");
    }
}

/// Writes down what was counted so far. Where requests are answered it is only taken: making thousands of lines of it would
/// keep some of them waiting.
async fn write(app: &Shared) {
    let counting = Arc::new(app.accesses.take());
    let written = if counting.is_empty() {
        app.ledger_lag.count(None);
        Ok(())
    } else {
        let (writer, counting, now) = (app.clone(), counting.clone(), app.clock.now());
        let work = tokio::task::spawn_blocking(move || {
            writer.ledger_lag.count(counting.first());
            writer.spool.write(counting.lines(), now, true)
        });
        work.await.unwrap_or_else(|_| Err(store::Error::Impossible("writing to the spool panicked".into())))
    };
    match written {
        Ok(()) => {
            app.ledger_lag.write_down();
            app.accesses.have_been_written(&counting);
            if let Some(counting) = Arc::into_inner(counting) {
                app.accesses.empty(counting);
            }
        }
        Err(error) => {
            let lost = app.accesses.put_back(&counting);
            app.metrics.lost_accesses.inc_by(lost);
            if lost > 0 || UNWRITTEN.admits(Instant::now()).is_some() {
                tracing::error!(%error, lines = counting.len(), lost, "accesses could not be written down yet");
            }
        }
    }
    write_inquiries(app).await;
}

/// Writes down what was asked and refused so far. No answer waits for it: whether a line is written would tell the caller whether
/// there is a patient.
async fn write_inquiries(app: &Shared) {
    let taken = app.inquiries.take();
    if taken.lost > 0 {
        tracing::error!(lost = taken.lost, "there was no room for what was asked about patients");
    }
    if taken.is_empty() {
        return;
    }
    let written = match taken.lines(&app.store).await {
        Ok(lines) if lines.is_empty() => Ok(()),
        Ok(lines) => {
            let (writer, now) = (app.clone(), app.clock.now());
            let work = tokio::task::spawn_blocking(move || writer.spool.write(lines, now, true));
            work.await.unwrap_or_else(|_| Err(store::Error::Impossible("writing to the spool panicked".into())))
        }
        Err(error) => Err(error),
    };
    if let Err(error) = written {
        if UNWRITTEN.admits(Instant::now()).is_some() {
            tracing::error!(%error, "what was asked about patients could not be written down yet");
        }
        app.inquiries.put_back(taken);
    }
}

async fn add(app: &Shared) -> store::Result<()> {
    let now = app.belief.moment(&app.clock);
    app.ledger_lag.begin_adding();
    app.spool.take(&app.store, now).await?;
    app.ledger_lag.end_adding();
    ledger::add(&app.store, now).await.map(|_| ())
}

async fn finish(app: &Shared) -> store::Result<()> {
    let now = app.belief.moment(&app.clock);
    app.spool.close(&app.store, now).await?;
    ledger::add(&app.store, now).await.map(|_| ())
}
