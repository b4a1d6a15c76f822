//! The one place that draws random numbers, from the operating system.

use crate::secrets::secret::Secret;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::moment::Moment;
use std::cell::RefCell;

/// The operating system has no randomness to give; nothing safe can be made.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no randomness: {0}")]
pub struct NoRandomness(getrandom::Error);

/// `N` random bytes.
pub fn bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    fill(&mut bytes)?;
    Ok(bytes)
}

#[expect(clippy::disallowed_methods, reason = "this is the door that the lint keeps everyone else out of")]
fn fill(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    getrandom::fill(bytes).map_err(NoRandomness)
}

/// Numbers drawn at once: the operating system takes about as long over one as over all of them.
const NUMBERS: usize = 32;

thread_local! {
    /// Drawn, and given to nobody yet.
    static DRAWN: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// A random positive 63-bit number.
pub fn number() -> Result<i64, NoRandomness> {
    DRAWN.with_borrow_mut(|drawn| {
        if let Some(number) = drawn.pop() {
            return Ok(number);
        }
        let mut bytes = [[0; 8]; NUMBERS];
        fill(bytes.as_flattened_mut())?;
        let [number, others @ ..] = bytes.map(|bytes| i64::from_le_bytes(bytes) & i64::MAX);
        drawn.extend(others);
        Ok(number)
    })
}

/// A source of random numbers for whoever draws many of them, as who looks for large primes does. It panics where the operating
/// system has none to give: ask it only where a panic ends nothing but the work.
pub fn source() -> impl rsa::rand_core::CryptoRng {
    rsa::rand_core::UnwrapErr(getrandom::SysRng)
}

/// A new client secret of 256 bits, with a prefix that secret scanners and people know.
pub fn client_secret() -> Result<Secret, NoRandomness> {
    Ok(Secret::new(format!("rgs_{}", URL_SAFE_NO_PAD.encode(bytes::<32>()?))))
}

/// A new initial access token (RFC 7591), by which clients register themselves.
pub fn client_invitation() -> Result<Secret, NoRandomness> {
    Ok(Secret::new(format!("rgi_{}", URL_SAFE_NO_PAD.encode(bytes::<32>()?))))
}

/// A new registration access token (RFC 7592), by which a client looks after its registration.
pub fn registration_token() -> Result<Secret, NoRandomness> {
    Ok(Secret::new(format!("rgm_{}", URL_SAFE_NO_PAD.encode(bytes::<32>()?))))
}

/// The token of a link, of 256 bits.
pub fn link_token() -> Result<Secret, NoRandomness> {
    Ok(Secret::new(URL_SAFE_NO_PAD.encode(bytes::<32>()?)))
}

/// A new id for what an operator declares.
pub fn uuid() -> Result<String, NoRandomness> {
    Ok(uuid::Builder::from_random_bytes(bytes()?).into_uuid().to_string())
}

/// A new id for a resource that is made at this moment: a UUID that begins with the moment (version 7), so that what is made one
/// after the other is stored side by side. The moment is in the resource, too; 74 bits of chance are left, so nobody comes upon
/// an id, though nothing rests on that: who sees a resource is decided whatever its id.
pub fn resource_id(at: Moment) -> Result<String, NoRandomness> {
    let millis = u64::try_from(at.0).unwrap_or_default();
    Ok(uuid::Builder::from_unix_timestamp_millis(millis, &bytes()?).into_uuid().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_number_is_given_out_twice_in_one_thread_or_in_two() {
        let draw = || (0..10 * NUMBERS).map(|_| number().unwrap()).collect::<Vec<_>>();
        let in_threads: [Vec<i64>; 4] = [(); 4].map(|()| std::thread::spawn(draw)).map(|thread| thread.join().unwrap());
        let all: HashSet<i64> = in_threads.into_iter().flatten().filter(|number| *number >= 0).collect();
        assert_eq!(all.len(), 4 * 10 * NUMBERS);
    }

    #[test]
    fn ids_of_resources_are_in_the_order_of_their_moments_and_no_two_of_one_moment_are_the_same() {
        let at = |millis| resource_id(Moment(millis)).unwrap();
        let ids: Vec<String> = (0..200).map(|n| at(1_800_000_000_000 + n)).collect();
        assert!(ids.is_sorted() && at(i64::MAX) > at(1_800_000_000_200), "{ids:?}");
        let of_one: HashSet<String> = (0..200).map(|_| at(1_800_000_000_000)).collect();
        assert_eq!(of_one.len(), 200);
        assert!(of_one.iter().all(|id| id.starts_with("01a3185c-5000-7") && id.len() == 36), "{of_one:?}");
        assert!(at(-1).starts_with("00000000-0000-7"), "a clock from before 1970");
    }
}
