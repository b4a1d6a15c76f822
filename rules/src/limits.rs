//! Every number of the contract and of its decided gaps, once.

use core::ops::RangeInclusive;

/// The longest reason that is taken for ending an account, in bytes: it is kept in the ledger.
pub const ENDING_REASON_BYTES: usize = 500;
/// Authorization code validity: 10 minutes.
pub const CODE_SECONDS: i64 = 600;
/// Access token lifetime of User Clients and Tethered-Token System Clients, unless registered otherwise: 10 minutes.
pub const SESSION_ACCESS_SECONDS: i64 = 600;
/// Access token lifetime of System Clients, unless registered otherwise: 1 hour.
pub const SYSTEM_ACCESS_SECONDS: i64 = 3600;
/// Access token lifetime of System Clients with scopes of SMART, unless registered otherwise: 5 minutes.
pub const SMART_SYSTEM_ACCESS_SECONDS: i64 = 300;
/// The longest text of scopes that an access token says: it is a header of each call.
pub const TOKEN_SCOPES_BYTES: usize = 640;
/// The longest access token lifetime that a client may be registered with.
pub const LONGEST_ACCESS_SECONDS: i64 = 86_400;
/// Session duration of a client that is registered without one: 90 days. Never is what a registration must say itself.
pub const SESSION_SECONDS: i64 = 90 * 86_400;
/// How long an id_token is valid: 10 minutes, as long as a code waits to be redeemed.
pub const ID_TOKEN_SECONDS: i64 = 600;
/// A key that signs no more is published until nothing that it signed is valid, also by a clock that is a minute behind.
pub const SIGNING_KEY_PUBLISHED_SECONDS: i64 = ID_TOKEN_SECONDS + 60;
/// Refresh token uses.
pub const REFRESH_TOKEN_USES: u32 = 1;
/// The longest retry window (`refresh_retry_seconds`) that a client may be registered with.
pub const LONGEST_RETRY_SECONDS: i64 = 60;

