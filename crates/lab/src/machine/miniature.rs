//! The picture of a subject in the catalogue: the machine in the form that the subject is about, as small as a stamp, with as much of
//! everything as the host has with which the subject begins. What limits that host is framed.

use zvmlab::Scenario;

use super::{Form, Kind, Mark, Scene, Shape, Tone};
use crate::subjects::Subject;

/// Its size in CSS pixels.
const SIZE: (f64, f64) = (104.0, 44.0);

/// The picture of a subject; none if it begins with no host.
pub fn miniature(subject: &Subject) -> Option<Scene> {
    let scenario = subject.base()?;
    let mut drawn = Drawn { marks: Vec::new(), limits: subject.limit.and_then(Kind::of) };
    match Form::of(subject) {
        Form::Pipeline => pipeline(&mut drawn, &scenario),
        Form::Lanes => lanes(&mut drawn, &scenario),
        Form::Members => members(&mut drawn, &scenario),
    }
    Some(Scene { width: SIZE.0, height: SIZE.1, ground: drawn.marks, ..Scene::default() })
}

/// What is drawn so far.
struct Drawn {
    marks: Vec<Mark>,
    limits: Option<Kind>,
}

impl Drawn {
    /// So many boxes in a place of left, top, width and height, below each other in so many columns; framed if they limit.
    fn boxes(&mut self, kind: Kind, (x, y, w, h): (f64, f64, f64, f64), (count, columns): (usize, usize), tone: Tone) {
        let (count, columns) = (count.max(1), columns.max(1));
        let rows = count.div_ceil(columns);
        let (across, down) = (w / columns as f64, (h / rows as f64).min(10.0));
        let gap = if across.min(down) > 4.0 { 1.5 } else { 0.8 };
        let corner = |at: usize| (x + (at % columns) as f64 * across, y + (at / columns) as f64 * down);
        let size = (across - gap, down - gap);
        self.marks.push(Mark::new(Shape::Cells(size.0, size.1, (0..count).map(corner).collect()), tone));
        self.frame(kind, (x, y, w - gap, down * rows as f64 - gap));
    }

    /// A frame around a part, if it limits.
    fn frame(&mut self, kind: Kind, (x, y, w, h): (f64, f64, f64, f64)) {
        if self.limits == Some(kind) {
            self.marks.push(Mark::new(Shape::Box(x - 1.5, y - 1.5, w + 3.0, h + 3.0, 2.0), Tone::Limit));
        }
    }

    fn line(&mut self, points: Vec<(f64, f64)>) {
        self.marks.push(Mark::new(Shape::Line(points), Tone::Border));
    }
}

fn guests(scenario: &Scenario) -> usize {
    scenario.guests.iter().map(|group| group.count as usize).sum()
}

/// Guests, processors, frames, aliases, paths, volumes.
fn pipeline(drawn: &mut Drawn, scenario: &Scenario) {
    let volumes = (scenario.page_volumes() + scenario.minidisks.volumes) as usize;
    let (count, shown) = (guests(scenario).min(24), volumes.clamp(1, 5));
    drawn.boxes(Kind::Guest, (3.0, 4.0, 15.0, 36.0), (count, count.div_ceil(8)), Tone::PageWait);
    let processors = (scenario.processors.count as usize).min(16);
    drawn.boxes(Kind::Processor, (22.0, 4.0, 8.0, 36.0), (processors, processors.div_ceil(8)), Tone::Running);
    drawn.boxes(Kind::Frames, (34.0, 4.0, 20.0, 36.0), (28, 4), Tone::Valid);
    let step = 36.0 / shown as f64;
    let middle = |volume: usize| 4.0 + step * (volume as f64 + 0.5);
    (0..shown).for_each(|volume| drawn.line(vec![(56.0, middle(volume)), (88.0, middle(volume))]));
    if scenario.lcu.aliases > 0 {
        drawn.boxes(Kind::Aliases, (58.0, 4.0, 6.0, 36.0), ((scenario.lcu.aliases as usize).min(8), 1), Tone::Alias);
    }
    let paths = (scenario.lcu.paths as usize).clamp(1, 4);
    let wide = 13.0 / paths as f64;
    let pipes = (0..paths).map(|path| (68.0 + wide * path as f64, 4.0)).collect();
    drawn.marks.push(Mark::new(Shape::Cells(wide - 1.5, 36.0, pipes), Tone::Busy));
    drawn.frame(Kind::Path, (68.0, 4.0, 11.5, 36.0));
    for volume in 0..shown {
        let high = (step - 2.0).min(9.0);
        drawn.marks.push(Mark::new(Shape::Drum(86.0, middle(volume) - high / 2.0, 14.0, high), Tone::Surface));
    }
    drawn.frame(Kind::Volume, (85.0, 4.0, 16.0, 36.0));
}

