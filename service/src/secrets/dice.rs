//! The one place that draws random numbers, from the operating system.

use crate::secrets::secret::Secret;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
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

/// A new client secret of 256 bits, with a prefix that secret scanners and people know.
pub fn client_secret() -> Result<Secret, NoRandomness> {
    Ok(Secret::new(format!("rgs_{}", URL_SAFE_NO_PAD.encode(bytes::<32>()?))))
}

/// A new id for a resource.
pub fn uuid() -> Result<String, NoRandomness> {
    Ok(uuid::Builder::from_random_bytes(bytes()?).into_uuid().to_string())
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
}