/// Bodies of the token and authorization endpoints and of the pages' forms.
pub const FORM_BODY_BYTES: usize = 16 * 1024;
/// What somebody writes on a page of ours in the field for a text: 5000 characters of any script, and their line breaks.
pub const TEXT_BYTES: usize = 20 * 1024;
/// The most characters that such a field takes.
pub const TEXT_CHARACTERS: usize = 5000;
/// Bodies of the forms that have one: encoded, a byte is up to three.
pub const TEXT_FORM_BYTES: usize = 3 * TEXT_BYTES + FORM_BODY_BYTES;
/// Bodies of the two APIs, unless configured otherwise.
pub const API_BODY_BYTES: usize = 10 * 1024 * 1024;
/// The header block of any request.
pub const HEADER_BLOCK_BYTES: usize = 32 * 1024;
/// A request's head must arrive within this time, and then its body.
pub const ARRIVAL_SECONDS: u64 = 15;
/// What arrives of a body buys it more time: a second for this many bytes. The thinnest of lines carries more.
pub const ARRIVAL_BYTES_A_SECOND: u64 = 16 * 1024;
/// A client that takes nothing of its answer is waited for this long, unless configured otherwise.
pub const DELIVERY_SECONDS: u64 = 15;
/// What a client takes buys it more time, up to that: a second for this many bytes.
pub const DELIVERY_BYTES_A_SECOND: u64 = 16 * 1024;
/// Streams of one HTTP/2 connection at once, and how many of their requests are answered, or have answers that are not taken: the
/// others wait with nothing but their head.
pub const HTTP2_STREAMS: u32 = 100;
pub const HTTP2_ANSWERS: usize = 16;
/// Bytes of bodies that a client may send before somebody reads them: over one HTTP/2 stream, and over all of a connection.
pub const HTTP2_STREAM_WINDOW_BYTES: u32 = 64 * 1024;
pub const HTTP2_WINDOW_BYTES: u32 = 128 * 1024;
/// Connections at once, unless configured otherwise: in all, and from one address.
pub const CONNECTIONS: usize = 8192;
pub const CONNECTIONS_PER_ADDRESS: usize = 256;
/// Bytes of answers that their callers have not taken yet, unless configured otherwise: in all, and of one caller. Who has
/// as many gets no further large answer.
pub const UNREAD_BYTES: usize = 256 * 1024 * 1024;
pub const UNREAD_BYTES_PER_CALLER: usize = 64 * 1024 * 1024;
/// An answer up to this long is small, and is not counted among them.
pub const SMALL_ANSWER_BYTES: usize = 32 * 1024;
/// Bytes of request bodies that were received and are not answered yet: in all, and of one caller. Where longer bodies are
/// configured, there is room for one of each of two callers.
pub const BODY_BYTES: usize = 40 * 1024 * 1024;
pub const BODY_BYTES_PER_CALLER: usize = 12 * 1024 * 1024;
/// Bytes of what was made of bodies and is not stored yet, with the rows of its index and the drafts of what will be stored: in all, and
/// of one caller. The largest transaction has room.
pub const PREPARED_BYTES: usize = 144 * 1024 * 1024;
pub const PREPARED_BYTES_PER_CALLER: usize = 72 * 1024 * 1024;
/// Of a body that is longer than it may be so many bytes are read on and let go, so that its sender comes to hear why.
pub const READ_ON_BYTES: usize = 64 * 1024 * 1024;
/// A body up to this long is small. Small ones have bytes of their own beside those: in all, and of one caller.
pub const SMALL_BODY_BYTES: usize = 64 * 1024;
pub const SMALL_BODIES_BYTES: usize = 16 * 1024 * 1024;
pub const SMALL_BODIES_BYTES_PER_CALLER: usize = 4 * 1024 * 1024;
/// The longest `X-Request-Id` that is taken from a caller.
pub const REQUEST_ID_BYTES: usize = 64;
/// Lines of the log that requests of strangers may cause at once, and how many a second after that.
pub const STRANGERS_LINES: f64 = 100.0;
pub const STRANGERS_LINES_A_SECOND: f64 = 10.0;
/// The longest single parameter value of the authorization and token endpoints.
pub const PARAMETER_BYTES: usize = 2048;
/// Most `documentIdentifier` parameters of one read-receipt query.
pub const READ_RECEIPT_DOCUMENTS: usize = 5000;
/// Most `patientIdentifier` of one question after the status of patients, and of one after their last data points.
pub const STATUS_PATIENTS: usize = 5000;
pub const LAST_DATA_POINT_PATIENTS: usize = 100;
/// Most `patientIdentifier` of one request for invitations.
pub const INVITATION_PATIENTS: usize = 500;
/// How long an invitation can be redeemed: 30 days.
pub const INVITATION_SECONDS: i64 = 30 * 86_400;
/// How old a patient must be to be invited, in years.
pub const INVITED_AGE: i64 = 16;
/// Wrong dates of birth that end an invitation, with its right code and token: whoever found the letter could guess for a month.
pub const INVITATION_TRIES: i64 = 10;
/// How long the further code can be used that a Team Coordinator prints for somebody who is invited: 14 days.
pub const PAPER_SECONDS: i64 = 14 * 86_400;
/// Wrong tries that end a further code.
pub const PAPER_TRIES: i64 = 10;
/// Levels of nesting in a resource: more than any real one has, less than a stack can bear.
pub const RESOURCE_DEPTH: usize = 64;
/// JSON values of all sorts and levels in a resource, and in a Bundle of requests. What reading a body takes goes by these: a
/// value of one byte is a node of many. Real resources have one value for about 25 bytes.
pub const RESOURCE_VALUES: usize = 100_000;
pub const BUNDLE_VALUES: usize = 500_000;
/// Most identifiers of one resource, because each is a row of the index.
pub const RESOURCE_TOKENS: usize = 1000;
/// The longest system and the longest value of an identifier.
pub const TOKEN_BYTES: usize = 1024;
/// Index rows of one resource, and of what an import writes at once: writing them keeps everybody else's writes waiting, for
/// 50 milliseconds at the most by estimate. A patient in whose record a resource is counts as several, as does the resource itself.
pub const RESOURCE_INDEX_ROWS: usize = 10_000;
/// Index rows of all that one transaction writes: enough for a Bundle of 5,000 ordinary entries, which is made at once or not at
/// all, so that others' writes wait for all of it.
pub const TRANSACTION_INDEX_ROWS: usize = 150_000;
/// Index rows of resources that are there which one transaction of several may change, those that go and those that come. One resource
/// alone cannot change more.
pub const REPLACED_INDEX_ROWS: usize = 2 * RESOURCE_INDEX_ROWS;
pub const ROWS_OF_A_PATIENT: usize = 4;
pub const ROWS_OF_A_RESOURCE: usize = 4;
/// Things that are wrong with one resource and are told at once.
pub const ISSUES: usize = 100;
/// Operations of one patch, and members and items that it may pass over on its way to what it means.
pub const PATCH_OPERATIONS: usize = 1000;
pub const PATCH_STEPS: usize = 2_000_000;
/// Documents without a token (OpenAPI, its page) that one network is given in a second, and at once before that; more wait.
pub const DOCUMENTS_PER_SECOND: u64 = 100;
pub const DOCUMENTS_AT_ONCE: u64 = 100;
/// How long an answer of an API waits that refuses for want of room (429, 503): two hundred connections that ask again at once
/// are then two thousand requests a second, and no tens of thousands.
pub const OVERLOAD_ANSWER_MILLISECONDS: u64 = 100;
/// How often a write is tried that rests on what others change meanwhile: a patch, one that depends on criteria, or one
/// of an id that others write at the same moment.
pub const WRITE_TRIES: usize = 3;
/// Bytes of a resource that is read, validated and prepared where its request is answered; a longer one takes about a
/// millisecond or more, and is no work for a thread that others wait for.
pub const VALIDATED_IN_PLACE_BYTES: usize = 16 * 1024;
/// Bodies of more than this are worked on one at a time.
pub const LARGE_WORK_BYTES: usize = 256 * 1024;
/// Bytes of the resources of a transaction that are prepared together, about.
pub const PREPARED_TOGETHER_BYTES: usize = 128 * 1024;
/// Requests of one Bundle: a batch or a transaction.
pub const BUNDLE_ENTRIES: usize = 5000;
/// What the reads of such a Bundle may add up to, about: those behind it are refused.
pub const BUNDLE_BYTES: usize = 32 << 20;
/// Entries on one page of a search (`_count`), unless asked for otherwise, and at the most.
pub const PAGE_ENTRIES: i64 = 50;
pub const MOST_PAGE_ENTRIES: i64 = 200;
/// Bytes of resources on one page of a search or a history, and of what comes with them: a page ends where it is so large,
/// with a link to the next, because a resource may be as large as a body.
pub const PAGE_BYTES: usize = 16 << 20;
/// Bytes of an answer that is laid out for people (`_pretty`) where that is asked for; a longer one is sent as it is.
pub const LAID_OUT_BYTES: usize = 1 << 20;
/// Grants on one page of a list that people read.
pub const PAGE_GRANTS: i64 = 50;
/// Most alternatives of one search parameter: each is a look-up of its own.
pub const SEARCH_ALTERNATIVES: usize = 50;
/// Most parameters of one search.
pub const SEARCH_PARAMETERS: usize = 50;
/// Most search parameters, each of one type, that SearchParameters define beside those of R4.
pub const OWN_PARAMETERS: usize = 64;
/// How many of them one organisation may define: so that none takes all.
pub const OWN_PARAMETERS_EACH: usize = 16;
/// How long `/fhir/metadata` may not know of a SearchParameter that was stored, in milliseconds.
pub const STATEMENT_AGE_MS: i64 = 1000;
/// Most resources of other types that the chains of one search can pass through.
pub const SEARCH_LINKS: usize = 150;
/// Most resources that come with the matches of one page.
pub const INCLUDED_ENTRIES: i64 = 1000;

