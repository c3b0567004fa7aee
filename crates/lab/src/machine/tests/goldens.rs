//! Does the picture change? A picture of each form, as the text of its file. After a change that is meant to change it, make them
//! anew: `ZVMLAB_MINT=1 cargo test -p zvmlab-lab goldens`, and look at them in a browser.

use super::*;

/// Width of the pictures in CSS pixels.
const WIDTH: f64 = 760.0;

/// Compares the picture of `snapshot` with the one that is kept under this name.
fn check(name: &str, form: Form, scenario: &Scenario, before: &Snapshot, snapshot: &Snapshot) {
    let picture = scene(form, scenario, snapshot, &Rates::between(before, snapshot), None, WIDTH);
    // A line for each element, so that a difference is one.
    let actual = svg::file(&picture, name).replace("><", ">\n<");
    let path = format!("{}/../../tests/scenes/{name}.svg", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("ZVMLAB_MINT").is_some() {
        return std::fs::write(&path, actual).expect("the golden folder can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut lines = actual.lines().zip(expected.lines()).enumerate();
    if let Some((line, (actual, expected))) = lines.find(|(_, (actual, expected))| actual != expected) {
        panic!("{name}, line {}: expected {expected:?}, got {actual:?}", line + 1);
    }
    assert_eq!(actual.len(), expected.len(), "{name}: one of the two is longer");
}

#[test]
fn the_goldens_of_each_form_are_as_they_were() {
    let paging = host();
    let mut simulation = filled(&paging);
    let before = simulation.snapshot();
    simulation.run_until(Instant(before.now_ns + 1_000_000_000));
    check("pipeline", Form::Pipeline, &paging, &before, &simulation.snapshot());

    let (storbuf, now, _) = scheduled("STORBUF");
    check("lanes", Form::Lanes, &storbuf, &Snapshot::default(), &now);

    let (shared, now, _) = scheduled("PRSM");
    check("prsm", Form::Lanes, &shared, &Snapshot::default(), &now);

    let moving = clusters::scaled("MOVE", 64);
    let mut simulation = filled(&moving);
    let before = simulation.snapshot();
    let moves = |snapshot: &Snapshot| {
        snapshot.cluster.as_ref().is_some_and(|cluster| cluster.relocations.iter().any(|one| one.passes.len() > 1))
    };
    while !moves(&simulation.snapshot()) {
        simulation.run_until(Instant(simulation.now().0 + 20_000_000));
    }
    check("members", Form::Members, &moving, &before, &simulation.snapshot());

    let whole = clusters::scaled("WHOLE", 1);
    let mut simulation = Simulation::new(&whole, 1).expect("valid");
    simulation.run_until(Instant(6_000_000_000));
    let before = simulation.snapshot();
    simulation.run_until(Instant(6_200_000_000));
    check("whole", Form::Members, &whole, &before, &simulation.snapshot());
}
