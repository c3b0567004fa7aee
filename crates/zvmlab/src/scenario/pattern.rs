//! How programs pick pages.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// How a program picks the next page of its loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// One after the other, over and over.
    #[default]
    Sequential,
    /// Each as likely as any other.
    Random,
    /// A cycle goes through the pages of one file, and each file is as likely as any other.
    Files,
}

impl Pattern {
    /// The pattern as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Pattern::Sequential => "sequential",
            Pattern::Random => "random",
            Pattern::Files => "files",
        }
    }

    /// The pattern with these words; none if there is no such pattern.
    pub fn of_word(word: &str) -> Option<Pattern> {
        [Pattern::Sequential, Pattern::Random, Pattern::Files].into_iter().find(|pattern| pattern.as_str() == word)
    }
}
