//! The commands that the console knows: their words, their operands, and what does them.

use zvmlab::Scenario;

use super::{Look, Reply, indicate, query, relocate, set};

/// A command.
#[derive(Clone, Copy)]
pub struct Command {
    /// Its words, in capitals.
    pub words: &'static [&'static str],
    /// Its operands, as help shows them.
    pub operands: &'static str,
    /// What it does, in a sentence.
    pub does: &'static str,
    /// Does it.
    pub(super) act: fn(Look, &[&str]) -> Reply,
}

const fn of(
    words: &'static [&'static str],
    operands: &'static str,
    does: &'static str,
    act: fn(Look, &[&str]) -> Reply,
) -> Command {
    Command { words, operands, does, act }
}

/// The operand of commands that show more if it is given. Here they show all they have in any case.
pub(super) const EXPANDED: &str = "[EXP]";

/// Every command, in the order of help.
pub static COMMANDS: &[Command] = &[
    of(&["HELP"], "[command]", "Lists the commands, or explains one.", help),
    of(&["INDICATE", "LOAD"], EXPANDED, "How busy processors are, the paging rate, guests by list.", indicate::load),
    of(
        &["INDICATE", "QUEUES"],
        EXPANDED,
        "Each guest that wants something: its list, its state, its working set.",
        indicate::queues,
    ),
    of(&["INDICATE", "USER"], "userid", "A guest's storage, processor time and waits.", indicate::user),
    of(&["INDICATE", "PAGING"], "", "The guests that wait for pages.", indicate::paging),
    of(&["INDICATE", "IO"], "", "The guests that wait for I/O to minidisks.", indicate::io),
    of(&["QUERY", "AGELIST"], "", "The age list and early writes.", query::agelist),
    of(&["QUERY", "ALLOC", "PAGE"], "", "Page space by volume.", query::alloc_page),
    of(&["QUERY", "CPLEVEL"], "", "The level of z/VM.", query::cplevel),
    of(&["QUERY", "CU"], "", "The logical control unit and how its aliases are shared.", query::cu),
    of(&["QUERY", "FRAMES"], "", "Where the frames of central storage are.", query::frames),
    of(&["QUERY", "MDCACHE"], "", "The minidisk cache.", query::mdcache),
    of(&["QUERY", "XSTORE"], "", "Expanded storage.", query::xstore),
    of(&["QUERY", "NAMES"], "", "The guests.", query::names),
    of(&["QUERY", "PAGING"], "", "Aliases and zHPF for paging.", query::paging),
    of(&["QUERY", "PATHS"], "", "The channel paths to the control unit.", query::paths),
    of(&["QUERY", "PAV"], "", "Bases and HyperPAV aliases.", query::pav),
    of(&["QUERY", "PROCESSORS"], "", "The processors of the partition.", query::processors),
    of(&["QUERY", "QUICKDSP"], "userid", "Whether a guest never waits in the eligible list.", query::quickdsp),
    of(&["QUERY", "REORDER"], "[userid | SYSTEM]", "Whether CP reorders guests’ lists of frames.", query::reorder),
    of(&["QUERY", "RESERVED"], "[userid]", "Storage reserved for guests.", query::reserved),
    of(&["QUERY", "SHARE"], "userid", "A guest's share, its maximum, and what it comes to.", query::share),
    of(&["QUERY", "SRM"], "[STORBUF | DSPSLICE | LIMITHARD]", "The settings of the scheduler.", query::srm),
    of(&["QUERY", "SSI"], "", "The members of the cluster and their states.", query::ssi),
    of(&["QUERY", "STORAGE"], "", "Central storage.", query::storage),
    of(
        &["SET", "AGELIST", "EARLYWRITES"],
        "YES | NO",
        "Whether CP writes pages of the age list before it needs their frames.",
        set::early_writes,
    ),
    of(
        &["SET", "CU"],
        "MDISK n PAGING n",
        "How minidisk I/O and paging share aliases. The form of the operands is the laboratory's own.",
        set::cu,
    ),
    of(
        &["SET", "MDCACHE", "XSTORE"],
        "size",
        "Expanded storage for the minidisk cache, 512M; 0M is none.",
        set::mdcache_expanded,
    ),
    of(
        &["SET", "MDCACHE", "STORAGE"],
        "[0M] size",
        "Storage for the minidisk cache: 512M, or 0M 512M for a size that the arbiter sets; 0M is none.",
        set::mdcache,
    ),
    of(&["SET", "PAGING", "ALIAS"], "ON | OFF", "Whether paging uses aliases.", set::paging_alias),
    of(&["SET", "PAGING", "HPF"], "ON | OFF", "Whether paging uses transport mode (zHPF).", set::paging_hpf),
    of(&["SET", "QUICKDSP"], "userid ON | OFF", "Whether a guest never waits in the eligible list.", set::quickdsp),
    of(
        &["SET", "REORDER"],
        "userid | SYSTEM ON | OFF",
        "Whether CP reorders guests’ lists of frames. How CP writes the operands is not in the laboratory’s sources.",
        set::reorder,
    ),
    of(&["SET", "RESERVED"], "userid size | OFF", "Storage that CP leaves a guest, 512M.", set::reserved),
    of(
        &["SET", "SHARE"],
        "userid RELATIVE n | ABSOLUTE n% [ABSOLUTE n% LIMITSOFT | LIMITHARD]",
        "A guest's share of the processors, and its maximum. Without LIMITSOFT or LIMITHARD it has none (assumed of CP).",
        set::share,
    ),
    of(&["SET", "SRM", "DSPSLICE"], "ms", "The minor time slice.", set::dspslice),
    of(&["SET", "SRM", "LIMITHARD"], "DEADLINE | CONSUMPTION", "How CP holds guests to a hard maximum.", set::limithard),
    of(
        &["SET", "SRM", "STORBUF"],
        "n n n | INITIAL",
        "How much of storage guests in Q1, Q2 and Q3 may claim, in percent.",
        set::storbuf,
    ),
    of(
        &["VARY", "OFFLINE", "PATH"],
        "[number [TO number]]",
        "Takes a channel path off the control unit. CP names the path; here all are alike.",
        relocate::path_off,
    ),
    of(&["VARY", "OFFLINE", "PROCESSOR"], "[number]", "Takes a processor off the partition.", relocate::processor_off),
    of(
        &["VARY", "ONLINE", "PATH"],
        "[number [TO number]]",
        "Adds a channel path to the control unit. CP names the path; here all are alike.",
        relocate::path_on,
    ),
    of(&["VARY", "ONLINE", "PROCESSOR"], "[number]", "Adds a processor to the partition.", relocate::processor_on),
    of(
        &["VMRELOCATE", "CANCEL"],
        "userid [AFTER time]",
        "Ends a relocation before it completes. AFTER is the laboratory's own, in ms unless the time has a unit.",
        relocate::cancel,
    ),
    of(
        &["VMRELOCATE", "MOVE"],
        "userid TO member [SYNCH | ASYNCH] [IMMEDIATE] [MAXQUIESCE time | NOLIMIT] [MAXTOTAL time | NOLIMIT] [FORCE STORAGE]",
        "Moves a guest to another member of the cluster. Times are in seconds unless they have a unit.",
        relocate::start,
    ),
    of(&["VMRELOCATE", "STATUS"], "", "Relocations, how far they are and how they ended.", relocate::status),
    of(&["VMRELOCATE", "TEST"], "userid TO member", "Whether a guest could move.", relocate::test),
];

