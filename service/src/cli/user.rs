//! `recordgate user`: the people with an account.

use super::context::Context;
use super::failure::Failure;
use super::store_presence::StoreChoice;
use super::way::unexpected;
use super::{apply, bar, password};
use crate::operator::check_user::{self, UserFields};
use crate::operator::declaration::Declaration;
use crate::operator::{How, NewFactorLink, Reply, Request, UserSummary};

#[derive(Debug, clap::Subcommand)]
pub(super) enum UserCommand {
    /// List all users, by name
    List,
    /// Add a user; asks for the password
    Add(NewUser),
    /// Give a user a new password; signs the user's browsers out
    SetPassword {
        /// The name that the user signs in with
        username: String,
        /// Read the password from standard input
        #[arg(long)]
        password_stdin: bool,
        /// End the access of the user's apps too
        #[arg(long)]
        end_sessions: bool,
    },
    /// Sign a user's browsers out and end the access of the user's apps; the password stays
    EndSessions {
        /// The name that the user signs in with
        username: String,
    },
    /// Make the link by which a user resets a second factor that is lost, or sets up the first; ends all the user's sessions
    #[command(
        after_long_help = "The link is good once, for 24 hours, and only with the user's password: it removes the second factor
and its recovery codes, and nothing else. Hand it to the person yourself, and be sure who they are. They are told in
their notices that it was made, and when it is used."
    )]
    ResetFactors {
        /// The name that the user signs in with
        username: String,
    },
    /// End an account that a patient made by invitation, with all its sessions; the patient can be invited again
    End {
        /// The name that the user signs in with
        username: String,
    },
    /// Freeze a user's access: no login, and every app of theirs is refused
    Freeze {
        /// The name that the user signs in with
        username: String,
    },
    /// Let a frozen user in again
    Unfreeze {
        /// The name that the user signs in with
        username: String,
    },
}

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate user add amina --type PATIENT --name 'Amina Osei' --patient amina-osei \\
      --team a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01
  pass show recordgate/coordinator | recordgate user add coordinator --type TEAMCOORD --name 'Tomas Reyes' \\
      --team a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01 --password-stdin

The password is never an argument: other users of the machine could see it.")]
pub(super) struct NewUser {
    /// The name that the user will sign in with
    username: String,
    /// PATIENT, CLINICIAN, TEAMCOORD, ADMIN or PRIVACY_OFFICER
    #[arg(long = "type")]
    user_type: String,
    /// The person's name
    #[arg(long)]
    name: String,
    /// The id of the Patient resource (PATIENT)
    #[arg(long, value_name = "ID")]
    patient: Option<String>,
    /// The organisation whose patients a PRIVACY_OFFICER is for
    #[arg(long, value_name = "UUID")]
    organisation: Option<String>,
    /// A team to be a member of, or registered with (may be repeated)
    #[arg(long, value_name = "UUID")]
    team: Vec<String>,
    /// Read the password from standard input
    #[arg(long)]
    password_stdin: bool,
}

pub(super) async fn run(context: &Context, command: UserCommand) -> Result<(), Failure> {
    match command {
        UserCommand::List => list(context).await,
        UserCommand::Add(add) => self::add(context, add).await,
        UserCommand::SetPassword { username, password_stdin, end_sessions } => {
            let password = password::ask(&username, password_stdin)?;
            let mut done = format!("{username} has a new password and is signed out");
            let ended = end(context, Request::SetPassword { username, password, end_sessions }).await?;
            if end_sessions {
                done.push_str(&format!("; {}", in_words(ended)));
            }
            context.out.say(&done);
            Ok(())
        }
        UserCommand::EndSessions { username } => {
            let done = format!("{username} is signed out");
            let ended = end(context, Request::EndSessions { username }).await?;
            context.out.say(&format!("{done}; {}", in_words(ended)));
            Ok(())
        }
        UserCommand::ResetFactors { username } => reset_factors(context, username).await,
        UserCommand::End { username } => {
            let done = format!("the account of {username} is ended");
            let ended = end(context, Request::EndAccount { username }).await?;
            context.out.say(&format!("{done}; {}", in_words(ended)));
            Ok(())
        }
        UserCommand::Freeze { username } => {
            let done = format!("{username} is frozen");
            context.change(Request::Freeze { username, frozen: true }, &done, "it was before").await
        }
        UserCommand::Unfreeze { username } => {
            let done = format!("{username} is not frozen");
            context.change(Request::Freeze { username, frozen: false }, &done, "it was not before").await
        }
    }
}

/// Asks for a change that ends sessions, and gives how many.
async fn end(context: &Context, request: Request) -> Result<u64, Failure> {
    let pick = |reply| if let Reply::Ended(ended) = reply { Ok(ended) } else { Err(reply) };
    let ended = context.ask(request, pick).await?;
    context.out.value(&serde_json::json!({ "changed": true, "ended_sessions": ended }));
    Ok(ended)
}

async fn reset_factors(context: &Context, username: String) -> Result<(), Failure> {
    let done = format!("{username} is signed out");
    let pick = |reply| if let Reply::FactorLink(link) = reply { Ok(link) } else { Err(reply) };
    let NewFactorLink { link, ended } = context.ask(Request::ResetFactors { username }, pick).await?;
    context.out.value(&serde_json::json!({ "link": link.reveal(), "ended_sessions": ended }));
    context.out.say(&format!("{done}; {}\n{}", in_words(ended), link.reveal()));
    Ok(())
}

fn in_words(ended: u64) -> String {
    match ended {
        0 => "no app had access".into(),
        1 => "1 session of an app is ended".into(),
        many => format!("{many} sessions of apps are ended"),
    }
}

async fn add(context: &Context, add: NewUser) -> Result<(), Failure> {
    let fields = UserFields {
        username: Some(add.username.clone()),
        password: Some(password::ask(&add.username, add.password_stdin)?),
        password_hash: None,
        user_type: Some(add.user_type),
        name: Some(add.name),
        patient: add.patient,
        teams: Some(add.team),
        organisation: add.organisation,
        consents: Vec::new(),
    };
    let mut problems = Vec::new();
    let Some(user) = check_user::user(fields, String::new(), &mut problems) else {
        return Err(Failure::usage(problems));
    };
    let username = user.username.clone();
    let declared = Declaration { users: vec![user], ..Declaration::default() };
    apply::apply(context, declared, How::OnlyNew, StoreChoice::Existing).await?;
    context.out.value(&serde_json::json!({ "username": username }));
    context.out.say(&format!("user {username} is there"));
    Ok(())
}

async fn list(context: &Context) -> Result<(), Failure> {
    let mut way = context.way(StoreChoice::Existing).await?;
    let mut users: Vec<UserSummary> = Vec::new();
    loop {
        let after = users.last().map(|last| last.username.clone()).unwrap_or_default();
        match way.ask(Request::Users { after }, &bar::none()).await? {
            Reply::Users(page) if page.is_empty() => break,
            Reply::Users(page) => users.extend(page),
            other => return Err(unexpected(other)),
        }
    }
    let rows: Vec<[String; 5]> = users
        .iter()
        .map(|user| {
            let state = match (&user.frozen_at, user.deceased) {
                _ if user.ended => "ended",
                (Some(_), _) => "frozen",
                (None, true) => "deceased",
                (None, false) => "active",
            };
            let patient = user.patient.clone().unwrap_or_else(|| "-".into());
            [user.username.clone(), user.user_type.clone(), user.name.clone(), patient, state.into()]
        })
        .collect();
    context.list(["username", "type", "name", "patient", "state"], &rows, &users);
    Ok(())
}
