//! Tokens: sealed strings that say what they are to us and nothing to anyone else.
//!
//! A code, a refresh token and an access token hold kind, id, generation, expiry, and a check value made with the salt
//! in their row: so expired, revoked and forged can always be told apart, with no table of tokens.

use crate::secrets::keys::Keys;
use rules::bound_key::KeyThumbprint;
use rules::consent::glass::GLASS_PREFIX;
use rules::ids::SessionId;
use rules::lifecycle::AccessToken;
use rules::moment::Moment;
use store::salt::{Salt, TokenCheck};
use store::sessions::Presented;

/// What a sealed token is for. The letter is inside the seal; the prefix is outside, for people and secret scanners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Code,
    Refresh,
    /// The access token of a session.
    Access,
    /// The access token of a System Client: its id is the client's, its generation a random number.
    SystemAccess,
    /// The cookie of a signed-in browser.
    SignIn,
    /// The cookie of a browser that a user has signed in with: its id is the user's, its generation a random number.
    Browser,
    /// The cookie of a browser in which a user showed their second factor: its id is the user's.
    FactorBrowser,
    /// The header of a call that looks through a broken glass: its id is the glass's, its generation the session's number.
    Glass,
    /// What opens the link in a mail: its id is the link's.
    Link,
}

impl Kind {
    const fn letter(self) -> u8 {
        match self {
            Self::Code => b'c',
            Self::Refresh => b'r',
            Self::Access => b'a',
            Self::SystemAccess => b's',
            Self::SignIn => b'w',
            Self::Browser => b'b',
            Self::FactorBrowser => b'f',
            Self::Glass => b'g',
            Self::Link => b'l',
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Code => "rgc_",
            Self::Refresh => "rgr_",
            Self::Access | Self::SystemAccess => "rga_",
            Self::SignIn => "rgw_",
            Self::Browser => "rgb_",
            Self::FactorBrowser => "rgm_",
            Self::Glass => GLASS_PREFIX,
            Self::Link => "rgl_",
        }
    }
}

/// What a token says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenContent {
    pub kind: Kind,
    pub id: i64,
    pub generation: i64,
    /// The end of an access token; zero where the row says when it ends.
    pub expires_at: Moment,
}

/// An opened token: what it says, and the check value to hold against the salt of its row.
#[derive(Clone, Debug)]
pub struct OpenToken {
    pub content: TokenContent,
    /// The key that an access token is bound to.
    pub key: Option<KeyThumbprint>,
    /// The scopes to which an access token is narrowed; empty where it is not: a session's are in its row.
    pub scopes: String,
    check: TokenCheck,
}

const CONTENT_BYTES: usize = 1 + 3 * 8;
const CHECK_BYTES: usize = 16;

/// What an access token says beside its content.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccessBounds<'b> {
    /// The key that it is bound to.
    pub key: Option<KeyThumbprint>,
    /// The scopes to which it is narrowed.
    pub scopes: Option<&'b str>,
}

impl TokenContent {
    /// The letter is a capital where a key follows: a node that knows of none takes such a token for no token.
    fn bytes(&self, is_bound: bool) -> [u8; CONTENT_BYTES] {
        let letter = self.kind.letter();
        let mut bytes = [if is_bound { letter.to_ascii_uppercase() } else { letter }; CONTENT_BYTES];
        let [_letter, numbers @ ..] = &mut bytes;
        for (to, from) in numbers.chunks_exact_mut(8).zip([self.id, self.generation, self.expires_at.0]) {
            to.copy_from_slice(&from.to_be_bytes());
        }
        bytes
    }
}

impl OpenToken {
    /// Whether the token was made with this salt; a token that was not is none of ours.
    #[must_use]
    pub fn is_vouched_for(&self, salt: &Salt) -> bool {
        match (self.scopes.as_str(), self.key) {
            ("", None) => salt.vouches_for(&self.content.bytes(false), &self.check),
            (scopes, key) => salt.vouches_for(&vouched(&self.content, key.as_ref(), scopes), &self.check),
        }
    }

