//! Hosts that a reader keeps under names on a device, as one text for the browser's memory and for a file.
//!
//! Every change can be taken back. A host that this version cannot read is kept as it is.

use serde_json::{Map, Value, json};
use zvmlab::Scenario;
use zvmlab::scenario::ScenarioError;

/// Most characters of a name. Chosen: a line of the list.
pub const NAME_MAX: usize = 40;

/// Most hosts of a shelf, so also of a file. Chosen: a browser keeps some 5 MB for a site, and a host takes some 5 KB.
const HOSTS_MAX: usize = 1000;

/// The key of the list, which also tells this form of text from others, and its version.
const LIST: &str = "zvmlab_hosts";
const VERSION: u64 = 1;

/// A host under its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its name; no two are equal.
    pub name: String,
    /// The seed with which it was saved.
    pub seed: u64,
    /// The scenario as JSON.
    scenario: Value,
}

impl Kept {
    /// The scenario.
    ///
    /// # Errors
    /// Everything that is wrong with it, in this version of the model.
    pub fn scenario(&self) -> Result<Scenario, ScenarioError> {
        Scenario::parse(&self.scenario.to_string())
    }
}

/// The hosts in the order of their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shelf {
    kept: Vec<Kept>,
}

impl Shelf {
    /// The hosts in a text that [`Shelf::written`] made.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<Shelf, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("The text is not JSON: {error}."))?;
        if !is_shelf(&value) {
            return Err(format!("The text holds no saved hosts: it has no field {LIST} of version {VERSION}."));
        }
        let hosts = value.get("hosts").and_then(Value::as_array).ok_or("The text has no list of hosts.")?;
        if hosts.len() > HOSTS_MAX {
            return Err(format!("The text has {} hosts, at most {HOSTS_MAX} are read.", hosts.len()));
        }
        let mut shelf = Shelf::default();
        for (host, number) in hosts.iter().zip(1..) {
            let name = host.get("name").and_then(Value::as_str);
            let name = named(name.unwrap_or_default()).map_err(|why| format!("Host {number}: {why}"))?;
            let seed = host.get("seed").and_then(Value::as_u64);
            let seed = seed.ok_or_else(|| format!("{name}: its seed is no whole number from 0 to {}.", u64::MAX))?;
            let scenario = host.get("scenario").filter(|scenario| scenario.is_object());
            let scenario = scenario.ok_or_else(|| format!("{name}: it has no scenario."))?.clone();
            let name = shelf.free(&name);
            shelf.put(Kept { name, seed, scenario });
        }
        Ok(shelf)
    }

    /// All hosts as a text.
    pub fn written(&self) -> String {
        let host = |kept: &Kept| {
            let fields = [("name", json!(kept.name)), ("seed", json!(kept.seed)), ("scenario", kept.scenario.clone())];
            Value::Object(fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect::<Map<_, _>>())
        };
        let hosts: Vec<Value> = self.kept.iter().map(host).collect();
        json!({ LIST: VERSION, "hosts": hosts }).to_string()
    }

    /// The hosts in the order of their names.
    pub fn hosts(&self) -> &[Kept] {
        &self.kept
    }

    /// The host of this name.
    pub fn get(&self, name: &str) -> Option<&Kept> {
        self.kept.iter().find(|kept| kept.name == name)
    }

    /// Saves a host under a name, which its scenario takes too, and says so. A host that had the name is replaced.
    ///
    /// # Errors
    /// What is wrong with the name, or that there is no room.
    pub fn save(&mut self, name: &str, seed: u64, scenario: &Scenario) -> Result<String, String> {
        let name = named(name)?;
        let scenario = Scenario { name: name.clone(), ..scenario.clone() };
        let scenario: Value = serde_json::from_str(&scenario.to_json()).map_err(|error| error.to_string())?;
        let replaced = self.get(&name).is_some();
        self.has_room(usize::from(!replaced))?;
        self.kept.retain(|kept| kept.name != name);
        let said =
            if replaced { format!("{name} is saved. What it was before is replaced.") } else { format!("{name} is saved.") };
        self.put(Kept { name, seed, scenario });
        Ok(said)
    }

    /// Gives a host another name, and says so.
    ///
    /// # Errors
    /// What is wrong with the new name.
    pub fn rename(&mut self, name: &str, to: &str) -> Result<String, String> {
        let to = named(to)?;
        if to != name && self.get(&to).is_some() {
            return Err(format!("There is a host named {to} already."));
        }
        let Some(mut kept) = self.take(name) else { return Err(gone(name)) };
        kept.name.clone_from(&to);
        self.put(kept);
        Ok(format!("{name} is named {to} now."))
    }

    /// Saves a copy of a host under a name of its own, and says so.
    ///
    /// # Errors
    /// The host is not there, or there is no room.
    pub fn duplicate(&mut self, name: &str) -> Result<String, String> {
        let Some(kept) = self.get(name).cloned() else { return Err(gone(name)) };
        self.has_room(1)?;
        let copy = self.free(name);
        self.put(Kept { name: copy.clone(), ..kept });
        Ok(format!("{copy} is a copy of {name}."))
    }

    /// Removes a host, and says so.
    ///
    /// # Errors
    /// The host is not there.
    pub fn delete(&mut self, name: &str) -> Result<String, String> {
        self.take(name).map(|_| format!("{name} is deleted.")).ok_or_else(|| gone(name))
    }

    /// Adds all hosts of a file, and says so. A host whose name is taken gets another one, unless it is the same host.
    ///
    /// # Errors
    /// What is wrong with the text. Then nothing is added.
    pub fn import(&mut self, text: &str) -> Result<String, String> {
        let others = Shelf::read(text)?;
        let mut added = 0;
        self.has_room(others.kept.iter().filter(|kept| self.get(&kept.name) != Some(kept)).count())?;
        for kept in others.kept {
            if self.get(&kept.name) != Some(&kept) {
                let name = self.free(&kept.name);
                self.put(Kept { name, ..kept });
                added += 1;
            }
        }
        Ok(match added {
            0 => "All hosts of the file are here already.".into(),
            1 => "1 host is added.".into(),
            added => format!("{added} hosts are added."),
        })
    }

    /// Whether so many more hosts can be kept: what is kept must be read again.
    fn has_room(&self, more: usize) -> Result<(), String> {
        match self.kept.len() + more {
            0..=HOSTS_MAX => Ok(()),
            all => Err(format!("This would make {all} hosts; at most {HOSTS_MAX} are kept. Delete some first.")),
        }
    }

    /// A name that no host has: `name`, or `name 2`.
    fn free(&self, name: &str) -> String {
        if self.get(name).is_none() {
            return name.into();
        }
        let stem: String = name.chars().take(NAME_MAX - 4).collect();
        let free = |name: &String| self.get(name).is_none();
        (2..).map(|number| format!("{stem} {number}")).find(free).unwrap_or_default()
    }

    fn take(&mut self, name: &str) -> Option<Kept> {
        let at = self.kept.iter().position(|kept| kept.name == name)?;
        Some(self.kept.remove(at))
    }

    fn put(&mut self, kept: Kept) {
        let at = self.kept.partition_point(|other| other.name < kept.name);
        self.kept.insert(at, kept);
    }
}

