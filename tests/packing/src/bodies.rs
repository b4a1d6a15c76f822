//! Bodies to pack, as the store has them: HL7's examples, and the records of invented people.

use people::Population;
use std::fs;
use std::io;
use std::path::Path;

/// A longer body is not packed.
const LONGEST: usize = 64 * 1024;
const SEED: u64 = 7;
const YEARS: i64 = 10;

/// Every resource of npm's `hl7.fhir.r4.examples` in this folder, without the white space between its values.
pub fn of_examples(folder: &Path) -> io::Result<Vec<String>> {
    let mut names: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    names.sort_by_key(fs::DirEntry::file_name);
    let is_example = |entry: &&fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.ends_with(".json") && !["package.json", ".index.json"].contains(&name.as_str())
    };
    let texts = names.iter().filter(is_example).map(|entry| fs::read_to_string(entry.path()));
    Ok(texts.collect::<Result<Vec<_>, _>>()?.iter().map(|text| compact(text)).filter(|body| is_packed(body)).collect())
}

/// At least so many resources of people, a whole record after the other.
pub fn of_people(least: usize) -> Vec<String> {
    let mut bodies = Vec::new();
    for person in Population::of(SEED, "Organization/carer") {
        bodies.extend(person.resources(YEARS).filter(|body| is_packed(body)));
        if bodies.len() >= least {
            break;
        }
    }
    bodies
}

fn is_packed(body: &str) -> bool {
    body.len() <= LONGEST
}

fn compact(json: &str) -> String {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut keep = |character: char| {
        let is_plain = !std::mem::take(&mut is_escaped);
        match character {
            '\\' if is_quoted && is_plain => is_escaped = true,
            '"' if is_plain => is_quoted = !is_quoted,
            _ => return is_quoted || !character.is_ascii_whitespace(),
        }
        true
    };
    json.trim_start_matches('\u{feff}').chars().filter(|character| keep(*character)).collect()
}
