//! The live run's controls: run, pause, single step, speed, and the clock.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::chart::linked::Seen;
use crate::msg::Msg;
use zvmlab_lab::bench::live::{Live, Phase, SPEEDS};
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::words::number::{number, trimmed, whole};

/// From this speed on, the rate of events is worth a look, in simulated seconds for each second.
const RATE_FROM: f64 = 0.1;

/// Widths of the line of time in CSS pixels: at least this much on a phone, and where the style sheet shows names `on-wide`.
const NARROW_LINE: f64 = 330.0;
const WIDE_LINE: f64 = 560.0;
/// Where the name of a part begins, in CSS pixels: beside the thumb that stands at its begin.
const NAME_FROM: &str = "10";
/// What the name of a part takes in it, in CSS pixels: a margin, and each letter at most.
const NAME_MARGIN: f64 = 12.0;
const NAME_LETTER: f64 = 6.8;

/// The data of the controls.
#[derive(Clone, PartialEq, Properties)]
pub struct LiveProps {
    /// What it is doing.
    pub phase: Phase,
    /// Whether it goes on by itself.
    pub running: bool,
    /// Simulated seconds for each second.
    pub speed: f64,
    /// The part of the guests' loops that they have touched.
    pub fill: f64,
    /// Simulated nanoseconds since the start of the run.
    pub now_ns: u64,
    /// Events handled so far.
    pub events: u64,
    /// What the last single step changed, in words.
    pub stepped: Option<String>,
    /// The events between the members of a cluster, in words.
    pub under_way: Option<String>,
    /// Events handled for each second.
    pub events_per_s: f64,
    /// Simulated seconds for each second, as measured.
    pub real_speed: f64,
    /// Whether the knobs' scenario cannot be run.
    pub refused: bool,
    /// The times of the settled experiment.
    pub times: Option<Times>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The times of an experiment, in simulated seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The end of the fill.
    pub filled: f64,
    /// The end of the warm-up, which is the begin of the interval.
    pub from: f64,
    /// The end of the interval.
    pub to: f64,
}

impl Times {
    /// Those of a settled result.
    pub fn of(settled: &Settled) -> Times {
        let (from, to) = (settled.measurement.from_s, settled.measurement.to_s);
        // Where the host was not steady, the warm-up took longer than the scenario asks for.
        let asked_s = f64::from(settled.scenario.measure.warmup_s);
        let warmup_s = settled.measurement.settling.map_or(asked_s, |settling| settling.warmup_s);
        Times { filled: (from - warmup_s).max(0.0), from, to }
    }
}

impl LiveProps {
    /// The data for `live`.
    pub fn of(live: &Live, times: Option<Times>, refused: bool, on: Callback<Msg>) -> LiveProps {
        LiveProps {
            phase: live.phase,
            running: live.running,
            speed: live.speed,
            fill: live.fill,
            now_ns: live.at.as_ref().map_or(0, |at| at.now_ns),
            events: live.at.as_ref().map_or(0, |at| at.events),
            stepped: live.stepped.clone(),
            under_way: live
                .at
                .as_ref()
                .filter(|_| !matches!(live.phase, Phase::Filling | Phase::Passing))
                .and_then(|at| at.under_way.clone()),
            events_per_s: live.events_per_s,
            real_speed: live.real_speed,
            refused,
            times,
            on,
        }
    }
}

/// The controls.
#[component]
pub fn LiveBar(props: &LiveProps) -> Html {
    let change = props.on.reform(|event: Event| {
        let value = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
        Msg::ChangeSpeed(value.unwrap_or(1.0))
    });
    let speed = |speed: f64| {
        let chosen = (speed / props.speed - 1.0).abs() < 0.01;
        html! { <option value={speed.to_string()} selected={chosen}>{ pace(speed) }</option> }
    };
    let own_speed = !SPEEDS.iter().any(|speed| (speed / props.speed - 1.0).abs() < 0.01);
    let off = props.phase == Phase::Off;
    let cannot_go_on = props.refused || props.phase == Phase::Ended;
    // A run can always be paused, whatever the knobs show by now.
    let cannot_toggle = props.phase == Phase::Ended || (props.refused && !props.running);
    html! {
        <section class="live" aria-label="Live run">
            <div class="transport">
                <button type="button" onclick={props.on.reform(|_| Msg::ToggleRun)} disabled={cannot_toggle}>
                    { if props.running { "Pause" } else { "Run" } }
                </button>
                <button type="button" onclick={props.on.reform(|_| Msg::Step)} disabled={cannot_go_on}>
                    { "Single step" }
                </button>
                <button type="button" onclick={props.on.reform(|_| Msg::EndLive)} disabled={off}>{ "Reset run" }</button>
                <label for="speed">{ "Speed" }</label>
                <select id="speed" onchange={change} title="Simulated seconds for each second">
                    { for SPEEDS.iter().map(|&one| speed(one)) }
                    if own_speed { { speed(props.speed) } }
                </select>
            </div>
            <Clock ..props.clone() />
            { time_line(props) }
            // The picture shows it, and the room of relocation announces it. Here it stands for those who look for it in the transport.
            if let Some(under_way) = &props.under_way { <p class="under-way hidden" data-testid="under-way">{ under_way }</p> }
            if props.stepped.is_some() || props.phase == Phase::Ready {
                <p class="stepped" role="status">{ props.stepped.clone() }</p>
            }
        </section>
    }
}