/// Commands of CP that people may expect, and that the model lacks.
const LACKING: &[&[&str]] = &[
    &["SET", "SRM", "LDUBUF"],
    &["SET", "SRM", "DSPBUF"],
    &["SET", "SRM", "IABIAS"],
    &["SET", "SRM", "MAXWSS"],
    &["SET", "SRM", "XSTORE"],
    &["SET", "THROTTLE"],
    &["SET", "STORAGE"],
    &["SET", "CPLEVEL"],
    &["QUERY", "LPARS"],
    &["QUERY", "MONITOR"],
    &["QUERY", "TIME"],
    &["QUERY", "USERS"],
    &["QUERY", "ISLINK"],
    &["INDICATE", "ACTIVE"],
    &["INDICATE", "SPACES"],
    &["VARY", "ONLINE", "CHPID"],
    &["VARY", "OFFLINE", "CHPID"],
    &["ACTIVATE", "ISLINK"],
    &["DEACTIVATE", "ISLINK"],
    &["QUERY", "CHPID"],
    &["QUERY", "VIRTUAL"],
    &["IPL"],
    &["MONITOR"],
    &["XAUTOLOG"],
    &["FORCE"],
    &["LOGOFF"],
    &["ATTACH"],
    &["DETACH"],
    &["DEFINE"],
    &["LINK"],
    &["LOCK"],
    &["SHUTDOWN"],
];

/// The command that without more means its LOAD, as in CP.
const INDICATE: &str = "INDICATE";

