//! `recordgate organisation` and `recordgate team`: who holds records, and whom organisations let in.

use super::apply;
use super::context::Context;
use super::failure::Failure;
use super::store_presence::StoreChoice;
use crate::operator::declaration::Declaration;
use crate::operator::summaries::TeamSummary;
use crate::operator::world_file::{self, OrganisationFields, TeamFields};
use crate::operator::{How, OrganisationSummary, Reply, Request};
use crate::secrets::dice;
use rules::invitations::FurtherProof;

#[derive(Debug, clap::Subcommand)]
pub(super) enum OrganisationCommand {
    /// List organisations and the System Clients that each has granted access
    List,
    /// Add an organisation
    Add {
        /// What it is called
        name: String,
        /// Its public id, which System Clients send in X-Org-Public-Id; left out, one is made
        #[arg(long, value_name = "UUID")]
        public_id: Option<String>,
        /// What its invitations ask for beside code, token and date of birth: none or paper
        #[arg(long, value_name = "PROOF")]
        invitation_proof: Option<String>,
    },
    /// Change what an organisation's invitations ask for
    Change {
        /// The public id of the organisation
        #[arg(value_name = "ORGANISATION")]
        organisation: String,
        /// Beside code, token and date of birth: none, or paper, a code that a coordinator of the patient's team prints
        #[arg(long, value_name = "PROOF")]
        invitation_proof: String,
    },
    /// Grant a System Client access to what belongs to an organisation
    Grant {
        /// The public id of the organisation
        #[arg(value_name = "ORGANISATION")]
        organisation: String,
        /// The Client ID of the System Client
        client_id: String,
        /// Which ids it may choose for what it stores new: uuid or any, for a system that moves in; left out, as it is
        #[arg(long, value_name = "IDS")]
        client_ids: Option<String>,
        /// A team of the organisation whose consents it reads by, beside what is its own (may be repeated), or none; left out, as it is
        #[arg(long, value_name = "UUID")]
        through: Vec<String>,
    },
    /// Withdraw that grant; the client's next call is refused
    Withdraw {
        /// The public id of the organisation
        #[arg(value_name = "ORGANISATION")]
        organisation: String,
        /// The Client ID of the System Client
        client_id: String,
    },
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum TeamCommand {
    /// List teams
    List,
    /// Add a team
    Add {
        /// What it is called
        name: String,
        /// The organisation that it is part of
        #[arg(long, value_name = "UUID")]
        organisation: String,
        /// Its public id; left out, one is made
        #[arg(long, value_name = "UUID")]
        public_id: Option<String>,
    },
}

pub(super) async fn run(context: &Context, command: OrganisationCommand) -> Result<(), Failure> {
    match command {
        OrganisationCommand::List => list(context).await,
        OrganisationCommand::Add { name, public_id, invitation_proof } => {
            let public_id = given_or_made(public_id)?;
            let mut problems = Vec::new();
            let fields = OrganisationFields {
                public_id: Some(public_id.clone()),
                name: Some(name.clone()),
                proof: invitation_proof,
                default_label: None,
            };
            let made = world_file::organisation(fields, String::new(), &mut problems);
            let declared = Declaration { organisations: made.into_iter().collect(), ..Declaration::default() };
            add(context, declared, problems, "organisation", &name, &public_id).await
        }
        OrganisationCommand::Change { organisation, invitation_proof } => {
            let Some(proof) = FurtherProof::named(&invitation_proof) else {
                let wrong = format!("--invitation-proof {invitation_proof:?} will not do; it must be none or paper");
                return Err(Failure::usage(vec![wrong]));
            };
            let done = format!("invitations of {organisation} now ask for the further proof {}", proof.word());
            let request = Request::SetInvitationProof { organisation: organisation.to_lowercase(), proof };
            context.change(request, &done, "they did before").await
        }
        OrganisationCommand::Grant { organisation, client_id, client_ids, through } => {
            let through = match through.as_slice() {
                [] => None,
                [none] if none == "none" => Some(Vec::new()),
                _ => Some(through),
            };
            grant(context, organisation, client_id, (client_ids, through)).await
        }
        OrganisationCommand::Withdraw { organisation, client_id } => {
            let done = format!("the grant of {organisation} to {client_id} is withdrawn");
            let request = Request::Withdraw { organisation: organisation.to_lowercase(), client_id };
            context.change(request, &done, "there was none in force").await
        }
    }
}

pub(super) async fn run_team(context: &Context, command: TeamCommand) -> Result<(), Failure> {
    match command {
        TeamCommand::List => list_teams(context).await,
        TeamCommand::Add { name, organisation, public_id } => {
            let public_id = given_or_made(public_id)?;
            let (id, organisation) = (Some(public_id.clone()), Some(organisation));
            let fields = TeamFields { public_id: id, organisation, name: Some(name.clone()), ..TeamFields::default() };
            let mut problems = Vec::new();
            let made = world_file::team(fields, String::new(), &mut problems);
            let declared = Declaration { teams: made.into_iter().collect(), ..Declaration::default() };
            add(context, declared, problems, "team", &name, &public_id).await
        }
    }
}

fn given_or_made(public_id: Option<String>) -> Result<String, Failure> {
    Ok(match public_id {
        Some(public_id) => public_id,
        None => dice::uuid()?,
    })
}

async fn add(
    context: &Context,
    declared: Declaration,
    problems: Vec<String>,
    what: &str,
    name: &str,
    public_id: &str,
) -> Result<(), Failure> {
    if !problems.is_empty() {
        return Err(Failure::usage(problems));
    }
    apply::apply(context, declared, How::OnlyNew, StoreChoice::Existing).await?;
    let public_id = public_id.to_lowercase();
    context.out.value(&serde_json::json!({ "public_id": public_id, "name": name }));
    context.out.say(&format!("{what} {name} is there; its public id is {public_id}"));
    Ok(())
}

async fn grant(
    context: &Context,
    organisation: String,
    client_id: String,
    terms: (Option<String>, Option<Vec<String>>),
) -> Result<(), Failure> {
    let done = format!("{organisation} has granted {client_id} access");
    let mut problems = Vec::new();
    let named = (Some(organisation), Some(client_id));
    let made = world_file::organisation_grant(named, terms, String::new(), &mut problems);
    if !problems.is_empty() {
        return Err(Failure::usage(problems));
    }
    let declared = Declaration { organisation_grants: made.into_iter().collect(), ..Declaration::default() };
    let applied = apply::apply(context, declared, How::Apply, StoreChoice::Existing).await?;
    let changed = applied.changes.iter().any(|change| change.change != "unchanged");
    context.tell_change(changed, &done, "it had before");
    Ok(())
}

async fn list(context: &Context) -> Result<(), Failure> {
    let pick = |reply| if let Reply::Organisations(organisations) = reply { Ok(organisations) } else { Err(reply) };
    let organisations = context.ask(Request::Organisations, pick).await?;
    let row = |o: &OrganisationSummary| {
        let [proof, label] = [o.invitation_proof.clone(), o.default_label.clone()];
        let client = |client: &String| match o.through.get(client) {
            Some(teams) => format!("{client} (through {})", teams.join(" ")),
            None => client.clone(),
        };
        let granted: Vec<String> = o.granted.iter().map(client).collect();
        [o.public_id.clone(), o.name.clone(), proof, label, granted.join("  ")]
    };
    let rows: Vec<[String; 5]> = organisations.iter().map(row).collect();
    let heading = ["public id", "name", "invitation proof", "default label", "has granted access to"];
    context.list(heading, &rows, &organisations);
    Ok(())
}

async fn list_teams(context: &Context) -> Result<(), Failure> {
    let pick = |reply| if let Reply::Teams(teams) = reply { Ok(teams) } else { Err(reply) };
    let teams = context.ask(Request::Teams, pick).await?;
    let row = |team: &TeamSummary| {
        let access = if team.default_access.is_empty() { "none".into() } else { team.default_access.join(" ") };
        let glass = if team.break_glass { "may break it" } else { "-" };
        let named = [team.public_id.clone(), team.name.clone(), team.organisation_name.clone()];
        let [public_id, name, organisation] = named;
        [public_id, name, organisation, team.default_label.clone(), access, glass.into()]
    };
    let rows: Vec<[String; 6]> = teams.iter().map(row).collect();
    let heading = ["public id", "name", "organisation", "default label", "default access", "glass"];
    context.list(heading, &rows, &teams);
    Ok(())
}
