//! Building the host in its picture: at each kind of part, one more of it and one fewer.

use zvmlab::Scenario;
use zvmlab::scenario::fields::{Kind as Value, path};
use zvmlab::scenario::{Chpid, Role};

use super::{Kind, Scene};
use crate::knob::changes::changes;
use crate::knob::groups::id;
use crate::knob::link::{CHPID_PATHS, CTC_PATHS};
use crate::knob::{Given, Knob};

/// CTCs of a chpid that is added. The usual number.
const CTCS: u32 = 4;

/// One more or one fewer of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Of what a number counts: its path, the guest group, how it grows, and whether it does.
    Number(&'static str, usize, Growth, bool),
    /// Of the chpids of the link: whether one is added.
    Chpid(bool),
}

impl Act {
    /// The knobs with their new values, on this host; none where nothing more can be done. A new chpid is as fast as the first, and
    /// one stays.
    pub fn turns(self, scenario: &Scenario) -> Option<Vec<(Knob, Given)>> {
        match self {
            Act::Number(path, group, growth, more) => {
                // The host may have changed since the part was drawn.
                let knob = Knob::at(path, group).filter(|knob| knob.is_in(scenario))?;
                let Value::Whole { min, max, get, .. } = knob.field.kind else { return None };
                let now = get(scenario, group);
                let next = match (growth, more) {
                    (Growth::ByOne, true) => now + 1,
                    (Growth::ByOne, false) => now.checked_sub(1)?,
                    (Growth::Doubled, true) => now * 2,
                    (Growth::Doubled, false) => now / 2,
                };
                (min..=max).contains(&next).then(|| vec![(knob, Given::Number(next.to_string()))])
            }
            Act::Chpid(more) => {
                let isfc = &scenario.isfc;
                let all = [isfc.chpid1, isfc.chpid2, isfc.chpid3, isfc.chpid4];
                let (here, free) = (|chpid: &Chpid| *chpid != Chpid::None, |chpid: &Chpid| *chpid == Chpid::None);
                let several = all.iter().filter(|chpid| here(chpid)).count() > 1;
                let place = if more { all.iter().position(free) } else { all.iter().rposition(here).filter(|_| several) }?;
                let knob = |paths: &[&'static str]| paths.get(place).and_then(|path| Knob::at(path, 0));
                if !more {
                    return Some(vec![(knob(&CHPID_PATHS)?, Given::Choice(Chpid::None.as_str().into()))]);
                }
                let speed = isfc.chpids().first().map_or(Chpid::Gb8, |(chpid, _)| *chpid);
                let ctcs = (knob(&CTC_PATHS)?, Given::Number(CTCS.to_string()));
                Some(vec![(knob(&CHPID_PATHS)?, Given::Choice(speed.as_str().into())), ctcs])
            }
        }
    }
}

/// One more or one fewer, with its words: `Paging volumes 4 → 5`.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// What it does.
    pub label: String,
    /// What is done, on whatever host is on the bench by then.
    pub act: Act,
}

/// The place at which a kind of part grows or shrinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// The right upper corner of the parts, in the scene.
    pub corner: (f64, f64),
    /// One fewer, where that can be.
    pub less: Option<Turn>,
    /// One more, where that can be.
    pub more: Option<Turn>,
}

/// How a number grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// By one.
    ByOne,
    /// Twice as much, half as much.
    Doubled,
}