/// Resources of a type that its `$meta` looks at: there is no index of what it gathers.
pub const META_RESOURCES: usize = 5000;
/// Observations that one `$lastn` looks at, and that it gives at the most.
pub const LASTN_OBSERVATIONS: usize = 10_000;
pub const LASTN_ENTRIES: usize = 1000;
/// Patients that `$match` looks at for each thing that they could have in common, and that it gives at the most.
pub const MATCH_CANDIDATES: i64 = 50;
pub const MATCH_ENTRIES: usize = 50;

/// How long what an export gives can be fetched, and how many exports one caller may have that can be: with one more, the
/// oldest goes that is counted, or that nobody has asked for.
pub const EXPORT_SECONDS: i64 = 86_400;
pub const EXPORTS_PER_CALLER: usize = 5;
/// An export that is not counted yet, and whose status nobody has asked for in so long, is no longer waited for.
pub const EXPORT_FORSAKEN_SECONDS: i64 = 600;
/// The `transactionTime` of an export is so long before its kick-off: what was being written then may have the moment at which
/// it was begun, and is found by the next export, which goes on from there.
pub const EXPORT_OVERLAP_SECONDS: i64 = 60;
/// Resources of one file of an export, about.
pub const EXPORT_FILE_RESOURCES: i64 = 10_000;
/// Rows of the database that one step looks at, of the count and of a file; and the bytes of resources that a step of a file
/// gives, about.
pub const EXPORT_READ_ROWS: i64 = 500;
pub const EXPORT_STEP_BYTES: usize = 512 << 10;
/// Damaged resources that an export leaves out and tells of. Where there are more, the store is to be restored, not exported.
pub const EXPORT_DAMAGED: usize = 1000;
/// For so long a question after the status of an export counts, and for so long nobody else does.
pub const EXPORT_COUNT_SECONDS: u64 = 2;
pub const EXPORT_TURN_SECONDS: i64 = 30;
/// Members of a Group of whom an export can be, and so few that their records are looked up instead of walking all of a type.
pub const EXPORT_MEMBERS: usize = 10_000;
pub const EXPORT_FEW_MEMBERS: usize = 50;
/// Runs of rows of one file of an export that are kept apart: what is between them is not walked again.
pub const EXPORT_FILE_RUNS: usize = 1000;

