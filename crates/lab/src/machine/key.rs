//! What the colours of a picture mean: those that it shows at the moment.

use super::{Mark, Scene, Shape, Tone};

/// Every colour with a meaning of its own, in the order of the flow.
const WORDS: [(Tone, &str); 21] = [
    (Tone::Running, "a guest runs"),
    (Tone::Ready, "ready, waits for a processor"),
    (Tone::PageWait, "waits for a page"),
    (Tone::FrameWait, "waits for a frame"),
    (Tone::IoWait, "waits for a minidisk I/O"),
    (Tone::Held, "held: by a list, a limit or PR/SM"),
    (Tone::Spin, "spins for a lock"),
    (Tone::Cp, "CP: its work, its frames"),
    (Tone::Other, "another partition"),
    (Tone::Valid, "valid pages"),
    (Tone::AgeList, "pages that CP takes next"),
    (Tone::Reading, "pages being read"),
    (Tone::Cache, "minidisk cache"),
    (Tone::Base, "a base and its I/O"),
    (Tone::Alias, "an alias and its I/O"),
    (Tone::Queued, "an I/O or a message that waits"),
    (Tone::Busy, "how busy, how full"),
    (Tone::Sent, "sent"),
    (Tone::Arriving, "arrived in this pass; a pass under way"),
    (Tone::Changed, "changed since it was sent; guest stopped"),
    (Tone::Empty, "empty or idle"),
];

/// The colours of the picture, each with a patch of it and its meaning. What limits comes last.
pub fn key(scene: &Scene) -> Vec<(Mark, &'static str)> {
    let patch = |tone: Tone| Mark::new(Shape::Box(1.0, 1.0, 10.0, 10.0, 2.0), tone);
    let is_text = |mark: &Mark| matches!(mark.shape, Shape::Text(..));
    let marks = scene.parts.iter().flat_map(|part| &part.marks).filter(|mark| !is_text(mark)).map(|mark| mark.tone);
    let tones: Vec<Tone> = marks.chain(scene.dots.iter().map(|dot| dot.tone)).collect();
    let shown = WORDS.into_iter().filter(|(tone, _)| tones.contains(tone)).map(|(tone, words)| (patch(tone), words));
    let limits = scene.parts.iter().any(|part| part.limits);
    shown.chain(limits.then(|| (patch(Tone::Limit), "frame of what limits"))).collect()
}
