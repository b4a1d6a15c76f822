//! What is missing where a right does not hold: the parts that `why` tells.

use crate::consent::delay::Delay;
use crate::labels::{Labels, Needs};
use crate::moment::Moment;

/// Why one right does not open an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It is not in the record that the session is about.
    OtherRecord,
    /// The viewer did not make it.
    NotMade,
    /// The viewer takes no part in it.
    NoPart,
    /// Nothing ties the viewer to the patient.
    NoAssociation,
    /// A carer, or a professional without a team, to whom the record is closed.
    RecordClosed,
    /// The consent was over at this moment.
    Ended(Moment),
    /// The item needs more labels than are held.
    Labels { needs: Needs, held: Labels },
    /// It is for the patient alone.
    SelfOnly,
    /// A draft of somebody else's.
    Draft,
    /// A private message among others.
    Private,
    /// Not released to patient and carers yet.
    Delayed(Delay),
    /// No glass was broken for this patient.
    NoGlass,
}

impl Missing {
    /// How much it tells about why an item is not seen: what is true of the item itself, before what is true of the viewer.
    #[must_use]
    pub const fn weight(self) -> u8 {
        match self {
            Self::Delayed(_) => 9,
            Self::Draft => 8,
            Self::Private => 7,
            Self::SelfOnly => 6,
            Self::Labels { .. } => 5,
            Self::Ended(_) => 4,
            Self::RecordClosed => 3,
            Self::NoAssociation => 2,
            Self::OtherRecord => 1,
            Self::NotMade | Self::NoPart | Self::NoGlass => 0,
        }
    }
}
