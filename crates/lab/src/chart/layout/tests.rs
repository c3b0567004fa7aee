//! Laws of every layout: nothing outside the scene, every value in a read-out, at every width.

use super::*;
use crate::chart::{Block, FrameMap, Grid, Key, Lane, Level, Lines, Marked, Point, Quantity, Row, Series, Span, Spans};

/// About the width of a sans-serif font.
fn measure(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}

fn chart(plot: Plot) -> Chart {
    Chart {
        id: "test",
        title: "A title".into(),
        summary: "A sentence that says what there is to see, long enough to need more than one line on a phone.".into(),
        plot,
        sources: vec![],
        provenance: "V4DVY000, seed 1".into(),
    }
}

fn lines(count: usize, label: Option<&str>) -> Plot {
    let points = |factor: f64| {
        (0..count).map(|i| Point { x: i as f64, y: factor * (i % 7) as f64, label: label.map(String::from) }).collect()
    };
    let series = |name: &str, look, factor| Series { key: Key::new(name, look), joined: true, points: points(factor) };
    Plot::Lines(Lines {
        x: Quantity::new("Time", "s"),
        y: Quantity::new("Pages read and written", "pages/s"),
        series: vec![series("first", 0, 1000.0), series("second", 1, 20_000.0)],
        levels: vec![Level { name: "published".into(), value: 130_000.0, look: 3 }],
        x_from_zero: false,
        by_point: label.is_some(),
        ..Lines::default()
    })
}

/// Lines over places that have names, of which one is marked.
fn named(count: usize, marked: f64) -> Lines {
    let Plot::Lines(lines) = lines(count, Some("QRBKW048")) else { panic!("lines") };
    let ticks = (0..count).map(|i| (i as f64, format!("{}:{i}", count - i))).collect();
    let marked = Some(Marked { name: "on the bench, 13:3".into(), x: marked });
    Lines { ticks, marked, by_point: false, ..lines }
}

fn areas(count: usize) -> Plot {
    let Plot::Lines(lines) = lines(count, None) else { panic!("lines") };
    Plot::Areas(lines)
}

fn grid(rows: usize, label: &str) -> Grid {
    let row = |i: usize| Row { label: format!("{label} {i}"), values: vec![Some(i as f64 * 10.0), None, Some(1.5)] };
    Grid {
        row_name: "Volume".into(),
        value: Quantity::new("Percent busy", "%"),
        keys: vec![Key::new("now", 0), Key::new("pinned", 1), Key::new("other", 2)],
        rows: (0..rows).map(row).collect(),
        levels: vec![Level { name: "one exposure always busy".into(), value: 100.0, look: 7 }],
        at_least: 0.0,
    }
}

/// The map of a host that tells stretches of addresses apart if it has an even number of owners.
fn map(owners: usize) -> Plot {
    let block =
        |i: usize, state| Block { owner: format!("VIRSTOEX {i}"), state, frames: 4_000_000 / (1 + state as u64 * 40) };
    Plot::Map(FrameMap {
        states: vec![Key::new("valid", 0), Key::new("age list", 4)],
        blocks: (0..owners).flat_map(|i| [block(i, 0), block(i, 1)]).collect(),
        stretches: if owners.is_multiple_of(2) {
            vec![(0, "Above: 2 GB to 6 GB".into()), (owners, "Below: 0 to 2 GB".into())]
        } else {
            Vec::new()
        },
    })
}

fn spans(lanes: usize, label: &str) -> Plot {
    let span = |key: usize, from: f64, to: f64| Span { key, from, to, note: String::new(), marked: key == 1 };
    let lane = |i: usize| Lane {
        label: format!("{label} {i}"),
        spans: vec![span(0, 0.0, 20.0 + i as f64), span(1, 20.0 + i as f64, 20.015625 + i as f64)],
    };
    Plot::Spans(Spans {
        row_name: "Guest".into(),
        x: Quantity::new("Time since VMRELOCATE", "s"),
        keys: vec![Key::new("moves", 0), Key::new("stopped", 1), Key::new("never seen", 2)],
        lanes: (0..lanes).map(lane).collect(),
        levels: vec![Level { name: "window".into(), value: 60.0, look: 7 }],
    })
}

fn every_plot() -> Vec<Plot> {
    let mut plots = vec![Plot::Nothing("No run yet: the first result comes in a moment.".into())];
    for count in [0, 1, 2, 50, 2000] {
        plots.push(lines(count, None));
    }
    plots.push(lines(9, Some("V4DVY000")));
    for (count, marked) in [(1, 0.0), (15, 0.0), (15, 14.0), (15, 99.0), (15, -3.0)] {
        plots.push(Plot::Lines(named(count, marked)));
    }
    plots.extend([0, 1, 2, 30].map(areas));
    for rows in [0, 1, 4, 8, 32, 64] {
        for label in ["V", "a label that is rather long for a phone"] {
            plots.extend([Plot::Stack(grid(rows, label)), Plot::Columns(grid(rows, label)), Plot::Dots(grid(rows, label))]);
        }
    }
    plots.extend([map(0), map(1), map(8), map(64)]);
    for lanes in [0, 1, 4, 16, 25, 64] {
        plots.extend(["LINUX", "a label that is rather long for a phone"].map(|label| spans(lanes, label)));
    }
    plots
}

