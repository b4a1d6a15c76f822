//! The floors as ARCHITECTURE.md draws them: a block of text for each crate, from the top floor down.
//!
//! A blank line is a ceiling. Rooms of one floor stand below each other and do not import each other. A room is a folder
//! with its files, or a single file: `access  clients grants sessions`.

use std::collections::BTreeMap;

/// The floors of one crate.
#[derive(Debug, Default)]
pub struct Drawing {
    /// Each room, with its floor: 0 is the top.
    pub rooms: BTreeMap<String, usize>,
    /// Each file that is drawn, as a module.
    pub files: Vec<Vec<String>>,
}

/// The drawing of a crate: the block that begins with ```` ```floors NAME ````.
#[must_use]
pub fn drawing(page: &str, name: &str) -> Option<Drawing> {
    let (_, block) = page.split_once(&format!("```floors {name}\n"))?;
    let (block, _) = block.split_once("\n```")?;
    let mut drawing = Drawing::default();
    let mut floor = 0;
    let mut room: Option<&str> = None;
    for line in block.lines() {
        if line.trim().is_empty() {
            floor += 1;
            room = None;
            continue;
        }
        let mut words = line.split_whitespace();
        // A line that is set in goes on with the room above it.
        if !line.starts_with(' ') {
            let named = words.next()?;
            drawing.rooms.insert(named.to_owned(), floor);
            drawing.files.push(vec![named.to_owned()]);
            room = Some(named);
        }
        let within: Vec<String> = room?.split('/').map(String::from).collect();
        for file in words {
            let deeper = file.split('/').map(String::from);
            drawing.files.push(within.iter().cloned().chain(deeper).collect());
        }
    }
    Some(drawing)
}

impl Drawing {
    /// The room of a file: its folder, or itself where it is in none.
    #[must_use]
    pub fn room<'a>(&self, module: &'a [String]) -> Option<(&'a str, usize)> {
        let room = module.first()?;
        self.rooms.get(room).map(|floor| (room.as_str(), *floor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_floors_rooms_and_files() {
        let page =
            "words\n```floors store\nlib\n\naccess  clients sessions\n  grants deep/er\nrecords read\n\nsql\n```\n";
        let drawing = drawing(page, "store").unwrap();
        let floor = |room: &str| drawing.rooms.get(room).copied();
        assert_eq!([floor("lib"), floor("access"), floor("records"), floor("sql")], [0, 1, 1, 2].map(Some));
        let files: Vec<String> = drawing.files.iter().map(|file| file.join("/")).collect();
        let drawn = "lib access access/clients access/sessions access/grants access/deep/er records records/read sql";
        assert_eq!(files.join(" "), drawn);
    }
}
