//! The laws that hold at every instant, and from one instant to a later one, as they are seen from outside: in snapshots.

use zvmlab::scenario::{GuestGroup, Mechanism, PAGES_PER_MB, Role, Scenario};
use zvmlab::snapshot::{ClaimantSnapshot, GuestSnapshot, GuestState, List, Snapshot, VolumeSnapshot};

/// Records of 4 KB on a 3390 track, the unit of the minidisk cache.
const RECORDS_PER_TRACK: u64 = 12;

/// Each guest of the host with its group.
fn guests<'a>(scenario: &'a Scenario, snapshot: &'a Snapshot) -> impl Iterator<Item = (&'a GuestGroup, &'a GuestSnapshot)> {
    let groups = scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group));
    groups.zip(&snapshot.guests)
}

/// Pages of the guest that it has ever touched.
fn touched(guest: &GuestSnapshot) -> u64 {
    guest.touched_pages()
}

/// Asserts everything that must hold in one snapshot of `scenario`.
pub fn hold_at(scenario: &Scenario, snapshot: &Snapshot) {
    time_is_accounted_once(snapshot);
    frames_are_in_one_place(scenario, snapshot);
    reserved_pages_stay(scenario, snapshot);
    aliases_are_shared(scenario, snapshot);
    ios_add_up(snapshot);
    the_control_unit_hits_as_often_as_it_may(scenario, snapshot);
    the_minidisk_cache_keeps_to_its_part(scenario, snapshot);
    guests_are_where_their_list_says(snapshot);
    nothing_is_forgotten(scenario, snapshot);
    connections_are_in_one_place(scenario, snapshot);
    page_table_locks_add_up(scenario, snapshot);
}

/// Asserts everything that must hold from `earlier` to `later`.
pub fn hold_between(scenario: &Scenario, earlier: &Snapshot, later: &Snapshot) {
    assert!(later.now_ns >= earlier.now_ns, "time goes on");
    zvmlab_laws::no_share_exceeds_its_whole(scenario, earlier, later);
    for ((group, before), (_, after)) in guests(scenario, earlier).zip(guests(scenario, later)) {
        let reserved = group.reserved_mb * PAGES_PER_MB;
        let kept =
            if goes_past_reserve(scenario, later) || group.releases() > 0 { 0 } else { before.valid_pages.min(reserved) };
        assert!(after.valid_pages >= kept, "{}: demand scan took pages that are reserved", after.name);
        assert!(after.ios >= before.ios && after.references >= before.references, "{}: work is not undone", after.name);
    }
    let (before, after) = (&earlier.minidisks.mdc, &later.minidisks.mdc);
    assert!(after.minidisks_disabled >= before.minidisks_disabled, "a minidisk's cache stays off");
    let made_room = (after.invalidated_held - before.invalidated_held) * RECORDS_PER_TRACK;
    assert!(
        scenario.minidisks.mdc_arbiter || after.frames_used + made_room >= before.frames_used,
        "a track leaves the cache for another one, or for FlashCopy"
    );
    assert!(after.hits >= before.hits && after.hits - before.hits <= after.reads - before.reads, "a hit is a read");
}

/// Who waits for a PTIL is in simulation wait, and no guest releases more than it has touched for the first time.
fn page_table_locks_add_up(scenario: &Scenario, snapshot: &Snapshot) {
    let mut released = 0;
    for (group, guest) in guests(scenario, snapshot) {
        assert_eq!(guest.ptil.is_some(), group.releases() > 0, "{}", guest.name);
        let Some(ptil) = &guest.ptil else { continue };
        released += ptil.pages_released;
        assert!(ptil.wait_ns <= guest.simulation_wait_ns, "{}: {ptil:?}", guest.name);
        assert!(ptil.work_ns <= ptil.held_ns && ptil.held_ns <= ptil.closed_ns, "{}: {ptil:?}", guest.name);
        assert!(ptil.closed_ns <= snapshot.now_ns, "{}: {ptil:?}", guest.name);
        let is_exclusive = scenario.has(Mechanism::ReleaseExclusive);
        assert!(is_exclusive || (ptil.held_ns, ptil.wait_ns) == (0, 0), "{}: {ptil:?}", guest.name);
        assert!(ptil.holder.is_none_or(|cpu| !ptil.line.contains(&cpu)), "{}: {ptil:?}", guest.name);
    }
    let touched: u64 = snapshot.guests.iter().map(touched).sum();
    assert_eq!(released + touched, snapshot.storage.pages_first_touched, "pages are released or still there");
}

