//! Checking signatures, by `ring`, for the JOSE library: what it is given to work with, and nothing that could sign.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384,
    RSA_PSS_2048_8192_SHA256, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

static VERIFIES_ONLY: CryptoProvider =
    CryptoProvider { signer_factory: signer, verifier_factory: verifier, key_utils: KeyUtils::new_unimplemented() };

/// Lets the JOSE library check signatures; whoever is about to use it says so. From the second time on it does nothing.
pub(super) fn get_ready() {
    // An error says only that it was done before.
    let _ = VERIFIES_ONLY.install_default();
}

fn signer(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    Err(ErrorKind::UnsupportedAlgorithm.into())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let method = match algorithm {
        Algorithm::ES256 => Method::Plain(&ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Method::Plain(&ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Method::Plain(&ED25519),
        Algorithm::RS256 => Method::Rsa(&RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Method::Rsa(&RSA_PKCS1_2048_8192_SHA384),
        Algorithm::PS256 => Method::Rsa(&RSA_PSS_2048_8192_SHA256),
        _ => return Err(ErrorKind::UnsupportedAlgorithm.into()),
    };
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    Ok(Box::new(SignatureVerifier { algorithm: *algorithm, method, key: key.kind().clone() }))
}

enum Method {
    Plain(&'static dyn VerificationAlgorithm),
    Rsa(&'static RsaParameters),
}

struct SignatureVerifier {
    algorithm: Algorithm,
    method: Method,
    key: DecodingKeyKind,
}

impl JwtVerifier for SignatureVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for SignatureVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = match (&self.method, &self.key) {
            (Method::Plain(algorithm), DecodingKeyKind::SecretOrDer(point)) => {
                UnparsedPublicKey::new(*algorithm, point).verify(message, signature)
            }
            (Method::Rsa(parameters), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            _ => return Err(signature::Error::new()),
        };
        verified.map_err(|_| signature::Error::new())
    }
}
