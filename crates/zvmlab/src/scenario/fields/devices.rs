//! The fields of devices: logical control unit, paging volumes, minidisk volumes.

use super::{Effect, Field, Kind, MAX_VOLUME_SLOTS, MAX_VOLUMES};
use crate::scenario::{Channel, DeviceKind, Mechanism, Scenario};

paths! {
    LCU_CHANNEL = "lcu.channel";
    LCU_PATHS = "lcu.paths";
    LCU_ALIASES = "lcu.aliases";
    LCU_ALIAS_SHARE = "lcu.alias_share";
    PAGING_ALIAS = "paging.alias";
    PAGING_ZHPF = "paging.zhpf";
    PAGING_VOLUMES = "paging.volumes";
    PAGING_KIND = "paging.kind";
    PAGING_QUEUE_DEPTH = "paging.queue_depth";
    PAGING_VOLUME_SLOTS = "paging.volume_slots";
    PAGING_READ_HIT_PERCENT = "paging.read_hit_percent";
    PAGING_WRITE_HIT_PERCENT = "paging.write_hit_percent";
    PAGING_OTHER_VOLUMES = "paging.other_volumes";
    PAGING_OTHER_KIND = "paging.other_kind";
    PAGING_OTHER_SLOTS = "paging.other_slots";
    MINIDISKS_VOLUMES = "minidisks.volumes";
    MINIDISKS_KIND = "minidisks.kind";
    MINIDISKS_QUEUE_DEPTH = "minidisks.queue_depth";
    MINIDISKS_READ_HIT_PERCENT = "minidisks.read_hit_percent";
    MINIDISKS_WRITE_HIT_PERCENT = "minidisks.write_hit_percent";
    MINIDISKS_ON_PAGE_VOLUMES = "minidisks.on_page_volumes";
    MINIDISKS_MDC_MB = "minidisks.mdc_mb";
    MINIDISKS_MDC_ARBITER = "minidisks.mdc_arbiter";
    MINIDISKS_MDC_EXPANDED_MB = "minidisks.mdc_expanded_mb";
}

