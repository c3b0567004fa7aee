//! What limits, in words: the name of each resource, and one sentence for the one that limits.

use zvmlab::limit::{Limits, Resource, ResourceKind, Whose};

use super::letters;
use super::number::{rounded, whole};

/// The least part that is worth a word: less than it rounds to nothing.
const WORTH_A_WORD: f64 = 0.005;
/// A part of the time that is spent waiting is told from a tenth on, as it counts from there on.
const TOLD: f64 = 0.1;

/// The name of a resource, as a label.
pub fn label(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Paths => "Channel paths",
        ResourceKind::Aliases => "Aliases",
        ResourceKind::PageVolumes => "Page volumes",
        ResourceKind::MinidiskVolumes => "Minidisk volumes",
        ResourceKind::Frames => "Frames",
        ResourceKind::FramesBelow => "Frames below 2 GB",
        ResourceKind::Processors => "Processors",
        ResourceKind::PhysicalProcessors => "Physical processors",
        ResourceKind::Cap => "Cap of the partition",
        ResourceKind::Vectors => "Vectors (PLDV)",
        ResourceKind::CpLock => "Lock of CP",
        ResourceKind::GuestLocks => "Locks of guests",
        ResourceKind::Ptil => "Page table locks (PTIL)",
        ResourceKind::VaryLock => "Lock of VARY",
        ResourceKind::VirtualCpus => "Virtual CPUs of a guest",
        ResourceKind::ClientCpus => "Virtual CPUs of clients",
        ResourceKind::ServerCpus => "Virtual CPUs of servers",
        ResourceKind::Storbuf => "STORBUF",
        ResourceKind::MaximumShares => "Maximum shares",
        ResourceKind::Link => "ISFC link",
        ResourceKind::Ctcs => "CTCs",
        ResourceKind::Buffers => "ISFC buffers",
        ResourceKind::Source => "CP at the source",
        ResourceKind::Destination => "CP at the destination",
        ResourceKind::Reads => "Page reads at the source",
        ResourceKind::EndToEnd => "Paging (end to end)",
        ResourceKind::Endpoint => "Storage (endpoint)",
        ResourceKind::Stages => "Stages without storage",
    }
}

/// Whether a resource is worth a line: it was used, or waited for.
pub fn is_worth_a_line(resource: &Resource) -> bool {
    resource.busy >= WORTH_A_WORD || resource.waiting >= WORTH_A_WORD
}

/// How busy a resource was: `94 %`.
pub fn busy(resource: &Resource) -> String {
    percent(resource.busy)
}

/// Which part of the time was spent waiting for a resource: `61 % waiting`; nothing where nobody waited.
pub fn waiting(resource: &Resource) -> Option<String> {
    (resource.waiting >= WORTH_A_WORD).then(|| format!("{} waiting", percent(resource.waiting)))
}

/// What bars and percentages say.
pub fn legend(whose: Whose) -> &'static str {
    match whose {
        Whose::Guests => {
            "A bar shows how much of a resource is busy or in use. With it stands which part of the time in which guests want to work, all but thinking, is spent waiting for it. As a rule, what is waited for longest limits. A full bar need not limit: if its holder waits for another resource in turn, that wait counts for the other."
        }
        Whose::Relocations => {
            "A bar shows how much of a resource is busy or in use. With it stands which part of the relocations’ time is spent on it or waiting for it. Several work at the same time, so these parts add up to more than 100 %."
        }
    }
}

/// What limits, in a sentence.
pub fn said(limits: &Limits) -> String {
    match limits.limiting() {
        Some(limit) => {
            let wait = (limit.waiting >= TOLD).then(|| wait(limits.whose, limit)).flatten();
            let wait = wait.map_or(String::new(), |wait| format!(", and {wait}"));
            let more = [
                next_station(limits, limit.kind),
                sent_again(limits, limit),
                fuller(limits, limit),
                passed_over(limits, limit),
            ]
            .concat();
            format!("{}{wait}.{more}", subject(limit))
        }
        None => {
            let rule = "no resource is 90 % busy, and waits for busy ones take less than a tenth of the time.";
            format!("Nothing limits: {rule}{}", busiest(limits))
        }
    }
}

