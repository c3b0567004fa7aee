//! A lesson on paper, as Markdown: the learner's part with room for answers, and on a page of its own the teacher's.

use super::check::value;
use super::trial::Finding;
use super::{Form, Goal, Lesson, Prediction, Task};

/// A line to write on.
const LINE: &str = "________________________________________";

/// The sheet. `findings` are those of playing the lesson: the teacher sees the model's figures.
pub fn sheet(lesson: &Lesson, findings: &[Finding]) -> String {
    let mut parts = vec![
        format!("# {}", lesson.title),
        format!("*{}*", lesson.question),
        format!("{} minutes · host {} · address: `?lesson={}`", lesson.minutes, lesson.host, lesson.id),
    ];
    for (at, step) in lesson.steps.iter().enumerate() {
        parts.push(format!("## {}. {}", at + 1, step.title));
        parts.push(step.text.clone());
        parts.extend(asked(lesson, &step.task));
    }
    parts.push("## What you have seen".into());
    parts.push(lesson.summary.clone());
    parts.push(format!("What the model leaves out here: {}", lesson.model_limits));
    parts.push("---".into());
    parts.push(format!("# For the teacher: {}", lesson.title));
    parts.push(format!("**Goal.** {}", lesson.teacher.goal));
    if !lesson.teacher.misconceptions.is_empty() {
        let list: Vec<String> = lesson.teacher.misconceptions.iter().map(|one| format!("- {one}")).collect();
        parts.push(format!("**What learners often believe**\n\n{}", list.join("\n")));
    }
    parts.push(lesson.teacher.notes.clone());
    let answers: Vec<String> =
        findings.iter().map(|Finding { step, task, said, .. }| format!("- step {step}, {task}: {said}")).collect();
    if !answers.is_empty() {
        parts.push(format!("**Answers, as the model gives them**\n\n{}", answers.join("\n")));
    }
    for (at, step) in lesson.steps.iter().enumerate().filter(|(_, step)| !step.hints.is_empty()) {
        parts.push(format!("Hints for step {}: {}", at + 1, step.hints.join(" – ")));
    }
    parts.join("\n\n") + "\n"
}

/// What the learner is asked on paper.
fn asked(lesson: &Lesson, task: &Task) -> Vec<String> {
    match task {
        Task::Watch => Vec::new(),
        Task::Reveal => vec![format!("What the model and IBM say: {LINE}")],
        Task::Explain { .. } => vec![format!("What limits: {LINE}")],
        Task::Predict(Prediction { figure, form, .. }) => match form {
            Form::Choice(choices) => {
                vec![choices.iter().map(|choice| format!("- [ ] {}", choice.text)).collect::<Vec<_>>().join("\n")]
            }
            Form::Range { .. } => vec![format!("{}: at least ________ at most ________ {}", figure.label(), figure.unit())],
            Form::Curve { knob, values, .. } => {
                let cells =
                    |of: &dyn Fn(&str) -> String| values.iter().map(|one| of(&value(one))).collect::<Vec<_>>().join(" | ");
                let (head, rule, empty) = (cells(&str::to_string), cells(&|_| "---".into()), cells(&|_| "      ".into()));
                vec![format!(
                    "| {} | {head} |\n| --- | {rule} |\n| {}, {} | {empty} |",
                    knob.field.label,
                    figure.label(),
                    figure.unit()
                )]
            }
        },
        Task::Act(goal) | Task::Transfer(goal) => vec![aim(lesson, goal)],
    }
}

/// What is to be reached, and what may be turned.
fn aim(lesson: &Lesson, goal: &Goal) -> String {
    let host = lesson.host(0);
    let until: Vec<String> = goal.until.iter().map(|condition| format!("- [ ] {}", condition.said(&host))).collect();
    let open: Vec<&str> = goal.open.iter().map(|knob| knob.label(&host)).collect();
    format!("{}\n\nYou may turn: {}. What you did: {LINE}", until.join("\n"), open.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::file::parse;
    use crate::lesson::list::text_of;

    #[test]
    fn the_learners_part_has_the_questions_and_the_teachers_part_the_answers() {
        let lesson = parse(text_of("aliases").expect("a lesson")).expect("a good text");
        let found = Finding { step: 2, task: "predict", said: "seed 1: ETR doubles".into(), is_fault: false };
        let sheet = sheet(&lesson, &[found]);
        let (learners, teachers) = sheet.split_once("\n---\n").expect("two parts");
        for wanted in [
            "- [ ] It grows by a tenth at most",
            "| HyperPAV aliases | 0 | 1 | 2 | 4 | 8 |",
            "What limits: ___",
            "HyperPAV aliases: at most",
        ] {
            assert!(learners.contains(wanted), "{wanted}: {learners}");
        }
        assert!(teachers.contains("seed 1: ETR doubles") && teachers.contains("Hints for step 6"), "{teachers}");
        assert!(!learners.contains("misconception") && !learners.contains("Hints"), "{learners}");
    }
}