/// Those fields.
pub(super) const FIELDS: &[Field] = &[
    Field {
        path: paths::LCU_CHANNEL,
        label: "Channels",
        unit: "",
        help: || "The generation of the channels. zHPF for paging needs FICON Express8S or newer.",
        effect: Effect::always,
        kind: Kind::Choice {
            allowed: &["FICON Express8", "FICON Express8S"],
            get: |s, _| s.lcu.channel.as_str(),
            set: |s, _, v| s.lcu.channel = if v == "FICON Express8" { Channel::Express8 } else { Channel::Express8S },
        },
    },
    Field {
        path: paths::LCU_PATHS,
        label: "Channel paths",
        unit: "paths",
        help: || "Channel paths to the logical control unit. All its volumes share them. The same number of FCP paths leads to EDEVs.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 1,
            max: 8,
            slider_max: 8,
            step: 1,
            get: |s, _| s.lcu.paths.into(),
            set: |s, _, v| s.lcu.paths = v as u32,
        },
    },
    Field {
        path: paths::LCU_ALIASES,
        label: "HyperPAV aliases",
        unit: "aliases",
        help: || "Extra exposures in one pool for the logical control unit. Each alias serves a volume for one I/O at a time. Minidisk I/O can use aliases; paging I/O can from z/VM 6.4 on.",
        effect: |s, _| if s.minidisks_use_aliases() { Effect::Some } else { of_paging_aliases(s) },
        kind: Kind::Whole {
            min: 0,
            max: 254,
            slider_max: 32,
            step: 1,
            get: |s, _| s.lcu.aliases.into(),
            set: |s, _, v| s.lcu.aliases = v as u32,
        },
    },
    Field {
        path: paths::LCU_ALIAS_SHARE,
        label: "Alias share MDISK:PAGING",
        unit: "",
        help: || "SET CU: divides the aliases between minidisk and paging I/O when they want more than there are. Either kind may use aliases that the other does not want.",
        effect: of_alias_share,
        kind: Kind::Share { max: 1_000, total: 16, get: |s, _| s.lcu.alias_share, set: |s, _, v| s.lcu.alias_share = v },
    },
    Field {
        path: paths::PAGING_ALIAS,
        label: "Aliases for paging",
        unit: "",
        help: || "SET PAGING ALIAS: lets paging I/O use the aliases. Needs z/VM 6.4.",
        effect: |s, _| Effect::none_if(s.lcu.aliases == 0, "There are no aliases.").and(|| of_paging_aliases(s)),
        kind: Kind::Switch { get: |s, _| s.paging.alias, set: |s, _, v| s.paging.alias = v },
    },
    Field {
        path: paths::PAGING_ZHPF,
        label: "zHPF for paging",
        unit: "",
        help: || "SET PAGING HPF: paging uses transport-mode I/O. A whole channel program takes one exchange instead of one for each command. Needs z/VM 6.4 and FICON Express8S.",
        effect: of_paging_zhpf,
        kind: Kind::Switch { get: |s, _| s.paging.zhpf, set: |s, _, v| s.paging.zhpf = v },
    },
    Field {
        path: paths::PAGING_VOLUMES,
        label: "Paging volumes",
        unit: "volumes",
        help: || "Volumes with page space. An ECKD volume has one base exposure, which carries one I/O at a time. An EDEV carries as many I/Os as its queue depth.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 1,
            max: MAX_VOLUMES,
            slider_max: 16,
            step: 1,
            get: |s, _| s.paging.volumes.into(),
            set: |s, _, v| s.paging.volumes = v as u32,
        },
    },
    Field {
        path: paths::PAGING_KIND,
        label: "Kind of page volume",
        unit: "",
        help: || "FICON leads to ECKD volumes, which can have aliases and zHPF. FCP leads to EDEVs (SCSI), which carry several I/Os at once but need more CPU for each. Flash without a SAN Volume Controller needs z/VM 6.4.",
        effect: Effect::always,
        kind: Kind::Choice { allowed: KINDS, get: |s, _| s.paging.kind.as_str(), set: |s, _, v| s.paging.kind = kind_of(v) },
    },
    Field {
        path: paths::PAGING_QUEUE_DEPTH,
        label: "Queue depth of a page EDEV",
        unit: "I/Os",
        help: || "I/Os that a SCSI page volume carries at once. ECKD volumes have exposures instead.",
        effect: |s, _| Effect::none_if(!s.paging.has_edevs(), "No page volume is an EDEV."),
        kind: Kind::Whole {
            min: 1,
            max: 256,
            slider_max: 64,
            step: 1,
            get: |s, _| s.paging.queue_depth.into(),
            set: |s, _, v| s.paging.queue_depth = v as u32,
        },
    },
    Field {
        path: paths::PAGING_VOLUME_SLOTS,
        label: "Slots on a volume",
        unit: "slots",
        help: || "Page slots of 4 KB on each volume. The default is a 3390-54: 65,520 cylinders with 180 slots each.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 1_800,
            max: MAX_VOLUME_SLOTS,
            slider_max: 23_587_200,
            step: 1_800,
            get: |s, _| s.paging.volume_slots,
            set: |s, _, v| s.paging.volume_slots = v,
        },
    },
    Field {
        path: paths::PAGING_READ_HIT_PERCENT,
        label: "Page reads that hit the cache",
        unit: "%",
        help: || "Percent of reads that the control unit's cache serves. The others wait for the disk, which shows as disconnect time.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, _| s.paging.read_hit_percent.into(),
            set: |s, _, v| s.paging.read_hit_percent = v as u32,
        },
    },
    Field {
        path: paths::PAGING_WRITE_HIT_PERCENT,
        label: "Page writes that hit the cache",
        unit: "%",
        help: || "Percent of writes that the control unit's cache takes. The others wait for the disk.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, _| s.paging.write_hit_percent.into(),
            set: |s, _, v| s.paging.write_hit_percent = v as u32,
        },
    },
    Field {
        path: paths::PAGING_OTHER_VOLUMES,
        label: "Other page volumes",
        unit: "volumes",
        help: || "More page volumes, which may be of another kind or size. Best practice is to have none.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: MAX_VOLUMES,
            slider_max: 16,
            step: 1,
            get: |s, _| s.paging.other_volumes.into(),
            set: |s, _, v| s.paging.other_volumes = v as u32,
        },
    },
    Field {
        path: paths::PAGING_OTHER_KIND,
        label: "Kind of the other page volumes",
        unit: "",
        help: || "The kind of device of these page volumes.",
        effect: of_other_volumes,
        kind: Kind::Choice {
            allowed: KINDS,
            get: |s, _| s.paging.other_kind.as_str(),
            set: |s, _, v| s.paging.other_kind = kind_of(v),
        },
    },
    Field {
        path: paths::PAGING_OTHER_SLOTS,
        label: "Slots on each other page volume",
        unit: "slots",
        help: || "Page slots of 4 KB on each of these page volumes.",
        effect: of_other_volumes,
        kind: Kind::Whole {
            min: 1_800,
            max: MAX_VOLUME_SLOTS,
            slider_max: 23_587_200,
            step: 1_800,
            get: |s, _| s.paging.other_slots,
            set: |s, _, v| s.paging.other_slots = v,
        },
    },
    Field {
        path: paths::MINIDISKS_VOLUMES,
        label: "Minidisk volumes",
        unit: "volumes",
        help: || "Volumes that hold minidisks. The guests' minidisks go to them in turn.",
        effect: of_minidisks,
        kind: Kind::Whole {
            min: 0,
            max: MAX_VOLUMES,
            slider_max: 16,
            step: 1,
            get: |s, _| s.minidisks.volumes.into(),
            set: |s, _, v| s.minidisks.volumes = v as u32,
        },
    },
    Field {
        path: paths::MINIDISKS_KIND,
        label: "Kind of minidisk volume",
        unit: "",
        help: || "The kind of device of the minidisk volumes.",
        effect: of_minidisks,
        kind: Kind::Choice {
            allowed: KINDS,
            get: |s, _| s.minidisks.kind.as_str(),
            set: |s, _, v| s.minidisks.kind = kind_of(v),
        },
    },
    Field {
        path: paths::MINIDISKS_QUEUE_DEPTH,
        label: "Queue depth of a minidisk EDEV",
        unit: "I/Os",
        help: || "I/Os that a SCSI minidisk volume carries at once. ECKD volumes have exposures instead.",
        effect: |s, g| {
            of_minidisks(s, g).and(|| Effect::none_if(s.minidisks.kind.is_eckd(), "No minidisk volume is an EDEV."))
        },
        kind: Kind::Whole {
            min: 1,
            max: 256,
            slider_max: 64,
            step: 1,
            get: |s, _| s.minidisks.queue_depth.into(),
            set: |s, _, v| s.minidisks.queue_depth = v as u32,
        },
    },
    Field {
        path: paths::MINIDISKS_READ_HIT_PERCENT,
        label: "Minidisk reads that hit the cache",
        unit: "%",
        help: || "Percent of reads that the control unit's cache serves. The others wait for the disk.",
        effect: of_minidisks,
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, _| s.minidisks.read_hit_percent.into(),
            set: |s, _, v| s.minidisks.read_hit_percent = v as u32,
        },
    },
    Field {
        path: paths::MINIDISKS_WRITE_HIT_PERCENT,
        label: "Minidisk writes that hit the cache",
        unit: "%",
        help: || "Percent of writes that the control unit's cache takes. The others wait for the disk.",
        effect: of_minidisks,
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, _| s.minidisks.write_hit_percent.into(),
            set: |s, _, v| s.minidisks.write_hit_percent = v as u32,
        },
    },
    Field {
        path: paths::MINIDISKS_ON_PAGE_VOLUMES,
        label: "Minidisks on page volumes",
        unit: "",
        help: || "On: minidisks lie on the page volumes too. Best practice is not to mix page space with other data.",
        effect: of_minidisks,
        kind: Kind::Switch { get: |s, _| s.minidisks.on_page_volumes, set: |s, _, v| s.minidisks.on_page_volumes = v },
    },
    Field {
        path: paths::MINIDISKS_MDC_MB,
        label: "Minidisk cache",
        unit: "MB",
        help: || "SET MDCACHE: central storage that caches what guests read from their minidisks; the most of it, where the arbiter sets the size. 0: off. Transport-mode I/O to a minidisk switches the cache off for that minidisk.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: 1_048_576,
            slider_max: 16_384,
            step: 256,
            get: |s, _| s.minidisks.mdc_mb,
            set: |s, _, v| s.minidisks.mdc_mb = v,
        },
    },
    Field {
        path: paths::MINIDISKS_MDC_ARBITER,
        label: "Arbiter sets the cache's size",
        unit: "",
        help: || "On: the minidisk cache takes central storage from guests and gives it back, up to the size given, so that pages stay as long in one as in the other. Off: it has that size always, as with SET MDCACHE STORAGE 512M 512M.",
        effect: of_mdc_arbiter,
        kind: Kind::Switch { get: |s, _| s.minidisks.mdc_arbiter, set: |s, _, v| s.minidisks.mdc_arbiter = v },
    },
    Field {
        path: paths::MINIDISKS_MDC_EXPANDED_MB,
        label: "Minidisk cache in expanded storage",
        unit: "MB",
        help: || "SET MDCACHE XSTORE: expanded storage that caches what guests read from their minidisks. What is left of expanded storage is for paging. 0: none.",
        effect: of_mdc_expanded,
        kind: Kind::Whole {
            min: 0,
            max: 131_072,
            slider_max: 16_384,
            step: 256,
            get: |s, _| s.minidisks.mdc_expanded_mb,
            set: |s, _, v| s.minidisks.mdc_expanded_mb = v,
        },
    },
];

