//! The sides of 2 GB: which one is wanted, how many frames are available on each, what a search looked at.

/// A side of the line, as demand scan wants frames from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Either.
    Any,
    /// Below 2 GB.
    Below,
    /// Above 2 GB.
    Above,
}

/// Frames that are available on either side, for pages that want one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Room {
    pub above: u64,
    pub below: u64,
    /// Of all frames that are given, the part in percent that comes from below although there are some above.
    pub below_percent: u64,
    /// What that comes to and was not given yet, in hundredths of a frame.
    pub owed: u64,
}

impl Room {
    /// Takes `count` frames, above first but for the part that comes from below as long as there are any. Returns how many are below.
    pub fn take(&mut self, count: u64) -> u64 {
        self.owed += count * self.below_percent;
        let owed = (self.owed / 100).min(count);
        self.owed -= owed * 100;
        let above = self.above.min(count - owed.min(self.below));
        (self.above, self.below) = (self.above - above, self.below - (count - above));
        count - above
    }
}

/// What a search sees of a word of 64 pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The pages that it looks at: those that are in frames.
    pub frames: u64,
    /// The pages whose frames are on the side that it wants.
    pub wanted: u64,
    /// The pages that it takes.
    pub taken: u64,
}

/// The pages that a visit of demand scan looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Looks {
    /// All of them.
    pub all: u64,
    /// Those whose frames were on the side of 2 GB that is not wanted.
    pub passed: u64,
}
