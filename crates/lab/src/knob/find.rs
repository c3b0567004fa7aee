//! Which knobs the words of a reader find: by their names, by words that others use for the same, and by the value they show.

use zvmlab::Scenario;

use super::{Given, Knob};
use crate::words::number::storage_mb;

/// Words that people use, and those that stand in the names of knobs instead.
const MEANT: &[(&str, &[&str])] = &[
    ("chpids", &["chpid", "paths"]),
    ("core", &["processor", "virtual cpu"]),
    ("cores", &["processor", "virtual cpu"]),
    ("cpu", &["processor", "cpu"]),
    ("cpus", &["processor", "cpu"]),
    ("dasd", &["volume"]),
    ("disk", &["volume", "minidisk"]),
    ("disks", &["volume", "minidisk"]),
    ("duration", &["interval", "maxtotal"]),
    ("ficon", &["channel", "chpid"]),
    ("ifl", &["processors"]),
    ("ifls", &["processors"]),
    ("lcu", &["logical control unit"]),
    ("lgr", &["relocat"]),
    ("lpar", &["partition", "prsm"]),
    ("lpars", &["partition", "prsm"]),
    ("machine", &["guest"]),
    ("mdc", &["minidisk cache"]),
    ("memory", &["storage"]),
    ("migration", &["relocat"]),
    ("page", &["paging"]),
    ("priority", &["share"]),
    ("quiesce", &["maxquiesce", "tolerates", "stop"]),
    ("ram", &["storage"]),
    ("ssi", &["cluster", "member"]),
    ("swap", &["paging"]),
    ("user", &["guest"]),
    ("users", &["guest"]),
    ("vcpu", &["virtual cpu"]),
    ("vcpus", &["virtual cpu"]),
    ("vm", &["guest"]),
    ("vms", &["guest"]),
];

impl Knob {
    /// How well words fit it: 2 if each of them, or what is meant by it, occurs in its label, its name in files, or in `group`, the
    /// title of its group, or is its value; 1 if they do with its explanation; 0 if not.
    pub fn fits(&self, scenario: &Scenario, group: &str, words: &str) -> u8 {
        let words = words.trim().to_ascii_lowercase();
        if words.is_empty() {
            return 2;
        }
        let names = [self.label(scenario), self.field.path, group].join(" ").to_ascii_lowercase();
        if self.shows(scenario, &words) {
            return 2;
        }
        let help = self.help(scenario).to_ascii_lowercase();
        let is_named = |word: &str| {
            let meant = MEANT.iter().find(|(said, _)| *said == word).map_or(&[][..], |(_, meant)| meant);
            names.contains(word) || meant.iter().any(|meant| names.contains(meant))
        };
        let fit = |word: &str| match word {
            word if is_named(word) || self.shows(scenario, word) => 2,
            word => u8::from(help.contains(word)),
        };
        words.split_whitespace().map(fit).min().unwrap_or(0)
    }

    /// Whether `words` are the value that it has: 256, "256 GB" or 262144 of 256 GB.
    fn shows(&self, scenario: &Scenario, words: &str) -> bool {
        let Some(Given::Number(value)) =
            self.given(scenario).filter(|_| words.starts_with(|char: char| char.is_ascii_digit()))
        else {
            return false;
        };
        let in_words = value.parse::<u64>().ok().filter(|_| self.field.unit == "MB").map(storage_mb);
        let plain = |text: &str| text.replace([' ', ',', '\u{a0}', '\u{202f}'], "").to_ascii_lowercase();
        let (words, in_words) = (plain(words), in_words.map(|text| plain(&text)));
        let of_words = |text: &String| *text == words || text.trim_end_matches(char::is_alphabetic) == words;
        plain(&value) == words || in_words.as_ref().is_some_and(of_words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::groups::groups;

    fn found(scenario: &Scenario, words: &str) -> Vec<&'static str> {
        let all = groups(scenario, &[]);
        let fits = |group: &crate::knob::groups::Group| {
            let title = group.title.clone();
            let fits = |knob: &Knob| knob.fits(scenario, &title, words) == 2;
            group.knobs.iter().filter(|knob| fits(knob)).map(|knob| knob.field.path).collect::<Vec<_>>()
        };
        all.iter().flat_map(fits).collect()
    }

    #[test]
    fn a_knob_is_found_by_words_of_its_label_its_help_and_its_group() {
        let knob = |path: &str| Knob::at(path, 0).expect("a field");
        let fits = |path: &str, words: &str| knob(path).fits(&Scenario::default(), "Logical control unit", words);
        for words in ["ALIAS", "hyperpav control", "lcu.aliases", ""] {
            assert_eq!(fits("lcu.aliases", words), 2, "{words}");
        }
        assert_eq!((fits("lcu.aliases", "alias storbuf"), fits("level", "alias")), (0, 1));
    }

    #[test]
    fn a_knob_is_found_by_what_others_call_it() {
        let mut host = Scenario::default();
        for (words, path) in [
            ("page volumes", "paging.volumes"),
            ("memory", "storage.central_mb"),
            ("LPAR weight", "prsm.weight"),
            ("DASD", "paging.volumes"),
            ("priority", "guests.share_relative"),
            ("vcpus", "guests.virtual_cpus"),
            ("IFLs", "processors.count"),
        ] {
            assert!(found(&host, words).contains(&path), "{words}: {:?}", found(&host, words));
        }
        host.storage.central_mb = 262_144;
        for words in ["256", "256 GB", "256gb", "262144", "262,144"] {
            assert!(found(&host, words).contains(&"storage.central_mb"), "{words}: {:?}", found(&host, words));
        }
        assert!(!found(&host, "25").contains(&"storage.central_mb"));
    }

    /// A word that finds nothing by itself would teach nobody.
    #[test]
    fn what_is_meant_stands_in_the_names_of_knobs() {
        let scenario = Scenario::default();
        let all = groups(&scenario, &[]);
        let names: Vec<String> = all
            .iter()
            .flat_map(|group| {
                let name = |knob: &Knob| [knob.field.label, knob.field.path, &group.title].join(" ").to_ascii_lowercase();
                group.knobs.iter().map(name).collect::<Vec<_>>()
            })
            .collect();
        for (said, meant) in MEANT {
            assert!(meant.iter().any(|meant| names.iter().any(|name| name.contains(meant))), "{said}");
        }
    }
}