fn of_mdc_arbiter(scenario: &Scenario, _: usize) -> Effect {
    Effect::none_if(scenario.minidisks.mdc_mb == 0, "The minidisk cache has no central storage.")
}

fn of_mdc_expanded(scenario: &Scenario, _: usize) -> Effect {
    Effect::none_if(!scenario.has(Mechanism::ExpandedStorage), "The host has no expanded storage.")
}

/// The kinds of volume, as people write them.
const KINDS: &[&str] =
    &["ECKD spinning", "ECKD SSD", "EDEV spinning", "EDEV SSD", "EDEV flash via SVC", "EDEV flash direct"];

fn kind_of(word: &str) -> DeviceKind {
    DeviceKind::ALL.into_iter().find(|kind| kind.as_str() == word).unwrap_or_default()
}

/// Whether paging can use aliases.
fn of_paging_aliases(scenario: &Scenario) -> Effect {
    match scenario.level {
        level if level.lacks(Mechanism::PagingAliases) => {
            Effect::none(format!("{} uses no aliases for paging; z/VM 6.4 does.", level.name()))
        }
        _ => Effect::none_if(
            !scenario.paging.has_eckd(),
            "All page volumes are EDEVs, which have a queue instead of aliases.",
        ),
    }
}

fn of_alias_share(scenario: &Scenario, _: usize) -> Effect {
    let why = match scenario {
        _ if !scenario.does_io() => "No guest does I/O to a minidisk, so paging may use all the aliases.",
        _ if scenario.lcu.aliases == 0 => "There are no aliases to share.",
        _ if !scenario.paging.alias => "Paging uses no aliases, so minidisk I/O may use them all.",
        _ => return of_paging_aliases(scenario),
    };
    Effect::none(why)
}

fn of_paging_zhpf(scenario: &Scenario, _: usize) -> Effect {
    match scenario.level {
        level if level.lacks(Mechanism::PagingZhpf) => {
            Effect::none(format!("{} has no zHPF for paging; z/VM 6.4 has.", level.name()))
        }
        _ if scenario.lcu.channel < Channel::Express8S => Effect::none("zHPF for paging needs FICON Express8S."),
        _ => Effect::none_if(
            !scenario.paging.has_eckd(),
            "Every page volume is an EDEV, which is reached by FCP: zHPF is of FICON.",
        ),
    }
}

fn of_other_volumes(scenario: &Scenario, _: usize) -> Effect {
    Effect::none_if(scenario.paging.other_volumes == 0, "There are no other page volumes.")
}

/// What minidisks are on. The minidisk cache is no matter of theirs: it takes its storage even if no guest does I/O.
fn of_minidisks(scenario: &Scenario, _: usize) -> Effect {
    Effect::none_if(!scenario.does_io(), "No guest does I/O to a minidisk.")
}