/// How long an authorization or sign-in page may lie open before its form is refused.
pub const FORM_SECONDS: i64 = 1800;
/// How long an authorization request that was pushed can be named: 1 minute.
pub const PUSHED_SECONDS: i64 = 60;
/// How long an app that was opened from here can say so: 5 minutes.
pub const LAUNCH_SECONDS: i64 = 300;
/// How long ago somebody may have signed in who is asked for approval alone by an app that they opened from here: 1 hour.
pub const LAUNCH_SIGN_IN_SECONDS: i64 = 3600;
/// The longest name of a pushed request, which holds the request sealed: somewhat less than a head can have.
pub const REQUEST_URI_BYTES: usize = 24 * 1024;
/// Records of others that the authorization page offers at the most, and items of a record that it counts.
pub const RECORDS_OFFERED: i64 = 20;
pub const ITEMS_COUNTED: i64 = 10_000;
/// Tries on the authorization page that an operator may allow at the most (`authorize.attempts`).
pub const MOST_ATTEMPTS: u32 = 5;
/// A signed-in browser is signed out after this long without a page view.
pub const SIGN_IN_IDLE_SECONDS: i64 = 1800;
/// A signed-in browser is signed out after this long in any case.
pub const SIGN_IN_LONGEST_SECONDS: i64 = 12 * 3600;
/// How long a browser keeps the cookie of a sign-in that is over, so that it can be told that its time was up.
pub const SIGN_IN_REMEMBERED_SECONDS: i64 = 7 * 86_400;
/// The use of a signed-in browser is noted when the last note is this old: a page view need not be a write.
pub const SIGN_IN_NOTED_SECONDS: i64 = 300;
/// Browsers that one user is signed in with at the most; with one more the oldest is signed out.
pub const SIGN_INS_PER_USER: i64 = 50;
/// Lines of one page of a list that people read.
pub const LIST_LINES: usize = 50;

/// The shortest client secret that an operator may give: only its fingerprint is stored, so it must resist guessing.
pub const SECRET_CHARACTERS: usize = 16;

/// The longest name of a person, product or organisation, and the longest user name: more would break every page that shows it.
pub const NAME_CHARACTERS: usize = 200;
/// How many characters a new password has. The longest fits into a form's field, whatever the characters are.
pub const PASSWORD_CHARACTERS: RangeInclusive<usize> = 10..=256;