/// The handles of a scene of `scenario`, along the flow.
pub fn handles(scene: &Scene, scenario: &Scenario) -> Vec<Handle> {
    let corner = |wanted: &dyn Fn((Kind, usize)) -> bool| {
        let places = scene.parts.iter().filter(|part| wanted(part.id)).map(|part| part.place);
        places.map(|(x, y, w, _)| (x + w, y)).reduce(|(right, top), (x, y)| (right.max(x), top.min(y)))
    };
    // Where the next part of another kind would stand.
    let below = |wanted: &dyn Fn((Kind, usize)) -> bool| {
        let places = scene.parts.iter().filter(|part| wanted(part.id)).map(|part| part.place);
        places.map(|(x, y, w, h)| (x + w, y + h)).reduce(|(right, bottom), (x, y)| (right.max(x), bottom.max(y)))
    };
    let of_kind = |kind: Kind| corner(&move |id| id.0 == kind);
    let of = |path, group, growth| [false, true].map(|more| turn(scenario, Act::Number(path, group, growth, more)));
    let mut handles = Vec::new();
    let mut add = |corner: Option<(f64, f64)>, [less, more]: [Option<Turn>; 2]| {
        handles.extend(corner.map(|corner| Handle { corner, less, more }));
    };
    let mut first = 0;
    for (group, guests) in scenario.guests.iter().enumerate() {
        let last = first + guests.count as usize;
        let own = |id: (Kind, usize)| id.0 == Kind::Guest && (first..last).contains(&id.1);
        add(corner(&own), of(path::GUESTS_COUNT, group, Growth::ByOne));
        first = last;
    }
    let (volumes, pages) = (scenario.paging.volumes as usize, scenario.page_volumes() as usize);
    let of_first_kind = |id: (Kind, usize)| id.0 == Kind::Volume && id.1 < volumes;
    let aliases = of_kind(Kind::Aliases).or_else(|| of_kind(Kind::Queue));
    for (corner, path, growth) in [
        (of_kind(Kind::Processor), path::PROCESSORS_COUNT, Growth::ByOne),
        (of_kind(Kind::Physical), path::PRSM_PHYSICAL, Growth::ByOne),
        (below(&|id| id.0 == Kind::Physical), path::PRSM_PARTITIONS, Growth::ByOne),
        (of_kind(Kind::Frames), path::STORAGE_CENTRAL_MB, Growth::Doubled),
        (of_kind(Kind::Expanded), path::STORAGE_EXPANDED_MB, Growth::Doubled),
        (aliases, path::LCU_ALIASES, Growth::ByOne),
        (of_kind(Kind::Path), path::LCU_PATHS, Growth::ByOne),
        (corner(&of_first_kind), path::PAGING_VOLUMES, Growth::ByOne),
        (
            corner(&|id| id.0 == Kind::Volume && (volumes..pages).contains(&id.1)).or(below(&of_first_kind)),
            path::PAGING_OTHER_VOLUMES,
            Growth::ByOne,
        ),
        (corner(&|id| id.0 == Kind::Volume && id.1 >= pages), path::MINIDISKS_VOLUMES, Growth::ByOne),
        // A host alone has no link yet: its second member comes at the end of the picture.
        (of_kind(Kind::Link).or(Some((scene.width, scene.height))), path::CLUSTER_MEMBERS, Growth::ByOne),
        (corner(&|id| id == (Kind::Member, 0)), path::PROCESSORS_COUNT, Growth::ByOne),
        (corner(&|id| id == (Kind::Member, 1)), path::MEMBER2_PROCESSORS, Growth::ByOne),
        (corner(&|id| id == (Kind::Member, 2)), path::MEMBER3_PROCESSORS, Growth::ByOne),
        (corner(&|id| id == (Kind::Member, 3)), path::MEMBER4_PROCESSORS, Growth::ByOne),
    ] {
        add(corner, of(path, 0, growth));
    }
    add(of_kind(Kind::Chpid), [false, true].map(|more| turn(scenario, Act::Chpid(more))));
    handles
}

/// The groups of knobs that belong to a part.
pub fn groups_of((kind, index): (Kind, usize), scenario: &Scenario) -> Vec<String> {
    let guests = || {
        let counts = scenario.guests.iter().map(|group| group.count as usize);
        let ends = counts.scan(0, |end, count| {
            *end += count;
            Some(*end)
        });
        format!("{}-{}", id::GUESTS, ends.take_while(|end| *end <= index).count() + 1)
    };
    let ids: &[&str] = match kind {
        Kind::Guest => return vec![guests(), id::SHARES.into()],
        Kind::Connections | Kind::ClientLine | Kind::ServerLine => {
            let talks = (1..).zip(&scenario.guests).filter(|(_, group)| group.role != Role::Alone);
            return talks.map(|(number, _)| format!("{}-{number}", id::GUESTS)).collect();
        }
        Kind::Ptil => return vec![id::STORAGE.into(), guests()],
        Kind::Processor => &[id::PROCESSORS, id::DISPATCHER],
        Kind::Frames | Kind::Expanded => &[id::STORAGE],
        Kind::Queue | Kind::Path | Kind::Aliases => &[id::LCU],
        Kind::Volume if index < scenario.page_volumes() as usize => &[id::PAGING],
        Kind::Volume => &[id::MINIDISKS],
        Kind::List => &[id::STORBUF, id::SCHEDULER, id::SHARES],
        Kind::Barrier => &[id::STORBUF],
        Kind::Physical => &[id::PRSM],
        Kind::Member => match index {
            0 => &[id::CLUSTER, id::PROCESSORS, id::STORAGE],
            1 => &[id::MEMBER2],
            2 => &[id::MEMBER3],
            _ => &[id::MEMBER4],
        },
        Kind::Copy | Kind::Relocation => &[id::RELOCATION],
        Kind::Link | Kind::Chpid | Kind::Buffers => &[id::ISFC],
    };
    ids.iter().map(|id| (*id).to_string()).collect()
}

/// An act, with the words that the bench has for it; none where it cannot be done, or would lead to a host that cannot be run.
fn turn(scenario: &Scenario, act: Act) -> Option<Turn> {
    let mut after = scenario.clone();
    for (knob, given) in act.turns(scenario)? {
        // A value that is none changes nothing, and so has no words.
        let _ = knob.turn(&mut after, &given);
    }
    if after.check().is_err() && scenario.check().is_ok() {
        return None;
    }
    let label = changes(scenario, &after).join(", ");
    (!label.is_empty()).then_some(Turn { label, act })
}

