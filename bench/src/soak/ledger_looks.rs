//! The rule of the ledger: whoever was shown a record is in it, but for what a killed process may forget; and nobody is in it who
//! did not ask.

use super::looks::Looks;
use crate::chaos::history::record::{Answer, Call, History, Process};
use std::time::Duration;

/// Ten times what a killed process may forget.
const FORGOTTEN: Duration = Duration::from_secs(1);

/// What is wrong with what the ledger tells of one life of the service, in sentences.
pub(super) fn check(history: &History, process: Process, looks: &Looks) -> Vec<String> {
    let killed = history.kills.get(&process);
    let is_due = |call: &Call| killed.is_none_or(|killed| call.ended + FORGOTTEN < *killed);
    let patient = |call: &Call| history.patients.get(call.session as usize).copied();
    let (mut due, mut asked) = (Looks::new(), Looks::new());
    for call in history.calls.iter().filter(|call| call.process == Some(process) && call.is_look()) {
        let Some(patient) = patient(call) else { continue };
        *asked.entry(patient).or_default() += 1;
        *due.entry(patient).or_default() += u64::from(call.answer == Answer::Shown && is_due(call));
    }
    let mut sentences = Vec::new();
    let of = |counts: &Looks, patient: usize| counts.get(&patient).copied().unwrap_or_default();
    for (patient, due) in &due {
        let told = of(looks, *patient);
        if told < *due {
            sentences.push(format!(
                "the ledger tells of {told} looks at the record of patient {patient} by process {}, and {due} were shown it \
                 in time to be told of",
                process.0
            ));
        }
    }
    for (patient, told) in looks {
        let asked = of(&asked, *patient);
        if *told > asked {
            sentences.push(format!(
                "the ledger tells of {told} looks at the record of patient {patient} by process {}, and it was asked for \
                 {asked} times",
                process.0
            ));
        }
    }
    sentences.sort();
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chaos::history::record::Request;

    const NODE: Process = Process(3);

    /// Reads that ended at these milliseconds, all of patient 7's record and all shown.
    fn read(ended: &[u64]) -> History {
        let call = |ended: &u64| Call {
            session: 0,
            process: Some(NODE),
            request: Request::Read,
            answer: Answer::Shown,
            began: Duration::ZERO,
            ended: Duration::from_millis(*ended),
        };
        let calls = ended.iter().map(call).collect();
        History { windows: vec![None], patients: vec![7], calls, ..History::default() }
    }

    #[test]
    fn a_look_that_is_not_told_of_is_found() {
        let history = read(&[10, 20, 30]);
        assert_eq!(check(&history, NODE, &Looks::from([(7, 3)])), [""; 0]);
        let found = check(&history, NODE, &Looks::from([(7, 2)]));
        assert!(found.len() == 1 && found[0].contains("2 looks") && found[0].contains("3 were shown"), "{found:?}");
        assert_eq!(check(&history, NODE, &Looks::new()).len(), 1);
    }

    #[test]
    fn a_killed_process_may_forget_its_last_moment_and_nothing_before() {
        let mut history = read(&[10, 1500, 2000]);
        history.kills.insert(NODE, Duration::from_millis(2010));
        assert_eq!(check(&history, NODE, &Looks::from([(7, 1)])), [""; 0]);
        assert_eq!(check(&history, NODE, &Looks::new()).len(), 1);
    }

    #[test]
    fn a_look_that_nobody_made_is_found_and_one_whose_answer_was_lost_is_none_of_them() {
        let mut history = read(&[10, 20]);
        history.calls[1].answer = Answer::Nothing;
        assert_eq!(check(&history, NODE, &Looks::from([(7, 2)])), [""; 0]);
        let found = check(&history, NODE, &Looks::from([(7, 3)]));
        assert!(found.len() == 1 && found[0].contains("asked for 2 times"), "{found:?}");
        assert_eq!(check(&history, NODE, &Looks::from([(7, 2), (8, 1)])).len(), 1);
    }

    #[test]
    fn what_another_process_answered_is_not_looked_for_in_this_ones_time() {
        assert_eq!(check(&read(&[10]), Process(4), &Looks::new()), [""; 0]);
    }
}