    /// As the store wants a code or refresh token.
    #[must_use]
    pub fn for_store(&self) -> Presented {
        Presented {
            session: SessionId(self.content.id),
            generation: self.content.generation,
            content: vouched(&self.content, self.key.as_ref(), &self.scopes),
            check: self.check,
        }
    }

    /// As the rules want an access token.
    #[must_use]
    pub const fn access(&self) -> AccessToken {
        AccessToken { generation: self.content.generation, expires_at: self.content.expires_at }
    }
}

/// What the check value of a token with a key or scopes is made of.
fn vouched(content: &TokenContent, key: Option<&KeyThumbprint>, scopes: &str) -> Vec<u8> {
    [&content.bytes(key.is_some()), letters(key), scopes.as_bytes()].concat()
}

fn letters(key: Option<&KeyThumbprint>) -> &[u8] {
    key.map(|key| key.as_str().as_bytes()).unwrap_or_default()
}

/// Makes an access token that is bound to a key, or narrowed to scopes. `None` only if the key ring has no key, which it always has.
#[must_use]
pub fn seal_access(keys: &Keys, salt: &Salt, content: TokenContent, bounds: AccessBounds<'_>) -> Option<String> {
    let (key, scopes) = (bounds.key.as_ref(), bounds.scopes.unwrap_or_default());
    if key.is_none() && scopes.is_empty() {
        return seal(keys, salt, content);
    }
    let check = salt.check(&vouched(&content, key, scopes));
    let content_bytes = content.bytes(key.is_some());
    keys.seal(content.kind.prefix(), &[&content_bytes, &check.0[..], letters(key), scopes.as_bytes()].concat())
}

/// Makes the token. `None` only if the key ring has no key, which it always has.
#[must_use]
pub fn seal(keys: &Keys, salt: &Salt, content: TokenContent) -> Option<String> {
    let bytes = content.bytes(false);
    let check = salt.check(&bytes);
    let mut whole = [0; CONTENT_BYTES + CHECK_BYTES];
    let (to_content, to_check) = whole.split_at_mut(CONTENT_BYTES);
    to_content.copy_from_slice(&bytes);
    to_check.copy_from_slice(&check.0);
    keys.seal(content.kind.prefix(), &whole)
}

/// Opens a token of one of `kinds`; `None` for anything forged, damaged or of another kind.
#[must_use]
pub fn open(keys: &Keys, kinds: &[Kind], text: &str) -> Option<OpenToken> {
    let prefix = kinds.first()?.prefix();
    let content = keys.open_sealed(prefix, text)?;
    let (content, rest) = content.split_first_chunk::<CONTENT_BYTES>()?;
    let (check, rest) = rest.split_first_chunk::<CHECK_BYTES>()?;
    let (letter, numbers) = content.split_first()?;
    let kind = kinds.iter().copied().find(|kind| kind.letter() == letter.to_ascii_lowercase())?;
    let (key, scopes) = match letter.is_ascii_uppercase() {
        true if matches!(kind, Kind::Access | Kind::SystemAccess) => {
            let (key, scopes) = rest.split_first_chunk::<{ KeyThumbprint::BYTES }>()?;
            (Some(KeyThumbprint::read(std::str::from_utf8(key).ok()?)?), scopes)
        }
        true => return None,
        false => (None, rest),
    };
    let mut numbers = numbers.chunks_exact(8).filter_map(|chunk| chunk.try_into().ok().map(i64::from_be_bytes));
    Some(OpenToken {
        content: TokenContent {
            kind,
            id: numbers.next()?,
            generation: numbers.next()?,
            expires_at: Moment(numbers.next()?),
        },
        key,
        scopes: String::from_utf8(scopes.to_vec()).ok()?,
        check: TokenCheck(*check),
    })
}
