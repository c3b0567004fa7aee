//! What a scenario is, what changed in it, and what to try next, in words. Knows no browser.

use zvmlab::scenario::fields::{FIELDS, Field, Kind};
use zvmlab::scenario::{Level, Scenario};

use crate::format::storage_mb;
use crate::published::PublishedRun;
use crate::subject::{looped_mb, pages};

/// The first two sentences of the page: what is on the bench, and what one does with it.
pub fn introduction(scenario: &Scenario) -> String {
    let guests = scenario.guest_count();
    let (who, verb, they) = if guests == 1 { ("guest", "walks", "it waits") } else { ("guests", "walk", "they wait") };
    let central = storage_mb(scenario.storage.central_mb);
    let host = match looped_mb(scenario) {
        _ if !pages(scenario) => format!("that has {central}, so nothing needs to be paged"),
        looped if looped > scenario.storage.central_mb => format!("that has only {central}, so it pages and {they}"),
        _ => format!("that has {central} and keeps a little for itself, so it pages and {they}"),
    };
    format!(
        "{guests} {who} {verb} through {} of storage over and over, on a z/VM host {host}. \
         Turn a knob: the experiment runs again at once, beside the result before and what IBM measured.",
        storage_mb(looped_mb(scenario)),
    )
}

/// What is obvious to try next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Go to the level that has the new paging driver.
    NewLevel,
    /// Turn transport mode on.
    Zhpf,
    /// Enable aliases.
    Aliases,
    /// Go back to where all began.
    Base,
}

impl NextStep {
    /// What to try next on this scenario.
    pub fn after(scenario: &Scenario) -> NextStep {
        match scenario {
            // Where nothing is paged, no paging driver makes a difference.
            _ if !pages(scenario) => NextStep::Base,
            _ if scenario.level < Level::V6_4 => NextStep::NewLevel,
            _ if !scenario.paging.zhpf => NextStep::Zhpf,
            _ if scenario.lcu.aliases == 0 => NextStep::Aliases,
            _ => NextStep::Base,
        }
    }

    /// What its button says.
    pub fn label(self) -> &'static str {
        match self {
            NextStep::NewLevel => "Upgrade to z/VM 6.4",
            NextStep::Zhpf => "Turn zHPF on",
            NextStep::Aliases => "Add 4 HyperPAV aliases",
            NextStep::Base => "Back to the base run",
        }
    }

    /// What it does, in a few words.
    pub fn hint(self) -> &'static str {
        match self {
            NextStep::NewLevel => "Larger blocks in one I/O.",
            NextStep::Zhpf => "One exchange with the disk for a whole channel program.",
            NextStep::Aliases => "More I/Os to the same volumes at once.",
            NextStep::Base => "z/VM 6.4, four volumes, neither zHPF nor aliases.",
        }
    }

    /// Takes it.
    pub fn take(self, scenario: &mut Scenario) {
        match self {
            NextStep::NewLevel => scenario.level = Level::V6_4,
            NextStep::Zhpf => scenario.paging.zhpf = true,
            NextStep::Aliases => scenario.lcu.aliases = 4,
            NextStep::Base => *scenario = Scenario::default(),
        }
    }
}

/// The value of a field, as people write it.
pub fn value(field: &Field, scenario: &Scenario, group: usize) -> String {
    match field.kind {
        Kind::Whole { get, .. } if field.unit == "MB" => storage_mb(get(scenario, group)),
        Kind::Whole { get, .. } if field.unit == "%" || field.unit == "s" => {
            format!("{} {}", get(scenario, group), field.unit)
        }
        Kind::Whole { get, .. } => crate::format::whole(get(scenario, group)),
        Kind::Switch { get, .. } => if get(scenario, group) { "on" } else { "off" }.into(),
        Kind::Choice { get, .. } => get(scenario, group).into(),
        Kind::Share { get, .. } => get(scenario, group).to_string(),
        Kind::Text { get, .. } => format!("“{}”", get(scenario, group)),
    }
}

