//! A host in one line, above every result of the command line and of Python.

use zvmlab::scenario::{LimitType, Mechanism, Relocate, Scenario};

use super::number::storage_mb;
use super::unit::plain;

/// Whether processors are a subject of this host: a program uses processor time of its own, besides touching pages.
pub fn computes(scenario: &Scenario) -> bool {
    scenario.processors.shared
        || scenario.guests.iter().any(|group| group.cpu_us > 0 || group.service_us > 0 || group.lock_us > 0)
}

/// The host in one line.
pub fn in_a_line(scenario: &Scenario) -> String {
    let mut parts = vec![scenario.level.name().into(), processors(scenario), storage(scenario), page_volumes(scenario)];
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
    parts.extend(cluster(scenario));
    format!("{}: {}", plain(&scenario.name), parts.join(", "))
}

/// The other members, the link between them and how guests are relocated.
fn cluster(scenario: &Scenario) -> Vec<String> {
    let members = scenario.cluster.members;
    if members == 1 {
        return Vec::new();
    }
    let mut parts = vec![format!("member 1 of {members}")];
    for (number, other) in (2..=members).zip([&scenario.member2, &scenario.member3, &scenario.member4]) {
        let processors = count(other.processors.into(), "processor", "s");
        let comes = if other.transitions { ", comes and goes" } else { "" };
        parts.push(format!(
            "member {number} ({}, {processors}, {}{comes})",
            storage_mb(other.central_mb),
            count(other.volumes.into(), "volume", "s")
        ));
    }
    let isfc = &scenario.isfc;
    let chpids: Vec<String> =
        isfc.chpids().iter().map(|(chpid, ctcs)| format!("{} x {ctcs} CTCs", chpid.as_str())).collect();
    parts.push(format!("ISFC {} (factor {})", chpids.join(" + "), isfc.capacity_factor()));
    if scenario.relocates() {
        parts.push(vmrelocate(scenario));
    }
    parts
}

/// VMRELOCATE with its options.
fn vmrelocate(scenario: &Scenario) -> String {
    let relocation = &scenario.relocation;
    let moved = scenario.guests.iter().filter(|group| group.move_to > 0).map(|group| group.count).sum::<u32>();
    let mut text = format!("VMRELOCATE of {}", count(moved.into(), "guest", "s"));
    if moved > 1 {
        text += &format!(" {}", relocation.mode.as_str());
        if relocation.mode == Relocate::Synch {
            text += &format!(" ({})", relocation.order.as_str());
        }
    }
    for (given, option) in [
        (relocation.immediate, " IMMEDIATE"),
        (relocation.force_storage, " FORCE STORAGE"),
        (relocation.bounce, " back and forth"),
    ] {
        text += if given { option } else { "" };
    }
    text += &match relocation.quiesce_limit_s() {
        Some(limit) => format!(" MAXQUIESCE {limit}"),
        None => " MAXQUIESCE NOLIMIT".into(),
    };
    if let Some(limit) = relocation.total_limit_s() {
        text += &format!(" MAXTOTAL {limit}");
    }
    text
}

/// The processors, and the partition that they come from if it shares them.
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

/// The scheduler's settings that matter to the host.
fn scheduler(scenario: &Scenario) -> Vec<String> {
    let mut parts = Vec::new();
    let scheduler = &scenario.scheduler;
    if computes(scenario) && scenario.has(Mechanism::EligibleList) {
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

/// Its storage.
fn storage(scenario: &Scenario) -> String {
    let central = storage_mb(scenario.storage.central_mb);
    match scenario.has(Mechanism::ExpandedStorage) {
        true => format!("{central} central and {} expanded storage", storage_mb(scenario.storage.expanded_mb)),
        false => format!("{central} central storage"),
    }
}

/// How many page volumes, and their kind if it is not the usual one.
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

/// The place of the minidisks to which guests do I/O, and the minidisk cache.
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
        let most = if minidisks.mdc_arbiter { "up to " } else { "" };
        parts.push(format!("{most}{} MB minidisk cache", minidisks.mdc_mb));
    }
    if minidisks.mdc_expanded_mb > 0 {
        parts.push(format!("{} MB minidisk cache in expanded storage", minidisks.mdc_expanded_mb));
    }
    parts
}

/// The aliases, and how they are shared if minidisk and paging I/O can both use them.
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
        let host = in_a_line(&scenario);
        assert!(host.contains(wanted), "wanted {wanted}: {host}");
    }

    #[test]
    fn a_host_names_what_sets_it_apart() {
        check(
            "name = \"a\\u001bb\"",
            "a b: z/VM 6.4, 8 processors, 128 GB central storage, 4 paging volumes, 0 aliases, zHPF off, 8 guests",
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

    #[test]
    fn a_cluster_names_its_members_its_link_and_what_is_relocated() {
        let pair = "level = \"6.2\"\ncluster.members = 2\n";
        check(pair, "8 guests, member 1 of 2, member 2 (128 GB, 4 processors, 4 volumes), ISFC 8 Gb x 4 CTCs (factor 8)");
        check(
            &format!("{pair}isfc = {{ chpid2 = \"2 Gb\", ctcs2 = 1 }}\nmember2 = {{ processors = 1, transitions = true }}"),
            "1 processor, 4 volumes, comes and goes), ISFC 8 Gb x 4 CTCs + 2 Gb x 1 CTCs (factor 10)",
        );
        let moving = |relocation: &str, count: u32| {
            format!("{pair}relocation = {{ {relocation} }}\nguests = [{{ count = {count}, loop_mb = 8, move_to = 2 }}]")
        };
        check(&moving("", 1), "(factor 8), VMRELOCATE of 1 guest MAXQUIESCE 10");
        check(&moving("immediate = true", 1), "VMRELOCATE of 1 guest IMMEDIATE MAXQUIESCE NOLIMIT");
        check(&moving("order = \"largest first\"", 3), "VMRELOCATE of 3 guests SYNCH (largest first) MAXQUIESCE 10");
        check(
            &moving("mode = \"ASYNCH\", maxquiesce = \"seconds\", maxquiesce_s = 3, maxtotal_s = 60, bounce = true", 3),
            "VMRELOCATE of 3 guests ASYNCH back and forth MAXQUIESCE 3 MAXTOTAL 60",
        );
        check(&moving("force_storage = true", 1), " FORCE STORAGE MAXQUIESCE 10");
    }
}