/// Each connection is in one place, and no virtual CPU is at work on two.
fn connections_are_in_one_place(scenario: &Scenario, snapshot: &Snapshot) {
    let Some(of) = &snapshot.connections else { return assert_eq!(scenario.connection_count(), 0) };
    assert_eq!(u64::from(of.count), scenario.connection_count());
    assert_eq!(of.thinking + of.client_line + of.at_client + of.server_line + of.at_server, of.count, "{of:?}");
    let spent = of.thinking_ns + of.client_line_ns + of.at_client_ns + of.server_line_ns + of.at_server_ns;
    assert_eq!(spent, u64::from(of.count) * snapshot.now_ns, "where the time of connections went: {of:?}");
    for (role, line_ns) in [(Role::Client, of.client_line_ns), (Role::Server, of.server_line_ns)] {
        let own = guests(scenario, snapshot).filter(|(group, _)| group.role == role).map(|(_, guest)| guest.line_ns);
        assert_eq!(own.sum::<u64>(), line_ns, "a connection waits in the line of one guest");
    }
    for (role, at_work) in [(Role::Client, of.at_client), (Role::Server, of.at_server)] {
        let there = || guests(scenario, snapshot).filter(|(group, _)| group.role == role);
        let cpus: usize = there().map(|(_, guest)| guest.virtual_cpus.len()).sum();
        assert!(at_work as usize <= cpus, "{at_work} connections at work on {cpus} virtual CPUs");
        // Who is at work is not idle; that nothing waits for who is, the model itself checks after each event.
        let idle = there().flat_map(|(_, guest)| &guest.virtual_cpus).filter(|state| **state == GuestState::Idle).count();
        assert!(at_work as usize + idle <= cpus, "{at_work} at work, {idle} of {cpus} idle");
    }
    let cycles =
        |role: Role| guests(scenario, snapshot).filter(move |(group, _)| group.role == role).map(|(_, guest)| guest.cycles);
    assert_eq!(cycles(Role::Client).sum::<u64>(), cycles(Role::Server).sum::<u64>(), "each answer ends a round");
}

fn time_is_accounted_once(snapshot: &Snapshot) {
    for guest in &snapshot.guests {
        let accounted: u64 = GuestState::ALL.into_iter().map(|state| guest.time_in(state)).sum();
        let virtual_cpus = guest.virtual_cpus.len() as u64;
        assert_eq!(accounted, snapshot.now_ns * virtual_cpus, "{}: where the time of its virtual CPUs went", guest.name);
    }
    let on = &snapshot.processors;
    let spent = on.guest_ns + on.chargeable_cp_ns + on.nonchargeable_cp_ns;
    let all = snapshot.now_ns * u64::from(on.count);
    assert!(spent + on.idle_ns + on.suspended_ns <= all, "processors have no more time than there is");
    let left = all - spent - on.idle_ns - on.suspended_ns;
    // PR/SM's own time passes while a logical processor neither waits nor works.
    assert!(left <= snapshot.prsm.own_overhead_ns, "{left} ns of the processors are unaccounted for");
    let each: u64 = on.logical.iter().map(|logical| logical.busy_ns).sum();
    assert_eq!(each, spent, "what processors did was for somebody");
    let had: u64 = snapshot.guests.iter().map(|guest| guest.cpu_ns).sum();
    assert!(had <= on.guest_ns + on.chargeable_cp_ns, "guests have what was spent on them");
}

