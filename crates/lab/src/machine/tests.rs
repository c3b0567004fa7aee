//! Each thing of a snapshot is in the picture exactly once, in every form.

mod clusters;
mod generated;
mod goldens;
mod ptil;

use zvmlab::kernel::time::Instant;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::GuestGroup;
use zvmlab::scenario::workloads::IO3390;
use zvmlab::snapshot::{IoKind, IoStage};
use zvmlab::{Scenario, Simulation};

use super::*;
use crate::published::runs;

/// A desk, a phone, and between.
const WIDTHS: [f64; 4] = [1_100.0, 760.0, 560.0, 340.0];

/// Guests that page on three volumes with four aliases, beside guests with minidisks.
fn host() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.storage.central_mb = 512;
    (scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb) = (128, 96);
    (scenario.paging.volumes, scenario.lcu.aliases, scenario.minidisks.volumes) = (3, 4, 1);
    let mut io = GuestGroup { name: "IO".into(), count: 3, virtual_mb: 8, loop_mb: 1, ..GuestGroup::default() };
    IO3390.apply(&mut io);
    scenario.guests.push(io);
    scenario
}

fn filled(scenario: &Scenario) -> Simulation {
    let mut simulation = Simulation::new(scenario, 1).expect("valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    simulation
}

fn of_kind(scene: &Scene, kind: Kind) -> usize {
    scene.parts.iter().filter(|part| part.id.0 == kind).count()
}

/// Expanded storage is there where the host has it, and its words stand within its border.
fn check_expanded(snapshot: &Snapshot, scene: &Scene) {
    let parts: Vec<_> = scene.parts.iter().filter(|part| part.id.0 == Kind::Expanded).collect();
    assert_eq!(parts.len(), usize::from(snapshot.storage.expanded.is_some()));
    for part in parts {
        let (x, y, w, h) = part.place;
        for mark in &part.marks {
            if let Shape::Text((left, base), .., words) = &mark.shape {
                let wide = words.chars().count() as f64 * 6.0;
                assert!(
                    *left >= x && left + wide <= x + w.max(110.0) && *base > y && *base <= y + h,
                    "{words} in {:?}",
                    part.place
                );
            }
        }
    }
}

fn check(snapshot: &Snapshot, scene: &Scene) {
    let numbers: Vec<u64> = snapshot.lcu.ios.iter().map(|io| io.number).collect();
    let mut drawn: Vec<u64> = scene.dots.iter().map(|dot| dot.number).collect();
    drawn.sort_unstable();
    assert_eq!(drawn, numbers, "each I/O is a dot");
    assert_eq!(of_kind(scene, Kind::Guest), snapshot.guests.len());
    assert_eq!(of_kind(scene, Kind::Processor), snapshot.processors.logical.len());
    let volumes = snapshot.paging.volumes.len() + snapshot.minidisks.volumes.len();
    // The last search stands beneath the frames.
    let searches = snapshot.storage.sides.is_some() && snapshot.guests.iter().any(|guest| guest.does_io);
    let beneath = usize::from(searches) + usize::from(snapshot.storage.contiguous.is_some());
    assert_eq!((of_kind(scene, Kind::Frames), of_kind(scene, Kind::Volume)), (1 + beneath, volumes));
    check_expanded(snapshot, scene);
    let aliases: usize = scene.parts.iter().map(|part| sockets(part, Tone::Alias)).sum();
    assert_eq!(aliases, snapshot.lcu.aliases as usize, "each alias is in the pool or at its volume");
    assert_eq!(of_kind(scene, Kind::Queue), 1);
    let ids: std::collections::BTreeSet<_> = scene.parts.iter().map(|part| part.id).collect();
    assert_eq!(ids.len(), scene.parts.len(), "each part once");
    check_frames(snapshot, scene);
    check_texts(scene);
    for part in &scene.parts {
        let (x, y, w, h) = part.place;
        let inside = x >= 0.0 && y >= 0.0 && x + w <= scene.width + 0.5 && y + h <= scene.height + 0.5;
        assert!(inside && w > 0.0 && h > 0.0, "{} of {} × {}: {:?}", part.name, scene.width, scene.height, part.place);
        assert!(!part.name.is_empty() && !part.state.is_empty());
    }
    for dot in &scene.dots {
        for now in [snapshot.now_ns, snapshot.now_ns + 100_000, u64::MAX / 2] {
            let (x, y) = dot.course.at(now as f64);
            assert!((0.0..=scene.width).contains(&x) && (0.0..=scene.height).contains(&y), "{dot:?} at {x}, {y}");
        }
    }
}

/// Each cell of central storage has one state. Each state that frames are in has a cell. So has each guest whose pages are being
/// read, where there are cells enough. What was read stands there until its pages are valid.
fn check_frames(snapshot: &Snapshot, scene: &Scene) {
    let part = scene.parts.iter().find(|part| part.id.0 == Kind::Frames).expect("central storage");
    let cells = |tone: Tone| {
        part.marks.iter().filter(move |mark| mark.tone == tone).flat_map(|mark| match &mark.shape {
            Shape::Cells(_, _, corners) => corners.clone(),
            _ => Vec::new(),
        })
    };
    let (storage, guests) = (&snapshot.storage, &snapshot.guests);
    let reading = guests.iter().filter(|guest| guest.reading_pages > 0).count();
    let states = [
        (Tone::Cp, storage.cp_frames),
        (Tone::Cache, storage.mdc_frames),
        (Tone::Valid, storage.valid_frames),
        (Tone::AgeList, storage.age_list_frames),
        (Tone::Reading, storage.reading_frames),
        (Tone::Empty, storage.available_frames),
    ];
    let all: Vec<Point> = states.iter().flat_map(|(tone, _)| cells(*tone)).collect();
    let places: std::collections::BTreeSet<(i64, i64)> =
        all.iter().map(|(x, y)| ((x * 10.0) as i64, (y * 10.0) as i64)).collect();
    assert_eq!(places.len(), all.len(), "a cell has one state");
    // With more kinds than cells, some have none.
    if 3 * guests.len() + 4 <= all.len() {
        for (tone, frames) in states {
            assert_eq!(frames > 0, cells(tone).count() > 0, "{tone:?}: {frames} frames");
        }
        let apart = 18 * guests.len() <= all.len();
        assert!(!apart || cells(Tone::Reading).count() >= reading, "a cell for each guest whose pages are being read");
        let (x, y, w, h) = part.place;
        for dot in &scene.dots {
            let DotKind::Io { kind: IoKind::PageRead, guest: Some(_), stage, .. } = &dot.subject else { continue };
            let end = dot.course.at(u64::MAX as f64);
            let is_in = (x..=x + w).contains(&end.0) && (y..=y + h).contains(&end.1);
            let comes = matches!(stage, IoStage::Transfer | IoStage::Interruption | IoStage::Finishing);
            assert_eq!(is_in, comes, "{dot:?} of {:?}", part.place);
        }
    }
}

/// No text is written over another.
fn check_texts(scene: &Scene) {
    let all = scene.ground.iter().chain(scene.parts.iter().flat_map(|part| &part.marks));
    let texts = all.filter_map(|mark| match &mark.shape {
        Shape::Text((x, y), align, letters, text) if !text.is_empty() => {
            let w = text::width(text, *letters);
            let left = match align {
                Align::Start => *x,
                Align::Middle => x - w / 2.0,
                Align::End => x - w,
            };
            // From one height of letters to the next; what hangs below a line may reach into the one beneath.
            Some((left, y - 8.0, w, 8.0, text))
        }
        _ => None,
    });
    let texts: Vec<_> = texts.collect();
    for (place, (x, y, w, h, text)) in texts.iter().enumerate() {
        for (to_x, to_y, to_w, to_h, other) in &texts[place + 1..] {
            let apart = x + w <= to_x + 0.5 || to_x + to_w <= x + 0.5 || y + h <= to_y + 0.5 || to_y + to_h <= y + 0.5;
            assert!(apart, "“{text}” and “{other}” meet at {x:.0}, {y:.0} of {:.0} × {:.0}", scene.width, scene.height);
        }
    }
}

/// Boxes of a tone in a part.
fn sockets(part: &Part, tone: Tone) -> usize {
    let of = |mark: &Mark| match &mark.shape {
        Shape::Box(..) => 1,
        Shape::Cells(_, _, corners) => corners.len(),
        _ => 0,
    };
    if matches!(part.id.0, Kind::Aliases | Kind::Volume) {
        part.marks.iter().filter(|mark| mark.tone == tone).map(of).sum()
    } else {
        0
    }
}

#[test]
fn each_thing_is_drawn_once_at_every_step() {
    let scenario = host();
    let mut simulation = filled(&scenario);
    let begin = simulation.snapshot();
    for _ in 0..1_500 {
        simulation.step();
        let snapshot = simulation.snapshot();
        let rates = Rates::between(&begin, &snapshot);
        for width in WIDTHS {
            check(&snapshot, &scene(Form::Pipeline, &scenario, &snapshot, &rates, None, width));
        }
    }
}

#[test]
fn every_published_host_fits_into_the_picture() {
    for run in runs() {
        let scenario = &run.scenario;
        let snapshot = Simulation::new(scenario, 1).expect("valid").snapshot();
        let is_cluster = snapshot.cluster.is_some();
        let check = if is_cluster { clusters::check_cluster } else { check };
        let form = if is_cluster { Form::Members } else { Form::Pipeline };
        for width in WIDTHS {
            check(&snapshot, &scene(form, scenario, &snapshot, &Rates::default(), None, width));
        }
    }
}

#[test]
fn many_guests_processors_and_volumes_fit_too() {
    let mut scenario = host();
    scenario.guests[0].count = 200;
    (scenario.storage.central_mb, scenario.processors.count) = (32_768, 64);
    (scenario.paging.volumes, scenario.lcu.aliases, scenario.lcu.paths) = (32, 128, 8);
    let snapshot = Simulation::new(&scenario, 1).expect("valid").snapshot();
    for width in WIDTHS {
        check(&snapshot, &scene(Form::Pipeline, &scenario, &snapshot, &Rates::default(), None, width));
    }
}

/// Places on a small screen, on a large one, and one that is too low.
const PLACES: [(f64, f64); 4] = [(620.0, 262.0), (1_100.0, 360.0), (1_700.0, 800.0), (620.0, 120.0)];

#[test]
fn the_picture_fits_into_a_place_and_still_has_each_thing_once() {
    let scenario = host();
    let mut simulation = filled(&scenario);
    for _ in 0..400 {
        simulation.step();
    }
    let snapshot = simulation.snapshot();
    let view =
        View { form: Form::Pipeline, scenario: &scenario, snapshot: &snapshot, rates: &Rates::default(), limits: None };
    for place in PLACES {
        let fit = view.fit(place);
        let picture = view.fitted(place, fit);
        check(&snapshot, &picture);
        assert!((picture.width * fit.scale - place.0).abs() < 0.01, "it is as wide as its place");
        let high = picture.height * fit.scale;
        assert!(high <= place.1.max(170.0) + 1.0, "{high} in {place:?}, {fit:?}");
    }
    let large = view.fit(PLACES[2]).scale;
    assert!(large > 1.4 && view.fit(PLACES[0]).scale < large, "a large screen has a larger picture: {large}");
}

#[test]
fn the_lists_fit_into_a_place() {
    for id in ["STORBUF", "CLASSES", "PRSM"] {
        let (scenario, snapshot, rates) = scheduled(id);
        let view = View { form: Form::Lanes, scenario: &scenario, snapshot: &snapshot, rates: &rates, limits: None };
        for place in &PLACES[..3] {
            let fit = view.fit(*place);
            let picture = view.fitted(*place, fit);
            assert_eq!(of_kind(&picture, Kind::Guest), snapshot.guests.len(), "{id}");
            assert_eq!(of_kind(&picture, Kind::Processor), snapshot.processors.logical.len(), "{id}");
        }
    }
}

#[test]
fn frames_and_volumes_stand_beside_lists_that_wait_for_them() {
    let (scenario, snapshot, rates) = scheduled("STORBUF");
    for width in [600.0, 900.0] {
        let picture = scene(Form::Lanes, &scenario, &snapshot, &rates, Some(ResourceKind::PageVolumes), width);
        let glows: Vec<(Kind, usize)> = picture.parts.iter().filter(|part| part.limits).map(|part| part.id).collect();
        assert_eq!(glows, [0, 1, 2, 3].map(|index| (Kind::Volume, index)), "{width}");
        assert_eq!(of_kind(&picture, Kind::Frames), 1, "{width}");
        check_texts(&picture);
    }
    // PR/SM needs the room.
    let (scenario, snapshot, rates) = scheduled("PRSM");
    let picture = scene(Form::Lanes, &scenario, &snapshot, &rates, None, 900.0);
    assert_eq!(of_kind(&picture, Kind::Volume) + of_kind(&picture, Kind::Frames), 0);
}

#[test]
fn only_the_volumes_that_limit_glow_and_the_cache_is_named_where_it_is_large() {
    let (scenario, snapshot, rates) = scheduled("MDC-BACKUP");
    let pages = scenario.page_volumes() as usize;
    for (limit, glow) in [(ResourceKind::PageVolumes, 0..pages), (ResourceKind::MinidiskVolumes, pages..pages + 4)] {
        let picture = scene(Form::Pipeline, &scenario, &snapshot, &rates, Some(limit), 900.0);
        let glows: Vec<(Kind, usize)> = picture.parts.iter().filter(|part| part.limits).map(|part| part.id).collect();
        assert_eq!(glows, glow.map(|index| (Kind::Volume, index)).collect::<Vec<_>>());
        let frames = picture.parts.iter().find(|part| part.id.0 == Kind::Frames).expect("frames");
        assert!(frames.state.contains("minidisk cache "), "{}", frames.state);
        check_texts(&picture);
    }
}

#[test]
fn the_key_names_each_colour_that_is_shown() {
    for (id, form) in [("STORBUF", Form::Lanes), ("STORBUF", Form::Pipeline), ("PRSM", Form::Lanes), ("MOVE", Form::Members)]
    {
        let (scenario, snapshot, rates) = scheduled(id);
        let picture = scene(form, &scenario, &snapshot, &rates, None, 900.0);
        let named: Vec<Tone> = key::key(&picture).iter().map(|(patch, _)| patch.tone).collect();
        let plain = [Tone::Surface, Tone::Border, Tone::Text, Tone::Quiet];
        for part in &picture.parts {
            let fills = part.marks.iter().filter(|mark| !matches!(mark.shape, Shape::Text(..) | Shape::Line(_)));
            for mark in fills.filter(|mark| !plain.contains(&mark.tone)) {
                assert!(named.contains(&mark.tone), "{id}, {}: {:?}", part.name, mark.tone);
            }
        }
    }
}

#[test]
fn what_limits_glows_and_nothing_else() {
    let scenario = host();
    let snapshot = filled(&scenario).snapshot();
    let scene = scene(Form::Pipeline, &scenario, &snapshot, &Rates::default(), Some(ResourceKind::Paths), 900.0);
    assert!(scene.parts.iter().all(|part| part.limits == (part.id.0 == Kind::Path)));
    assert!(scene.parts.iter().any(|part| part.limits));
}

#[test]
fn a_read_comes_back_from_its_volume_while_it_is_transferred() {
    let scenario = host();
    let mut simulation = filled(&scenario);
    let mut met = 0;
    for _ in 0..3_000 {
        simulation.step();
        let snapshot = simulation.snapshot();
        let picture = scene(Form::Pipeline, &scenario, &snapshot, &Rates::default(), None, 900.0);
        for dot in picture.dots.iter() {
            let DotKind::Io { stage: IoStage::Transfer, kind, .. } = dot.subject else { continue };
            let io = snapshot.lcu.ios.iter().find(|io| io.number == dot.number).expect("it is in the snapshot");
            let (now, end) = (dot.course.at(snapshot.now_ns as f64), dot.course.at(io.until_ns as f64));
            let comes_back = end.0 <= now.0;
            let writes = matches!(kind, IoKind::PageWrite | IoKind::MinidiskWrite);
            assert_eq!(comes_back, !writes, "{dot:?}");
            met += usize::from(io.done_ppm < 500_000);
        }
    }
    assert!(met > 10, "{met}");
}

#[test]
fn the_file_stands_alone_and_names_every_part() {
    let scenario = host();
    let snapshot = filled(&scenario).snapshot();
    let scene = scene(Form::Pipeline, &scenario, &snapshot, &Rates::default(), None, 900.0);
    let file = svg::file(&scene, "A <host>");
    assert!(file.starts_with("<svg xmlns=") && file.ends_with("</svg>\n") && file.contains("A &lt;host&gt;"));
    assert!(scene.parts.iter().all(|part| file.contains(&format!("<title>{}: ", part.name))));
    assert_eq!(file.matches("class=\"dot ").count(), scene.dots.len());
    assert!(!file.contains("NaN") && !file.contains("inf"));
}

#[test]
fn keys_walk_along_the_flow_and_reach_every_part() {
    use walk::{Way, next};
    let scenario = host();
    let snapshot = filled(&scenario).snapshot();
    for width in WIDTHS {
        let picture = scene(Form::Pipeline, &scenario, &snapshot, &Rates::default(), None, width);
        let mut reached = std::collections::BTreeSet::from([picture.parts[0].id]);
        let mut open: Vec<(Kind, usize)> = reached.iter().copied().collect();
        while let Some(at) = open.pop() {
            for way in [Way::Left, Way::Right, Way::Up, Way::Down] {
                open.extend(next(&picture, at, way).filter(|next| reached.insert(*next)));
            }
        }
        assert_eq!(reached.len(), picture.parts.len(), "at {width}");
    }
    let wide = scene(Form::Pipeline, &scenario, &snapshot, &Rates::default(), None, 900.0);
    assert_eq!(next(&wide, (Kind::Guest, 0), Way::Right).map(|next| next.0), Some(Kind::Processor));
    assert_eq!(next(&wide, (Kind::Guest, 0), Way::Down), Some((Kind::Guest, 1)));
    assert_eq!(next(&wide, (Kind::Guest, 0), Way::Left), None);
}

/// A host of the scheduler's subjects, after some seconds of its run.
fn scheduled(id: &str) -> (Scenario, Snapshot, Rates) {
    let example = zvmlab::scenario::examples::example(id).expect("an example");
    let scenario = Scenario::parse(example.text).expect("valid");
    let mut simulation = Simulation::new(&scenario, 1).expect("valid");
    simulation.run_until(Instant(2_000_000_000));
    let before = simulation.snapshot();
    simulation.run_until(Instant(3_000_000_000));
    let snapshot = simulation.snapshot();
    let rates = Rates::between(&before, &snapshot);
    (scenario, snapshot, rates)
}

#[test]
fn a_crowd_of_guests_fits_a_screen() {
    let mut scenario = host();
    scenario.guests.truncate(1);
    (scenario.guests[0].count, scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb) = (2_000, 1, 1);
    scenario.storage.central_mb = 4_096;
    let snapshot = Simulation::new(&scenario, 1).expect("valid").snapshot();
    for form in [Form::Lanes, Form::Pipeline] {
        let picture = scene(form, &scenario, &snapshot, &Rates::default(), None, WIDTHS[1]);
        assert_eq!(of_kind(&picture, Kind::Guest), 2_000);
        assert!(picture.height < 800.0, "{form:?} is {} high", picture.height);
    }
}

#[test]
fn every_guest_is_in_one_lane() {
    for id in ["STORBUF", "CLASSES", "LIMIT-SUM", "SPIN-LOCK", "PRSM", "PLDV", "VARY"] {
        let (scenario, snapshot, rates) = scheduled(id);
        for width in WIDTHS {
            let picture = scene(Form::Lanes, &scenario, &snapshot, &rates, None, width);
            let ids: std::collections::BTreeSet<_> = picture.parts.iter().map(|part| part.id).collect();
            assert_eq!(ids.len(), picture.parts.len(), "{id}: each part once");
            assert_eq!(of_kind(&picture, Kind::Guest), snapshot.guests.len(), "{id}");
            assert_eq!(of_kind(&picture, Kind::Processor), snapshot.processors.logical.len(), "{id}");
            for (part, logical) in
                picture.parts.iter().filter(|part| part.id.0 == Kind::Processor).zip(&snapshot.processors.logical)
            {
                assert_eq!(part.state.contains("vector"), logical.vector > 0, "{id}: {}", part.state);
            }
            let told: usize =
                picture.parts.iter().filter(|part| part.id.0 == Kind::List).map(|part| guests_in(&part.state)).sum();
            assert_eq!(told, snapshot.guests.len(), "{id}: the lanes count every guest");
            assert_eq!(of_kind(&picture, Kind::Physical), snapshot.prsm.physical as usize, "{id}");
            assert_eq!(of_kind(&picture, Kind::Barrier), if snapshot.scheduler.keeps_eligible { 3 } else { 0 }, "{id}");
            for part in &picture.parts {
                let (x, y, w, h) = part.place;
                let inside = x >= 0.0 && y >= 0.0 && x + w <= picture.width + 0.5 && y + h <= picture.height + 0.5;
                assert!(inside, "{id}, {}: {:?} of {} × {}", part.name, part.place, picture.width, picture.height);
            }
        }
    }
}

/// The guests that a lane tells of: `one guest`, `12 guests`.
fn guests_in(state: &str) -> usize {
    if state == "one guest" { 1 } else { state.trim_end_matches(" guests").parse().expect("a number") }
}

#[test]
fn connections_stand_in_five_places_and_what_limits_among_them_is_framed() {
    let (scenario, snapshot, rates) = scheduled("WEB");
    for width in WIDTHS {
        let picture = scene(Form::Lanes, &scenario, &snapshot, &rates, Some(ResourceKind::ClientCpus), width);
        let places = [Kind::Connections, Kind::ClientLine, Kind::ServerLine].map(|kind| of_kind(&picture, kind));
        assert_eq!(places, [3, 1, 1]);
        let of = |part: &&Part| part.name.starts_with("Connections that");
        let told = |part: &Part| part.state.split(' ').next().and_then(|count| count.parse::<u32>().ok()).expect("a count");
        assert_eq!(picture.parts.iter().filter(of).map(told).sum::<u32>(), 72, "each connection is somewhere");
        let framed: Vec<_> = picture.parts.iter().filter(|part| part.limits).map(|part| part.id).collect();
        assert_eq!(framed, [(Kind::Guest, 0), (Kind::Guest, 1), (Kind::ClientLine, 0)], "{width}");
    }
    let (scenario, snapshot, rates) = scheduled("SPIN-LOCK");
    assert_eq!(of_kind(&scene(Form::Lanes, &scenario, &snapshot, &rates, None, WIDTHS[0]), Kind::Connections), 0);
}

#[test]
fn the_last_search_below_2_gb_stands_frame_by_frame_where_there_are_searches() {
    let mut scenario =
        Scenario::parse(include_str!("../../../../tests/golden/below-2gb/scenario.toml")).expect("a golden's host");
    let pictures = |scenario: &Scenario| {
        let mut simulation = filled(scenario);
        let mut snapshot = simulation.snapshot();
        // Until a search has seen different things.
        for _ in 0..20 {
            simulation.run_until(simulation.now() + zvmlab::kernel::time::Span::from_secs(1));
            snapshot = simulation.snapshot();
            if snapshot.storage.sides.as_ref().is_some_and(|sides| sides.last_search.len() > 2) {
                break;
            }
        }
        let drawn = |width| scene(Form::Pipeline, scenario, &snapshot, &Rates::default(), None, width);
        (snapshot.clone(), WIDTHS.map(drawn))
    };
    let (snapshot, drawn) = pictures(&scenario);
    let seen = &snapshot.storage.sides.expect("it tells them apart").last_search;
    let frames: u32 = seen.iter().map(|run| run.frames).sum();
    assert!(frames > 100 && seen.len() > 2, "a search looks at many frames for few: {seen:?}");
    for picture in drawn {
        let part = picture.parts.iter().find(|part| part.id == (Kind::Frames, 1)).expect("the search");
        let cells = part.marks.iter().map(|mark| if let Shape::Cells(.., at) = &mark.shape { at.len() } else { 0 });
        let room = ((part.place.2 - 8.0) / 6.0).floor() as usize * 3;
        assert_eq!(cells.sum::<usize>(), room.min(frames as usize), "one cell for each frame that it looked at");
        assert!(part.state.starts_with(&format!("of its first {frames} frames ")), "{}", part.state);
    }
    scenario.level = zvmlab::scenario::Level::V5_2;
    let (_, drawn) = pictures(&scenario);
    let part = drawn[0].parts.iter().find(|part| part.id == (Kind::Frames, 1)).expect("its place");
    assert_eq!(part.state, "there was none", "5.2 needs no frames below");
}
