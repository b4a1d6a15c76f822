//! The pair of an invitation: a code and a secret token, and the further code that some ask for; made to be read from paper and
//! typed.

use crate::secrets::dice::{self, NoRandomness};
use crate::secrets::secret::Secret;
use store::clients::Fingerprint;

/// Digits and letters without those that are taken for each other, as Crockford's base 32 has them: five bits each.
const SIGNS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// 60 bits: so many that no two invitations are found by one code.
const CODE_SIGNS: usize = 12;
/// 140 bits.
const TOKEN_SIGNS: usize = 28;
/// 80 bits: the paper passes through fewer hands than a letter, and is tried ten times at the most.
const PAPER_SIGNS: usize = 16;
/// Signs are read in groups of so many.
const GROUP: usize = 4;

/// A pair as it is handed over, once.
#[derive(Clone, Debug)]
pub struct InvitationSecrets {
    /// Public, as a user name is.
    pub code: String,
    pub token: Secret,
}

/// A new pair.
pub fn pair() -> Result<InvitationSecrets, NoRandomness> {
    let code = grouped(&dice::bytes::<CODE_SIGNS>()?);
    Ok(InvitationSecrets { code, token: Secret::new(grouped(&dice::bytes::<TOKEN_SIGNS>()?)) })
}

/// A new further code, as it is printed, once.
pub fn paper() -> Result<Secret, NoRandomness> {
    Ok(Secret::new(grouped(&dice::bytes::<PAPER_SIGNS>()?)))
}

/// What is kept of a token or a further code, and compared, however somebody typed it.
#[must_use]
pub fn fingerprint(typed: &str) -> Fingerprint {
    Secret::new(plain(typed)).fingerprint()
}

fn grouped(random: &[u8]) -> String {
    let sign = |byte: &u8| SIGNS.get(usize::from(byte & 31)).map_or('0', |sign| char::from(*sign));
    let groups: Vec<String> = random.chunks(GROUP).map(|group| group.iter().map(sign).collect()).collect();
    groups.join("-")
}

/// A code or token as it is compared, however somebody typed it: small or large, with or without hyphens and spaces, with an O for
/// a 0 and an I or L for a 1.
#[must_use]
pub fn plain(typed: &str) -> String {
    let signs = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        sign => sign,
    });
    signs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_pair_is_in_groups_of_signs_that_nobody_confuses() {
        let InvitationSecrets { code, token } = pair().unwrap();
        assert_eq!((code.len(), token.reveal().len()), (14, 34));
        let paper = paper().unwrap();
        assert_eq!(paper.reveal().len(), 19);
        for text in [code.as_str(), token.reveal(), paper.reveal()] {
            assert!(text.split('-').all(|group| group.len() == GROUP), "{text}");
            assert!(text.bytes().all(|sign| sign == b'-' || SIGNS.contains(&sign)), "{text}");
            assert_eq!(plain(text), text.replace('-', ""));
        }
    }

    #[test]
    fn no_two_pairs_are_the_same() {
        let pairs: Vec<InvitationSecrets> = (0..1000).map(|_| pair().unwrap()).collect();
        let codes: HashSet<&str> = pairs.iter().map(|pair| pair.code.as_str()).collect();
        let tokens: HashSet<&str> = pairs.iter().map(|pair| pair.token.reveal()).collect();
        assert_eq!((codes.len(), tokens.len()), (1000, 1000));
    }

    #[test]
    fn what_is_typed_is_read_however_it_is_spelt() {
        for typed in ["10AB-CDEF", " ioab cdef", "LOab-cdEF\t", "1-0-A-B-C-D-E-F"] {
            assert_eq!(plain(typed), "10ABCDEF", "{typed}");
        }
        assert_ne!(plain("10ABCDEG"), "10ABCDEF");
        assert_eq!(plain("ä"), "ä", "what is no sign stays what it is, and matches nothing");
    }

    #[test]
    fn the_token_is_not_told_by_accident() {
        let pair = pair().unwrap();
        assert!(!format!("{pair:?}").contains(pair.token.reveal()));
    }
}