/// What differs from `before` to `now`: `zHPF for paging off → on`. Names are no difference.
pub fn changes(before: &Scenario, now: &Scenario) -> Vec<String> {
    let mut changes = Vec::new();
    // Groups of guests are compared one by one where there are as many of them.
    let same_groups = before.guests.len() == now.guests.len();
    let fields = FIELDS.iter().filter(|field| !matches!(field.kind, Kind::Text { .. }));
    for field in fields {
        let groups = match field.room() {
            "guests" if same_groups => now.guests.len(),
            "guests" => 0,
            _ => 1,
        };
        for group in 0..groups {
            let (from, to) = (value(field, before, group), value(field, now, group));
            if from != to {
                let of = if groups > 1 { format!(" ({})", now.guests[group].name) } else { String::new() };
                changes.push(format!("{}{of} {from} → {to}", field.label));
            }
        }
    }
    if !same_groups {
        changes.push(format!("guest groups {} → {}", before.guests.len(), now.guests.len()));
    }
    changes
}

/// The published run that differs from `scenario` in the fewest settings, and what differs from it.
pub fn nearest<'a>(scenario: &Scenario, published: &'a [PublishedRun]) -> Option<(&'a PublishedRun, Vec<String>)> {
    let differing = |run: &'a PublishedRun| {
        // How the run was measured, and the unpublished size of its volumes, are no part of its configuration.
        let mut alike = run.scenario.clone();
        alike.measure = scenario.measure.clone();
        alike.paging.volume_slots = scenario.paging.volume_slots;
        (run, changes(&alike, scenario))
    };
    // Of runs that differ in as many knobs the one with the nearest number of exposures.
    let apart = |run: &PublishedRun| {
        let there = &run.scenario;
        scenario.paging.volumes.abs_diff(there.paging.volumes) + scenario.lcu.aliases.abs_diff(there.lcu.aliases)
    };
    published.iter().map(differing).min_by_key(|(run, changes)| (changes.len(), apart(run)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::runs;

    #[test]
    fn the_introduction_tells_whether_there_is_paging() {
        let mut scenario = Scenario::default();
        assert!(introduction(&scenario).starts_with("8 guests walk through 128 GB of storage"));
        assert!(introduction(&scenario).contains("has 128 GB and keeps a little for itself, so it pages and they wait."));
        scenario.guests[0].count = 9;
        assert!(introduction(&scenario).contains("has only 128 GB, so it pages"));
        scenario.guests[0].count = 1;
        assert!(introduction(&scenario).starts_with("1 guest walks through 16 GB"));
        assert!(introduction(&scenario).contains("nothing needs to be paged"));
        assert_eq!(introduction(&scenario).matches(". ").count(), 1, "two sentences");
    }

    #[test]
    fn the_next_steps_lead_through_the_published_settings_and_back() {
        let mut scenario = Scenario { level: Level::V6_3, ..Scenario::default() };
        for label in ["Upgrade to z/VM 6.4", "Turn zHPF on", "Add 4 HyperPAV aliases", "Back to the base run"] {
            let step = NextStep::after(&scenario);
            assert_eq!(step.label(), label);
            step.take(&mut scenario);
            assert!(scenario.check().is_ok());
            assert!(crate::published::run_like(&scenario).is_some(), "{label} leads to a published run");
        }
        assert_eq!(scenario, Scenario::default());
        scenario.storage.central_mb *= 2;
        assert_eq!(NextStep::after(&scenario), NextStep::Base, "no driver helps where nothing is paged");
    }

    #[test]
    fn changes_are_named_with_both_values() {
        let mut now = Scenario::default();
        now.paging.zhpf = true;
        now.storage.central_mb = 65_536;
        now.name = "x".into();
        assert_eq!(changes(&Scenario::default(), &now), ["zHPF for paging off → on", "Central storage 128 GB → 64 GB"]);
    }

    #[test]
    fn the_nearest_run_differs_least() {
        let mut scenario = Scenario::default();
        scenario.paging.zhpf = true;
        scenario.paging.volumes = 5;
        let published = runs();
        let (run, differs) = nearest(&scenario, &published).expect("there are runs");
        assert_eq!((run.id.as_str(), differs), ("V4DVYH04", vec!["Paging volumes 4 → 5".to_string()]));
    }
}
