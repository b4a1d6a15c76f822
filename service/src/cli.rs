//! The command line of the operator.

mod accept_files;
mod apply;
pub mod backup;
mod bar;
mod client;
mod client_invitation;
mod client_show;
mod configuration;
mod consent;
mod context;
mod database_wait;
mod failure;
mod grant;
mod grant_issue;
mod health;
mod health_tls;
mod import;
mod import_bundle;
mod import_source;
mod keys;
mod ledger;
mod ledger_archive;
mod ledger_check;
mod ledger_filter;
mod ledger_root;
mod ledger_store;
mod manual;
mod organisation;
mod out;
mod password;
mod record;
mod serve;
mod store_presence;
mod transfer;
mod user;
mod verify;
mod vouching;
mod way;
mod why;

use crate::app::config::{Config, LogFormat, LogLevel, Sources};
use crate::app::logs;
use crate::app::purpose::Purpose;
use clap::{CommandFactory, Parser};
use context::Context;
use failure::Failure;
use out::Out;
use std::path::PathBuf;
use std::process::ExitCode;
use store_presence::SANDBOX_DATABASE;

/// Tries on the authorization page of a sandbox, where people try things: the contract allows one unless an operator allows more.
const SANDBOX_ATTEMPTS: &str = "3";

/// Recordgate: patients' records behind OAuth 2.0, for apps, systems and teams
#[derive(Debug, Parser)]
#[command(name = "recordgate", version, arg_required_else_help = true, max_term_width = 120)]
#[command(after_help = "Try it:   recordgate sandbox
Run it:   recordgate apply hospital.toml && recordgate serve --base-url https://records.example.org
Only serve, sandbox and apply make a new store; every other command works on one that is there (--database).
`recordgate COMMAND --help` tells more, with examples.")]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of every command")]
struct Common {
    /// Where the data is: sqlite:DIR or postgres://… [environment: RECORDGATE_DATABASE] [default: sqlite:recordgate-data;
    /// of sandbox sqlite:recordgate-sandbox]
    #[arg(long, global = true, value_name = "DATABASE")]
    database: Option<String>,
    /// The key ring's file [environment: RECORDGATE_KEYS] [default: keys in the data directory]
    #[arg(long, global = true, value_name = "FILE")]
    keys: Option<String>,
    /// A configuration file in TOML [environment: RECORDGATE_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print JSON, for programs
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Run the service
    Serve(serve::ServeArgs),
    /// Run the service on an invented world, with a clock that can be moved
    Sandbox(serve::SandboxArgs),
    /// Make organisations, teams, users, clients and grants as files declare them
    Apply(apply::ApplyArgs),
    /// Import FHIR resources, with an organisation as their source
    Import(import::ImportArgs),
    /// List, show, add, invite, approve, disable and enable clients; rotate their secrets
    #[command(
        subcommand,
        after_help = "Examples:
  recordgate client list
  recordgate client add --kind system --owner Postbridge --product 'Letter Sender'
  recordgate client rotate-secret letter-sender"
    )]
    Client(client::ClientCommand),
    /// List and add organisations; grant System Clients access, and withdraw it
    #[command(
        subcommand,
        after_help = "Examples:
  recordgate organisation add 'Northmoor Hospital'
  recordgate organisation grant 6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01 letter-sender"
    )]
    Organisation(organisation::OrganisationCommand),
    /// List and add teams
    #[command(
        subcommand,
        after_help = "Example:
  recordgate team add 'Sleep Clinic' --organisation 6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
    )]
    Team(organisation::TeamCommand),
    /// List, add, freeze and unfreeze users; set their passwords; end their sessions
    #[command(
        subcommand,
        after_help = "Examples:
  recordgate user list --json
  recordgate user set-password amina --end-sessions
  recordgate user end-sessions amina
  recordgate user freeze amina"
    )]
    User(user::UserCommand),
    /// List, set and accept consents of patients: who sees which labels of a record
    #[command(
        subcommand,
        after_help = "Examples:
  recordgate consent list amina-osei
  recordgate consent set amina-osei --team a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01 --labels GENERAL_HEALTH"
    )]
    Consent(consent::ConsentCommand),
    /// Tell why somebody sees an item of a patient's record, or what is missing
    Why(why::WhyArgs),
    /// Freeze and unfreeze a patient's record; disable and enable its sharing
    #[command(
        subcommand,
        after_help = "Examples:
  recordgate record freeze bryn-hale --reason 'custody is disputed'
  recordgate record disable-sharing amina-osei --reason 'asked by the patient in writing'"
    )]
    Record(record::RecordCommand),
    /// List, revoke and issue grants
    #[command(
        subcommand,
        after_help = "Examples:
  recordgate grant list --user amina
  recordgate grant revoke 380193410675437568
  recordgate grant issue --client sleep-diary --user amina"
    )]
    Grant(grant::GrantCommand),
    /// List, rotate and retire the keys that seal tokens
    #[command(
        subcommand,
        after_help = "Examples:
  recordgate keys list
  recordgate keys rotate"
    )]
    Keys(keys::KeysCommand),
    /// Tell what happened and who looked at what, and check that nobody changed it
    Ledger(ledger::LedgerArgs),
    /// Copy the data as it is at one moment, while the service runs
    Backup(backup::BackupArgs),
    /// Check whether a store or a backup is whole
    Verify(verify::VerifyArgs),
    /// Go on with files of an embedded store that are not of one moment, knowingly
    AcceptFiles(accept_files::AcceptFilesArgs),
    /// Move everything to another database, from the embedded store to PostgreSQL or back
    Move(transfer::TransferArgs),
    /// Ask the service that runs here whether it is ready
    Health(health::HealthArgs),
    /// Print the effective configuration, and where each value is from
    Config(configuration::ConfigurationArgs),
    /// Print the completions of a shell
    Completions(manual::CompletionsArgs),
    /// Print the manual page, or write those of all commands
    Man(manual::ManArgs),
}