/// A virtual CPU that wants a processor waits for it where its guest's list says.
fn guests_are_where_their_list_says(snapshot: &Snapshot) {
    for guest in &snapshot.guests {
        for state in &guest.virtual_cpus {
            let may = match state {
                GuestState::Ready => matches!(guest.list, List::Q0 | List::Q1 | List::Q2 | List::Q3),
                GuestState::Eligible => guest.list.is_eligible(),
                GuestState::LimitList => guest.list == List::Limit,
                // A guest that wakes during a reorder joins a list once it may go on.
                GuestState::Idle | GuestState::ConsoleWait => true,
                _ => guest.list != List::Dormant,
            };
            assert!(may, "{} is in list {} with a virtual CPU in state {state:?}", guest.name, guest.list.as_str());
        }
    }
    let scheduler = &snapshot.scheduler;
    let claim = |lists: &[List]| -> u64 {
        snapshot.guests.iter().filter(|guest| lists.contains(&guest.list)).map(|guest| guest.working_set_pages).sum()
    };
    // The limit list does not say which class a guest there is of.
    let limited = claim(&[List::Limit]);
    for (level, lists) in [&[List::Q1, List::Q2, List::Q3][..], &[List::Q2, List::Q3], &[List::Q3]].into_iter().enumerate() {
        let sure = claim(lists);
        let said = scheduler.claimed[level];
        assert!((sure..=sure + limited).contains(&said), "{lists:?} claim {sure} pages, {said} are counted");
    }
    let waiting = snapshot.guests.iter().flat_map(|guest| &guest.virtual_cpus);
    let in_simulation_wait = waiting.filter(|&&state| state == GuestState::SimulationWait).count();
    assert!(snapshot.locks.vary_waiting as usize <= in_simulation_wait, "who waits for VARY waits for CP");
}

/// Where overflow of the vectors is noted, no virtual CPU is ready while a processor idles.
fn nothing_is_forgotten(scenario: &Scenario, snapshot: &Snapshot) {
    if scenario.dispatcher.pldv_fix {
        assert_eq!(snapshot.processors.forgotten_ns, 0, "ready work waits while a processor idles");
    }
}

fn frames_are_in_one_place(scenario: &Scenario, snapshot: &Snapshot) {
    let storage = &snapshot.storage;
    let most = scenario.minidisks.mdc_mb * PAGES_PER_MB;
    assert!(storage.mdc_frames == most || scenario.minidisks.mdc_arbiter && storage.mdc_frames < most, "{storage:?}");
    let held = storage.reading_frames + storage.age_list_frames + storage.valid_frames + storage.available_frames;
    assert_eq!(held + storage.cp_frames + storage.mdc_frames, scenario.storage.central_mb * PAGES_PER_MB);
    if let Some(sides) = &storage.sides {
        let below = sides.cp_below + sides.available_below + sides.resident_below;
        let blocks = storage.contiguous.as_ref().map_or(0, |of| of.held * u64::from(of.frames));
        assert!(below <= sides.frames_below && below + storage.mdc_frames + blocks >= sides.frames_below, "{sides:?}");
        let used = storage.reading_frames + storage.age_list_frames + storage.valid_frames;
        assert!(sides.resident_below <= used && sides.available_below <= storage.available_frames, "{sides:?}");
        assert!(sides.found <= sides.looked_at, "{sides:?}");
    }
    let ios = &snapshot.paging.ios;
    assert!(ios.runs_written <= ios.blocks_written && ios.starts <= ios.runs_read + ios.runs_written, "{ios:?}");
    assert_eq!(storage.passes.is_some(), scenario.has(Mechanism::ScanByLists), "only old levels make passes");
    let taken: u64 = storage.passes.map_or(0, |passes| passes.taken.iter().sum());
    assert!(taken <= storage.pages_invalidated, "{taken} pages taken in passes, of {}", storage.pages_invalidated);
    if let Some(expanded) = &storage.expanded {
        let held: u64 = snapshot.guests.iter().map(|guest| guest.expanded_pages).sum();
        assert!(
            scenario.has(Mechanism::ExpandedStorage) && (expanded.pages, expanded.cache_pages) == scenario.expanded_pages()
        );
        assert_eq!(held + expanded.migrating, expanded.used, "{expanded:?}");
        assert!(expanded.used <= expanded.pages && expanded.moved_in <= expanded.moved_out, "{expanded:?}");
    }
    for guest in &snapshot.guests {
        assert!(touched(guest) <= guest.virtual_pages, "{} has more pages than it is defined with", guest.name);
    }
}

