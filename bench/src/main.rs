//! Measures the built service from outside, beside the barest program that could do the same work, and prints the ratios.

mod args;
mod bare;
mod bare_postgres;
mod chaos;
mod child;
mod commit_loop;
mod database;
mod driver;
mod figures;
mod machine;
mod others;
mod peers;
mod progress;
mod report;
mod requests;
mod response;
mod rounds;
mod run;
mod scratch;
mod scripts;
mod service;
mod table;
mod tally;
mod world;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

/// What can go wrong here is told to a person and ends the run, so a sentence is all that any error needs to carry.
pub(crate) type Trouble = Box<dyn Error + Send + Sync>;

fn main() -> ExitCode {
    let outcome = match args::read() {
        args::Order::Bare => on_two_threads(bare::serve()).map(|()| (String::new(), ExitCode::SUCCESS)),
        args::Order::Measure(plan) => on_two_threads(run::measure(plan)).map(|text| (text, ExitCode::SUCCESS)),
        args::Order::Chaos(plan) => on_two_threads(chaos::run(&plan)).map(|report| {
            let text = if plan.json { report.json() } else { report.text() };
            (text, if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }),
    };
    match outcome.and_then(|(text, code)| Ok((std::io::stdout().write_all(text.as_bytes())?, code))) {
        Ok(((), code)) => code,
        Err(trouble) => {
            let _unheard = writeln!(std::io::stderr(), "bench: {trouble}");
            ExitCode::FAILURE
        }
    }
}

/// The default multi-thread runtime, for the driver and the bare server alike: the service runs on the same.
fn on_two_threads<T>(work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}
