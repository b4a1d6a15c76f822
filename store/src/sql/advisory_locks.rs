//! What nodes do alone or in turns, by the numbers of PostgreSQL's advisory locks: all of them here, so that none is used twice.
//! Whoever waits for several waits for them in the order of their numbers.

macro_rules! locks {
    ($($(#[$what:meta])+ $name:ident = $number:literal;)+) => {
        $($(#[$what])+ pub const $name: i64 = $number;)+

        #[cfg(test)]
        const ALL: &[(&str, i64)] = &[$((stringify!($name), $name)),+];
    };
}

locks! {
    /// Behind this number there is one for each moment, in milliseconds: whoever writes what is polled for has that of a moment
    /// before which none of it will be. They are shared, and nobody waits for them; they are only looked at.
    MOMENTS = 4_611_686_018_427_387_904;
    /// To begin an export.
    EXPORTS = 5_318_730_244_190_662_117;
    /// To migrate, or to mark a database as moved.
    MIGRATING = 7_234_017_283_807_667_300;
    /// To remove what is over.
    SWEEPING = 7_234_017_283_807_667_301;
    /// To move into a database.
    MOVING = 7_234_017_283_807_667_302;
    /// To read old rows anew.
    READING_ANEW = 7_234_017_283_807_667_303;
    /// To drop months of the ledger.
    DROPPING = 7_234_017_283_807_667_304;
    /// To fill the index of users' own search parameters.
    FILLING = 7_234_017_283_807_667_305;
    /// To take content out of rows.
    RELOCATING = 7_234_017_283_807_667_307;
    /// Behind this number there is one for each type, by which the transactions that look for resources of the type, or write
    /// them because of what they looked for, take turns.
    TURNS_OF_TYPES = 7_234_017_283_807_668_000;
    /// Of writes that must know the same definitions of search parameters. A transaction has the turns of its types before.
    DEFINITIONS = 7_234_017_283_807_669_000;
}

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::types;

    #[test]
    fn every_lock_has_a_number_of_its_own_and_so_has_the_turn_of_every_type() {
        let types = types::all().map(|of| (of.name(), TURNS_OF_TYPES + of.number()));
        let mut all: Vec<(i64, &str)> = ALL.iter().copied().chain(types).map(|(name, number)| (number, name)).collect();
        all.sort_unstable();
        for pair in all.windows(2) {
            assert_ne!(pair[0].0, pair[1].0, "{} and {}", pair[0].1, pair[1].1);
        }
        assert_eq!(all.last().map(|(_, name)| *name), Some("DEFINITIONS"), "waited for behind the turns of types");
    }
}
