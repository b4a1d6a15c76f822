//! `recordgate apply`: makes organisations, teams, users, clients and grants as files declare them.

use super::context::Context;
use super::failure::Failure;
use super::store_presence::StoreChoice;
use super::{bar, way};
use crate::operator::world_file;
use crate::operator::{ApplyReport, Change, How, NewSecret, Reply, Request};
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLE)]
pub(super) struct ApplyArgs {
    /// TOML files; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

const EXAMPLE: &str = r#"Makes a new store where there is none, unless no database is named and a sandbox's is in ./recordgate-sandbox.
What is declared and new is made; what is there already is changed to what the file says; what is not declared stays.
All files are checked first, and nothing is written where anything is wrong with them. Up to 100 things are then written in one
go, all of them or nothing; more of them piece by piece, and the service goes on meanwhile. Applying the same file again changes
nothing, and finishes what was begun: if the command ends early, the things that were written stay, each of them whole.

Example:
  [[organisation]]
  public_id = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
  name = "Northmoor Hospital"
  default_label = "GENERAL_HEALTH"        # of what its systems send without a label; "none": without one, it needs all four

  [[team]]
  public_id = "a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"
  organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
  name = "Sleep Clinic"
  default_label = "GENERAL_HEALTH"        # GENERAL_HEALTH MENTAL_HEALTH SEXUAL_HEALTH SOCIAL_CARE
  default_access = ["GENERAL_HEALTH"]     # what a consent that names no label gives it, and the most that IMPLIED gives
  break_glass = false                     # true: its clinicians may break the glass; what is left out of these stays as it is

  [[user]]
  username = "amina"
  password = "…"                # 10 to 256 characters; or password_hash = "$argon2id$…"; a known user without either keeps theirs
  type = "PATIENT"              # PATIENT CLINICIAN TEAMCOORD ADMIN PRIVACY_OFFICER
  name = "Amina Osei"
  patient = "amina-osei"        # the id of her Patient resource; PATIENT only (organisation = "UUID": PRIVACY_OFFICER only)
  teams = ["a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01"]      # of a PATIENT: these, with all labels, and no other team
  consents = [                  # PATIENT: who sees which labels, instead of all; a team stands here or in teams
      { team = "c5b0…", labels = ["GENERAL_HEALTH"], basis = "IMPLIED", reason = "REFERRAL" },
      { carer = "tomas", labels = ["GENERAL_HEALTH"], manages = true, ends_at = "2031-04-30" },
      { professional = "dr-grey", labels = ["GENERAL_HEALTH", "MENTAL_HEALTH"] },
  ]

  [[client]]
  client_id = "sleep-diary"
  kind = "user"                 # user system tethered
  owner = "Nightjar Health"
  product = "Sleep Diary"
  redirect_uris = ["https://sleep.example/callback"]    # user
  scopes = ["PATIENT"]          # user: PATIENT CLINICIAN TEAMCOORD, or SMART's: ["launch/patient", "patient/*.rs"]; system: "system/…"
  launch_url = "https://sleep.example/launch"   # user, with the scope launch: where it is opened from the pages here
  post_logout_redirect_uris = ["https://sleep.example/bye"]  # user: where it may lead browsers that it had sign out here
  user_types = ["PATIENT"]      # user: who may sign in, where scopes are SMART's alone
  id_token_signed_response_alg = "RS256"  # user: or "ES256"
  sector = "nightjar"           # user: apps of one sector know a person by the same id; left out: by one of its own
  default_organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"    # system, with "system/…": for whom it acts where a call names nobody
  secret = "…"                  # system, optional for user; at least 16 characters
  jwks = '{"keys":[…]}'         # instead of secret: 1 to 10 public keys, with which the client signs
  jwks_url = "https://sleep.example/jwks.json"    # instead of jwks: where these keys are
  session = "90d"               # 90d 12h 30m or never; left out: 90d; not for system
  access_token = "10m"          # left out: 10m, and 1h for system, 5m with "system/…"; at most 1d
  refresh_tokens = true
  require_pkce = false
  pkce = "when-sent"            # user with a secret: SMART requests need no PKCE; left out: they do
  require_par = false           # true: its authorization requests must be pushed (RFC 9126)
  dpop_bound_access_tokens = false    # user, system; true: it gets no token without a proof of a key, to which it is bound (RFC 9449)
  refresh_retry_seconds = 0     # 0 to 60
  scope_echo = "lower"          # or "as-requested"
  redirect_extra_query = false
  may_introspect = false        # true: may ask about any token; only with a secret

