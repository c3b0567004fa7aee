//! Does the model name what limits where the answer is known? Hosts whose limit follows from how they are made.
#![cfg(not(target_arch = "wasm32"))]

use zvmlab::limit::{Limits, ResourceKind, Whose};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::examples::example;

/// What limits a host, described in its text form.
fn limits(text: &str) -> Limits {
    of(&Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

fn of(scenario: &Scenario) -> Limits {
    zvmlab::experiment::run(scenario, 1).expect("the scenario is valid").limits
}

/// Asserts what limits.
fn check(limits: &Limits, limit: Option<ResourceKind>) {
    assert_eq!(limits.limit, limit, "{limits:#?}");
    assert!(limits.resources.is_sorted_by(|a, b| a.waiting >= b.waiting), "{limits:#?}");
    let parts = |one: f64| (0.0..=1.0).contains(&one);
    assert!(limits.resources.iter().all(|one| parts(one.busy) && parts(one.waiting) && one.queue >= 0.0), "{limits:#?}");
}

/// The 6.2 deck: the old numbers of STORBUF were not appropriate for Linux. With small numbers the guests wait in the eligible
/// list while the host hardly pages; with large ones all of them run, and the host pages.
#[test]
fn small_storbuf_limits_by_itself_and_large_storbuf_by_the_volumes() {
    let mut host = Scenario::parse(example("STORBUF").expect("an example").text).expect("valid");
    (host.measure.warmup_s, host.measure.interval_s) = (20, 20);
    let with = |numbers: [u32; 3]| {
        let mut host = host.clone();
        [host.scheduler.storbuf_1, host.scheduler.storbuf_2, host.scheduler.storbuf_3] = numbers;
        of(&host)
    };
    let [small, old, new] = [[30, 25, 20], [125, 105, 95], [300, 250, 200]].map(with);
    check(&small, Some(ResourceKind::Storbuf));
    check(&old, Some(ResourceKind::Storbuf));
    check(&new, Some(ResourceKind::PageVolumes));
    let paged = |limits: &Limits| limits.get(ResourceKind::PageVolumes).map_or(0.0, |one| one.waiting);
    assert!(paged(&small) <= paged(&old) && paged(&old) < paged(&new), "who waits does not page");
}

/// Four guests that only compute keep one processor busy and wait for it three quarters of the time. One of them on four
/// processors waits for nobody, but has one virtual CPU only. A pause of nine tenths leaves a host of one guest idle.
#[test]
fn processors_limit_when_more_guests_compute_than_there_are() {
    let host = |processors: u32, guests: u32, think_ms: u32| {
        limits(&format!(
            "level = \"6.2\"\nprocessors = {{ count = {processors} }}\nstorage = {{ central_mb = 1024 }}\n\
             measure = {{ warmup_s = 1, interval_s = 5 }}\n\
             guests = [{{ count = {guests}, virtual_mb = 64, loop_mb = 1, workload = \"COMPUTE\", think_ms = {think_ms} }}]\n"
        ))
    };
    let full = host(1, 4, 0);
    check(&full, Some(ResourceKind::Processors));
    let processors = full.limiting().expect("it limits");
    assert!((processors.waiting - 0.75).abs() < 0.01 && (processors.queue - 3.0).abs() < 0.05, "{processors:?}");
    check(&host(4, 1, 0), Some(ResourceKind::VirtualCpus));
    assert_eq!(host(4, 1, 10).get(ResourceKind::VirtualCpus), None, "it mostly thinks");
    check(&host(1, 1, 100), None);
    check(&host(1, 1, 0), Some(ResourceKind::Processors));
}

/// A guest alone with a maximum share of 40 % waits in the limit list, while most of the processor idles (6.2 deck: LIMITHARD
/// used and system not very busy).
#[test]
fn a_maximum_share_limits_while_processors_idle() {
    let mut host = Scenario::parse(example("LIMIT-NOT-BUSY").expect("an example").text).expect("valid");
    host.measure.interval_s = 20;
    check(&of(&host), Some(ResourceKind::MaximumShares));
}

/// Past a soft limit a guest alone has both processors, and of two guests each has what the other leaves: what they wait for is a
/// processor.
#[test]
fn a_soft_limit_holds_nobody_but_for_others() {
    let host = |guests: u32| {
        limits(&format!(
            "processors = {{ count = 2 }}\nmeasure = {{ warmup_s = 1, interval_s = 3 }}\n[[guests]]\ncount = {guests}\nvirtual_cpus = 3\n\
             virtual_mb = 64\nloop_mb = 1\nworkload = \"COMPUTE\"\nlimit_type = \"LIMITSOFT\"\nlimit_absolute = 10\n"
        ))
    };
    for guests in [1, 2] {
        check(&host(guests), Some(ResourceKind::Processors));
    }
}

/// VARY PROCESSOR that never ends: all who need its lock wait for ever.
#[test]
fn a_lock_that_is_never_given_up_limits() {
    let host = Scenario::parse(example("VARY").expect("an example").text).expect("valid");
    check(&of(&host), Some(ResourceKind::VaryLock));
}

/// A partition entitled to a third of the machine, with work for more: PR/SM's physical processors, not its own logical ones.
#[test]
fn physical_processors_limit_a_partition_with_too_small_a_weight() {
    let mut host = Scenario::parse(example("PRSM").expect("an example").text).expect("valid");
    host.measure.interval_s = 5;
    check(&of(&host), Some(ResourceKind::PhysicalProcessors));
}

/// A capped partition waits although the machine has idle processors; without the cap nothing of PR/SM holds it.
#[test]
fn a_cap_limits_while_physical_processors_idle() {
    let mut host = Scenario::parse(example("CAPPED").expect("an example").text).expect("valid");
    host.measure.interval_s = 5;
    let capped = of(&host);
    check(&capped, Some(ResourceKind::Cap));
    assert!(capped.get(ResourceKind::PhysicalProcessors).is_some_and(|physical| physical.busy < 0.7), "{capped:#?}");
    host.prsm.capped = false;
    assert!(of(&host).get(ResourceKind::Cap).is_none_or(|cap| cap.waiting == 0.0), "nothing is capped");
}

/// One guest that faults with nobody beside it waits for its own reads only: no device limits it, frames do.
#[test]
fn a_guest_that_pages_alone_is_limited_by_frames() {
    let alone = limits(
        "storage = { central_mb = 256 }\npaging = { volumes = 4, volume_slots = 200000 }\n\
         measure = { warmup_s = 1, interval_s = 5 }\nguests = [{ count = 1, virtual_mb = 512, loop_mb = 400 }]\n",
    );
    check(&alone, Some(ResourceKind::Frames));
    assert!(alone.get(ResourceKind::Frames).is_some_and(|frames| frames.busy > 0.9), "{alone:#?}");
}

/// A guest of 512 MB on its way, in a cluster as `tables` says.
fn moving(tables: &str, others: &str) -> Limits {
    limits(&format!(
        "level = \"6.2\"\nprocessors.count = 4\ncluster = {{ members = 2 }}\n\
         measure = {{ warmup_s = 0, interval_s = 1 }}\n{tables}\n\
         [[guests]]\nname = \"MOVER\"\ncount = 1\nvirtual_mb = 512\nloop_mb = 512\npattern = \"random\"\nmove_to = 2\n\
         touch_mb_s = 10\n{others}\n"
    ))
}

/// Two members whose size and relocation are as given.
fn sized(source_mb: u32, destination_mb: u32, relocation: &str) -> String {
    format!(
        "storage = {{ central_mb = {source_mb} }}\nmember2 = {{ central_mb = {destination_mb}, volumes = 2 }}\n\
         paging = {{ volumes = 2, volume_slots = 600000, alias = false }}\n\
         relocation = {{ maxquiesce = \"NOLIMIT\", force_storage = true, {relocation} }}\n"
    )
}

const PAGERS: &str = "[[guests]]\nname = \"PAGER\"\ncount = 6\nvirtual_mb = 100\nloop_mb = 100\npattern = \"random\"\n";

/// The three throttles of the 6.2 deck, each in a cluster where it acts: by paging intensity, by memory consumption, and by
/// buffers that run out.
#[test]
fn each_throttle_limits_where_it_acts() {
    let end_to_end = moving(&sized(640, 2048, "immediate = true, throttle_paging = 1"), PAGERS);
    check(&end_to_end, Some(ResourceKind::EndToEnd));
    let home = "[[guests]]\nname = \"HOME\"\ncount = 1\nvirtual_mb = 256\nloop_mb = 200\nactive_mb = 2\ntouch_mb_s = 1\nmember = 2\n";
    let endpoint = moving(&sized(1024, 300, "immediate = true, throttle_paging = 0"), home);
    check(&endpoint, Some(ResourceKind::Endpoint));
    // Two buffers keep two of sixteen CTCs at work.
    let few = "isfc = { chpid1 = \"8 Gb\", chpid2 = \"8 Gb\", chpid3 = \"8 Gb\", chpid4 = \"8 Gb\", buffers = 2 }\n";
    let link = moving(&format!("{}{few}", sized(2048, 2048, "immediate = true")), "");
    check(&link, Some(ResourceKind::Buffers));
    assert!([&end_to_end, &endpoint, &link].iter().all(|limits| limits.whose == Whose::Relocations));
}

/// A guest with twice the storage of its member stands on page volumes for the most part. CP reads it from there, page by page, and the
/// link waits.
#[test]
fn page_reads_limit_a_guest_that_its_member_has_no_storage_for() {
    let reads = moving(&sized(300, 2048, "throttle_paging = 0"), "");
    check(&reads, Some(ResourceKind::Reads));
    let fits = moving(&sized(2048, 2048, "throttle_paging = 0"), "");
    assert!(fits.get(ResourceKind::Reads).is_none_or(|none| none.waiting == 0.0), "nothing is read: {fits:#?}");
}

/// A chpid of 1 Gb carries 100 MB/s. CP collects or stores 8 GB/s on a whole processor (0.5 µs a page), and 0.8 GB/s on one of
/// a tenth of that speed. So the link limits in the first case, and a processor where the link carries 3.2 GB/s. One CTC keeps a
/// chpid of 8 Gb less than half busy: its protocol exchange takes longer than its transfer.
#[test]
fn link_ctcs_and_processors_limit_by_their_speeds() {
    let roomy = sized(2048, 2048, "immediate = true");
    let narrow = moving(&format!("{roomy}isfc = {{ chpid1 = \"1 Gb\" }}\n"), "");
    check(&narrow, Some(ResourceKind::Link));
    // Its buffers run out as well; they are held by messages that wait for the link.
    assert!(narrow.get(ResourceKind::Buffers).is_some_and(|buffers| buffers.busy > 0.8 && buffers.waiting < 0.1));
    let one_ctc = moving(&format!("{roomy}isfc = {{ chpid1 = \"8 Gb\", ctcs1 = 1 }}\n"), "");
    check(&one_ctc, Some(ResourceKind::Ctcs));
    let wide = "isfc = { chpid1 = \"8 Gb\", chpid2 = \"8 Gb\", chpid3 = \"8 Gb\", chpid4 = \"8 Gb\" }\n";
    let slow = moving(&format!("{roomy}{wide}processors.capacity_percent = 10\n"), "");
    let limit = slow.limit.expect("a processor limits");
    assert!([ResourceKind::Source, ResourceKind::Destination].contains(&limit), "{slow:#?}");
}

/// Clients with one virtual CPU each need 1 ms of it for each request, their servers 0.6 ms: with many connections the clients' virtual
/// CPUs limit; with three virtual CPUs for each client, the four processors; with one server, that one's virtual CPU.
#[test]
fn what_connections_wait_for_limits() {
    let host = |client_cpus: u32, servers: u32, connections: u32| {
        let guest = "workload = \"COMPUTE\", virtual_mb = 64, loop_mb = 1";
        limits(&format!(
            "processors = {{ count = 4 }}\nstorage = {{ central_mb = 1024 }}\nmeasure = {{ warmup_s = 1, interval_s = 10 }}\n\
             guests = [{{ name = \"CLIENT\", count = 2, virtual_cpus = {client_cpus}, {guest}, role = \"client\", \
             connections = {connections}, cpu_us = 1000, think_ms = 20 }}, \
             {{ name = \"SERVER\", count = {servers}, {guest}, role = \"server\", cpu_us = 600 }}]\n"
        ))
    };
    let clients = host(1, 6, 8);
    check(&clients, Some(ResourceKind::ClientCpus));
    assert!(clients.limiting().is_some_and(|one| one.count == 2 && one.busy > 0.98 && one.waiting > 0.8), "{clients:#?}");
    check(&host(2, 6, 12), Some(ResourceKind::Processors));
    check(&host(3, 6, 8), Some(ResourceKind::Processors));
    check(&host(2, 1, 30), Some(ResourceKind::ServerCpus));
    check(&host(1, 6, 1), None);
}

/// Connections in line wait for what the virtual CPUs there wait for: a volume, a maximum share, the page volumes, a lock. Of ten servers
/// one that has more to do than the others limits by itself.
#[test]
fn what_a_server_waits_for_limits_its_clients() {
    let guest = "workload = \"COMPUTE\", virtual_mb = 64, loop_mb = 1";
    let client = |connections: u32, think_ms: u32| {
        format!(
            "{{ name = \"CLIENT\", count = 2, virtual_cpus = 2, {guest}, role = \"client\", connections = {connections}, cpu_us = 50, think_ms = {think_ms} }}"
        )
    };
    let host = |more: &str, (connections, think_ms): (u32, u32), servers: &str| {
        limits(&format!(
            "processors = {{ count = 4 }}\nstorage = {{ central_mb = 512 }}\nmeasure = {{ warmup_s = 2, interval_s = 10 }}\n{more}\
             guests = [{}, {servers}]\n",
            client(connections, think_ms)
        ))
    };
    let io = "{ name = \"SERVER\", count = 8, virtual_mb = 16, loop_mb = 1, workload = \"IO3390\", role = \"server\", cpu_us = 100, \
              io_records = 8, io_read_percent = 100, minidisk_mb = 500, transaction = 1 }";
    check(&host("minidisks = { volumes = 1 }\n", (6, 1), io), Some(ResourceKind::MinidiskVolumes));
    let limited = format!(
        "{{ name = \"SERVER\", count = 1, {guest}, role = \"server\", cpu_us = 100, limit_type = \"LIMITHARD\", limit_absolute = 5 }}"
    );
    check(&host("", (20, 1), &limited), Some(ResourceKind::MaximumShares));
    let paging = "{ name = \"SERVER\", count = 8, virtual_mb = 128, loop_mb = 128, pattern = \"random\", cycle_pages = 50, role = \"server\", \
                  transaction = 1 }";
    check(&host("paging = { volumes = 2, alias = false }\n", (6, 1), paging), Some(ResourceKind::PageVolumes));
    let locked = format!(
        "{{ name = \"SERVER\", count = 1, virtual_cpus = 4, {guest}, role = \"server\", cpu_us = 50, lock_us = 900 }}"
    );
    check(&host("", (20, 1), &locked), Some(ResourceKind::GuestLocks));
    let one_slow = format!(
        "{{ name = \"FAST\", count = 9, {guest}, role = \"server\", cpu_us = 50 }}, \
         {{ name = \"SLOW\", count = 1, {guest}, role = \"server\", cpu_us = 3000 }}"
    );
    let slow = host("", (4, 10), &one_slow);
    check(&slow, Some(ResourceKind::ServerCpus));
    assert!(slow.limiting().is_some_and(|one| one.busy > 0.95), "the busiest counts: {slow:#?}");
}

/// Eight guests are relocated at once. Each waits for a small part of its time for CP to collect its pages; a processor does that for all
/// eight, and is busy with it for the time that it takes of the time in which passes are sent.
#[test]
fn a_processor_collects_the_pages_of_all_guests_that_are_relocated_at_once() {
    let busy = |order: &str| {
        let text = format!(
            "level = \"6.4\"\ncluster = {{ members = 2 }}\nrelocation = {{ mode = \"{order}\" }}\nisfc = {{ chpid1 = \"8 Gb\", chpid2 = \"8 Gb\" }}\n\
             guests = [{{ count = 8, workload = \"LINUX\", virtual_mb = 1024, loop_mb = 512, move_to = 2 }}]\n"
        );
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let outcome = zvmlab::experiment::run(&scenario, 1).expect("the scenario is valid");
        let source = *outcome.limits.get(ResourceKind::Source).expect("guests were relocated");
        let cluster = outcome.snapshot.cluster.expect("a cluster");
        let passes = || cluster.relocations.iter().flat_map(|one| &one.passes);
        let began = passes().map(|pass| pass.began_ns).min().expect("a pass");
        let ended = passes().filter_map(|pass| pass.ended_ns).max().expect("a pass");
        let work: u64 = cluster.relocations.iter().map(|one| one.cpu_ns[0]).sum();
        (source.busy, source.waiting, work as f64 / (ended - began) as f64)
    };
    let (at_once, waiting, worked) = busy("ASYNCH");
    assert!((at_once - worked).abs() < 0.1 * worked, "busy {at_once}, but its work took {worked} of the time");
    assert!(waiting < at_once / 4.0, "each guest waits for its own eighth: {waiting} of {at_once}");
    let (one_by_one, waiting, _) = busy("SYNCH");
    assert!((one_by_one - at_once).abs() < 0.2 * at_once, "one by one it works as much: {one_by_one}, {at_once}");
    assert!(waiting > one_by_one / 2.0, "and each waits for all of it: {waiting} of {one_by_one}");
}
