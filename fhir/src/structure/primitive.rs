//! The primitive types, by name.

macro_rules! primitives {
    ($($name:ident = $text:literal,)*) => {
        /// A type whose value is one value of JSON.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Primitive { $($name,)* }

        impl Primitive {
            /// The primitive type of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// As FHIR spells it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

primitives! {
    Base64Binary = "base64Binary", Boolean = "boolean", Canonical = "canonical", Code = "code", Date = "date",
    DateTime = "dateTime", Decimal = "decimal", Id = "id", Instant = "instant", Integer = "integer",
    Markdown = "markdown", Oid = "oid", PositiveInt = "positiveInt", Text = "string", Time = "time",
    UnsignedInt = "unsignedInt", Uri = "uri", Url = "url", Uuid = "uuid", Xhtml = "xhtml",
}