  [[organisation_grant]]        # an organisation lets a System Client in
  organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
  client = "letter-sender"
  client_ids = "uuid"           # or "any": ids of its own choice for what is new, for a system that moves in
  through = []                  # teams of the organisation by whose consents it reads too, beside what is the organisation's own

A consent rests on EXPLICIT, PATIENT_CONSENTED where nothing is said of it; the reasons are PATIENT_CONSENTED REFERRAL IN_TREATMENT
COURT_ORDER PARENT OTHER (with reason_text). A consent from which the patient has taken labels away since stays as the patient
left it, unless the file itself says basis = "EXPLICIT". One that is no longer declared stays, but for a team's: `teams` and
`consents` together are the teams of a patient.

A client without secret, jwks and jwks_url keeps what it has. A new System Client without any gets a secret, printed this once.
"#;

const NOTHING: &str = "Nothing was changed.";
const AGAIN: &str =
    "What was made stays. Apply the same again: what is as declared is left alone, and the rest follows.";

pub(super) async fn run(context: &Context, args: ApplyArgs) -> Result<(), Failure> {
    let files = args.files.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let declared = world_file::read(&files).map_err(|problems| Failure::all(problems).so(NOTHING))?;
    let (how, choice) = match args.dry_run {
        true => (How::DryRun, StoreChoice::Existing),
        false => (How::Apply, StoreChoice::ExistingOrNew),
    };
    let applied = apply(context, declared, how, choice).await?;
    tell(context, &applied, how);
    match applied.problem {
        None => Ok(()),
        Some(problem) => Err(Failure::because(problem).so(AGAIN)),
    }
}

/// Asks for a declaration to be made so, with a bar while passwords are hashed and pieces are written.
pub(super) async fn apply(
    context: &Context,
    declared: crate::operator::declaration::Declaration,
    how: How,
    choice: StoreChoice,
) -> Result<ApplyReport, Failure> {
    let (bar, progress) = bar::progress("applying");
    let request = Request::Apply { declared: Box::new(declared), how };
    let reply = context.way(choice).await?.ask_or_hear_no(request, &progress).await;
    bar.finish_and_clear();
    // Whoever lost the way to the server cannot know how far it came.
    match reply.map_err(|failure| if how == How::Apply { failure.so(AGAIN) } else { failure })? {
        Reply::Applied(applied) => Ok(applied),
        Reply::Refused(why) => Err(Failure::all(why).so(NOTHING)),
        other => Err(way::unexpected(other)),
    }
}

/// A file's name and text; `-` is standard input.
pub(super) fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    let cannot = |error| Failure::because(format!("{name} cannot be read: {error}"));
    let text = if name == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(cannot)?;
        text
    } else {
        std::fs::read_to_string(path).map_err(cannot)?
    };
    Ok((if name == "-" { "standard input".into() } else { name }, text))
}

fn tell(context: &Context, applied: &ApplyReport, how: How) {
    let out = context.out;
    out.value(applied);
    let changed = applied.changes.iter().filter(|change| change.change != "unchanged");
    let rows: Vec<[String; 3]> = changed.map(|c| [c.change.clone(), c.what.clone(), c.name.clone()]).collect();
    if !rows.is_empty() {
        out.table(["change", "what", "name"], &rows);
        out.say("");
    }
    let count = |word: &str| applied.changes.iter().filter(|change: &&Change| change.change == word).count();
    let (created, updated, unchanged) = (count("created"), count("updated"), count("unchanged"));
    let so = if how == How::DryRun { " (dry run: nothing was changed)" } else { "" };
    out.say(&format!("{created} created, {updated} updated, {unchanged} unchanged{so}"));
    tell_secrets(context, &applied.secrets);
}

/// Prints secrets that were made; they are not shown again.
pub(super) fn tell_secrets(context: &Context, secrets: &[NewSecret]) {
    if secrets.is_empty() {
        return;
    }
    context.out.say("\nKeep these secrets now; they are not shown again:");
    let rows: Vec<_> = secrets.iter().map(|s| [s.client_id.clone(), s.secret.reveal().to_owned()]).collect();
    context.out.table(["client", "secret"], &rows);
}

#[cfg(test)]
mod tests {
    use super::EXAMPLE;
    use crate::formats::durations::duration;
    use rules::clients::ClientKind;
    use rules::limits;

    #[test]
    fn the_help_names_the_numbers_of_the_rules() {
        let (user, system) = (ClientKind::User.access_seconds(), ClientKind::System.access_seconds());
        for sentence in [
            format!("at least {} characters", limits::SECRET_CHARACTERS),
            format!("or never; left out: {};", duration(limits::SESSION_SECONDS)),
            format!("left out: {}, and {} for system", duration(user), duration(system)),
            format!("{} with \"system/…\"", duration(limits::SMART_SYSTEM_ACCESS_SECONDS)),
            format!("at most {}", duration(limits::LONGEST_ACCESS_SECONDS)),
            format!("1 to {} public keys", limits::CLIENT_KEYS),
            format!("0 to {}", limits::LONGEST_RETRY_SECONDS),
        ] {
            assert!(EXAMPLE.contains(&sentence), "the help does not say: {sentence}");
        }
    }
}
