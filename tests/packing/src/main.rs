//! How small and how fast bodies are packed: by the store, by zstd and by LZ4, each with a dictionary (decision 0036).
//!
//! `cargo run --release -- ../validation/node_modules/hl7.fhir.r4.examples` after `npm ci` in tests/validation.

mod bodies;
#[path = "../../../store/src/records/stored/packing.rs"]
mod ours;
mod packers;

use packers::{Lz4, Ours, Packer, Zstd};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const PHRASES: &str = include_str!("../../../store/src/records/stored/phrases.txt");
/// As large as our phrases, and as zstd advises.
const DICTIONARIES: [usize; 2] = [13 * 1024, 110 * 1024];
const PEOPLE: usize = 20_000;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder are HL7's examples in?")?;
    let (examples, people) = (bodies::of_examples(Path::new(&folder))?, bodies::of_people(PEOPLE));
    // Dictionaries are trained on every second body, and all is measured on the others.
    let halves = |all: Vec<String>| -> (Vec<String>, Vec<String>) {
        let (even, odd): (Vec<_>, Vec<_>) = all.into_iter().enumerate().partition(|(at, _)| at % 2 == 0);
        let bodies = |half: Vec<(usize, String)>| half.into_iter().map(|(_, body)| body).collect();
        (bodies(even), bodies(odd))
    };
    let ((trained_examples, examples), (trained_people, people)) = (halves(examples), halves(people));
    let phrases: Vec<u8> = PHRASES.bytes().filter(|byte| *byte != b'\n').collect();
    let mut packers: Vec<(String, Box<dyn Packer>)> = vec![
        ("ours".into(), Box::new(Ours)),
        ("lz4_flex, our phrases".into(), Box::new(Lz4(phrases.clone()))),
        ("zstd 3, our phrases".into(), Box::new(Zstd::new(3, &phrases)?)),
    ];
    for (of, sample) in [
        ("people", trained_people.clone()),
        ("both", trained_people.iter().step_by(4).chain(&trained_examples).cloned().collect()),
    ] {
        for bytes in DICTIONARIES {
            let dictionary = zstd::dict::from_samples(&sample, bytes)?;
            let name = |what: &str| format!("{what}, {} KiB of {of}", bytes / 1024);
            packers.push((name("lz4_flex"), Box::new(Lz4(dictionary.clone()))));
            packers.push((name("zstd 1"), Box::new(Zstd::new(1, &dictionary)?)));
            packers.push((name("zstd 3"), Box::new(Zstd::new(3, &dictionary)?)));
        }
    }
    for (name, bodies) in [("HL7's examples", &examples), ("invented people", &people)] {
        let written: usize = bodies.iter().map(String::len).sum();
        println!("\n{name}: {} bodies, {} bytes each", bodies.len(), written / bodies.len());
        println!("{:<34} {:>8} {:>6} {:>9} {:>9}", "", "bytes", "%", "pack µs", "unpack µs");
        for (name, packer) in &mut packers {
            let (packed, times) = measure(packer.as_mut(), bodies)?;
            let each = |time: Duration| time.as_secs_f64() * 1e6 / bodies.len() as f64;
            let share = packed as f64 * 100.0 / written as f64;
            let (pack, unpack) = (each(times.0), each(times.1));
            println!("{name:<34} {:>8} {share:>6.1} {pack:>9.2} {unpack:>9.2}", packed / bodies.len());
        }
    }
    Ok(())
}

/// How many bytes all bodies take, and the shortest times to pack and to unpack them in so many rounds.
fn measure(packer: &mut dyn Packer, bodies: &[String]) -> Result<(usize, (Duration, Duration)), Box<dyn Error>> {
    let (mut bytes, mut packing, mut unpacking) = (0, Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let packed = bodies.iter().map(|body| packer.pack(body)).collect::<Result<Vec<_>, _>>()?;
        packing = packing.min(start.elapsed());
        bytes = packed.iter().map(Vec::len).sum();
        let mut unpacked = Vec::with_capacity(bodies.len());
        let start = Instant::now();
        for (packed, body) in packed.into_iter().zip(bodies) {
            unpacked.push(black_box(packer.unpack(packed, body.len())?));
        }
        unpacking = unpacking.min(start.elapsed());
        if unpacked.iter().zip(bodies).any(|(unpacked, body)| unpacked != body.as_bytes()) {
            return Err("a body did not come back as it was".into());
        }
    }
    Ok((bytes, (packing, unpacking)))
}