/// Runs the command line and gives the exit code: 0 fine, 1 trouble, 2 wrong usage, and what a command says of its own.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // What clap says to people stays as it is: help, and usage errors in colour.
        Err(error) if !error.use_stderr() || !asks_for_json() => error.exit(),
        Err(error) => return Failure::usage(vec![in_a_sentence(&error)]).tell(Out { json: true }),
    };
    let out = Out { json: cli.common.json };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Failure::from(error).tell(out),
    };
    match runtime.block_on(run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(out),
    }
}

/// Whether a command that cannot be read asks for JSON all the same.
fn asks_for_json() -> bool {
    std::env::args_os().any(|argument| argument == "--json")
}

/// What clap found wrong, without its colours and its hint at `--help`.
fn in_a_sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words = first.trim_start_matches("error:").split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

async fn run(cli: Cli) -> Result<(), Failure> {
    match &cli.command {
        // The manual is there whatever the configuration says.
        Command::Completions(args) => return manual::completions(Cli::command(), args),
        Command::Man(args) => return manual::man(Cli::command(), args, Out { json: cli.common.json }),
        _ => {}
    }
    let context = Context::new(config(&cli)?, Out { json: cli.common.json });
    if !matches!(cli.command, Command::Serve(_) | Command::Sandbox(_)) {
        // A command speaks for itself; of the store below it only trouble is heard.
        logs::begin(LogLevel::Error, Some(LogFormat::Text));
    }
    let done = carry_out(&context, cli.command).await;
    context.finish().await;
    done
}

async fn carry_out(context: &Context, command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => serve::run(context, Purpose::Service, args.accept_sandbox_data).await,
        Command::Sandbox(args) => serve::run(context, Purpose::Sandbox, args.accept_real_data).await,
        Command::Apply(args) => apply::run(context, args).await,
        Command::Import(args) => import::run(context, args).await,
        Command::Client(command) => client::run(context, command).await,
        Command::Organisation(command) => organisation::run(context, command).await,
        Command::Team(command) => organisation::run_team(context, command).await,
        Command::User(command) => user::run(context, command).await,
        Command::Consent(command) => consent::run(context, command).await,
        Command::Why(args) => why::run(context, args).await,
        Command::Record(command) => record::run(context, command).await,
        Command::Grant(command) => grant::run(context, command).await,
        Command::Keys(command) => keys::run(context, command).await,
        Command::Ledger(args) => ledger::run(context, args).await,
        Command::Backup(args) => backup::run(context, args).await,
        Command::Verify(_) => verify::run(context).await,
        Command::AcceptFiles(_) => accept_files::run(context),
        Command::Move(args) => transfer::run(context, args).await,
        Command::Health(_) => health::run(context).await,
        Command::Config(args) => {
            configuration::run(context, &args);
            Ok(())
        }
        Command::Completions(_) | Command::Man(_) => Ok(()),
    }
}

fn config(cli: &Cli) -> Result<Config, Failure> {
    let mut options = match &cli.command {
        Command::Serve(args) => args.options(),
        Command::Sandbox(args) => args.serving.options(),
        Command::Health(args) => args.listen.clone().map(|value| ("listen", "--listen", value)).into_iter().collect(),
        Command::Config(args) => args.serving.options(),
        Command::Verify(args) => args.options(),
        Command::Move(_) if cli.common.database.is_some() => {
            return Err(Failure::usage(vec!["move takes --from and --to, and no --database".into()]));
        }
        Command::Move(args) => args.options(),
        _ => Vec::new(),
    };
    options.extend(cli.common.database.clone().map(|value| ("database", "--database", value)));
    options.extend(cli.common.keys.clone().map(|value| ("keys", "--keys", value)));
    let environment = |name: &str| std::env::var(name).ok();
    let defaults = match &cli.command {
        Command::Sandbox(_) => vec![("database", SANDBOX_DATABASE), ("authorize.attempts", SANDBOX_ATTEMPTS)],
        _ => Vec::new(),
    };
    Config::read(&Sources { options, file: cli.common.config.clone(), environment: &environment, defaults })
        .map_err(Failure::usage)
}

#[cfg(test)]
#[path = "cli_tests.rs"]
mod tests;
