//! What is wrong with a proof of a key, and what to do about it.

use super::words::Guidance;
use crate::dpop::fault::ProofFault;

pub(super) const fn guidance(fault: ProofFault) -> Guidance {
    let words = Guidance::new;
    match fault {
        ProofFault::Missing => words(
            "There is no DPoP proof, where the token is bound to a key or the client must use them.",
            "Sign a proof (RFC 9449) for the request and send it in the header DPoP.",
        ),
        ProofFault::Twice => words("There are two DPoP proofs.", "Send one."),
        ProofFault::Unreadable => words(
            "The header DPoP is no JWT, or has a claim of another type than it must have, or crit.",
            "Sign a proof as RFC 9449, 4.2 has it.",
        ),
        ProofFault::WrongType => words("The JWT says that it is something else.", "Set typ to dpop+jwt."),
        ProofFault::WrongAlgorithm => words(
            "The proof is signed with none of the algorithms that are admitted, or not at all.",
            "Sign it with one of dpop_signing_alg_values_supported of the discovery document.",
        ),
        ProofFault::NoKey => {
            words("The proof does not say by which key.", "Put the public key into jwk of the header.")
        }
        ProofFault::PrivateKey => {
            words("The proof tells the private key.", "Make a new key, and put only its public part into jwk.")
        }
        ProofFault::UnfitKey => words(
            "The key is no public key on P-256, P-384 or Ed25519, or not for this algorithm.",
            "Send the public key that belongs to alg.",
        ),
        ProofFault::WrongSignature => {
            words("The signature is not by the key in jwk.", "Sign with the key that is sent.")
        }
        ProofFault::NoId => words("The proof has no jti of its own.", "Add a jti that is new each time."),
        ProofFault::WrongMethod => words("The proof is for another method.", "Put the request's method into htm."),
        ProofFault::WrongTarget => words(
            "The proof is for another URL.",
            "Put the request's URL into htu, by the base URL that discovery has, without query and fragment.",
        ),
        ProofFault::NoTime => words("The proof does not say when it was made.", "Add iat, in seconds."),
        ProofFault::OutOfTime => words("The proof is old, or of the future.", "Sign a new one; check the clock."),
        ProofFault::NoTokenHash => {
            words("The proof does not name the access token.", "Add ath, the SHA-256 of the access token as base64url.")
        }
        ProofFault::WrongTokenHash => words("The proof is for another access token.", "Sign one for this token."),
        ProofFault::NonceNeeded => words(
            "The service asks for a nonce of its own in proofs, and this one has none that is good now.",
            "Take the nonce of the header DPoP-Nonce into the claim nonce, and send the request again.",
        ),
        ProofFault::OtherKey => words(
            "The proof is by another key than the token is bound to.",
            "Sign with the key that the token was asked for with.",
        ),
        ProofFault::Spent => words("A proof with this jti came before.", "Sign a new one for each request."),
    }
}