#[cfg(test)]
mod tests {
    use zvmlab::experiment;

    use super::*;
    use crate::machine::{Form, Rates, View};
    use crate::published::ready::scenario_of;
    use crate::subjects::next_step::tests::small;

    fn all(id: &str, form: Form) -> (Scenario, Vec<Handle>) {
        let host = small(id, scenario_of(id).expect("a ready experiment"));
        let snapshot = experiment::run(&host, 1).expect("valid").snapshot;
        let rates = Rates::default();
        let view = View { form, scenario: &host, snapshot: &snapshot, rates: &rates, limits: None };
        let handles = handles(&view.scene(900.0), &host);
        (host, handles)
    }

    fn labels(handles: &[Handle]) -> Vec<String> {
        handles.iter().flat_map(|handle| [&handle.less, &handle.more]).flatten().map(|turn| turn.label.clone()).collect()
    }

    /// The host can change between the picture and the click, and lose the group that the part stands for.
    #[test]
    fn a_part_of_guests_that_are_gone_turns_nothing() {
        let one = Scenario::default();
        let act = |group| Act::Number(path::GUESTS_COUNT, group, Growth::ByOne, true);
        assert!(act(0).turns(&one).is_some() && act(3).turns(&one).is_none());
    }

    #[test]
    fn each_kind_of_part_has_one_more_and_one_fewer_and_each_turn_is_possible() {
        for (id, form, wanted) in [
            ("V4DVY000", Form::Pipeline, "Paging volumes 4 → 5"),
            ("V4DVY000", Form::Pipeline, "HyperPAV aliases 0 → 1"),
            ("V4DVY000", Form::Pipeline, "Members of the cluster 1 → 2"),
            ("WHOLE", Form::Members, "ISFC link 1 Gb → 2 × 1 Gb (capacity factor 1 → 2)"),
            ("WHOLE", Form::Members, "Guests (BACKUP) 4 → 5"),
            ("WHOLE", Form::Members, "Members of the cluster 2 → 3"),
            ("PRSM", Form::Lanes, "Physical processors 8 → 9"),
            ("PRSM", Form::Lanes, "Other partitions 3 → 4"),
            ("V4DVY000", Form::Pipeline, "Other page volumes 0 → 1"),
        ] {
            let (host, handles) = all(id, form);
            let labels = labels(&handles);
            assert!(labels.iter().any(|label| label == wanted), "{id}: {labels:?}");
            for turn in handles.iter().flat_map(|handle| [&handle.less, &handle.more]).flatten() {
                let mut after = host.clone();
                for (knob, given) in turn.act.turns(&host).expect("it can be done") {
                    knob.turn(&mut after, &given).expect("it is a value");
                }
                assert_ne!(after, host, "{id}: {}", turn.label);
                assert_eq!(after.check().err(), host.check().err(), "{id}: {}", turn.label);
            }
        }
    }

    #[test]
    fn every_part_of_every_picture_has_knobs() {
        for (id, form) in
            [("V4DVY000", Form::Pipeline), ("WHOLE", Form::Members), ("WHOLE", Form::Pipeline), ("PRSM", Form::Lanes)]
        {
            let host = small(id, scenario_of(id).expect("a ready experiment"));
            let snapshot = experiment::run(&host, 1).expect("valid").snapshot;
            let rates = Rates::default();
            let view = View { form, scenario: &host, snapshot: &snapshot, rates: &rates, limits: None };
            let all = crate::knob::groups::groups(&host, &[]);
            for part in view.scene(900.0).parts {
                let groups = groups_of(part.id, &host);
                let knobs = all.iter().filter(|group| groups.contains(&group.id)).flat_map(|group| &group.knobs);
                assert!(knobs.filter(|knob| knob.exists(&host)).count() > 0, "{id}: {}: {groups:?}", part.name);
            }
        }
        let whole = scenario_of("WHOLE").expect("an example");
        let of = |guest: usize| groups_of((Kind::Guest, guest), &whole)[0].clone();
        assert_eq!([of(0), of(15), of(16), of(20)], ["guests-1", "guests-1", "guests-2", "guests-3"]);
    }

    #[test]
    fn what_cannot_shrink_has_no_fewer() {
        let (_, handles) = all("WHOLE", Form::Members);
        let labels = labels(&handles);
        assert!(!labels.iter().any(|label| label.contains("1 → 0")), "{labels:?}");
        assert!(
            !labels.iter().any(|label| label == "Members of the cluster 2 → 1"),
            "a guest moves to the second: {labels:?}"
        );
    }
}
