//! Which names may be meant where one is misspelt, or written in part.

/// How alike two names must be, from 0 to 1, for one to be a slip of the other. Chosen: one letter of four may be wrong.
const MUCH_LIKE: f64 = 0.75;

/// The longest name that may be a slip, in bytes. Chosen: twice the longest there is.
const NAME_BYTES_MAX: usize = 40;

/// Most names that are asked about. Chosen: more are no help.
const NAMES_MAX: usize = 4;

/// The shortest name that is taken for the beginning of another, in bytes. Chosen: a letter or two begin too many.
const BEGIN_BYTES_MIN: usize = 3;

/// A question to stand behind the words that refuse a name: ` (is CMS-USERS meant?)`. Nothing where no name is like it.
pub fn asked(given: &str, names: &[&str]) -> String {
    let names: Vec<String> = meant(given, names).into_iter().map(quoted).collect();
    match &names[..] {
        [first @ .., _] if first.len() == NAMES_MAX => {
            format!(" (is {} or another that begins so meant?)", first.join(", "))
        }
        [] => String::new(),
        [one] => format!(" (is {one} meant?)"),
        [first @ .., last] => format!(" (is {} or {last} meant?)", first.join(", ")),
    }
}

/// A name as it stands in a sentence: some are of several words.
fn quoted(name: &str) -> String {
    if name.contains(' ') { format!("\"{name}\"") } else { name.into() }
}

/// The name that is `given` but for capitals; or those that begin with it, one more at most than are asked about; or the one that is
/// much like it, the first of several that are equally alike.
fn meant<'a>(given: &str, names: &[&'a str]) -> Vec<&'a str> {
    if given.is_empty() || given.len() > NAME_BYTES_MAX {
        return Vec::new();
    }
    let given = given.to_uppercase();
    if let Some(same) = names.iter().find(|name| name.to_uppercase() == given) {
        return vec![same];
    }
    let begins = |name: &&str| given.len() >= BEGIN_BYTES_MIN && name.to_uppercase().starts_with(&given);
    let begin: Vec<&str> = names.iter().copied().filter(begins).take(NAMES_MAX + 1).collect();
    if !begin.is_empty() {
        return begin;
    }
    let alike = names.iter().map(|&name| (strsim::normalized_damerau_levenshtein(&given, &name.to_uppercase()), name));
    let most = alike.reduce(|best, other| if other.0 > best.0 { other } else { best });
    most.filter(|(alike, _)| *alike >= MUCH_LIKE).map(|(_, name)| name).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] =
        ["V4DVY000", "V4DVYH04", "LPAR1 w/o DS8870", "LPAR1 w/ DS8870", "ISFC-2", "ISFC", "WATER-1", "WATER-2"];

    #[test]
    fn a_name_written_in_part_or_with_a_slip_is_asked_about() {
        let ask = |given| asked(given, &NAMES);
        assert_eq!(ask("isfc"), " (is ISFC meant?)");
        assert_eq!(ask("LPAR1"), " (is \"LPAR1 w/o DS8870\" or \"LPAR1 w/ DS8870\" meant?)");
        assert_eq!(ask("V4DVYO00"), " (is V4DVY000 meant?)");
        assert_eq!(ask("WATRE-2"), " (is WATER-2 meant?)");
        let far: [&str; 4] = ["", "none.toml", "V4", &"V4DVY000".repeat(6)];
        assert_eq!(far.map(ask), ["", "", "", ""]);
    }

    #[test]
    fn few_are_asked_about() {
        let names: Vec<String> = (10..30).map(|number| format!("RUN-{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(asked("run", &names), " (is RUN-10, RUN-11, RUN-12, RUN-13 or another that begins so meant?)");
        assert_eq!(asked("run", &names[..4]), " (is RUN-10, RUN-11, RUN-12 or RUN-13 meant?)");
    }
}
