//! Channel paths: which one an I/O takes, and how those on it share it.
//!
//! The channel subsystem gives an I/O the path with the fewest open exchanges. Where several have as few, they take turns.
//! An exchange is open from the start of the I/O to the end of its transfer, so an idle path is never passed over.
//!
//! A path serves its transfers in turn, a page at a time, which is what sharing it equally comes to. So the first command of an I/O waits
//! until one page of each transfer under way on its path has gone by: its pending time grows with load.
//!
//! Assumed: which path a channel subsystem takes is not published in the sources. A FICON channel carries several exchanges
//! at a time, so no path is ever too busy for one more.

use crate::kernel::sharing::{Left, NextEnd, ProcessorSharing};
use crate::kernel::time::{Instant, Span};

/// One channel path.
#[derive(Clone, Debug, Default)]
struct Path {
    /// I/Os that were given this path and have not ended.
    exchanges: u64,
    /// The transfers under way.
    transfers: ProcessorSharing,
    /// Time of the path for one page of each of them.
    round: Span,
}

/// The channel paths of a control unit: FICON paths, then as many FCP paths.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    paths: Vec<Path>,
    /// The path that was taken last, among FICON and among FCP paths.
    last: [usize; 2],
}

impl Paths {
    pub fn new(count: u32) -> Self {
        Paths { paths: vec![Path::default(); 2 * count as usize], last: [0; 2] }
    }

    /// Opens an exchange for an I/O that starts. Returns its path.
    pub fn open(&mut self, ficon: bool) -> u16 {
        let count = self.paths.len() / 2;
        let first = if ficon { 0 } else { count };
        let last = &mut self.last[usize::from(ficon)];
        let turn = (1..=count).map(|step| (*last + step) % count);
        *last = turn.min_by_key(|path| self.paths[first + path].exchanges).expect("a control unit has a path");
        self.paths[first + *last].exchanges += 1;
        (first + *last) as u16
    }

    /// How long the first command of an I/O waits for its path.
    pub fn wait(&self, path: u16) -> Span {
        self.paths[path as usize].round
    }

    /// The transfer of `io` begins. It needs `path_ns` of the path, `page` of it for each page.
    pub fn join(&mut self, path: u16, now: Instant, io: u32, path_ns: f64, page: Span) -> NextEnd {
        let path = &mut self.paths[path as usize];
        path.round += page;
        path.transfers.join(now, io, path_ns)
    }

    /// Ends the transfer that `path` announced, and its exchange; `None` if the announcement is void. `page_of` says what a page of that
    /// transfer took.
    pub fn end(
        &mut self,
        path: u16,
        now: Instant,
        generation: u32,
        page_of: impl FnOnce(u32) -> Span,
    ) -> Option<(u32, Option<NextEnd>)> {
        let path = &mut self.paths[path as usize];
        let (io, next) = path.transfers.end(now, generation)?;
        path.exchanges -= 1;
        path.round = path.round - page_of(io);
        Some((io, next))
    }

    /// What of its transfer `io` still needs; `None` if it is not under way on `path`.
    pub fn left(&self, path: u16, now: Instant, io: u32) -> Option<Left> {
        self.paths[path as usize].transfers.left(now, io)
    }

    /// FICON paths.
    pub fn ficon(&self) -> u32 {
        self.paths.len() as u32 / 2
    }

    /// Exchanges that are open.
    pub fn exchanges(&self) -> u64 {
        self.paths.iter().map(|path| path.exchanges).sum()
    }

    /// Transfers under way on each path.
    pub fn transfers(&self) -> Vec<u32> {
        self.paths.iter().map(|path| path.transfers.len()).collect()
    }

    /// Time for which each path was busy, ns.
    pub fn busy_ns(&self, now: Instant) -> Vec<u64> {
        self.paths.iter().map(|path| path.transfers.busy(now).0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An idle path is taken before a busy one, in turn; of busy ones the one with the fewest exchanges.
    #[test]
    fn an_idle_path_is_never_passed_over() {
        let mut paths = Paths::new(3);
        let taken: Vec<u16> = (0..4).map(|_| paths.open(true)).collect();
        assert_eq!(taken, [1, 2, 0, 1], "in turn");
        let end = paths.join(2, Instant::ZERO, 7, 100.0, Span(10));
        assert_eq!(paths.end(2, end.at, end.generation, |_| Span(10)).map(|(io, _)| io), Some(7));
        assert_eq!(paths.open(true), 2, "the idle one, though it is not the next");
        assert_eq!(paths.open(false), 4, "FCP paths stand apart");
        assert_eq!(paths.exchanges(), 5);
    }

    #[test]
    fn the_first_command_waits_for_one_page_of_each_transfer() {
        let mut paths = Paths::new(1);
        paths.open(true);
        assert_eq!(paths.wait(0), Span::ZERO, "an exchange that does not transfer yet holds nobody up");
        paths.join(0, Instant::ZERO, 1, 1000.0, Span(10));
        let end = paths.join(0, Instant::ZERO, 2, 300.0, Span(15));
        assert_eq!(paths.wait(0), Span(25));
        assert!(paths.end(0, end.at, end.generation, |io| Span(if io == 2 { 15 } else { 10 })).is_some());
        assert_eq!(paths.wait(0), Span(10));
    }
}
