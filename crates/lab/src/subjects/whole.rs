//! The whole machine: one host on which every control acts, the first that a reader meets.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{AliasShare, GuestGroup, Level, Mechanism, Scenario};

use super::lead::{Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::of_processors::who;
use super::of_relocation::{QUIESCE, add_chpid, chpid_to_add, what_limits};
use super::of_storage::ONE_EXCHANGE;
use super::{Depth, Part, Particulars, Remark, Setup, Sign, Subject, of_relocation};
use crate::host::{alias_users, moves, moving, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::knob::storbuf::{KNOWN, Numbers, PATHS, command, numbers};
use crate::room::Room;

/// One host on which STORBUF, alias shares, zHPF and CTC bandwidth all act.
pub static WHOLE: &Subject = &Subject {
    title: "The whole machine",
    question: "Which control gives the servers most throughput, and which one shortens the stop of the guest that moves?",
    depth: Depth::Basics,
    part: Part::Whole,
    sources: &[],
    setups: &[
        Setup::new("WHOLE", "every control acts").back("As it was: no zHPF, equal shares, STORBUF 300 250 200, one chpid.")
    ],
    limit: Some(ResourceKind::EndToEnd),
    room: Room::Overview,
    sign: Some(Sign {
        order: 5,
        is_seen: |scenario| {
            scenario.level == Level::Own && scenario.relocates() && pages(scenario) && alias_users(scenario) == (true, true)
        },
    }),
    groups: &[id::PAGING, id::LCU, id::ISFC, id::STORBUF],
    is_main,
    swept: |_| path::LCU_ALIAS_SHARE,
    introduction,
    chain: CHAIN,
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars { remark: Some(Remark::WhoWaits), ..Particulars::NONE },
};

/// Each control once. What it gains depends on those before it: in this order each shows.
const CHAIN: Chain = Chain { steps: &[ZHPF, SHARE, STORBUF, CHPID], made };

const ZHPF: Step = Step {
    label: |_| "Turn zHPF for paging on".into(),
    reason: ONE_EXCHANGE,
    is_due: |seen| pages(seen.scenario) && !seen.scenario.has(Mechanism::PagingZhpf),
    take: |scenario| scenario.paging.zhpf = true,
    shows: (Figure::Etr, Way::Up),
};

/// Nearly all aliases for paging.
const MOST_TO_PAGING: AliasShare = AliasShare { mdisk: 1, paging: 15 };

const SHARE: Step = Step {
    label: |_| "SET CU: share the aliases 1:15".into(),
    reason: "Minidisk I/O holds aliases that paging waits for. So paging may have nearly all of them, and the backups wait instead.",
    is_due: |seen| is_as_begun(seen, |scenario| scenario.lcu.alias_share) && alias_users(seen.scenario) == (true, true),
    take: |scenario| scenario.lcu.alias_share = MOST_TO_PAGING,
    shows: (Figure::Etr, Way::Up),
};

/// Barriers that hold back about two fifths of the servers. Chosen: lower ones leave storage free while guests wait.
const FEWER: Numbers = [150, 140, 130];

const STORBUF: Step = Step {
    label: |_| command(FEWER).into(),
    reason: "Fewer servers run at once, each with more of its pages. The others wait in the eligible list.",
    is_due: |seen| numbers(seen.scenario) == KNOWN[1] && seen.scenario.has(Mechanism::EligibleList),
    take: |scenario| {
        let scheduler = &mut scenario.scheduler;
        [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3] = FEWER.map(|number| number as u32);
    },
    shows: (Figure::Etr, Way::Up),
};

const CHPID: Step = Step {
    label: |scenario| chpid_to_add(&scenario.isfc),
    reason: "On a wider link each pass leaves less to send again, so little is left for the time of the stop.",
    is_due: |seen| is_as_begun(seen, |scenario| scenario.isfc.chpids().len()),
    take: |scenario| add_chpid(&mut scenario.isfc),
    shows: (Figure::QuiesceTime, Way::Down),
};

/// Whether a setting is that of the host with which the reader began.
fn is_as_begun<T: PartialEq>(seen: &Seen, setting: fn(&Scenario) -> T) -> bool {
    seen.base().is_none_or(|base| setting(&base) == setting(seen.scenario))
}

fn made(_: &Scenario, limits: &Limits) -> Cow<'static, str> {
    what_limits(limits).into()
}

const LEADS: &[Lead] = &[
    lead(Figure::Etr, "transactions a second of guests without minidisk I/O (external throughput rate, ETR)", "ETR"),
    QUIESCE,
    lead(Figure::MdiskEtr, "transactions a second of guests with minidisk I/O (MDISK ETR)", "MDISK ETR"),
    lead(Figure::EligibleGuests, "guests in the eligible list", "eligible"),
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::MdiskEtr, false),
    (Figure::QuiesceTime, false),
    (Figure::RelocationTime, false),
    (Figure::MemoryPasses, false),
    (Figure::MemoryMoved, false),
    (Figure::LinkBusy, false),
    (Figure::ThrottledPaging, false),
    (Figure::EligibleGuests, false),
    (Figure::PagesPerSecond, false),
    (Figure::PagingAliases, false),
    (Figure::MdiskAliases, false),
    (Figure::StorageWait, false),
    (Figure::Utilization, false),
];

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let path = knob.field.path;
    let controls = [path::LCU_ALIAS_SHARE, path::PAGING_ZHPF];
    let link = knob.field.room() == room::ISFC && of_relocation::is_main(knob, scenario, &[room::ISFC]);
    PATHS.contains(&path) || controls.contains(&path) || link && path != path::ISFC_BUFFERS
}

/// What the host does, and what each of its controls is for, for a reader who has never heard of z/VM. Of a host that no longer
/// does all of this, what is told of any relocation.
fn introduction(scenario: &Scenario) -> String {
    let stays = |io: bool| scenario.guests.iter().any(|group| !moves(group) && (group.io_records > 0) == io);
    if !(pages(scenario) && moving(scenario) == 1 && stays(true) && stays(false) && alias_users(scenario) == (true, true)) {
        return of_relocation::introduction(scenario);
    }
    let of = |wanted: fn(&GuestGroup) -> bool| -> String {
        who(&scenario.guests.iter().filter(|group| wanted(group)).cloned().collect::<Vec<_>>())
    };
    let (movers, users) = (of(moves), of(|group| !moves(group) && group.io_records > 0));
    let servers = of(|group| !moves(group) && group.io_records == 0);
    format!(
        "On MEMBER1, {servers} want more storage than there is and page; {users} do I/O on the same control unit; {movers} moves to MEMBER2; four controls act: STORBUF (how many guests may run at once), the alias share (who gets spare ways to the volumes), zHPF (faster page I/O), and the chpids of the link (how fast the guest moves)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::scenario_of;

    #[test]
    fn the_introduction_tells_only_what_the_host_does() {
        let told = |change: fn(&mut Scenario)| {
            let mut host = scenario_of("WHOLE").expect("an example");
            change(&mut host);
            introduction(&host)
        };
        assert!(told(|_| ()).contains("16 LINUX guests want more storage than there is and page"));
        let changes: [fn(&mut Scenario); 4] = [
            |host| host.storage.central_mb = 16_384,
            |host| host.guests[2].move_to = 0,
            |host| host.guests[1].io_records = 0,
            |host| host.paging.alias = false,
        ];
        for told in changes.map(told) {
            assert!(!told.contains("more storage than there is") && !told.is_empty(), "{told}");
        }
    }
}
