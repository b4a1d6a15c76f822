//! Enumerations of the API: words in upper case, of which the first is the default.

/// Declares an enumeration with the word of each value.
macro_rules! words {
    ($(#[$of:meta])* pub enum $name:ident { $first:ident = $first_word:literal, $($variant:ident = $word:literal,)* }) => {
        $(#[$of])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            #[default]
            $first,
            $($variant,)*
        }

        impl $name {
            pub const ALL: &'static [Self] = &[Self::$first, $(Self::$variant,)*];
            pub const WORDS: &'static [&'static str] = &[$first_word, $($word,)*];

            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    Self::$first => $first_word,
                    $(Self::$variant => $word,)*
                }
            }

            #[must_use]
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.word() == word)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl $crate::members::schema::JsonSchema for $name {
            fn json_schema() -> serde_json::Value {
                serde_json::json!({ "type": "string", "enum": Self::ALL })
            }
        }

        impl $crate::members::member::Member for $name {
            const IS_REQUIRED: bool = true;

            fn read(
                sent: &fhir::json::Node<'_>,
                place: $crate::members::place::Place<'_>,
                faults: &mut $crate::members::faults::Faults,
            ) -> Self {
                let Some(word) = sent.text() else {
                    faults.wrong_type(place, "a string", sent.sort());
                    return Self::default();
                };
                Self::named(word).unwrap_or_else(|| {
                    faults.value(place, &rules::rest_faults::ValueFault::NotOneOf(&Self::WORDS.join(", ")));
                    Self::default()
                })
            }
        }
    };
}

pub(crate) use words;
