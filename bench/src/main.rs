//! Measures the built service from outside, beside the barest program that could do the same work, and prints the ratios.

mod args;
mod bare;
mod child;
mod commit_loop;
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
    let order = args::read();
    let outcome = match order {
        args::Order::Bare => on_two_threads(bare::serve()).map(|()| String::new()),
        args::Order::Measure(plan) => on_two_threads(run::measure(plan)),
    };
    match outcome.and_then(|text| Ok(std::io::stdout().write_all(text.as_bytes())?)) {
        Ok(()) => ExitCode::SUCCESS,
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
