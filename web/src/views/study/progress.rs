//! The progress of trials, with a bar, and a button to stop or continue. Both a question and the plan of an evacuation use
//! it.

use yew::prelude::*;
use zvmlab_lab::batch::runner::{Around, Runner};
use zvmlab_lab::batch::trials::Trials;

/// The progress of the trials. Screen readers hear only their end.
pub fn progress(runner: &Runner<Trials>, around: Around, stop: &Callback<()>, go_on: &Callback<()>) -> Html {
    let Some(trials) = runner.batch() else { return Html::default() };
    if !trials.is_of(around.base, around.seed) {
        return html! { <p class="help study-state">{ "This is of the settings before; it follows when the bench has settled." }</p> };
    }
    let (done, all) = trials.progress();
    let runs = |count: usize| if count == 1 { "1 run".to_string() } else { format!("{count} runs") };
    let over = match (trials.is_complete(), runner.took_ms()) {
        (true, Some(ms)) => format!("{} of the scenario on the bench, in {:.1} s.", runs(all), ms / 1e3),
        (true, None) => format!("{} of the scenario on the bench.", runs(all)),
        _ => String::new(),
    };
    let under_way = !trials.is_complete() && !runner.waits(around) && runner.failed().is_none();
    let why = match runner.failed() {
        Some(why) => Some(why.to_string()),
        None if trials.is_complete() || under_way => None,
        None if runner.is_stopped() => Some(format!("Stopped after {done} of {}.", runs(all))),
        None => Some(format!(
            "{done} of {} done. The rest would take about {:.0} s.",
            runs(all),
            (runner.rest_ms() / 1e3).ceil()
        )),
    };
    let press = |to: &Callback<()>, label: &'static str, id: &'static str| {
        html! { <button type="button" key={id} class={id} onclick={to.reform(|_: MouseEvent| ())}>{ label }</button> }
    };
    html! {
        <p class="help study-state progress">
            if under_way {
                <label class="swept">{ format!("{done} of {} done ", runs(all)) }<progress max={all.to_string()} value={done.to_string()} /></label>
                { press(stop, "Stop", "stop-trials") }
            }
            if let Some(why) = why {
                { why }{ " " }{ press(go_on, "Run the rest", "run-trials") }
            }
            <span role="status">{ over }</span>
        </p>
    }
}
