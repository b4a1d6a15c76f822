//! What can be wrong with the parameters and members of a request to the custom REST API, in words that say what would be right.

use alloc::format;
use alloc::string::{String, ToString};

/// The most items that one list answers without `limit`.
pub const MOST_LISTED: usize = 10_000;
/// The lines of an access log that are answered without `limit`.
pub const LOG_LINES: usize = 100;
/// The messages and documents that are answered to who asks for what is new, without `limit`.
pub const ARRIVALS: usize = 100;
/// The same of the patients of a team.
pub const TEAM_PATIENTS: usize = 100;
/// The most that `limit` may ask for.
pub const MOST_ON_A_PAGE: usize = 1000;
/// The most objects that one request creates.
pub const MOST_CREATED: usize = 100;
/// The longest delay of a document, in days.
pub const MOST_HIDDEN_DAYS: i64 = 30;

/// A request that cannot be understood (400).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShapeFault<'f> {
    UnknownParameter {
        name: &'f str,
        known: &'f str,
    },
    Parameter {
        name: &'f str,
        why: &'f str,
    },
    UnknownMember(&'f str),
    MissingMember(&'f str),
    /// One of these would do.
    MissingMembers(&'f [&'f str]),
    WrongType {
        path: &'f str,
        expected: &'f str,
        found: &'f str,
    },
    /// A member that this sort of item does not have.
    MemberOfOthers {
        path: &'f str,
        only: &'f str,
    },
    /// A type of measurements that there is not.
    UnknownType {
        path: &'f str,
        known: &'f str,
    },
    TooManyItems,
    BatchSize(usize),
    NotJson(&'f str),
    /// A body of several parts that has not the parts that it must have.
    Parts(&'f str),
}

impl ShapeFault<'_> {
    /// As it is told.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::UnknownParameter { name, known } => format!("unknown parameter {name}; known: {known}"),
            Self::Parameter { name, why } => format!("parameter {name}: {why}"),
            Self::UnknownMember(path) => format!("unknown member {path}"),
            Self::MissingMember(path) => format!("missing member {path}"),
            Self::MissingMembers(paths) => format!("missing member {}", paths.join(" or ")),
            Self::WrongType { path, expected, found } => format!("{path}: must be {expected}, not {found}"),
            Self::MemberOfOthers { path, only } => format!("{path}: is for {only} only; send null or leave it out"),
            Self::UnknownType { path, known } => format!("{path}: must be one of the types of measurements: {known}"),
            Self::TooManyItems => "too many items; send limit".into(),
            Self::BatchSize(sent) => format!("an array must have 1 to {MOST_CREATED} objects, not {sent}"),
            Self::NotJson(why) => why.to_string(),
            Self::Parts(why) => format!("the parts of the body: {why}"),
        }
    }
}

/// A value of the right type that cannot be (422 in a member, 400 in a parameter): what follows the member's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueFault<'f> {
    Empty,
    NotText,
    NotOneOf(&'f str),
    NoDate,
    NoMoment,
    NoMomentOrCount,
    NoDay,
    InFuture,
    BeforeStart(&'f str),
    NotBetween(&'f str, &'f str),
    NotWhole,
    NoId,
    NoCode,
    NoUri,
    NoMediaType,
    Twice,
    TooMany(usize),
    TooLong(usize),
    /// What has no meaning without another member.
    Needs(&'f str),
    NotBeside(&'f str),
    /// A user who is not of the team that names them.
    NotOfTeam,
    /// Nobody to whom a consent can be given.
    NoGrantee,
    /// What is said for each of several and is one for all.
    OtherThan(&'f str),
    Fixed,
    BackTo(&'f str),
    EndedAndActive,
    NotSendable(&'f str),
    UnknownAttachment,
    /// One that another document holds, or a message.
    HeldAttachment,
    UnsafeHtml(&'f str),
}

impl ValueFault<'_> {
    /// As it is told.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Empty => "must not be empty; send null where there is no value".into(),
            Self::NotText => "must be text without control characters".into(),
            Self::NotOneOf(words) => format!("must be one of {words}"),
            Self::NoDate => "must be a date: YYYY, YYYY-MM, YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a time zone".into(),
            Self::NoMoment => "must be a moment: YYYY-MM-DDThh:mm:ss with a time zone".into(),
            Self::NoMomentOrCount => {
                "must be a moment: YYYY-MM-DDThh:mm:ss with a time zone, or milliseconds since 1970".into()
            }
            Self::NoDay => "must be a date: YYYY, YYYY-MM or YYYY-MM-DD".into(),
            Self::InFuture => "must not be more than a day in the future".into(),
            Self::BeforeStart(start) => format!("must not be before {start}"),
            Self::NotBetween(least, most) => format!("must be from {least} to {most}"),
            Self::NotWhole => "must be a whole number".into(),
            Self::NoId => "must be an id: 1 to 64 letters, digits, hyphens and dots".into(),
            Self::NoCode => "must be a code: no white space but single spaces inside".into(),
            Self::NoUri => "must be a URI without white space".into(),
            Self::NoMediaType => "must be a media type, for example application/pdf".into(),
            Self::Twice => "was sent twice; send it once".into(),
            Self::TooMany(most) => format!("must name 1 to {most} values"),
            Self::TooLong(most) => format!("must be at most {most} bytes long"),
            Self::Needs(other) => format!("needs {other}"),
            Self::NotBeside(other) => format!("must be null where {other} is sent"),
            Self::NotOfTeam => "must be a user of the team".into(),
            Self::NoGrantee => {
                "is neither a team, nor a professional without a team, nor somebody else with a patient's account here"
                    .into()
            }
            Self::OtherThan(other) => format!("must be the same as {other}: a consent has one"),
            Self::Fixed => "cannot be changed; delete this one and create another".into(),
            Self::BackTo(was) => format!("cannot go back from {was}"),
            Self::EndedAndActive => "must be null while status is ACTIVE".into(),
            Self::NotSendable(words) => format!("is made by the service; send {words}"),
            Self::UnknownAttachment => "is no attachment that was stored by this caller".into(),
            Self::HeldAttachment => "is held by something else already; store it again to attach it here, too".into(),
            Self::UnsafeHtml(why) => format!("must be HTML for reading only: {why}"),
        }
    }
}