/// The command that a line means, and its operands. Any beginning of a word is accepted that fits one word only.
pub(super) fn found<'a, 'b>(typed: &'b [&'a str]) -> Result<(&'static Command, &'b [&'a str]), String> {
    let mut fitting: Vec<&Command> = COMMANDS.iter().collect();
    for (at, word) in typed.iter().enumerate() {
        let exact: Vec<&Command> = fitting
            .iter()
            .copied()
            .filter(|one| one.words.get(at).is_some_and(|own| own.eq_ignore_ascii_case(word)))
            .collect();
        let begun: Vec<&Command> =
            fitting.iter().copied().filter(|one| one.words.get(at).is_some_and(|own| super::is(word, own, 1))).collect();
        let next = if exact.is_empty() { begun } else { exact };
        let whole = fitting.iter().copied().find(|one| one.words.len() == at);
        match (next.is_empty(), whole) {
            (false, _) => fitting = next,
            (true, Some(command)) => return Ok((command, &typed[at..])),
            (true, None) => return Err(unknown(typed, at, &fitting)),
        }
        let mut here: Vec<&str> = fitting.iter().map(|one| one.words[at]).collect();
        here.dedup();
        if let [first, second, ..] = here[..] {
            return Err(format!("{} may mean {first} or {second}. Write more of it.", word.to_ascii_uppercase()));
        }
    }
    match fitting.iter().find(|one| one.words.len() == typed.len()) {
        Some(command) => Ok((command, &[])),
        None if before(&fitting, typed.len()) == INDICATE => {
            found(&[INDICATE, "LOAD"]).map(|(command, _)| (command, &[][..]))
        }
        None => Err(format!("{} needs one of {}.", before(&fitting, typed.len()), nexts(&fitting, typed.len()))),
    }
}

/// The words of the first command, up to a place.
fn before(fitting: &[&Command], at: usize) -> String {
    fitting.first().map(|one| one.words[..at.min(one.words.len())].join(" ")).unwrap_or_default()
}

/// What may stand at a place.
fn nexts(fitting: &[&Command], at: usize) -> String {
    let mut next: Vec<&str> = fitting.iter().filter_map(|one| one.words.get(at).copied()).collect();
    next.dedup();
    next.join(", ")
}

fn unknown(typed: &[&str], at: usize, fitting: &[&Command]) -> String {
    let is_typed = |words: &&&[&str]| {
        words
            .iter()
            .enumerate()
            // The last word must be recognised; those before it have been taken at their beginning already.
            .all(|(at, word)| {
                let least = if at + 1 == words.len() { 3.min(word.len()) } else { 1 };
                typed.get(at).is_some_and(|typed| super::is(typed, word, least))
            })
    };
    if let Some(words) = LACKING.iter().find(is_typed) {
        return format!("CP has {}; the laboratory does not model it.", words.join(" "));
    }
    let word = typed[at].to_ascii_uppercase();
    if at == 0 {
        return format!("There is no command {word} here. HELP lists the commands.");
    }
    format!("{} has no {word} here; it has {}.", before(fitting, at), nexts(fitting, at))
}

/// Lines that begin as `line` does: the next word of each command that fits, then user ids.
pub(super) fn completions(line: &str, scenario: &Scenario) -> Vec<String> {
    let typed: Vec<&str> = line.split_whitespace().collect();
    let (done, open) = if line.is_empty() || line.ends_with(' ') {
        (&typed[..], "")
    } else {
        typed.split_last().map_or((&typed[..], ""), |(open, done)| (done, *open))
    };
    let fits = |command: &&Command| {
        done.iter().enumerate().all(|(at, word)| command.words.get(at).is_some_and(|own| super::is(word, own, 1)))
    };
    let mut all: Vec<String> = Vec::new();
    let mut add = |words: Vec<&str>| {
        let line = words.join(" ");
        if !all.contains(&line) {
            all.push(line);
        }
    };
    for command in COMMANDS.iter().filter(fits) {
        if let Some(next) = command.words.get(done.len()).filter(|next| open.is_empty() || super::is(open, next, 1)) {
            add(command.words[..done.len()].iter().copied().chain([*next]).collect());
        }
    }
    let takes_user = |command: &Command| command.operands.starts_with("userid") || command.operands.starts_with("[userid");
    if let Ok((command, operands)) = found(done)
        && takes_user(command)
        && operands.is_empty()
    {
        for group in &scenario.guests {
            if open.is_empty() || super::is(open, &group.name, 1) {
                add(command.words.iter().copied().chain([group.name.as_str()]).collect());
            }
        }
    }
    all.retain(|one| !one.eq_ignore_ascii_case(line.trim()));
    all
}

fn help(_: Look, operands: &[&str]) -> Reply {
    if operands.is_empty() {
        let lines = COMMANDS
            .iter()
            .map(|command| format!("{} {}", command.words.join(" "), command.operands).trim_end().to_string());
        let about = "Any beginning of a word will do that fits one word only: Q SRM. HELP and a command explains it. A line that begins with * is a comment.";
        return Reply::said(lines.chain([about.to_string()]));
    }
    let begins = |command: &&Command| {
        operands.iter().enumerate().all(|(at, word)| command.words.get(at).is_some_and(|own| super::is(word, own, 1)))
    };
    let lines: Vec<String> = COMMANDS
        .iter()
        .filter(begins)
        .map(|command| format!("{} {}: {}", command.words.join(" "), command.operands, command.does).replace(" :", ":"))
        .collect();
    match lines.is_empty() {
        true => Reply::refused(found(operands).err().unwrap_or_else(|| "There is no help for that.".into())),
        false => Reply::said(lines),
    }
}
