//! What a guest stood still for while it was relocated, in a sentence or two.

use zvmlab::Snapshot;
use zvmlab::snapshot::{EndCode, PassSnapshot, RelocationSnapshot};

use super::unit::{gb_or_mb, time};

/// A pass that sends this part of what the pass before it sent is no smaller to speak of. Chosen.
const HARDLY_SMALLER: f64 = 0.9;

/// What the longest stop of a completed relocation was spent on; none where no relocation has completed.
pub fn why(snapshot: &Snapshot) -> Option<String> {
    let cluster = snapshot.cluster.as_deref()?;
    let all = &cluster.relocations;
    // Of guests that go back and forth only the latest relocations are known.
    if cluster.totals.completed > all.len() as u64 {
        return None;
    }
    let completed = all.iter().filter(|one| one.end == Some(EndCode::Completed));
    let longest = completed.max_by_key(|one| one.quiesce_ns())?;
    let stop_ns = longest.quiesce_ns()?;
    let stopped = || longest.passes.iter().filter(|pass| pass.stopped);
    let sending_ns = stopped().filter(|pass| pass.pages > 0).map(duration_ns).sum::<u64>().min(stop_ns);
    let pages: u64 = stopped().map(|pass| pass.pages).sum();
    let who = match all.len() {
        1 => format!("{} was stopped for", longest.name),
        _ => format!("{} was stopped longest, for", longest.name),
    };
    let what = match longest.passes.iter().any(|pass| !pass.stopped) {
        true => format!("the {} that it had changed since it was last sent", gb_or_mb(pages)),
        false => format!("its {}", gb_or_mb(pages)),
    };
    let sending = format!("{} to send {what}", time(sending_ns));
    let rest = format!("{} for what moves no storage", time(stop_ns - sending_ns));
    let parts = match pages {
        0 => format!("nothing was left to send, and its state and its devices took {}", time(stop_ns)),
        _ if sending_ns >= stop_ns - sending_ns => format!("{sending}, and {rest}"),
        _ => format!("{rest}, and {sending}"),
    };
    Some(format!("{who} {}: {parts}.{}", time(stop_ns), shrinking(longest)))
}

/// Whether the passes before the stop still became smaller.
fn shrinking(one: &RelocationSnapshot) -> String {
    let moving: Vec<&PassSnapshot> = one.passes.iter().filter(|pass| !pass.stopped).collect();
    let [.., before, last] = moving.as_slice() else { return String::new() };
    let count = moving.len();
    let sent = format!("pass {} sent {}, pass {count} {}", count - 1, gb_or_mb(before.pages), gb_or_mb(last.pages));
    match last.pages as f64 >= HARDLY_SMALLER * before.pages as f64 {
        true => {
            format!(" The passes had stopped shrinking: {sent}, because it changes pages about as fast as they are sent.")
        }
        false => format!(" Each pass left less: {sent}."),
    }
}

/// How long a pass took; 0 for one that has not ended.
fn duration_ns(pass: &PassSnapshot) -> u64 {
    pass.ended_ns.map_or(0, |ended| ended.saturating_sub(pass.began_ns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zvmlab::snapshot::ClusterSnapshot;

    const SECOND: u64 = 1_000_000_000;
    /// Pages of a gigabyte.
    const GB: u64 = 262_144;

    fn pass(began_s: u64, ended_s: u64, gb: u64, stopped: bool) -> PassSnapshot {
        let (began_ns, ended_ns) = (began_s * SECOND, Some(ended_s * SECOND));
        PassSnapshot { began_ns, ended_ns, pages: gb * GB, stopped, ..PassSnapshot::default() }
    }

    fn relocated(passes: Vec<PassSnapshot>, stopped_s: u64, started_s: u64) -> RelocationSnapshot {
        RelocationSnapshot {
            name: "SERVER-1".into(),
            end: Some(EndCode::Completed),
            stopped_ns: Some(stopped_s * SECOND),
            started_ns: Some(started_s * SECOND),
            passes,
            ..RelocationSnapshot::default()
        }
    }

    fn told(relocations: Vec<RelocationSnapshot>) -> Option<String> {
        let cluster = ClusterSnapshot { relocations, ..ClusterSnapshot::default() };
        why(&Snapshot { cluster: Some(Box::new(cluster)), ..Snapshot::default() })
    }

    #[test]
    fn a_stop_is_told_in_its_parts_the_longer_one_first() {
        let passes = vec![pass(0, 20, 40, false), pass(20, 30, 20, false), pass(30, 40, 19, false), pass(41, 47, 12, true)];
        assert_eq!(
            told(vec![relocated(passes, 40, 48)]).unwrap(),
            "SERVER-1 was stopped for 8 s: 6 s to send the 12 GB that it had changed since it was last sent, and 2 s for what \
             moves no storage. The passes had stopped shrinking: pass 2 sent 20 GB, pass 3 19 GB, because it changes pages about as \
             fast as they are sent."
        );
        let passes = vec![pass(0, 20, 40, false), pass(20, 22, 4, false), pass(24, 25, 2, true)];
        assert_eq!(
            told(vec![relocated(passes, 22, 26)]).unwrap(),
            "SERVER-1 was stopped for 4 s: 3 s for what moves no storage, and 1 s to send the 2 GB that it had changed since it was \
             last sent. Each pass left less: pass 1 sent 40 GB, pass 2 4 GB."
        );
    }

    #[test]
    fn of_several_the_longest_stop_is_told() {
        let one = |name: &str, started_s| RelocationSnapshot {
            name: name.into(),
            ..relocated(vec![pass(0, 2, 1, false)], 2, started_s)
        };
        let told = told(vec![one("A", 3), one("B", 9), one("C", 4)]).unwrap();
        assert_eq!(
            told,
            "B was stopped longest, for 7 s: nothing was left to send, and its state and its devices took 7 s."
        );
    }

    #[test]
    fn nothing_is_told_of_what_did_not_complete() {
        assert_eq!(told(Vec::new()), None);
        let cancelled = RelocationSnapshot { end: Some(EndCode::MaxTotal), ..relocated(Vec::new(), 1, 2) };
        assert_eq!(told(vec![cancelled]), None);
        assert_eq!(why(&Snapshot::default()), None);
    }
}
