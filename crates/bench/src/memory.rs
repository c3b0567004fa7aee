//! A plain memory copy, with which all work on page state is compared.

/// Bytes copied in a round, more than a cache holds: the state of 128 GB at 2 bytes a page.
const COPIED_BYTES: usize = 64 << 20;

/// Bytes of state for one page.
const PAGE_STATE_BYTES: usize = 2;

/// Two blocks of memory.
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
    /// Two blocks, written once so that the system has really assigned their memory.
    pub fn new() -> Self {
        Self { from: vec![1; COPIED_BYTES], to: vec![2; COPIED_BYTES] }
    }

    /// Copies one block over the other; returns for how many pages that is the state.
    pub fn run(&mut self) -> f64 {
        self.to.copy_from_slice(std::hint::black_box(&self.from));
        std::hint::black_box(&self.to);
        (COPIED_BYTES / PAGE_STATE_BYTES) as f64
    }
}