/// How far ahead of now a client assertion may end, besides what the clocks differ by. When it says that it was made does not
/// count: clients round one of the two moments up and the other down.
pub const ASSERTION_SECONDS: i64 = 300;
/// By so much the clock of a client may differ from ours.
pub const ASSERTION_SKEW_SECONDS: i64 = 60;
/// For so long beyond its end the `jti` of an assertion is kept, because the clocks of our own nodes may differ too.
pub const ASSERTION_KEPT_SECONDS: i64 = 600;
/// By so much the moment at which a proof of a key was made may differ from ours, either way.
pub const PROOF_SKEW_SECONDS: i64 = 60;
/// How long a nonce can be put into proofs: 5 minutes.
pub const PROOF_NONCE_SECONDS: i64 = 300;
/// For so long beyond its time the `jti` of a proof is kept, because the clocks of our own nodes may differ too.
pub const PROOF_KEPT_SECONDS: i64 = 60;
/// The book of proofs that were used has so many shelves, with so many proofs on each: in all half a million, or 3,000 a second.
pub const PROOF_SHELVES: usize = 4096;
pub const PROOFS_PER_SHELF: i64 = 128;
/// Most public keys of one client: an assertion that names none of them is tried with all that fit.
pub const CLIENT_KEYS: usize = 10;
/// The text of a JWK Set: room for as many of the largest keys, with their ids.
pub const KEY_SET_BYTES: usize = 32 * 1024;
/// The metadata of a client that registers itself, with its JWK Set.
pub const REGISTRATION_BYTES: usize = 64 * 1024;
/// The most redirect URIs, and as many addresses for after signing out, of one that registers itself.
pub const REGISTERED_URIS: usize = 20;
/// How often one initial access token may be used at the most, and how long it may be good.
pub const CLIENT_INVITATION_USES: i64 = 1000;
pub const CLIENT_INVITATION_SECONDS: i64 = 90 * 86_400;
/// The longest URL at which a client's keys may be.
pub const KEY_URL_BYTES: usize = 1000;
/// How long fetching them may take, from the resolution of the name to the last byte.
pub const KEY_FETCH_SECONDS: u64 = 2;
/// The head and the body of what is answered.
pub const KEY_HEAD_BYTES: usize = 16 * 1024;
pub const KEY_BODY_BYTES: usize = 64 * 1024;
/// Most keys of a set that is fetched, those included that are of no use here.
pub const FETCHED_KEYS: usize = 50;
/// Fetches under way at once, of all clients together.
pub const KEY_FETCHES: usize = 16;
/// How long fetched keys are good where their server says nothing of it: 5 minutes; whatever it says, at most and at least so long.
pub const KEYS_GOOD_SECONDS: i64 = 300;
pub const LONGEST_KEYS_GOOD_SECONDS: i64 = 86_400;
pub const LEAST_KEYS_GOOD_SECONDS: i64 = 1;
/// Keys that are good are fetched again because one is unknown once in so many seconds.
pub const UNKNOWN_KEY_SECONDS: i64 = 60;
/// The pause after a fetch that failed: the first, and the longest to which it doubles.
pub const KEY_FETCH_PAUSES: RangeInclusive<i64> = 10..=60;
/// The bits of an RSA key: fewer can be broken, more take too long to check.
pub const RSA_BITS: RangeInclusive<usize> = 2048..=8192;

/// Failures are counted over a window of this length, unless configured otherwise.
pub const FAILURE_WINDOW_SECONDS: i64 = 900;
/// Failed logins or client authentications of one account in a window before it must wait, unless configured otherwise.
pub const FAILURES_PER_ACCOUNT: u32 = 10;
/// Failed logins, or failed client authentications, from one address in a window before it must wait, unless configured
/// otherwise.
pub const FAILURES_PER_ADDRESS: u32 = 100;
/// Passwords that may wait to be looked at for one address, or one known browser, behind the one that has its turn.
pub const SIGN_INS_WAITING: usize = 16;
/// Addresses, and besides as many known browsers, that may wait for their turn.
pub const SIGN_IN_LINES: usize = 64;
/// A browser is known as one that a user has signed in with for this long after the last time: 400 days, which is as long
/// as browsers keep a cookie.
pub const BROWSER_SECONDS: i64 = 400 * 86_400;
/// Users that one browser is known by at the most, the latest ones.
pub const ACCOUNTS_PER_BROWSER: usize = 8;

/// A session whose code was never redeemed is swept this long after the grant.
pub const UNREDEEMED_KEPT_SECONDS: i64 = 86_400;
/// A session that is over (expired or revoked) is swept this long after its end: until then its tokens still
/// get the answer that says why they no longer work.
pub const OVER_KEPT_SECONDS: i64 = 90 * 86_400;
/// An ended token is forgotten this long after it would have expired: until then it is void on nodes whose clocks are
/// behind, too.
pub const ENDED_TOKEN_KEPT_SECONDS: i64 = 86_400;

/// For how many months, besides the present one, lines of the ledger can be kept where they are not kept for ever. A patient
/// finds who looked at their record a year ago in any case.
pub const LEDGER_MONTHS: RangeInclusive<u32> = 12..=1200;

/// For how many days what people were told in the service can be kept.
pub const NOTICE_DAYS: RangeInclusive<i64> = 30..=36_500;

