//! Large and small letters, where a label moves into a sentence or begins one. Only ASCII letters change: the tables for all
//! others would be a hundredth of what a visitor loads, and no label begins with one.

/// A text that begins with a capital, as a sentence, a heading or a cell does.
pub fn capitalised(text: &str) -> String {
    let mut text = text.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// A label within a sentence: `central storage`, but `HyperPAV aliases` and `CTCs`.
pub fn within(label: &str) -> String {
    let first_word = label.split(' ').next().unwrap_or_default();
    let is_a_name = first_word.chars().filter(char::is_ascii_uppercase).count() > 1;
    let mut label = label.to_string();
    if let Some(first) = label.get_mut(..1).filter(|_| !is_a_name) {
        first.make_ascii_lowercase();
    }
    label
}

/// Words one after the other: `a`, `a and b`, `a, b and c`.
pub fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).into(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_letter_changes() {
        assert_eq!(capitalised("running, at last"), "Running, at last");
        assert_eq!(capitalised("“so”"), "“so”");
        assert_eq!(capitalised(""), "");
    }

    #[test]
    fn words_are_listed_with_one_and() {
        assert_eq!([&["a"][..], &["a", "b"], &["a", "b", "c"], &[]].map(listed), ["a", "a and b", "a, b and c", ""]);
    }

    #[test]
    fn names_stay_as_they_are() {
        let labels = ["Central storage", "HyperPAV aliases", "CTCs", "ISFC link", "STORBUF", "CP at the source", "–", ""];
        let within: Vec<String> = labels.into_iter().map(within).collect();
        assert_eq!(
            within,
            ["central storage", "HyperPAV aliases", "CTCs", "ISFC link", "STORBUF", "CP at the source", "–", ""]
        );
    }
}
