//! The ISFC logical link: what each chpid carries, who has its buffers, and what limits it.

use zvmlab::snapshot::{ClusterSnapshot, LinkSnapshot};

use super::compared::Window;
use crate::words::relocations::member_at as member;
use crate::words::unit::{can_carry, with_unit};

/// Bytes of a MB, as links count them.
pub const MB: f64 = 1e6;

/// The link that has carried most.
pub fn busiest(cluster: &ClusterSnapshot) -> usize {
    // Of equal links the first.
    (0..cluster.links.len()).rev().max_by_key(|index| cluster.links[*index].bytes).unwrap_or(0)
}

/// `MEMBER1 → MEMBER2`.
pub fn way(link: &LinkSnapshot) -> String {
    format!("{} → {}", member(link.from), member(link.to))
}

/// A counter of a link in a window: `of` at its start and at its end.
pub fn grown(window: Window, index: usize, of: impl Fn(&LinkSnapshot) -> u64) -> f64 {
    window.growth(|snapshot| snapshot.cluster.as_ref().and_then(|cluster| cluster.links.get(index)).map_or(0, &of))
}

/// MB a second that the link carried.
pub fn rate(window: Window, index: usize, of: impl Fn(&LinkSnapshot) -> u64) -> f64 {
    grown(window, index, of) / window.elapsed_ns() * 1e9 / MB
}

/// Percent of the time in which data were transferred, mean of the chpids.
pub fn busy(window: Window, index: usize) -> f64 {
    let chpids = window.to.cluster.as_ref().and_then(|cluster| cluster.links.get(index)).map_or(1, |link| link.chpids.len());
    let busy = |link: &LinkSnapshot| link.chpids.iter().map(|chpid| chpid.busy_ns).sum();
    grown(window, index, busy) / window.elapsed_ns() / chpids.max(1) as f64 * 100.0
}

/// Buffers in use, mean over the window.
pub fn buffers(window: Window, index: usize) -> f64 {
    grown(window, index, |link| link.buffers_ns) / window.elapsed_ns()
}

/// The capacity factor, the rate that it allows, and what unequal chpids or too few CTCs take away from that.
pub fn capacity(link: &LinkSnapshot) -> String {
    let factor = link.capacity_factor;
    let mut told = format!(
        "Capacity factor {factor}: the sum of the chpids' speeds in Gb/s, at most {} (10 bits on the line for a byte).",
        with_unit(can_carry(factor), "MB/s")
    );
    let speeds: Vec<u32> = link.chpids.iter().map(|chpid| chpid.gb_s).collect();
    if speeds.windows(2).any(|pair| pair[0] != pair[1]) {
        told += " The chpids differ in speed; best practice is one speed.";
    }
    let few = link.chpids.iter().filter(|chpid| chpid.ctcs < 4).count();
    if few > 0 {
        told += &format!(" {few} of {} have fewer than the four CTCs of best practice.", link.chpids.len());
    }
    told
}

/// Every chart of the room, for the tests that hold for all charts.
#[cfg(test)]
pub fn every_chart(evidence: &crate::evidence::Evidence, window: Window) -> Vec<crate::chart::Chart> {
    charts::charts(evidence, 0, window)
}

#[cfg(test)]
mod tests {
    use super::super::cluster::relocating;
    use super::super::compared::newest;
    use super::super::relocation::fixture::evidence;
    use super::*;

    #[test]
    fn a_link_is_told_with_what_it_could_carry() {
        let evidence = evidence(1);
        let cluster = newest(&evidence).and_then(|snapshot| snapshot.cluster.as_deref()).expect("a cluster");
        assert_eq!((busiest(cluster), way(&cluster.links[0])), (0, "MEMBER1 → MEMBER2".to_string()));
        let text = capacity(&cluster.links[0]);
        for wanted in ["Capacity factor 12", "1,200\u{a0}MB/s", "differ in speed"] {
            assert!(text.contains(wanted), "{text}");
        }
        assert!(!text.contains("four CTCs"), "{text}");
    }

    #[test]
    fn what_is_carried_is_that_of_the_relocation() {
        let evidence = evidence(1);
        let window = relocating(&evidence).expect("a window");
        assert_eq!((window.from.map(|from| from.now_ns), window.to.now_ns), (Some(12_000_000_000), 21_000_000_000));
        // 5.8 GB in 9 s.
        let carried = rate(window, 0, |link| link.bytes);
        assert!((carried - 1_417_576.0 * 4096.0 / 9e6).abs() < 1.0, "{carried}");
        assert!((busy(window, 0) - 75.0).abs() < 0.1, "{}", busy(window, 0));
        assert!((buffers(window, 0) - 16.0).abs() < 0.1);
    }
}

pub mod charts;
pub mod limit;
