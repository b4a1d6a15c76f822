//! Signatures, by `ring`, for the JOSE library: what it is given to work with.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::jwk::ThumbprintHash;
use jsonwebtoken::signature::{self, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey, Validation};
use ring::error::KeyRejected;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED, ED25519, EcdsaKeyPair,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_SHA256, RSA_PSS_2048_8192_SHA256, RsaKeyPair,
    RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use rules::clients::SigningAlgorithm;
use rules::moment::Moment;
use sha2::{Digest, Sha256};

static BY_RING: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils { compute_digest: digest, ..KeyUtils::new_unimplemented() },
};

/// Lets the JOSE library work with signatures; whoever is about to use it says so. From the second time on it does nothing.
pub(super) fn get_ready() {
    // An error says only that it was done before.
    let _ = BY_RING.install_default();
}

/// Has a signature checked and nothing else: the claims are judged by the rules, with the clock of this service.
pub(super) fn signature_only(algorithm: SigningAlgorithm) -> Validation {
    let mut validation = Validation::new(library_name(algorithm));
    validation.required_spec_claims.clear();
    (validation.validate_exp, validation.validate_aud) = (false, false);
    validation
}

/// A NumericDate: seconds, perhaps with a fraction. One beyond all time is the end of time.
pub(super) fn moment(seconds: f64) -> Moment {
    Moment((seconds * 1000.0) as i64)
}

/// What the JOSE library calls an algorithm.
pub(super) const fn library_name(algorithm: SigningAlgorithm) -> Algorithm {
    match algorithm {
        SigningAlgorithm::Es256 => Algorithm::ES256,
        SigningAlgorithm::Es384 => Algorithm::ES384,
        SigningAlgorithm::Rs256 => Algorithm::RS256,
        SigningAlgorithm::Rs384 => Algorithm::RS384,
        SigningAlgorithm::Ps256 => Algorithm::PS256,
        SigningAlgorithm::EdDsa => Algorithm::EdDSA,
    }
}

/// A private key on the curve P-256, out of its PKCS #8.
pub(super) fn p256(private: &[u8]) -> Result<EcdsaKeyPair, KeyRejected> {
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, private, &SystemRandom::new())
}

/// What thumbprints of keys are made by.
fn digest(data: &[u8], hash: ThumbprintHash) -> Result<Vec<u8>, Error> {
    match hash {
        ThumbprintHash::SHA256 => Ok(Sha256::digest(data).to_vec()),
        _ => Err(ErrorKind::UnsupportedAlgorithm.into()),
    }
}

/// Signs by the two algorithms of our own tokens; clients sign elsewhere.
fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    let rejected = |_| Error::from(ErrorKind::InvalidKeyFormat);
    let pair = match algorithm {
        Algorithm::ES256 => SigningPair::P256(Box::new(p256(key.as_bytes()).map_err(rejected)?)),
        Algorithm::RS256 => SigningPair::Rsa(Box::new(RsaKeyPair::from_pkcs8(key.as_bytes()).map_err(rejected)?)),
        _ => return Err(ErrorKind::UnsupportedAlgorithm.into()),
    };
    Ok(Box::new(SignatureMaker { algorithm: *algorithm, pair }))
}

enum SigningPair {
    P256(Box<EcdsaKeyPair>),
    Rsa(Box<RsaKeyPair>),
}

struct SignatureMaker {
    algorithm: Algorithm,
    pair: SigningPair,
}

impl JwtSigner for SignatureMaker {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Signer<Vec<u8>> for SignatureMaker {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        let random = SystemRandom::new();
        match &self.pair {
            SigningPair::P256(pair) => {
                let signed = pair.sign(&random, message).map_err(|_| signature::Error::new())?;
                Ok(signed.as_ref().to_vec())
            }
            SigningPair::Rsa(pair) => {
                let mut signed = vec![0; pair.public().modulus_len()];
                let made = pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signed);
                made.map(|()| signed).map_err(|_| signature::Error::new())
            }
        }
    }
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