/// Lists with guests in them, processors, and the physical ones where PR/SM shares them.
fn lanes(drawn: &mut Drawn, scenario: &Scenario) {
    let prsm = scenario.processors.shared;
    let count = guests(scenario).min(27);
    let mut left = count;
    for (lane, most) in [(0, 3), (1, 9), (2, 9), (3, 9)] {
        let y = 4.0 + f64::from(lane) * 9.2;
        drawn.marks.push(Mark::new(Shape::Box(3.0, y, 60.0, 7.6, 1.5), Tone::Empty));
        let here = left.min(most);
        left -= here;
        let corners = (0..here).map(|at| (5.0 + at as f64 * 6.2, y + 1.6)).collect();
        let tone = if lane == 0 { Tone::Held } else { Tone::PageWait };
        drawn.marks.push(Mark::new(Shape::Cells(4.6, 4.4, corners), tone));
    }
    let processors = (scenario.processors.count as usize).min(16);
    let high = if prsm { 22.0 } else { 36.0 };
    drawn.boxes(Kind::Processor, (69.0, 4.0, 32.0, high), (processors, processors.min(4)), Tone::Running);
    if prsm {
        let physical = (scenario.prsm.physical as usize).min(16);
        drawn.boxes(Kind::Physical, (69.0, 31.0, 32.0, 9.0), (physical, physical), Tone::Cp);
    }
}

/// Members, the chpids between them, and a line with passes.
fn members(drawn: &mut Drawn, scenario: &Scenario) {
    let count = (scenario.cluster.members as usize).clamp(2, 4);
    let wide = if count == 2 { 34.0 } else { 96.0 / count as f64 - 4.0 };
    let last = count - 1;
    let left = |member: usize| if count == 2 { 3.0 + 66.0 * member as f64 } else { 4.0 + (wide + 4.0) * member as f64 };
    let chpids = scenario.isfc.chpids().len().clamp(1, 4);
    let high = if count == 2 { 24.0 } else { 18.0 };
    for member in 0..count {
        let place = (left(member), 3.0, wide, high);
        drawn.marks.push(Mark::new(Shape::Box(place.0, place.1, place.2, place.3, 2.0), Tone::Surface));
        let tone = if member == 0 { Tone::Sent } else { Tone::Arriving };
        let (columns, rows) = ((wide / 5.0) as usize, ((high - 4.0) / 5.0) as usize);
        let cells = columns * if member == 0 { rows } else { rows.div_ceil(2) };
        let corner = |at: usize| (place.0 + 2.0 + (at % columns) as f64 * 4.8, place.1 + 2.0 + (at / columns) as f64 * 4.8);
        drawn.marks.push(Mark::new(Shape::Cells(3.6, 3.6, (0..cells).map(corner).collect()), tone));
        if member == last {
            drawn.frame(Kind::Member, place);
        }
    }
    let (x, y, w) = if count == 2 { (39.0, 5.0, 28.0) } else { (10.0, 23.0, 84.0) };
    let step = if count == 2 { 20.0 / chpids as f64 } else { 3.0 };
    let pipes = (0..chpids).map(|chpid| (x, y + step * chpid as f64)).collect();
    drawn.marks.push(Mark::new(Shape::Cells(w, (step - 1.5).min(6.0), pipes), Tone::Busy));
    drawn.frame(Kind::Chpid, (x, y, w, step * chpids as f64 - 1.5));
    let passes = [(3.0, 48.0), (52.0, 22.0), (75.0, 9.0)];
    for (x, w) in passes {
        drawn.marks.push(Mark::new(Shape::Box(x, 35.0, w, 6.0, 1.0), Tone::Sent));
    }
    drawn.marks.push(Mark::new(Shape::Box(85.0, 35.0, 4.0, 6.0, 1.0), Tone::Changed));
}

#[cfg(test)]
mod tests {
    use zvmlab::experiment;

    use super::*;
    use crate::subjects::SUBJECTS;
    use crate::subjects::next_step::tests::small;

    /// Whether the small picture of a form has a part for it.
    fn has(form: Form, kind: Kind) -> bool {
        match form {
            Form::Pipeline => {
                matches!(kind, Kind::Guest | Kind::Processor | Kind::Frames | Kind::Aliases | Kind::Path | Kind::Volume)
            }
            Form::Lanes => matches!(kind, Kind::Processor | Kind::Physical),
            Form::Members => matches!(kind, Kind::Member | Kind::Chpid),
        }
    }

    #[test]
    fn what_limits_is_framed() {
        let limit = |subject: &Subject| {
            let host = small(subject.start(), subject.base().expect("it begins with a host"));
            experiment::run(&host, 1).expect("valid").limits.limit
        };
        let wrong = SUBJECTS.iter().map(|subject| (subject.title, subject.limit, limit(subject)));
        let wrong: Vec<_> = wrong.filter(|(_, said, found)| said != found).collect();
        assert!(wrong.is_empty(), "a subject, what its file says, what a run says: {wrong:#?}");
    }

    #[test]
    fn every_subject_has_a_small_picture_of_its_own_size() {
        for subject in SUBJECTS {
            let scene = miniature(subject).expect("it begins with a host");
            let bytes: usize = scene.ground.iter().filter_map(Mark::path).map(|path| path.len()).sum();
            assert!(bytes > 200 && bytes < 4_000, "{}: {bytes} bytes", subject.title);
            let framed = scene.ground.iter().filter(|mark| mark.tone == Tone::Limit).count();
            let limits = subject.limit.and_then(Kind::of).is_some_and(|kind| has(Form::of(subject), kind));
            assert_eq!(framed, usize::from(limits), "{}", subject.title);
        }
    }
}
