//! A person's authenticator app: knows the secret that a page showed, and counts by the world's clock.

use super::page::Page;
use super::world::World;
use ring::hmac;

const SIGNS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The app, with one secret.
#[derive(Clone)]
pub struct Authenticator {
    secret: Vec<u8>,
}

impl Authenticator {
    /// Types the secret in that the page shows.
    pub fn of(page: &Page) -> Self {
        let (_, after) = page.html.split_once("<code class=\"secret\">").expect("a secret on the page");
        let signs = after.split('<').next().unwrap().chars().filter(|sign| !sign.is_whitespace());
        let bits: Vec<bool> = signs
            .flat_map(|sign| {
                let five = SIGNS.find(sign).unwrap();
                (0..5).rev().map(move |at| five >> at & 1 == 1)
            })
            .collect();
        let byte = |bits: &[bool]| bits.iter().fold(0_u8, |all, bit| all << 1 | u8::from(*bit));
        Self { secret: bits.chunks_exact(8).map(byte).collect() }
    }

    /// What it shows now.
    pub fn shows(&self, w: &World) -> String {
        self.shows_at(w.now().unix_seconds())
    }

    /// What it shows at a second of its own clock.
    pub fn shows_at(&self, seconds: i64) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.secret);
        let digest = hmac::sign(&key, &(seconds / 30).to_be_bytes());
        let offset = usize::from(digest.as_ref()[19] & 15);
        let four = u32::from_be_bytes(digest.as_ref()[offset..offset + 4].try_into().unwrap());
        format!("{:06}", (four & 0x7fff_ffff) % 1_000_000)
    }
}
