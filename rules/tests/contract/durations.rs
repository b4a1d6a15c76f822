//! Durations in words: "10 minutes" and "1 hour" as seconds.

/// `text` with each duration replaced by `{}`, and the durations in seconds, in order.
pub(crate) fn taken_out(text: &str) -> (String, Vec<i64>) {
    let mut words: Vec<String> = Vec::new();
    let mut seconds = Vec::new();
    for word in text.split(' ') {
        let bare = word.trim_end_matches([',', '.', ';']);
        let number = words.last().and_then(|last| last.parse::<i64>().ok());
        match (number, unit(bare)) {
            (Some(number), Some(unit)) => {
                words.pop();
                words.push(format!("{{}}{}", &word[bare.len()..]));
                seconds.push(number * unit);
            }
            _ => words.push(word.to_owned()),
        }
    }
    (words.join(" "), seconds)
}

/// The one duration that the whole of `text` is.
pub(crate) fn whole(text: &str) -> Option<i64> {
    match taken_out(text) {
        (rest, seconds) if rest == "{}" => seconds.first().copied(),
        _ => None,
    }
}

fn unit(word: &str) -> Option<i64> {
    match word {
        "second" | "seconds" => Some(1),
        "minute" | "minutes" => Some(60),
        "hour" | "hours" => Some(3600),
        "day" | "days" => Some(86_400),
        _ => None,
    }
}

#[test]
fn durations_are_taken_out_of_a_sentence() {
    let (rest, seconds) = taken_out("Within 10 minutes, or 1 hour at most");
    assert_eq!(rest, "Within {}, or {} at most");
    assert_eq!(seconds, [600, 3600]);
    assert_eq!(whole("2 days"), Some(172_800));
    assert_eq!(whole("about 2 days"), None);
}