/// Whether CP may have gone past SET RESERVED: in the last pass of demand scan, or because I/O needs frames below 2 GB.
fn goes_past_reserve(scenario: &Scenario, snapshot: &Snapshot) -> bool {
    let last_pass = snapshot.storage.passes.is_some_and(|passes| passes.taken[2] > 0);
    last_pass || (snapshot.storage.sides.is_some() && scenario.has(Mechanism::IoBelow))
}

/// SET RESERVED: of the pages that a guest has touched, as many as are reserved are valid in frames, however scarce those are.
fn reserved_pages_stay(scenario: &Scenario, snapshot: &Snapshot) {
    if goes_past_reserve(scenario, snapshot) {
        return;
    }
    // What a guest releases may be what CP kept for it, and no page comes back for it.
    for (group, guest) in guests(scenario, snapshot).filter(|(group, _)| group.releases() == 0) {
        let sure = touched(guest).min(group.reserved_mb * PAGES_PER_MB);
        assert!(guest.valid_pages >= sure, "{}: {} of {sure} reserved pages are valid", guest.name, guest.valid_pages);
    }
}

/// The pool is never overdrawn, and no alias idles while somebody who may use it waits. So no claimant is below its entitlement
/// while it wants more and an alias is idle.
fn aliases_are_shared(scenario: &Scenario, snapshot: &Snapshot) {
    let lcu = &snapshot.lcu;
    let held = snapshot.minidisks.ios.aliases_in_use + snapshot.paging.ios.aliases_in_use;
    assert_eq!(lcu.aliases_in_use, held, "each alias in use is somebody's");
    assert!(held <= scenario.lcu.aliases, "{held} of {} aliases are in use", scenario.lcu.aliases);
    if !scenario.paging.alias {
        assert_eq!(snapshot.paging.ios.aliases_in_use, 0, "SET PAGING ALIAS OFF");
    }
    if held == scenario.lcu.aliases {
        return;
    }
    let eckd = |volumes: &[VolumeSnapshot]| -> u32 {
        volumes.iter().filter(|volume| volume.kind.is_eckd()).map(|volume| volume.queued).sum()
    };
    assert_eq!(eckd(&snapshot.minidisks.volumes), 0, "minidisk I/O waits while an alias is idle");
    if scenario.paging.alias {
        assert_eq!(eckd(&snapshot.paging.volumes), 0, "I/O to page volumes waits while an alias is idle");
    }
}

/// What the claimants see is what the volumes see, and Little's law: the integral of how many wait is the sum of how long each
/// waited, once nobody does; the same of I/Os in progress and their service times.
fn ios_add_up(snapshot: &Snapshot) {
    let volumes = || snapshot.paging.volumes.iter().chain(&snapshot.minidisks.volumes);
    let claimants = [&snapshot.minidisks.ios, &snapshot.paging.ios];
    let of_claimants = |field: fn(&ClaimantSnapshot) -> u64| claimants.iter().map(|ios| field(ios)).sum::<u64>();
    let of_volumes = |field: fn(&VolumeSnapshot) -> u64| volumes().map(field).sum::<u64>();
    assert_eq!(of_volumes(|volume| volume.starts), of_claimants(|ios| ios.starts), "I/Os ended");
    assert_eq!(of_volumes(|volume| volume.queued.into()), of_claimants(|ios| ios.queued.into()), "I/Os waiting");
    assert_eq!(of_volumes(|volume| volume.busy_ns), of_claimants(|ios| ios.in_progress_ns), "exposures busy");
    assert_eq!(of_volumes(|volume| volume.queue_ns), of_claimants(|ios| ios.queue_ns), "exposures waited for");
    for ios in claimants {
        assert!(ios.queue_ns >= ios.waited_ns, "who was started had waited");
        if ios.queued == 0 {
            assert_eq!(ios.queue_ns, ios.waited_ns, "Little's law of the queue");
        }
    }
    let service_ns = of_claimants(|ios| ios.pending_ns + ios.disconnect_ns + ios.connect_ns);
    assert!(of_claimants(|ios| ios.in_progress_ns) >= service_ns, "what ended had been in progress");
    if of_volumes(|volume| volume.in_progress.into()) == 0 {
        assert_eq!(of_claimants(|ios| ios.in_progress_ns), service_ns, "Little's law of the exposures");
    }
    for guest in snapshot.guests.iter().filter(|guest| !guest.does_io) {
        assert_eq!((guest.ios, guest.io_wait_ns), (0, 0), "{} does no I/O", guest.name);
    }
    let minidisks = &snapshot.minidisks;
    assert_eq!(minidisks.guest_ios, snapshot.guests.iter().map(|guest| guest.ios).sum::<u64>());
    // An I/O counts for its guest when CP is done with it: a little after the volume, or the cache, has served it.
    let served = minidisks.ios.starts + minidisks.mdc.hits;
    let doing_io = snapshot.guests.iter().filter(|guest| guest.does_io).map(|guest| guest.virtual_cpus.len() as u64);
    assert!(served >= minidisks.guest_ios && served - minidisks.guest_ios <= doing_io.sum(), "an I/O is served once");
}

