//! The logical processors at this instant: what each does, for whom, and how many virtual CPUs its vector holds.

use yew::prelude::*;
use zvmlab::snapshot::{Doing, LogicalSnapshot};
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::rooms::compared::newest;
use zvmlab_lab::rooms::logical::{does, said};

/// The processors side by side.
pub fn now(evidence: &Evidence) -> Html {
    let Some(snapshot) = newest(evidence).filter(|snapshot| !snapshot.processors.logical.is_empty()) else {
        return Html::default();
    };
    let tile = |(index, logical): (usize, &LogicalSnapshot)| {
        html! {
            <li key={index} class={classes!("tile", class(logical.does))}>
                <span class="tile-name">{ index }</span>
                <span class="tile-does">{ does(logical, snapshot) }</span>
                <span class="tile-vector">{ format!("vector {}", logical.vector) }</span>
            </li>
        }
    };
    let processors = &snapshot.processors;
    html! {
        <section class="card logical" aria-labelledby="logical-title">
            <h3 id="logical-title">{ format!("Logical processors at {:.3} s", snapshot.now_ns as f64 / 1e9) }</h3>
            <ol class="tiles">{ for processors.logical.iter().enumerate().map(tile) }</ol>
            <p class="help">{ said(snapshot) }</p>
        </section>
    }
}

fn class(does: Doing) -> &'static str {
    match does {
        Doing::Idle => "idles",
        Doing::Guest => "guest",
        Doing::Cp => "cp",
        Doing::Spin => "spins",
        Doing::Suspended => "suspended",
    }
}
