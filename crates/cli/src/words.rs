//! A host in words: what stands above every result.

use zvmlab::scenario::{LimitType, Scenario};
use zvmlab::snapshot::GuestState;

use crate::processing;

/// The host in one line.
pub fn host(scenario: &Scenario) -> String {
    let mut parts = vec![
        format!("z/VM {}", scenario.level.as_str()),
        processors(scenario),
        format!("{} MB central storage", scenario.storage.central_mb),
        page_volumes(scenario),
    ];
    parts.extend(minidisks(scenario));
    parts.push(aliases(scenario));
    let on = |switch: bool| if switch { "on" } else { "off" };
    parts.push(format!("zHPF {}", on(scenario.paging.zhpf)));
    if scenario.does_io() {
        let modes: Vec<bool> =
            scenario.guests.iter().filter(|group| group.io_records > 0).map(|group| group.io_zhpf).collect();
        let some = modes.contains(&true) && modes.contains(&false);
        parts.push(format!("guest zHPF {}", if some { "in part" } else { on(modes.contains(&true)) }));
    }
    parts.extend(scheduler(scenario));
    parts.push(count(scenario.guest_count(), "guest", "s"));
    format!("{}: {}", plain(&scenario.name), parts.join(", "))
}

/// A name may hold anything; a terminal should not obey it.
pub fn plain(name: &str) -> String {
    name.replace(char::is_control, " ")
}

/// What a virtual CPU does, as FCX114 USTAT calls it where it has a name for it.
pub fn state(state: GuestState) -> &'static str {
    match state {
        GuestState::Running => "Running",
        GuestState::Ready => "Ready",
        GuestState::PageWait => "Page wait",
        GuestState::FrameWait => "Frame wait",
        GuestState::IoWait => "I/O wait",
        GuestState::SimulationWait => "Simulation wait",
        GuestState::Eligible => "Eligible list",
        GuestState::LimitList => "Limit list",
        GuestState::Idle => "Idle",
        GuestState::Stopped => "Stopped",
        GuestState::Away => "At another member",
    }
}

/// The processors, and where they come from if they are not the partition's own.
fn processors(scenario: &Scenario) -> String {
    let mut text = count(scenario.processors.count.into(), "processor", "s");
    if scenario.processors.shared {
        let prsm = &scenario.prsm;
        let weights = prsm.weight + prsm.partitions * prsm.other_weight;
        text += &format!(" shared (weight {} of {weights}, {} physical)", prsm.weight, prsm.physical);
    }
    if scenario.processors.capacity_percent < 100 {
        text += &format!(" at {} % of capacity", scenario.processors.capacity_percent);
    }
    text
}

/// The scheduler's settings, as far as they matter to the host.
fn scheduler(scenario: &Scenario) -> Vec<String> {
    let mut parts = Vec::new();
    let scheduler = &scenario.scheduler;
    if processing::computes(scenario) && scenario.level.keeps_eligible() {
        parts.push(format!("STORBUF {} {} {}", scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3));
    }
    if scenario.guests.iter().any(|group| group.limit_type == LimitType::LimitHard) {
        parts.push(format!("LIMITHARD {}", scheduler.limithard.as_str()));
    }
    if scheduler.excess_fault {
        parts.push("excess share to one guest".into());
    }
    parts
}

fn count(number: u64, word: &str, plural: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { plural })
}

/// How many page volumes, and of which kind where that is not the common one.
fn page_volumes(scenario: &Scenario) -> String {
    let paging = &scenario.paging;
    let text = count(scenario.page_volumes().into(), "paging volume", "s");
    if paging.other_volumes > 0 && paging.volumes > 0 {
        let (kind, other) = (paging.kind.as_str(), paging.other_kind.as_str());
        format!("{text} ({} {kind}, {} {other})", paging.volumes, paging.other_volumes)
    } else if paging.kind != Scenario::default().paging.kind {
        format!("{text} ({})", paging.kind.as_str())
    } else {
        text
    }
}

/// Where the minidisks are that guests do I/O to, and the minidisk cache.
fn minidisks(scenario: &Scenario) -> Vec<String> {
    let minidisks = &scenario.minidisks;
    let mut parts = Vec::new();
    if scenario.does_io() && minidisks.volumes > 0 {
        let common = minidisks.kind == Scenario::default().minidisks.kind;
        let kind = if common { String::new() } else { format!(" ({})", minidisks.kind.as_str()) };
        parts.push(count(minidisks.volumes.into(), "minidisk volume", "s") + &kind);
    }
    if scenario.does_io() && minidisks.on_page_volumes {
        parts.push("minidisks on the page volumes".into());
    }
    if minidisks.mdc_mb > 0 {
        parts.push(format!("{} MB minidisk cache", minidisks.mdc_mb));
    }
    parts
}

/// The aliases, and how they are shared where minidisk and paging I/O both can use them.
fn aliases(scenario: &Scenario) -> String {
    let lcu = &scenario.lcu;
    let text = count(lcu.aliases.into(), "alias", "es");
    if lcu.aliases > 0 && scenario.paging.alias && scenario.does_io() {
        format!("{text} shared {} (MDISK:PAGING)", lcu.alias_share)
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str) {
        let scenario = Scenario::parse(text).expect("a scenario");
        let host = host(&scenario);
        assert!(host.contains(wanted), "wanted {wanted}: {host}");
    }

    #[test]
    fn a_host_names_what_sets_it_apart() {
        check(
            "name = \"a\\u001bb\"",
            "a b: z/VM 6.4, 8 processors, 131072 MB central storage, 4 paging volumes, 0 aliases, zHPF off, 8 guests",
        );
        check("processors.shared = true", "8 processors shared (weight 100 of 200, 8 physical), ");
        check("processors.capacity_percent = 60", "8 processors at 60 % of capacity, ");
        check("level = \"6.2\"\n[[guests]]\nworkload = \"LINUX\"", "zHPF off, STORBUF 300 250 200, 8 guests");
        check("[[guests]]\nworkload = \"LINUX\"", "zHPF off, 8 guests");
        check(
            "scheduler.excess_fault = true\n[[guests]]\nlimit_type = \"LIMITHARD\"",
            "LIMITHARD CONSUMPTION, excess share to one",
        );
        check("lcu.aliases = 4", "4 aliases, zHPF");
        check("lcu.aliases = 1\npaging.volumes = 1", "1 paging volume, 1 alias, zHPF");
        let io = "minidisks.volumes = 4\nguests = [{ workload = \"IO3390\" }]\n";
        check(io, "4 paging volumes, 4 minidisk volumes, 0 aliases, zHPF off, guest zHPF off");
        let shared = format!("{io}lcu = {{ aliases = 16, alias_share = \"15:1\" }}\n");
        check(&shared, "16 aliases shared 15:1 (MDISK:PAGING)");
        check(&format!("{shared}paging.alias = false\n"), "16 aliases, zHPF off");
        check("paging.kind = \"ECKD SSD\"", "4 paging volumes (ECKD SSD)");
        check("paging.other_volumes = 2", "6 paging volumes (4 ECKD spinning, 2 ECKD SSD)");
        check(&io.replace("IO3390\"", "IO3390\", io_zhpf = true"), "guest zHPF on");
        let mixed =
            "guests = [{ workload = \"IO3390\" }, { workload = \"IO3390\", io_zhpf = true }]\nminidisks.mdc_mb = 512\n";
        check(&format!("{mixed}minidisks.on_page_volumes = true"), "minidisks on the page volumes, 512 MB minidisk cache");
        check(&format!("{mixed}minidisks.on_page_volumes = true"), "guest zHPF in part");
    }
}