/// The extent of a mark: left, top, right, bottom.
fn extent(mark: &Mark) -> (f64, f64, f64, f64) {
    match mark {
        Mark::Line { spots, .. } => spots
            .iter()
            .fold((f64::MAX, f64::MAX, f64::MIN, f64::MIN), |e, s| (e.0.min(s.0), e.1.min(s.1), e.2.max(s.0), e.3.max(s.1))),
        Mark::Fill { rect, .. } | Mark::Outline { rect, .. } => (rect.x, rect.y, rect.right(), rect.bottom()),
        Mark::Marker { at, .. } => (at.0, at.1, at.0, at.1),
        Mark::Text { at, text, size, along, .. } => {
            let wide = measure(text, *size);
            let left = at.0
                - if *along == Side::End {
                    wide
                } else if *along == Side::Middle {
                    wide / 2.0
                } else {
                    0.0
                };
            (left, at.1, left + wide, at.1)
        }
    }
}

#[test]
fn places_without_a_value_do_not_stretch_the_axis() {
    let Plot::Lines(mut lines) = lines(5, None) else { panic!("lines") };
    let none = |x: f64| Point { x, y: f64::NAN, label: None };
    let points = vec![none(6.0), none(40.0), none(1_000.0)];
    lines.series.push(Series { key: Key::new("no time", 1), joined: false, points });
    (lines.x_from_zero, lines.by_point) = (true, true);
    let scene = scene(&chart(Plot::Lines(lines)), 600.0, &measure);
    let texts = written(&scene);
    assert!(texts.contains(&"6") && !texts.contains(&"40") && !texts.contains(&"1,000"), "{texts:?}");
}

#[test]
fn a_chart_fits_into_the_height_that_the_page_gives() {
    let rows = |plot: &Plot| match plot {
        Plot::Stack(grid) | Plot::Columns(grid) | Plot::Dots(grid) => grid.rows.len(),
        Plot::Spans(spans) => spans.lanes.len(),
        _ => 0,
    };
    for plot in every_plot().into_iter().filter(|plot| rows(plot) <= 12) {
        for (width, height) in [(190.0, 165.0), (360.0, 300.0)] {
            let scene = seen(&chart(plot.clone()), width, View { height: Some(height), window: None }, &measure);
            assert!(scene.height <= height + SPARE, "{} of {height} at {width}: {plot:?}", scene.height);
        }
    }
}

#[test]
fn nothing_stands_outside_the_scene() {
    for plot in every_plot() {
        for width in [250.0, 320.0, 399.0, 400.0, 700.0, 1400.0] {
            let chart = chart(plot.clone());
            let windows = [(0.0, 0.1), (3.0, 9.5), (20.5, 20.6), (40.0, 9_999.0)].map(Some);
            let parts = windows.map(|window| seen(&chart, width, View { window, height: Some(220.0) }, &measure));
            let whole = [scene(&chart, width, &measure), with_caption(&chart, width, &measure)];
            for scene in whole.into_iter().chain(parts) {
                assert!(scene.height.is_finite() && scene.height > 20.0 && scene.height < 2600.0, "{}", scene.height);
                for mark in &scene.marks {
                    let (left, top, right, bottom) = extent(mark);
                    let inside = left >= -1.0 && top >= 0.0 && right <= width + 1.0 && bottom <= scene.height;
                    assert!(inside, "{mark:?} at width {width}, height {}: {plot:?}", scene.height);
                }
            }
        }
    }
}

#[test]
fn every_number_can_be_read_out() {
    let stops = |plot| scene(&chart(plot), 600.0, &measure).stops;
    assert_eq!(stops(lines(50, None)).len(), 50);
    assert_eq!(stops(lines(9, Some("V4DVY000"))).len(), 18);
    assert_eq!(stops(Plot::Stack(grid(4, "V"))).len(), 8);
    assert_eq!(stops(Plot::Columns(grid(4, "V"))).len(), 4);
    assert_eq!(stops(Plot::Dots(grid(4, "V"))).len(), 4);
    assert_eq!(stops(map(8)).len(), 16);
    assert_eq!(stops(areas(9)).len(), 9);
    assert_eq!(stops(spans(9, "LINUX")).len(), 18);
    assert_eq!(stops(spans(2, "LINUX"))[3].text, "LINUX 1: stopped for 0.01562\u{a0}s, from 21\u{a0}s to 21.02\u{a0}s");
    assert_eq!(stops(areas(9))[1].text, "1\u{a0}s: first 1,000 · second 20,000 pages/s, 21,000 together");
    assert!(
        stops(lines(50, None))[7].text.starts_with("7\u{a0}s: first 0 · second 0 pages/s"),
        "{:?}",
        stops(lines(50, None))[7].text
    );
}

