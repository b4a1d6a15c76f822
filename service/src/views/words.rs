//! The words in which pages tell people what an app may do. Written for lay readers: short sentences, no jargon.
//! Each sentence must stay true of what the gate allows; who may write what is decided in docs/gaps.md.

/// The authorization page, scope PATIENT.
pub const PATIENT_ASKS: [&str; 3] = [
    "See your health record. This includes your name, your date of birth, your letters and your test results.",
    "Add to your record, such as readings you take at home. It cannot change what your care team wrote.",
    "Open letters for you. The team that sent a letter can see when it was first opened.",
];

/// The authorization page, scope CLINICIAN.
pub const CLINICIAN_ASKS: [&str; 3] = [
    "See the records of the patients in your teams.",
    "Add to those records in the name of your team.",
    "Check whether patients have opened the letters your team sent them.",
];

/// The authorization page, scope TEAMCOORD.
pub const TEAMCOORD_ASKS: [&str; 2] = [
    "See the records of the patients in your teams. It cannot add to them or change them.",
    "Check whether patients have opened the letters your team sent them.",
];

/// The authorization page when the app named no scope: one line for each user type the app is registered for.
pub const IF_PATIENT: &str = "If you are a patient: see your own health record and add to it.";
pub const IF_CLINICIAN: &str = "If you are a clinician: see the records of the patients in your teams and add to them.";
pub const IF_TEAMCOORD: &str =
    "If you are a Team Coordinator: see the records of the patients in your teams, but not add to them.";

/// Connected apps: the same in a few words.
pub const PATIENT_MAY: &str = "See your health record and add to it";
pub const CLINICIAN_MAY: &str = "See the records of your teams’ patients and add to them";
pub const TEAMCOORD_MAY: &str = "See the records of your teams’ patients";

/// Completes "Access lasts …" for a client whose sessions never expire.
pub const UNTIL_TAKEN_BACK: &str = "until you take it back";