fn the_control_unit_hits_as_often_as_it_may(scenario: &Scenario, snapshot: &Snapshot) {
    let percents = [
        (&snapshot.paging.ios, scenario.paging.read_hit_percent, scenario.paging.write_hit_percent),
        (&snapshot.minidisks.ios, scenario.minidisks.read_hit_percent, scenario.minidisks.write_hit_percent),
    ];
    for (ios, read, write) in percents {
        match (read, write) {
            (0, 0) => assert_eq!(ios.cache_hits, 0, "the control unit has no cache"),
            (100, 100) => assert_eq!(ios.cache_hits, ios.starts, "the control unit has everything"),
            _ => assert!(ios.cache_hits <= ios.starts, "a hit is an I/O"),
        }
    }
}

/// The minidisk cache never has more than its frames; it serves command-mode reads only, and each minidisk is counted as
/// switched off from its first transport-mode I/O on.
fn the_minidisk_cache_keeps_to_its_part(scenario: &Scenario, snapshot: &Snapshot) {
    let mdc = &snapshot.minidisks.mdc;
    assert_eq!(mdc.frames, snapshot.storage.mdc_frames);
    let pages = mdc.frames + mdc.expanded_pages;
    assert!(mdc.frames_used <= pages, "the cache has {pages} pages and uses {}", mdc.frames_used);
    let is_on = pages.max(mdc.most_frames) >= RECORDS_PER_TRACK;
    let count = |which: fn(&GuestGroup, &GuestSnapshot) -> bool| {
        guests(scenario, snapshot).filter(|(group, guest)| which(group, guest)).count() as u32
    };
    let all = count(|group, guest| guest.does_io && group.mdc);
    assert_eq!(mdc.minidisks_on + mdc.minidisks_disabled, if is_on { all } else { 0 });
    if is_on {
        let sure = count(|group, guest| group.io_zhpf && group.mdc && guest.ios > 0);
        let most = count(|group, guest| group.io_zhpf && group.mdc && guest.does_io);
        assert!((sure..=most).contains(&mdc.minidisks_disabled), "transport mode switches the cache off");
    }
    let command = guests(scenario, snapshot)
        .any(|(group, _)| group.mdc && group.io_records > 0 && !group.io_zhpf && group.io_read_percent > 0);
    let copied = guests(scenario, snapshot)
        .any(|(group, _)| group.mdc && group.io_records > 0 && !group.io_zhpf && group.flashcopy_s > 0);
    assert!(mdc.invalidated_held <= mdc.invalidated && mdc.invalidate_ns <= snapshot.processors.nonchargeable_cp_ns);
    assert!((is_on && copied) || mdc.invalidated == 0, "tracks are invalidated where FlashCopy writes to them");
    if !is_on || !command {
        assert_eq!((mdc.reads, mdc.hits, mdc.frames_used), (0, 0, 0), "the cache serves command-mode reads only");
    }
}
