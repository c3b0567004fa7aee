//! Hosts and guests to begin with, where the reader builds a host: each says where its numbers come from.
//!
//! What a study measured of its guests is virtual CPUs, their load, and the storage defined and touched: 512 GiB and 25 processors
//! with everything resident (resource overcommitment study). How such a guest uses its time is chosen here: it works every 10 ms, for
//! as long as its load says, touches 50 random pages of what it touched, and changes 30 of a hundred.

use zvmlab::Scenario;
use zvmlab::scenario::{GuestGroup, Level, Pattern, Tenths};

use crate::published::ready;

/// Time from the start of a cycle to the next, in ms, pages of a cycle, and changed pages of a hundred, of a measured guest. Chosen.
const PACE_MS: u32 = 10;
const CYCLE_PAGES: u32 = 50;
const CHANGE_PERCENT: u32 = 30;

/// A guest of a template.
#[derive(Debug)]
pub struct GuestTemplate {
    /// What it is, for a menu.
    pub title: &'static str,
    /// Where its numbers come from.
    pub from: &'static str,
    make: fn() -> GuestGroup,
}

impl GuestTemplate {
    /// One such guest.
    pub fn guest(&self) -> GuestGroup {
        (self.make)()
    }
}

/// A host of a template.
#[derive(Debug)]
pub struct HostTemplate {
    /// What it is, for a button.
    pub title: &'static str,
    /// What it has, and where its numbers come from.
    pub from: &'static str,
    make: fn(&mut Scenario),
}

impl HostTemplate {
    /// The host.
    pub fn scenario(&self) -> Scenario {
        let mut scenario = Scenario { name: self.title.into(), ..Scenario::default() };
        (self.make)(&mut scenario);
        scenario
    }
}

/// Words for what a study measured.
const MEASURED: &str =
    "Virtual CPUs, load and storage as a resource overcommitment study measured them; how it uses its time is chosen.";
const CHOSEN: &str = "Every number is chosen.";

/// Every guest, in the order of the menu.
pub static GUESTS: &[GuestTemplate] = &[
    GuestTemplate { title: "Web server (IHS)", from: MEASURED, make: ihs },
    GuestTemplate { title: "Application server (WAS)", from: MEASURED, make: was },
    GuestTemplate { title: "Transactional database (DB2)", from: MEASURED, make: db2 },
    GuestTemplate { title: "Business intelligence database", from: MEASURED, make: bi },
    GuestTemplate { title: "File server with page cache", from: MEASURED, make: files },
    GuestTemplate { title: "Java", from: MEASURED, make: || measured("JAVA", 1, 92, 4_096, 3_626) },
    GuestTemplate { title: "Network server", from: MEASURED, make: || measured("NET", 1, 94, 1_024, 436) },
    GuestTemplate { title: "CMS user", from: CHOSEN, make: || of_example("CLASSES", 0) },
    GuestTemplate { title: "Batch", from: CHOSEN, make: || of_example("CLASSES", 1) },
    GuestTemplate { title: "Backup: minidisk I/O", from: CHOSEN, make: || of_example("WHOLE", 1) },
    GuestTemplate {
        title: "VIRSTOEX: walks through 16 GB",
        from: "As IBM ran it on the host of the 6.4 paging page.",
        make: || GuestGroup { count: 1, ..GuestGroup::default() },
    },
];

/// Every host, in the order of the list.
pub static HOSTS: &[HostTemplate] = &[
    HostTemplate {
        title: "From nothing",
        from: "One processor, 1 GB, one page volume, one Linux guest. Every number is chosen.",
        make: |scenario| {
            sizes(scenario, 1, 1_024, 1);
            scenario.guests = vec![of_example("CLASSES", 2)];
        },
    },
    HostTemplate {
        title: "Small Linux host",
        from: "Web server, application server and database of one application, as a resource overcommitment study measured them (medium load). Four processors and 6 GB are chosen: nothing pages.",
        make: |scenario| {
            sizes(scenario, 4, 6_144, 2);
            scenario.guests = vec![ihs(), was(), db2()];
        },
    },
    HostTemplate {
        title: "Database host",
        from: "512 GB and 25 processors with a business intelligence database, four transactional ones and a file server: the host and guests of a resource overcommitment study, their mix chosen.",
        make: |scenario| {
            sizes(scenario, 25, 524_288, 8);
            scenario.guests = vec![bi(), GuestGroup { count: 4, ..db2() }, files()];
        },
    },
    HostTemplate {
        title: "CMS host",
        from: "60 CMS users and four batch guests on two processors and 1 GB. Every number is chosen.",
        make: |scenario| {
            sizes(scenario, 2, 1_024, 2);
            let classes = ready::scenario_of("CLASSES").unwrap_or_default().guests;
            scenario.guests = classes.into_iter().take(2).collect();
        },
    },
    HostTemplate {
        title: "Two-member cluster",
        from: "The application of the small Linux host at one member; its application server moves to the other over two chpids of 8 Gb. Guests as measured, the members and the link chosen.",
        make: |scenario| {
            sizes(scenario, 4, 6_144, 2);
            scenario.cluster.members = 2;
            (scenario.member2.central_mb, scenario.member2.processors, scenario.member2.volumes) = (6_144, 4, 2);
            scenario.isfc.chpid1 = zvmlab::scenario::Chpid::Gb8;
            scenario.isfc.chpid2 = zvmlab::scenario::Chpid::Gb8;
            scenario.guests = vec![ihs(), GuestGroup { move_to: 2, ..was() }, db2()];
        },
    },
];