#[test]
fn named_places_are_read_out_by_name_and_the_marked_one_without_asking() {
    let scene = scene(&chart(Plot::Lines(named(15, 2.0))), 600.0, &measure);
    assert_eq!(scene.stops.len(), 15, "one for each place, whatever stands on it");
    assert!(scene.stops[2].text.starts_with("13:2: QRBKW048, first 2,000 · QRBKW048, second"), "{}", scene.stops[2].text);
    assert_eq!(scene.rest, Some(2));
    let table = crate::chart::table::shown(&Plot::Lines(named(15, 2.0)));
    assert_eq!((table.rows.len(), table.rows[2][0].as_str(), table.rows[2][1].as_str()), (15, "13:2", "QRBKW048"));
}

#[test]
fn keys_that_share_a_name_stand_in_the_legend_once() {
    let legend = |share: bool| {
        let mut plot = named(3, 1.0);
        for series in plot.series.iter_mut().filter(|_| share) {
            series.key = series.key.clone().under("both");
        }
        let scene = scene(&chart(Plot::Lines(plot)), 600.0, &measure);
        let says = |mark: &&Mark, word: &str| matches!(mark, Mark::Text { text, .. } if text == word);
        ["first", "second", "both"].map(|word| scene.marks.iter().filter(|mark| says(mark, word)).count())
    };
    assert_eq!(legend(false), [1, 1, 0]);
    assert_eq!(legend(true), [0, 0, 1]);
}

/// All that is written in a scene.
fn written(scene: &Scene) -> Vec<&str> {
    scene
        .marks
        .iter()
        .filter_map(|mark| if let Mark::Text { text, .. } = mark { Some(text.as_str()) } else { None })
        .collect()
}

#[test]
fn no_group_of_columns_loses_its_name_on_a_phone() {
    let mut grid = grid(4, "LINUX");
    grid.rows.iter_mut().for_each(|row| row.label += ", RELATIVE 100");
    let scene = scene(&chart(Plot::Columns(grid)), 300.0, &measure);
    let words = written(&scene);
    assert!((0..4).all(|at| words.contains(&format!("LINUX {at},").as_str())), "{words:?}");
}

#[test]
fn names_of_columns_that_would_be_cut_lose_what_they_have_in_common() {
    for (names, wanted) in [
        (["LINUX-WEB-01", "LINUX-WEB-02"], ["01", "02"]),
        (["CHANNELPATHS 1", "CHANNELPATHS 2"], ["1", "2"]),
        (["RESPONSES-A", "RESPONSES-B"], ["A", "B"]),
        (["RESPONSEONE", "RESPONSETWO"], ["RESPONSEONE", "RESPONSETWO"]),
    ] {
        let mut grid = grid(2, "");
        grid.rows.iter_mut().zip(names).for_each(|(row, name)| row.label = name.into());
        let drawn = scene(&chart(Plot::Columns(grid.clone())), 150.0, &measure);
        let words = written(&drawn);
        let is_written = |name: &&str| {
            words.iter().any(|word| word == name || word.ends_with('…') && name.starts_with(word.trim_end_matches('…')))
        };
        assert!(wanted.iter().all(is_written), "{words:?}");
        let wide = scene(&chart(Plot::Columns(grid)), 900.0, &measure);
        assert!(names.iter().all(|name| written(&wide).contains(name)), "a name that fits is whole: {:?}", written(&wide));
    }
}

#[test]
fn what_an_axis_counts_is_written_in_full() {
    let mut plot = named(9, 1.0);
    plot.x = Quantity::new("Third number of STORBUF, in percent for the guests in Q3", "");
    plot.y = Quantity::new("Logical processors with work but no physical processor", "processors");
    let scene = scene(&chart(Plot::Lines(plot)), 280.0, &measure);
    assert!(written(&scene).iter().all(|text| !text.contains('…')), "{:?}", written(&scene));
}

#[test]
fn a_scene_is_the_same_each_time() {
    for plot in every_plot() {
        let chart = chart(plot);
        assert_eq!(scene(&chart, 333.0, &measure), scene(&chart, 333.0, &measure));
    }
}