/// Whether a file's text is one of saved hosts, damaged or not, and not one of a scenario: it has their field.
pub fn is_written(text: &str) -> bool {
    let after = text.trim_start().strip_prefix('{').and_then(|text| text.split_once(&format!("\"{LIST}\"")));
    after.is_some_and(|(_, after)| after.trim_start().starts_with(':'))
}

fn is_shelf(value: &Value) -> bool {
    value.get(LIST).and_then(Value::as_u64) == Some(VERSION)
}

fn named(name: &str) -> Result<String, String> {
    let name = name.trim();
    match name.chars().count() {
        0 => Err("A name is needed.".into()),
        1..=NAME_MAX => Ok(name.into()),
        count => Err(format!("The name has {count} characters, 1 to {NAME_MAX} are allowed.")),
    }
}

fn gone(name: &str) -> String {
    format!("There is no host named {name} any more.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(volumes: u32) -> Scenario {
        let mut scenario = Scenario::default();
        scenario.paging.volumes = volumes;
        scenario
    }

    fn names(shelf: &Shelf) -> Vec<&str> {
        shelf.hosts().iter().map(|kept| kept.name.as_str()).collect()
    }

    #[test]
    fn hosts_are_saved_renamed_copied_and_deleted() {
        let mut shelf = Shelf::default();
        assert_eq!(shelf.save(" Production ", 7, &host(8)), Ok("Production is saved.".into()));
        assert_eq!(shelf.duplicate("Production"), Ok("Production 2 is a copy of Production.".into()));
        assert_eq!(shelf.rename("Production 2", "Autumn"), Ok("Production 2 is named Autumn now.".into()));
        assert_eq!(names(&shelf), ["Autumn", "Production"]);
        assert_eq!(shelf.rename("Autumn", "Production"), Err("There is a host named Production already.".into()));
        assert!(shelf.save("Autumn", 1, &host(16)).is_ok_and(|said| said.contains("replaced")));
        assert_eq!(
            shelf.get("Autumn").and_then(|kept| kept.scenario().ok()),
            Some(Scenario { name: "Autumn".into(), ..host(16) })
        );
        assert_eq!(shelf.delete("Autumn"), Ok("Autumn is deleted.".into()));
        assert_eq!((shelf.delete("Autumn").is_err(), names(&shelf)), (true, vec!["Production"]));
        assert_eq!(shelf.save("  ", 1, &host(1)), Err("A name is needed.".into()));
        assert!(shelf.save(&"x".repeat(41), 1, &host(1)).is_err_and(|why| why.contains("41 characters")));
    }

    /// What is kept can be read again, so no more is kept than is read.
    #[test]
    fn a_full_shelf_takes_no_more() {
        let hosts = |count: usize| {
            let each = (0..count).map(|number| format!(r#"{{"name":"{number}","seed":1,"scenario":{{}}}}"#));
            format!(r#"{{"zvmlab_hosts":1,"hosts":[{}]}}"#, each.collect::<Vec<_>>().join(","))
        };
        assert!(Shelf::read(&hosts(1001)).is_err_and(|why| why.contains("1001 hosts, at most 1000")));
        let mut shelf = Shelf::read(&hosts(1000)).expect("so many are read");
        let full = "This would make 1001 hosts; at most 1000 are kept. Delete some first.";
        assert_eq!(shelf.save("new", 1, &host(4)), Err(full.into()));
        assert_eq!(shelf.duplicate("7"), Err(full.into()));
        assert!(shelf.import(&hosts(1).replace("\"seed\":1", "\"seed\":2")).is_err_and(|why| why == full));
        assert!(shelf.import(&hosts(3)).is_ok_and(|said| said.contains("here already")));
        assert!(shelf.save("7", 1, &host(4)).is_ok_and(|said| said.contains("replaced")));
        assert_eq!(Shelf::read(&shelf.written()), Ok(shelf));
    }

    #[test]
    fn a_file_of_hosts_is_added_to_those_that_are_here() {
        let (mut here, mut there) = (Shelf::default(), Shelf::default());
        here.save("A", 1, &host(4)).expect("a name");
        there.save("A", 1, &host(8)).expect("a name");
        there.save("B", 1, &host(9)).expect("a name");
        assert_eq!(Shelf::read(&there.written()), Ok(there.clone()));
        assert_eq!(here.import(&there.written()), Ok("2 hosts are added.".into()));
        assert_eq!(names(&here), ["A", "A 2", "B"]);
        assert_eq!(here.import(&here.clone().written()), Ok("All hosts of the file are here already.".into()));
        assert!(is_written(&here.written()) && !is_written(&host(1).to_json()) && !is_written("name = \"x\""));
        assert!(is_written("{ \"zvmlab_hosts\" : 1, \"hosts\": [{\"na"), "cut short, it still is one of hosts");
    }

    #[test]
    fn a_text_that_is_none_of_hosts_is_refused_and_changes_nothing() {
        let mut shelf = Shelf::default();
        shelf.save("A", 1, &host(4)).expect("a name");
        let before = shelf.clone();
        for text in [
            "",
            "x",
            "{}",
            "[]",
            r#"{"zvmlab_hosts":2,"hosts":[]}"#,
            r#"{"zvmlab_hosts":1}"#,
            r#"{"zvmlab_hosts":1,"hosts":[{"name":"","seed":1,"scenario":{}}]}"#,
            r#"{"zvmlab_hosts":1,"hosts":[{"name":"B","seed":-1,"scenario":{}}]}"#,
            r#"{"zvmlab_hosts":1,"hosts":[{"name":"B","seed":1,"scenario":4}]}"#,
        ] {
            assert!(shelf.import(text).is_err_and(|why| why.ends_with('.')), "{text}");
            assert_eq!(shelf, before, "{text}");
        }
    }

    /// A later version may have fields that this one does not know: the host stays on the shelf, and says what is wrong when opened.
    #[test]
    fn a_host_that_cannot_be_read_is_kept() {
        let text = r#"{"hosts":[{"name":"B","scenario":{"speed":9},"seed":1}],"zvmlab_hosts":1}"#;
        let mut shelf = Shelf::read(text).expect("a shelf");
        assert!(shelf.get("B").is_some_and(|kept| kept.scenario().is_err()));
        assert_eq!(shelf.written(), text);
        shelf.save("C", 1, &host(4)).expect("a name");
        assert_eq!(names(&Shelf::read(&shelf.written()).expect("a shelf")), ["B", "C"]);
    }
}
