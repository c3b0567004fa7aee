//! Answers to the last few questions: the page is drawn many times a second, and asks the same each time.

use std::cell::RefCell;
use std::collections::VecDeque;

/// Questions that are kept. Chosen: for the bench, the result shown, the one before, and some more.
const KEPT: usize = 6;

/// The last questions, each with its answer.
pub struct Memo<Question, Found> {
    kept: RefCell<VecDeque<(Question, Found)>>,
}

impl<Question: Clone + PartialEq, Found: Clone> Default for Memo<Question, Found> {
    fn default() -> Self {
        Memo::new()
    }
}

impl<Question: Clone + PartialEq, Found: Clone> Memo<Question, Found> {
    /// No questions yet.
    pub const fn new() -> Self {
        Memo { kept: RefCell::new(VecDeque::new()) }
    }

    /// The answer to `question`; `find` gives it if it is not known any more.
    pub fn get(&self, question: &Question, find: impl FnOnce(&Question) -> Found) -> Found {
        if let Some((_, found)) = self.kept.borrow().iter().find(|(asked, _)| asked == question) {
            return found.clone();
        }
        let found = find(question);
        let mut kept = self.kept.borrow_mut();
        kept.truncate(KEPT - 1);
        kept.push_front((question.clone(), found.clone()));
        found
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn each_question_is_asked_once_as_long_as_it_is_one_of_the_last() {
        let (memo, asked) = (Memo::new(), Cell::new(0));
        let ask = |question: usize| {
            let found = memo.get(&question, |question| {
                asked.set(asked.get() + 1);
                question * 2
            });
            assert_eq!(found, question * 2);
            asked.get()
        };
        assert_eq!((ask(1), ask(1), ask(2), ask(1)), (1, 1, 2, 2));
        assert_eq!((3..3 + KEPT).map(ask).last(), Some(KEPT + 2));
        assert_eq!(ask(1), KEPT + 3, "it was so long ago that it is asked again");
    }
}
