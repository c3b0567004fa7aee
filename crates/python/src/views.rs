//! Pictures of a result, made of what the page is made of: the machine, and the charts of its rooms.

use std::rc::Rc;

use zvmlab::{Scenario, Snapshot};
use zvmlab_lab::chart::{Chart, Plot, svg};
use zvmlab_lab::evidence::{Evidence, Sample, Settled};
use zvmlab_lab::machine::{self, Form, Rates};
use zvmlab_lab::published::{self, ready};
use zvmlab_lab::room::Room;
use zvmlab_lab::rooms::cluster::{charts as of_cluster, relocating};
use zvmlab_lab::rooms::{self, isfc, relocation};
use zvmlab_lab::subjects::Subject;

use crate::crew::Done;

/// A chart: room, id, title, summary and the text of an SVG file.
pub type Drawn = (String, String, String, String, String);

/// The machine at the end of a run's interval.
pub fn machine(scenario: &Scenario, run: &Done, width: f64) -> String {
    let subject = Subject::of(scenario, ready::like(scenario).as_deref());
    let (first, last) = (&run.first, &run.outcome.snapshot);
    let rates = Rates::between(first, last);
    let scene = machine::scene(Form::of(subject), scenario, last, &rates, run.outcome.limits.limit, width);
    machine::svg::file(&scene, &scenario.name)
}

/// The charts of a run, those of its subject's room first.
pub fn charts(scenario: &Scenario, run: &Done, width: f64) -> Vec<Drawn> {
    let current = ready::like(scenario);
    let subject = Subject::of(scenario, current.as_deref());
    let share = |sample: &Sample| Rc::new(sample.clone());
    let history: Rc<Vec<Rc<Sample>>> = Rc::new(run.samples.iter().map(share).collect());
    let outcome = &run.outcome;
    let settled = Settled {
        scenario: scenario.clone(),
        seed: outcome.seed,
        measurement: outcome.measurement.clone(),
        limits: Rc::new(outcome.limits.clone()),
        snapshot: outcome.snapshot.clone(),
        digest: outcome.digest,
        series: history.clone(),
    };
    let evidence = Evidence {
        history,
        settled: Some(Rc::new(settled)),
        pinned: None,
        published: Rc::new(published::runs()),
        current_run: current,
    };
    let mut drawn = Vec::new();
    for room in rooms::in_order(scenario, subject, Some(&outcome.snapshot)) {
        for chart in
            of_room(room, &evidence, &outcome.snapshot).into_iter().filter(|chart| !matches!(chart.plot, Plot::Nothing(_)))
        {
            let picture = svg::file(&chart, width);
            drawn.push((room.id().into(), chart.id.into(), chart.title, chart.summary, picture));
        }
    }
    drawn
}

/// The charts of a room. Rooms of a cluster are more than their charts on the page: here are the charts.
fn of_room(room: Room, evidence: &Evidence, snapshot: &Snapshot) -> Vec<Chart> {
    if let Some((charts, _)) = rooms::charts(room, evidence) {
        return charts;
    }
    let (Some(cluster), now_ns) = (snapshot.cluster.as_deref(), snapshot.now_ns) else { return Vec::new() };
    match room {
        Room::Relocation => match cluster.relocations.first() {
            None => Vec::new(),
            Some(first) => vec![
                relocation::charts::lanes(evidence, cluster, now_ns),
                relocation::charts::strip(evidence, first, now_ns),
                relocation::charts::passes(evidence, first),
                relocation::charts::throughput(evidence, cluster, first, now_ns),
            ],
        },
        Room::Isfc => relocating(evidence)
            .map(|window| isfc::charts::charts(evidence, isfc::busiest(cluster), window))
            .unwrap_or_default(),
        Room::Cluster => of_cluster::charts(evidence, snapshot, cluster),
        _ => Vec::new(),
    }
}
