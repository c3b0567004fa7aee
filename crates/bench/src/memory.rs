//! A plain memory copy, the yardstick for all work on page state.

/// Bytes copied in a round, more than a cache holds: the state of 128 GB at 2 bytes a page.
const COPIED_BYTES: usize = 64 << 20;

/// Bytes that count as one page.
const PAGE_STATE_BYTES: usize = 2;

/// Two stretches of memory.
#[derive(Clone, Debug)]
pub struct Copy {
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Default for Copy {
    fn default() -> Self {
        Self::new()
    }
}

impl Copy {
    /// Two stretches, all of whose memory is really there.
    pub fn new() -> Self {
        Self { from: vec![1; COPIED_BYTES], to: vec![2; COPIED_BYTES] }
    }

    /// Copies one over the other; tells for how many pages' state that is.
    pub fn run(&mut self) -> f64 {
        self.to.copy_from_slice(std::hint::black_box(&self.from));
        std::hint::black_box(&self.to);
        (COPIED_BYTES / PAGE_STATE_BYTES) as f64
    }
}