/// A clock that is further ahead of what is known than this is not believed at once by whoever deletes for good.
pub const CLOCK_LEAP_SECONDS: i64 = 60;
/// A clock that has run evenly for so long is believed, whatever was known before.
pub const CLOCK_HELD_SECONDS: u64 = 3600;

/// How long a broken glass opens a record, if its session lasts so long: 30 minutes.
pub const GLASS_SECONDS: i64 = 1800;
/// Days for which an item can be hidden from its patient at the most, unless configured otherwise (`release.max_days`).
pub const HIDDEN_DAYS: i64 = 30;
/// The age at which a carer's consent for a child ends, unless configured otherwise (`carers.end_at_age`).
pub const CARED_FOR_AGE: i64 = 16;
/// From this age on a privacy officer may disable a patient's sharing.
pub const SHARING_AGE: i64 = 16;
/// Under this age a team's CLINICIAN may freeze a patient's record.
pub const FREEZING_AGE: i64 = 18;
/// How long an attachment waits for a document or a message to hold it.
pub const UNCLAIMED_ATTACHMENT_SECONDS: i64 = 86_400;
/// The longest name of an attachment, in bytes.
pub const FILE_NAME_BYTES: usize = 255;
/// The most files that one request of several parts brings.
pub const MOST_FILES: usize = 10;

/// How long a link in a mail can be used, to choose a new password or to confirm an address: 30 minutes.
pub const ACCOUNT_LINK_SECONDS: i64 = 1800;
/// How often somebody may ask for a new password within so long: for one name or address that is typed, and from one network.
pub const RESET_WINDOW_SECONDS: u64 = 3600;
pub const RESETS_PER_NAME: u32 = 3;
pub const RESETS_PER_ADDRESS: u32 = 20;
/// Mail that may wait to be sent.
pub const MAILS_WAITING: i64 = 10_000;
/// How often a mail is tried, and for how long it is kept that could not be sent.
pub const MAIL_TRIES: i64 = 12;
pub const MAIL_KEPT_SECONDS: i64 = 86_400;
/// How long a mail waits that could not be sent the first time, and at the most.
pub const MAIL_FIRST_WAIT_SECONDS: i64 = 60;
pub const MAIL_LONGEST_WAIT_SECONDS: i64 = 3600;
/// A code of a second factor is of a step of so many seconds (RFC 6238), and good in so many steps before and after.
pub const FACTOR_STEP_SECONDS: i64 = 30;
pub const FACTOR_DRIFT_STEPS: i64 = 1;
/// The bytes of a second factor's secret, as RFC 4226 recommends.
pub const FACTOR_SECRET_BYTES: usize = 20;
/// Recovery codes that are made at once.
pub const RECOVERY_CODES: usize = 10;
/// Wrong codes of one account, and of one account in a browser that it has signed in with before, within a window of this
/// length, before it must wait. Three codes of a million are good at a time: guessing on takes years.
pub const FACTOR_FAILURES: u32 = 5;
pub const FACTOR_WINDOW_SECONDS: i64 = 3600;
/// The page that asks for a code, and the one that sets a factor up, are good for so long.
pub const FACTOR_FORM_SECONDS: i64 = 300;
pub const FACTOR_ENROLMENT_SECONDS: i64 = 1800;
/// Passkeys of one person, and how long the name of one and the id that its authenticator gave it can be (WebAuthn, 4).
pub const PASSKEYS_PER_USER: usize = 10;
pub const PASSKEY_NAME_CHARS: usize = 60;
pub const CREDENTIAL_ID_BYTES: usize = 1023;
/// What a browser answers for a passkey: its id twice, in base64, beside the key and a signature.
pub const PASSKEY_ANSWER_BYTES: usize = 8 * 1024;
/// The public key of a passkey, as its authenticator writes it down: of RSA with 4096 bits, and some room.
pub const PASSKEY_KEY_BYTES: usize = 1024;
/// What can harm needs a proof that is no older: 5 minutes.
pub const FACTOR_FRESH_SECONDS: i64 = 300;
/// An operator's link that resets a second factor: 24 hours.
pub const FACTOR_LINK_SECONDS: i64 = 86_400;
/// For how many days a browser is remembered after a code, unless configured otherwise; 0: never.
pub const FACTOR_REMEMBER_DAYS: RangeInclusive<i64> = 0..=400;