/// How what limits has moved since A, with A's figures; nothing where the two look at different times.
pub fn since(a: &Limits, now: &Limits) -> Option<String> {
    let in_a = |was: &Resource| {
        let busy = || format!("{} {}", busy(was), if was.kind.works() { "busy" } else { "in use" });
        [says_how_busy(was.kind).then(busy), waiting(was)].into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    Some(match (a.limiting(), now.limiting()) {
        _ if a.whose != now.whose => return None,
        (None, None) => "In A nothing was near its limit either.".into(),
        (None, Some(_)) => "In A nothing was near its limit.".into(),
        (Some(was), Some(is)) if was.kind == is.kind => format!("In A {} limited too: {}.", name(was.kind), in_a(was)),
        (Some(was), None) => format!("In A {} limited: {}.", name(was.kind), in_a(was)),
        (Some(was), Some(_)) => format!("The limit moved here from {} (in A {}).", name(was.kind), in_a(was)),
    })
}

/// The name of what limits: `channel paths`.
pub fn named(limits: &Limits) -> String {
    limits.limiting().map_or("nothing yet".into(), |limit| name(limit.kind))
}

/// What limits, where there is little room: `channel paths 94 %`.
pub fn short(limits: &Limits) -> String {
    let Some(limit) = limits.limiting() else { return "nothing at its limit".into() };
    let what = name(limit.kind);
    if says_how_busy(limit.kind) { format!("{what} {}", percent(limit.busy)) } else { format!("{what} limit") }
}

/// Whether it says something how busy a resource is.
fn says_how_busy(kind: ResourceKind) -> bool {
    !matches!(kind, ResourceKind::Vectors | ResourceKind::VaryLock | ResourceKind::Stages)
}

/// The start of the sentence: the resource and how busy it was.
fn subject(limit: &Resource) -> String {
    let busy = percent(limit.busy);
    let each = |one: &str, many: &str| match limit.count {
        1 => format!("The {one} limits: it is busy {busy} of the time"),
        count => format!("The {} {many} limit: each is busy {busy} of the time", counted(count)),
    };
    match limit.kind {
        ResourceKind::Paths => each("channel path", "channel paths"),
        ResourceKind::Aliases => each("alias", "aliases"),
        ResourceKind::PageVolumes => each("page volume", "page volumes"),
        ResourceKind::MinidiskVolumes => each("minidisk volume", "minidisk volumes"),
        ResourceKind::Processors => each("processor", "processors"),
        ResourceKind::PhysicalProcessors => each("physical processor", "physical processors"),
        ResourceKind::Cap => format!("The cap of the partition limits: {busy} of it is used"),
        ResourceKind::Frames => format!("Frames limit: {busy} of them are in use"),
        ResourceKind::FramesBelow => format!("Frames below 2 GB limit: {busy} of them are in use"),
        ResourceKind::Vectors => "The dispatcher’s vectors limit: work is forgotten while processors idle".into(),
        ResourceKind::CpLock => format!("The lock of CP limits: whoever wants it finds it taken in {busy} of the cases"),
        ResourceKind::GuestLocks => format!("A guest’s lock limits: it is held at least {busy} of the time"),
        ResourceKind::Ptil => {
            format!("A guest’s page table lock (PTIL) limits: for {busy} of the time it is held exclusively or waited for")
        }
        ResourceKind::VaryLock => "The lock of VARY PROCESSOR limits: those who need it wait for its end".into(),
        ResourceKind::VirtualCpus if limit.count == 1 => {
            format!("A guest’s virtual CPU limits: it runs {busy} of the time, while processors idle")
        }
        ResourceKind::VirtualCpus => {
            format!(
                "A guest’s {} virtual CPUs limit: each runs {busy} of the time, while processors idle",
                counted(limit.count)
            )
        }
        ResourceKind::ClientCpus | ResourceKind::ServerCpus => {
            let who = if limit.kind == ResourceKind::ClientCpus { "client" } else { "server" };
            format!("The virtual CPUs of {who}s limit: those of the busiest {who} are busy {busy} of the time")
        }
        ResourceKind::Storbuf => format!("STORBUF limits: the working sets in the dispatch list fill {busy} of a barrier"),
        ResourceKind::MaximumShares => format!("A maximum share limits: {busy} of it is used"),
        ResourceKind::Link => {
            format!("The ISFC link limits: its chpids are busy {busy} of the time in which passes are sent")
        }
        ResourceKind::Ctcs => format!("The CTCs of the ISFC link limit: each is busy at least {busy} of the time"),
        ResourceKind::Buffers => format!("The buffers of the ISFC link limit: {busy} of them are in use"),
        ResourceKind::Source => {
            format!("CP at the source limits: its work takes {busy} of a processor while passes are sent")
        }
        ResourceKind::Destination => {
            format!("CP at the destination limits: its work takes {busy} of a processor while passes are sent")
        }
        ResourceKind::Reads => {
            format!(
                "Page reads at the source limit: for {busy} of the time in which passes are sent, CP waits for pages that it must first read from page space"
            )
        }
        ResourceKind::EndToEnd => format!("Paging limits: the page volumes are busy {busy} of the time"),
        ResourceKind::Endpoint => format!("Storage at the destination limits: {busy} of its frames are in use"),
        ResourceKind::Stages => "The stages that move no storage limit".into(),
    }
}

/// How long the resource is waited for, where the start of the sentence does not say it.
fn wait(whose: Whose, limit: &Resource) -> Option<String> {
    let who = match whose {
        Whose::Guests => "guests that want to work spend",
        Whose::Relocations => "relocations spend",
    };
    let waiting = percent(limit.waiting);
    Some(match limit.kind {
        ResourceKind::Link | ResourceKind::Source | ResourceKind::Destination | ResourceKind::Reads => return None,
        ResourceKind::Frames | ResourceKind::FramesBelow => {
            format!("{who} {waiting} of the time waiting for page I/O that no queue delays")
        }
        ResourceKind::GuestLocks | ResourceKind::CpLock => format!("{who} {waiting} of the time spinning for it"),
        ResourceKind::Ptil => format!("{who} {waiting} of the time waiting for it"),
        ResourceKind::VaryLock => format!("{who} {waiting} of the time behind it"),
        ResourceKind::Vectors => format!("{who} {waiting} of the time forgotten"),
        ResourceKind::Storbuf => format!("{who} {waiting} of the time in the eligible list"),
        ResourceKind::MaximumShares => format!("{who} {waiting} of the time in the limit list"),
        ResourceKind::Cap => format!("{who} {waiting} of the time behind it"),
        ResourceKind::EndToEnd | ResourceKind::Endpoint => {
            format!("a throttle holds relocations back for {waiting} of their time")
        }
        ResourceKind::Stages => format!("{who} {waiting} of the time in them"),
        ResourceKind::ClientCpus | ResourceKind::ServerCpus => {
            let one = if limit.count == 1 { "it" } else { "one" };
            format!("guests and connections that want to go on spend {waiting} of the time waiting for {one}")
        }
        _ => format!("{who} {waiting} of the time waiting for {}", if limit.count == 1 { "it" } else { "one" }),
    })
}

/// The other station of relocations: CP's work where the link limits, the link where CP's work does.
fn next_station(limits: &Limits, limit: ResourceKind) -> String {
    use ResourceKind::{Destination, Link, Source};
    let others: &[ResourceKind] = match limit {
        Link => &[Source, Destination],
        Source | Destination => &[Link],
        _ => return String::new(),
    };
    let others = limits.resources.iter().filter(|one| others.contains(&one.kind) && is_worth_a_line(one));
    let Some(next) = others.reduce(|most, other| if other.busy > most.busy { other } else { most }) else {
        return String::new();
    };
    let busy = percent(next.busy);
    let (name, works) = match next.kind {
        Link => ("the ISFC link", format!("its chpids are busy {busy} of that time")),
        kind => (label(kind), format!("its work takes {busy} of a processor")),
    };
    if next.busy < NEXT {
        return format!(" {} has room: {works}.", letters::capitalised(name));
    }
    format!(" Next is {name}: {works}.")
}

/// How busy the other station of relocations must be to be the next limit. Chosen: what is busy for less than half of the time takes
/// twice as much.
const NEXT: f64 = 0.5;

/// A guest that changes what was sent makes a full link carry it again.
fn sent_again(limits: &Limits, limit: &Resource) -> String {
    match limit.kind {
        ResourceKind::Link if limits.resent >= TOLD => format!(
            " {} of the pages that it carried had been sent before, and guests had changed them.",
            percent(limits.resent)
        ),
        _ => String::new(),
    }
}

/// What is fuller than the limit of guests, but waited for less: a full bar need not limit.
fn fuller(limits: &Limits, limit: &Resource) -> String {
    if limits.whose == Whose::Relocations || limit.waiting < TOLD {
        return String::new();
    }
    let is_fuller =
        |one: &&Resource| says_how_busy(one.kind) && one.busy > limit.busy + WORTH_A_WORD && one.waiting < limit.waiting;
    let names: Vec<String> = limits.resources.iter().filter(is_fuller).map(|one| name(one.kind)).collect();
    match &names[..] {
        [] => String::new(),
        [one] => format!(" Fuller, but waited for less: {one}."),
        [most @ .., last] => format!(" Fuller, but waited for less: {} and {last}.", most.join(", ")),
    }
}

/// What works and takes more of the time than the limit does, and why it does not limit: it is not busy enough for that. Of stations
/// of relocations, the next one is told anyway.
fn passed_over(limits: &Limits, limit: &Resource) -> String {
    let takes_more =
        |one: &&Resource| one.kind.works() && says_how_busy(one.kind) && one.waiting >= TOLD && one.waiting > limit.waiting;
    if !next_station(limits, limit.kind).is_empty() {
        return String::new();
    }
    let Some(most) = limits.resources.iter().find(takes_more) else { return String::new() };
    let spent = match limits.whose {
        Whose::Guests => "waiting for",
        Whose::Relocations => "on",
    };
    let (waiting, busy, name) = (percent(most.waiting), percent(most.busy), name(most.kind));
    let article = if matches!(most.kind, ResourceKind::Link | ResourceKind::CpLock) { "the " } else { "" };
    format!(" More of the time ({waiting}) is spent {spent} {article}{name}, which at {busy} busy could still do more.")
}

/// What comes nearest, where nothing limits.
fn busiest(limits: &Limits) -> String {
    let works = limits.resources.iter().filter(|one| one.kind.works() && is_worth_a_line(one));
    let most = works.reduce(|most, other| if other.busy > most.busy { other } else { most });
    most.map_or(String::new(), |one| format!(" Nearest: {}, {} busy.", name(one.kind), percent(one.busy)))
}

/// A label inside a sentence.
/// The name of a resource, within a sentence: `channel paths`.
pub fn name(kind: ResourceKind) -> String {
    letters::within(label(kind))
}

/// A part, from 0 to 1, as whole percent.
pub fn percent(part: f64) -> String {
    format!("{} %", rounded(part * 100.0, 3, 0))
}

/// A count as people write it: in letters up to twelve.
fn counted(count: u32) -> String {
    const NAMES: [&str; 11] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let name = count.checked_sub(2).and_then(|at| NAMES.get(at as usize));
    name.map_or_else(|| whole(count.into()), |name| (*name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(kind: ResourceKind, count: u32, busy: f64, waiting: f64) -> Limits {
        let resources = vec![Resource { kind, count, busy, queue: 1.0, waiting }];
        Limits { resources, limit: Some(kind), ..Limits::default() }
    }

    #[test]
    fn one_sentence_names_the_limit_with_its_numbers() {
        assert_eq!(
            said(&limits(ResourceKind::Paths, 2, 0.94, 0.61)),
            "The two channel paths limit: each is busy 94 % of the time, and guests that want to work spend 61 % of the time waiting for one."
        );
        assert_eq!(
            said(&limits(ResourceKind::Processors, 1, 0.96, 0.02)),
            "The processor limits: it is busy 96 % of the time."
        );
        assert_eq!(
            said(&limits(ResourceKind::Aliases, 16, 1.0, 0.358)),
            "The 16 aliases limit: each is busy 100 % of the time, and guests that want to work spend 36 % of the time waiting for one."
        );
        let storbuf = said(&limits(ResourceKind::Storbuf, 3, 0.96, 0.53));
        assert!(storbuf.ends_with("and guests that want to work spend 53 % of the time in the eligible list."), "{storbuf}");
    }

    #[test]
    fn the_limit_of_a_stands_beside_the_present_one_with_the_figures_of_a() {
        let resource = |kind, busy, waiting| Resource { kind, count: 2, busy, queue: 1.0, waiting };
        let limits = |limit, resources: [Resource; 2]| Limits { limit, resources: resources.into(), ..Limits::default() };
        let (volumes, paths) = (ResourceKind::PageVolumes, ResourceKind::Paths);
        let a = limits(Some(volumes), [resource(volumes, 0.89, 0.51), resource(paths, 0.63, 0.0)]);
        let now = limits(Some(paths), [resource(paths, 0.84, 0.55), resource(volumes, 0.7, 0.2)]);
        let said = |a: &Limits, now: &Limits| since(a, now).expect("both are of guests");
        assert_eq!(said(&a, &now), "The limit moved here from page volumes (in A 89 % busy, 51 % waiting).");
        assert_eq!(said(&now, &now), "In A channel paths limited too: 84 % busy, 55 % waiting.");
        let none = Limits { limit: None, ..now.clone() };
        assert_eq!(said(&a, &none), "In A page volumes limited: 89 % busy, 51 % waiting.");
        assert_eq!(said(&none, &now), "In A nothing was near its limit.");
        assert_eq!(since(&a, &Limits { whose: Whose::Relocations, ..now }), None);
    }

    #[test]
    fn where_there_is_little_room_a_few_words_name_the_limit() {
        assert_eq!(short(&limits(ResourceKind::Paths, 2, 0.94, 0.61)), "channel paths 94 %");
        assert_eq!(short(&limits(ResourceKind::Vectors, 2, 0.94, 0.61)), "vectors (PLDV) limit");
        assert_eq!(short(&Limits::default()), "nothing at its limit");
        assert_eq!(named(&limits(ResourceKind::Paths, 2, 0.94, 0.61)), "channel paths");
        assert_eq!(named(&Limits::default()), "nothing yet");
    }

    #[test]
    fn what_takes_more_of_the_time_than_the_limit_is_told_with_its_reason() {
        let of = |kind, busy, waiting| Resource { kind, count: 1, busy, queue: 1.0, waiting };
        let limits = |whose, more, limit: Resource| Limits {
            whose,
            limit: Some(limit.kind),
            resources: vec![more, limit],
            ..Limits::default()
        };
        let (link, storage) = (ResourceKind::Link, ResourceKind::Endpoint);
        let told = said(&limits(Whose::Relocations, of(link, 0.5, 0.5), of(storage, 1.0, 0.36)));
        assert!(
            told.ends_with(" More of the time (50 %) is spent on the ISFC link, which at 50 % busy could still do more."),
            "{told}"
        );
        let told =
            said(&limits(Whose::Guests, of(ResourceKind::Aliases, 0.4, 0.5), of(ResourceKind::Processors, 0.95, 0.36)));
        assert!(told.contains(" More of the time (50 %) is spent waiting for aliases, which at 40 % busy could "), "{told}");
        let told = said(&limits(Whose::Relocations, of(link, 0.3, 0.3), of(storage, 1.0, 0.36)));
        assert!(!told.contains("More of the time"), "{told}");
    }

    #[test]
    fn a_full_link_tells_what_it_carries_again() {
        let link = Limits { whose: Whose::Relocations, resent: 0.76, ..limits(ResourceKind::Link, 2, 0.97, 0.97) };
        assert_eq!(
            said(&link),
            "The ISFC link limits: its chpids are busy 97 % of the time in which passes are sent. 76 % of the pages that it \
             carried had been sent before, and guests had changed them."
        );
        assert!(!said(&Limits { resent: 0.02, ..link }).contains("before"));
    }

    #[test]
    fn of_the_link_and_cps_work_the_limit_is_named_first_and_the_other_next() {
        let of = |kind, busy| Resource { kind, count: 1, busy, queue: 1.0, waiting: busy };
        let limits = |limit| Limits {
            whose: Whose::Relocations,
            resources: vec![of(ResourceKind::Link, 0.6), of(ResourceKind::Source, 0.99), of(ResourceKind::Destination, 0.9)],
            limit: Some(limit),
            ..Limits::default()
        };
        assert_eq!(
            said(&limits(ResourceKind::Source)),
            "CP at the source limits: its work takes 99 % of a processor while passes are sent. Next is the ISFC link: its chpids \
             are busy 60 % of that time."
        );
        let link = said(&limits(ResourceKind::Link));
        assert!(link.ends_with(" Next is CP at the source: its work takes 99 % of a processor."), "{link}");
        let far = |busy| Limits {
            resources: vec![of(ResourceKind::Link, busy), of(ResourceKind::Source, 0.99)],
            ..limits(ResourceKind::Source)
        };
        let room = said(&far(0.12));
        assert!(room.ends_with(" The ISFC link has room: its chpids are busy 12 % of that time."), "{room}");
        let cp = Limits {
            resources: vec![of(ResourceKind::Link, 0.9), of(ResourceKind::Source, 0.01)],
            ..limits(ResourceKind::Link)
        };
        assert!(said(&cp).ends_with(" CP at the source has room: its work takes 1 % of a processor."), "{}", said(&cp));
    }

    #[test]
    fn where_nothing_limits_the_nearest_is_told() {
        let none = Limits { limit: None, ..limits(ResourceKind::Processors, 4, 0.42, 0.03) };
        let told = said(&none);
        assert!(told.starts_with("Nothing limits: no resource is 90 % busy, and "), "{told}");
        assert!(told.ends_with(" less than a tenth of the time. Nearest: processors, 42 % busy."), "{told}");
        assert!(said(&Limits::default()).ends_with(" less than a tenth of the time."));
        assert_eq!(
            [ResourceKind::Ctcs, ResourceKind::Source, ResourceKind::Frames].map(name),
            ["CTCs", "CP at the source", "frames"]
        );
    }

    #[test]
    fn a_bar_has_its_percent_and_what_is_waited() {
        let one = Resource { kind: ResourceKind::Paths, count: 2, busy: 0.937, queue: 1.0, waiting: 0.004 };
        assert_eq!((busy(&one), waiting(&one)), ("94 %".into(), None));
        assert_eq!(waiting(&Resource { waiting: 0.61, ..one }).as_deref(), Some("61 % waiting"));
        assert!(is_worth_a_line(&one) && !is_worth_a_line(&Resource { busy: 0.004, ..one }));
    }
}
