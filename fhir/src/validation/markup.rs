//! The little XML that a narrative is: elements, attributes, text, comments. No declarations, so no entities of a sender's own.

/// More attributes than this has no element that says something; each is compared with all others.
const MOST_ATTRIBUTES: usize = 64;

/// One piece of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Open {
        name: &'t str,
        attributes: Vec<(&'t str, &'t str)>,
        is_empty: bool,
    },
    Close(&'t str),
    /// Characters between tags.
    Words(&'t str),
}

/// The pieces of a text, one after another.
pub(super) struct MarkupPieces<'t> {
    rest: &'t str,
}

impl<'t> MarkupPieces<'t> {
    pub const fn of(text: &'t str) -> Self {
        Self { rest: text }
    }

    /// The next piece; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Piece<'t>>, &'static str> {
        while let Some(comment) = self.rest.strip_prefix("<!--") {
            self.rest = comment.split_once("-->").ok_or("a comment does not end")?.1;
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        let Some(tag) = self.rest.strip_prefix('<') else {
            let end = self.rest.find('<').unwrap_or(self.rest.len());
            let (words, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
            self.rest = rest;
            return references(words).map(|()| Some(Piece::Words(words)));
        };
        if let Some(close) = tag.strip_prefix('/') {
            let (name, rest) = close.split_once('>').ok_or("a tag does not end")?;
            self.rest = rest;
            return Ok(Some(Piece::Close(name.trim_end())));
        }
        self.rest = tag;
        self.open().map(Some)
    }

    fn open(&mut self) -> Result<Piece<'t>, &'static str> {
        let name = self.name().ok_or("a tag has no name")?;
        let mut attributes: Vec<(&'t str, &'t str)> = Vec::new();
        loop {
            let before = self.rest.len();
            self.rest = self.rest.trim_start();
            let is_apart = self.rest.len() < before;
            for (end, is_empty) in [("/>", true), (">", false)] {
                if let Some(rest) = self.rest.strip_prefix(end) {
                    self.rest = rest;
                    return Ok(Piece::Open { name, attributes, is_empty });
                }
            }
            let attribute =
                self.name().filter(|_| is_apart).ok_or("a tag does not end, or has something strange in it")?;
            let value = self.attribute_value()?;
            if attributes.len() == MOST_ATTRIBUTES {
                return Err("a tag has too many attributes");
            }
            if attributes.iter().any(|(known, _)| *known == attribute) {
                return Err("an attribute is there twice");
            }
            attributes.push((attribute, value));
        }
    }

    fn attribute_value(&mut self) -> Result<&'t str, &'static str> {
        let after = self.rest.trim_start().strip_prefix('=').ok_or("an attribute has no value")?.trim_start();
        let quote = after
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\''))
            .ok_or("an attribute's value is not in quotation marks")?;
        let (value, rest) =
            after.get(1..).and_then(|after| after.split_once(quote)).ok_or("an attribute's value does not end")?;
        self.rest = rest;
        if value.contains('<') {
            return Err("an attribute's value has a < in it");
        }
        references(value).map(|()| value)
    }

    fn name(&mut self) -> Option<&'t str> {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, ':' | '-' | '_' | '.'));
        let (name, rest) = self.rest.split_at_checked(end.unwrap_or(self.rest.len()))?;
        self.rest = rest;
        Some(name).filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    }
}

/// Every ampersand begins the name or the number of a character.
fn references(text: &str) -> Result<(), &'static str> {
    let is_reference = |rest: &str| {
        let name = rest.split_once(';').map(|(name, _)| name).unwrap_or_default();
        let is_number = name.strip_prefix('#').is_some_and(|number| match number.strip_prefix('x') {
            Some(hex) => !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
            None => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        });
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        name.len() <= 32 && (is_number || is_name)
    };
    match text
        .split('&')
        .skip(1)
        .zip(text.match_indices('&'))
        .all(|(_, (at, _))| text.get(at + 1..).is_some_and(is_reference))
    {
        true => Ok(()),
        false => Err("an & begins no name of a character"),
    }
}
