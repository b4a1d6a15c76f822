//! Measures the built service from outside, beside the barest program that could do the same work, and prints the ratios.

mod args;
mod bare;
mod chaos;
mod figures;
mod http;
mod measure;
mod peers;
mod postgres;
mod report;
mod run;
mod service;
mod soak;

use measure::trouble::Trouble;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match args::read() {
        args::Order::Bare => on_two_threads(bare::server::serve()).map(|()| (String::new(), ExitCode::SUCCESS)),
        args::Order::Measure(plan) => on_two_threads(run::measure(plan)).map(|text| (text, ExitCode::SUCCESS)),
        args::Order::Chaos(plan) => on_two_threads(chaos::run::run(&plan)).map(|report| {
            let text = if plan.json { report.json() } else { report.text() };
            (text, if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }),
        args::Order::Soak(plan) => on_two_threads(soak::run::run(&plan)).map(|report| {
            let text = if plan.json { report.json() } else { report.text() };
            (text, if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }),
    };
    match outcome.and_then(|(text, code)| Ok((std::io::stdout().write_all(text.as_bytes())?, code))) {
        Ok(((), code)) => code,
        Err(trouble) => {
            // A driver says what happened, and the error behind it why.
            let why = trouble.source().map(|why| format!(": {why}")).unwrap_or_default();
            let _unheard = writeln!(std::io::stderr(), "bench: {trouble}{why}");
            ExitCode::FAILURE
        }
    }
}

/// The default multi-thread runtime, for the driver and the bare server alike: the service runs on the same.
fn on_two_threads<T>(work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}
