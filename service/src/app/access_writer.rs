//! Writes down who looked at whose record, and adds what is written down, here and by transactions, to the ledger, whose
//! months it closes.

use super::months;
use super::state::Shared;
use super::trouble::Trouble;
use std::sync::Arc;
use std::time::Duration;
use store::ledger;
use tokio::sync::watch;

/// So much of what was looked at a killed process may forget.
const WRITTEN_WITHIN: Duration = Duration::from_millis(100);
/// How often what is written down is added to the ledger. The lines of all records that are looked at go to as many places of
/// it, so that adding them seldom costs a fraction; whoever reads the ledger has them added first.
const ADDED_EVERY: Duration = Duration::from_secs(10);
/// How long a stop goes on adding. After a flood of grants and looks there is more to add than anybody who stops a service waits
/// for; all of it is on disk, and nothing is lost if it is added later.
const FINISHED_WITHIN: Duration = Duration::from_secs(5);

/// Writes and adds until `stop` turns true, and once more at the end, for a while.
pub async fn run(app: Shared, mut stop: watch::Receiver<bool>) {
    let mut adding = tokio::spawn(add_now_and_then(app.clone(), stop.clone()));
    loop {
        let over = tokio::select! {
            () = tokio::time::sleep(WRITTEN_WITHIN) => false,
            () = app.accesses.wanted.notified() => false,
            _ = stop.wait_for(|stop| *stop) => true,
        };
        write(&app).await;
        if over {
            break;
        }
    }
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
            writer.spool.write(counting.lines(), now, writer.settings.ledger.is_before_answer())
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
            tracing::error!(%error, lines = counting.len(), lost, "accesses could not be written down yet");
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
            let work = tokio::task::spawn_blocking(move || writer.spool.write(lines, now, false));
            work.await.unwrap_or_else(|_| Err(store::Error::Impossible("writing to the spool panicked".into())))
        }
        Err(error) => Err(error),
    };
    if let Err(error) = written {
        tracing::error!(%error, "what was asked about patients could not be written down yet");
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