/// A host of so many processors, MB and page volumes, on the newest level, measured for 20 s after 5 s.
fn sizes(scenario: &mut Scenario, processors: u32, central_mb: u64, volumes: u32) {
    scenario.level = Level::default();
    scenario.processors.count = processors;
    scenario.storage.central_mb = central_mb;
    scenario.paging.volumes = volumes;
    (scenario.measure.warmup_s, scenario.measure.interval_s) = (5, 20);
}

/// A guest with these virtual CPUs, load in hundredths of a processor, and storage defined and touched in MB.
fn measured(name: &str, virtual_cpus: u32, load: u32, virtual_mb: u64, loop_mb: u64) -> GuestGroup {
    let touches_us = zvmlab::constants::Constants::default().touch_ns * f64::from(CYCLE_PAGES) / 1e3;
    let cpu_us = (PACE_MS * 1_000 * load / 100 / virtual_cpus).saturating_sub(touches_us as u32);
    GuestGroup {
        name: name.into(),
        count: 1,
        virtual_cpus,
        virtual_mb,
        loop_mb,
        pattern: Pattern::Random,
        change_percent: CHANGE_PERCENT,
        cycle_pages: CYCLE_PAGES,
        cpu_us,
        pace_ms: Tenths::whole(PACE_MS),
        transaction: 1,
        ..GuestGroup::default()
    }
}

fn ihs() -> GuestGroup {
    measured("IHS", 1, 58, 700, 560)
}

fn was() -> GuestGroup {
    measured("WAS", 2, 118, 4_096, 2_232)
}

fn db2() -> GuestGroup {
    measured("DB2", 1, 92, 2_048, 2_048)
}

fn bi() -> GuestGroup {
    measured("BI", 4, 282, 307_200, 83_968)
}

fn files() -> GuestGroup {
    measured("FILES", 2, 92, 16_384, 12_288)
}

/// A guest of an example.
fn of_example(id: &str, group: usize) -> GuestGroup {
    let groups = ready::scenario_of(id).unwrap_or_default().guests;
    GuestGroup { count: 1, ..groups.into_iter().nth(group).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use zvmlab::scenario::fields::path;
    use zvmlab::{Figure, experiment};

    use super::*;
    use crate::address::Experiment;
    use crate::bench::Bench;

    #[test]
    fn every_host_runs_and_says_where_its_numbers_come_from() {
        for host in HOSTS {
            let scenario = host.scenario();
            assert_eq!(scenario.check(), Ok(()), "{}", host.title);
            assert!(host.from.ends_with('.') && host.from.contains("chosen"), "{}", host.title);
            assert_eq!(scenario.name, host.title);
        }
    }

    #[test]
    fn every_guest_can_be_added_to_every_host_that_has_room_for_it() {
        for (host, guest) in HOSTS.iter().flat_map(|host| GUESTS.iter().map(move |guest| (host, guest))) {
            let now = Experiment { scenario: host.scenario(), seed: 1 };
            let mut bench = Bench::new(now, None, None, 1);
            bench.add_group(guest.guest());
            let names: Vec<&str> = bench.scenario.guests.iter().map(|group| group.name.as_str()).collect();
            assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)), "{names:?}");
            // Only page space may be too small, and the message says how much is needed.
            let problems = bench.scenario.check().err().map(|error| error.problems).unwrap_or_default();
            assert!(
                problems.iter().all(|one| one.field == path::PAGING_VOLUME_SLOTS),
                "{} on {}: {problems:?}",
                guest.title,
                host.title
            );
            assert!(guest.from.ends_with('.'), "{}", guest.title);
        }
    }

    /// The load of the guests is that of the study: 0.58 + 1.18 + 0.92 processors of four are 67 %.
    #[test]
    fn measured_guests_have_the_load_that_was_measured() {
        let outcome = experiment::run(&HOSTS[1].scenario(), 1).expect("valid");
        let busy = outcome.measurement.get(Figure::GuestBusy).expect("it is known");
        assert!((busy - 268.0).abs() < 8.0, "{busy} % of a processor");
        assert_eq!(outcome.measurement.get(Figure::PagesPerSecond), Some(0.0), "all of it fits");
    }
}