#[test]
fn what_must_be_seen_of_a_lane_is_seen_however_short() {
    let scene = scene(&chart(spans(25, "LINUX")), 360.0, &measure);
    for stop in scene.stops.iter().filter(|stop| stop.text.contains("stopped")) {
        let rect = stop.areas[0];
        assert!(rect.w >= 3.0, "{}: {} wide", stop.text, rect.w);
        let drawn = scene.marks.iter().rposition(|mark| matches!(mark, Mark::Fill { rect: other, .. } if *other == rect));
        let under = scene.marks.iter().rposition(
            |mark| matches!(mark, Mark::Fill { rect: other, ink: Ink::Look(0), .. } if other.y == rect.y && other.w > 20.0),
        );
        assert!(drawn > under && under.is_some(), "it is on top of what is beside it");
    }
}

/// What `plot` shows of a part of its time.
fn part(plot: Plot, window: (f64, f64)) -> Scene {
    seen(&chart(plot), 700.0, View { window: Some(window), height: None }, &measure)
}

#[test]
fn a_part_of_the_time_has_the_stops_in_it_only() {
    for plot in [lines(50, None), areas(50)] {
        let whole = scene(&chart(plot.clone()), 700.0, &measure);
        let scene = part(plot, (10.0, 20.0));
        let when: Vec<f64> = scene.stops.iter().filter_map(|stop| stop.when).collect();
        assert_eq!((when.first(), when.last()), (when.iter().min_by(|a, b| a.total_cmp(b)), Some(&20.0)));
        assert!(when[0] >= 10.0 && when.len() < 12, "{when:?}");
        assert_eq!(scene.rest, Some(when.len() - 1));
        let [whole, time] = [whole, scene].map(|scene| scene.time.expect("a time axis"));
        assert_eq!((time.shown, time.whole), ((10.0, 20.0), whole.whole));
        assert!(time.is_part() && !whole.is_part());
    }
    let spans = part(spans(4, "LINUX"), (20.5, 40.0));
    assert_eq!(spans.time.map(|time| time.shown), Some((20.5, 40.0)));
    assert!(spans.stops.iter().all(|stop| !stop.text.starts_with("LINUX 0")), "that lane has ended");
}

#[test]
fn a_part_without_values_or_of_no_time_axis_is_not_shown() {
    let of = |plot: &Plot, window| part(plot.clone(), window) == scene(&chart(plot.clone()), 700.0, &measure);
    assert!(of(&lines(50, None), (100.0, 200.0)));
    for plot in [lines(9, Some("V4DVY000")), Plot::Lines(named(15, 3.0)), Plot::Columns(grid(4, "V")), map(8)] {
        assert!(of(&plot, (2.0, 3.0)));
        assert!(scene(&chart(plot), 700.0, &measure).time.is_none());
    }
}

#[test]
fn labels_at_unequal_distances_do_not_overlap_and_keep_the_ends() {
    let numbers = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64];
    let points = numbers.map(|x| Point { x: f64::from(x), y: 1.0, label: None }).into();
    let ticks = numbers.map(|x| (f64::from(x), x.to_string())).into();
    let series = vec![Series { key: Key::new("model", 0), joined: true, points }];
    let plot = Plot::Lines(Lines { series, ticks, ..Lines::default() });
    for width in [200.0, 240.0, 400.0, 800.0] {
        let scene = scene(&chart(plot.clone()), width, &measure);
        let at = |name: &str| scene.marks.iter().find(|mark| matches!(mark, Mark::Text { text, .. } if text == name));
        assert!(at("1").is_some() && at("64").is_some(), "{width}");
        let labels = scene.marks.iter().filter(|mark| {
            matches!(mark, Mark::Text { text, along: Side::Middle, .. } if numbers.iter().any(|x| x.to_string() == *text))
        });
        let mut ends: Vec<(f64, f64)> = labels.map(extent).map(|extent| (extent.0, extent.2)).collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(ends.windows(2).all(|pair| pair[0].1 < pair[1].0), "{width}: {ends:?}");
        let stop = |x: usize| scene.stops[x].areas[0].x;
        assert!(stop(10) - stop(9) > 7.0 * (stop(7) - stop(6)), "a step of 32 is eight times one of 4");
    }
}

#[test]
fn whole_rows_of_charts_fill_a_pane() {
    for pane in [180.0, 252.0, 400.0, 520.0, 900.0, 1_400.0] {
        let each = shared_height(pane, 92.0, 9.0);
        let rows = (pane / (92.0 + SHARED_FROM)).floor();
        assert!((SHARED_MIN..=SHARED_MAX).contains(&each));
        assert!(pane < 252.0 || rows * (each + 92.0) <= pane, "{pane}: {rows} of {each}");
    }
    assert_eq!(shared_height(252.0, 92.0, 9.0), 160.0);
    assert_eq!(shared_height(520.0, 92.0, 9.0), 168.0);
}
