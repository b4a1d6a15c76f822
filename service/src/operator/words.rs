//! How the rules' words and secrets cross the control socket: the rules know nothing of serde, and a secret is only
//! written out where its field says so.

/// Makes a `#[serde(with = …)]` module for a type of the rules that has `word` and `named`.
macro_rules! by_word {
    ($module:ident, $type:ty) => {
        pub mod $module {
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            pub fn serialize<S: Serializer>(value: &$type, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(value.word())
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let word = String::deserialize(from)?;
                <$type>::named(&word).ok_or_else(|| D::Error::custom("an unknown word"))
            }
        }
    };
}

by_word!(client_kind, rules::clients::ClientKind);
by_word!(user_type, rules::scope::UserType);
by_word!(scope_echo, rules::scope::ScopeEcho);
by_word!(further_proof, rules::invitations::FurtherProof);

pub mod further_proof_if_any {
    use rules::invitations::FurtherProof;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(proof: &Option<FurtherProof>, to: S) -> Result<S::Ok, S::Error> {
        proof.map(FurtherProof::word).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<FurtherProof>, D::Error> {
        let word = Option::<String>::deserialize(from)?;
        word.map(|word| FurtherProof::named(&word).ok_or_else(|| D::Error::custom("an unknown proof"))).transpose()
    }
}

pub mod client_ids_if_any {
    use rules::clients::ClientIds;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(ids: &Option<ClientIds>, to: S) -> Result<S::Ok, S::Error> {
        ids.map(ClientIds::word).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ClientIds>, D::Error> {
        let word = Option::<String>::deserialize(from)?;
        word.map(|word| ClientIds::named(&word).ok_or_else(|| D::Error::custom("unknown client_ids"))).transpose()
    }
}

/// Makes a `#[serde(with = …)]` module for a value that may be left out and crosses as one text.
macro_rules! text_if_any {
    ($module:ident, $type:ty, $word:expr, $named:expr) => {
        pub mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

            pub fn serialize<S: Serializer>(value: &Option<$type>, to: S) -> Result<S::Ok, S::Error> {
                value.map($word).serialize(to)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<$type>, D::Error> {
                let word = Option::<String>::deserialize(from)?;
                word.map(|word| $named(&word).ok_or_else(|| D::Error::custom("an unknown label"))).transpose()
            }
        }
    };
}

text_if_any!(label_if_any, rules::labels::Label, rules::labels::Label::code, rules::labels::Label::named);
text_if_any!(
    default_label_if_any,
    Option<rules::labels::Label>,
    rules::labels::Label::default_word,
    rules::labels::Label::default_named
);
text_if_any!(labels_if_any, rules::labels::Labels, rules::labels::Labels::codes, rules::labels::Labels::named);

/// Makes a `#[serde(with = …)]` module for a type of the rules that has `code` and `named`.
macro_rules! by_code {
    ($module:ident, $type:ty) => {
        pub mod $module {
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            pub fn serialize<S: Serializer>(value: &$type, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(value.code())
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let code = String::deserialize(from)?;
                <$type>::named(&code).ok_or_else(|| D::Error::custom("an unknown code"))
            }
        }
    };
}

by_code!(basis_kind, rules::consent::basis::BasisKind);
by_code!(reason, rules::consent::basis::Reason);

pub mod grantee_name {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use store::sharing::declared::GranteeName;

    pub fn serialize<S: Serializer>(to: &GranteeName, out: S) -> Result<S::Ok, S::Error> {
        (to.word(), to.name()).serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<GranteeName, D::Error> {
        let (word, name) = <(String, String)>::deserialize(from)?;
        GranteeName::of(&word, name).ok_or_else(|| D::Error::custom("an unknown grantee"))
    }
}

/// Makes a `#[serde(with = …)]` module for several values of the rules, each of which crosses as a text.
macro_rules! several_texts {
    ($module:ident, $type:ty, $word:expr, $named:expr) => {
        pub mod $module {
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            pub fn serialize<S: Serializer>(several: &[$type], to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(several.iter().map($word))
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<$type>, D::Error> {
                let words = Vec::<String>::deserialize(from)?;
                words.iter().map(|word| $named(word).ok_or_else(|| D::Error::custom("an unknown word"))).collect()
            }
        }
    };
}

several_texts!(scopes, rules::scope::Scope, |scope| scope.word(), rules::scope::Scope::named);
several_texts!(smart_scopes, rules::smart::word::SmartScope, ToString::to_string, rules::smart::word::SmartScope::read);
several_texts!(user_types, rules::scope::UserType, |of| of.word(), rules::scope::UserType::named);

pub mod secret {
    use crate::secrets::secret::Secret;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(secret: &Secret, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(secret.reveal())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Secret, D::Error> {
        String::deserialize(from).map(Secret::new)
    }
}

pub mod secret_if_any {
    use crate::secrets::secret::Secret;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(secret: &Option<Secret>, to: S) -> Result<S::Ok, S::Error> {
        secret.as_ref().map(Secret::reveal).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Secret>, D::Error> {
        Ok(Option::<String>::deserialize(from)?.map(Secret::new))
    }
}
