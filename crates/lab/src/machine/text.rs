//! How wide a text is, about, and how it is broken into lines.

use crate::machine::Letters;

/// The width of a text in CSS pixels, as in a wide typeface.
pub(in crate::machine) fn width(text: &str, letters: Letters) -> f64 {
    let each = match letters {
        Letters::Heading => 8.0,
        Letters::Name => 6.9,
        Letters::Small => 6.1,
    };
    text.chars().count() as f64 * each
}

/// The text if it fits into `w`.
pub(in crate::machine) fn fits(text: &str, letters: Letters, w: f64) -> bool {
    width(text, letters) <= w
}

/// The first of these texts that fits.
pub(in crate::machine) fn first_that_fits<const N: usize>(texts: [String; N], letters: Letters, w: f64) -> Option<String> {
    texts.into_iter().find(|text| fits(text, letters, w))
}

/// The text in lines of at most `w`. A word that is longer has a line of its own.
pub(in crate::machine) fn lines(text: &str, letters: Letters, w: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}"), letters, w) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken_between_words() {
        assert_eq!(lines("one two three", Letters::Small, 50.0), ["one two", "three"]);
        assert_eq!(lines("one", Letters::Small, 1.0), ["one"]);
    }
}