/// The experiment from its fill to the end of its interval. The reader can go to any instant after the fill.
fn time_line(props: &LiveProps) -> Html {
    let Some(Times { filled, from, to }) = props.times else { return Html::default() };
    let go = props.on.reform(|event: Event| {
        let value = event.target_dyn_into::<HtmlInputElement>().and_then(|input| input.value().parse::<f64>().ok());
        Msg::GoToTime((value.unwrap_or(0.0).max(0.0) * 1e9) as u64)
    });
    let now = if props.phase == Phase::Off { to } else { (props.now_ns as f64 / 1e9).clamp(0.0, to) };
    let part = |begin: f64, end: f64, class: &'static str, name: &'static str| {
        let (x, width) = (100.0 * begin / to, 100.0 * (end - begin) / to);
        let needed = NAME_MARGIN + NAME_LETTER * name.len() as f64;
        let on = |line: f64| width * line / 100.0 >= needed;
        html! {
            <svg x={format!("{x}%")} width={format!("{width}%")} height="14" overflow="hidden">
                <rect {class} width="100%" height="14" />
                if on(WIDE_LINE) { <text class={(!on(NARROW_LINE)).then_some("on-wide")} x={NAME_FROM} y="11">{ name }</text> }
                <title>{ format!("{name}: {begin:.1} to {end:.1} s") }</title>
            </svg>
        }
    };
    let last = format!("{:.3}", to);
    html! {
        <div class="time-line">
            <svg width="100%" height="14" aria-hidden="true">
                { part(0.0, filled, "fill-time", "fill") }{ part(filled, from, "warm-up", "warm-up") }{ part(from, to, "interval", "interval") }
            </svg>
            <input type="range" id="time" min="0" max={last} step="0.001" value={format!("{now:.3}")} onchange={go}
                aria-label="Instant, in simulated seconds" aria-valuetext={format!("{now:.3} s")} disabled={props.refused} />
        </div>
    }
}

/// A speed: simulated time for each second.
fn pace(speed: f64) -> String {
    if speed < 0.1 { format!("{} ms/s", trimmed(1e3 * speed)) } else { format!("{}×", trimmed(speed)) }
}

/// What the run is doing, and where it is.
#[component]
fn Clock(props: &LiveProps) -> Html {
    let Seen(seen) = use_context().unwrap_or_default();
    let (now_ns, events) = seen.unwrap_or((props.now_ns, props.events));
    match props.phase {
        Phase::Off => html! {
            <p class="clock">{ "Run shows the experiment as it happens." }</p>
        },
        Phase::Filling => html! {
            <p class="clock">
                <label>{ format!("Filling: the guests touch their storage for the first time, {:.0} % ", props.fill * 100.0) }
                    <progress max="1" value={props.fill.to_string()} />
                </label>
            </p>
        },
        // Until the run is there, the picture shows the finished experiment, if there is one.
        Phase::Passing if props.times.is_some() => html! {
            <p class="clock pieces">
                <span>{ "Shown: the interval’s end." }</span>{ " " }<span>{ "Time passes at full speed." }</span>
            </p>
        },
        Phase::Passing => html! { <p class="clock">{ "Time passes at full speed…" }</p> },
        Phase::Ready | Phase::Ended => html! {
            <p class="clock pieces">
                <span class="time">{ format!("{:.3} s", now_ns as f64 / 1e9) }</span>{ " " }
                <span>{ format!("event {}", whole(events)) }</span>
                if props.running && props.events_per_s > 0.0 && props.speed >= RATE_FROM {
                    { " " }<span>{ format!("· {} events a second", number(props.events_per_s)) }</span>
                    if props.real_speed < props.speed * 0.8 {
                        { " " }<span>{ format!("· as fast as this machine can: {}×", number(props.real_speed)) }</span>
                    }
                }
                if props.phase == Phase::Ended { { " " }<span>{ "· no event is left" }</span> }
            </p>
        },
    }
}
