//! What the charts of a room share: the instant that is read, and the part of the time that is shown.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab_lab::chart::time::{SIMULATED_TIME, Window};
use zvmlab_lab::machine::Frame;

/// An instant that is read in a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Instant {
    /// The time axis.
    pub axis: String,
    /// Where on it.
    pub when: f64,
    /// The chart that the reader points at.
    pub chart: &'static str,
}

/// What the charts of a room share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    instant: Option<Instant>,
    windows: Vec<(String, Window)>,
}

/// What a reader does.
pub enum Act {
    /// Reads an instant.
    Read(Instant),
    /// Reads no longer in this chart.
    Leave(&'static str),
    /// Shows a part of the time of this axis; `None` shows all.
    Show(String, Option<Window>),
}

impl Times {
    /// The instant that is read in a chart other than `chart`, if both have the time axis `axis`.
    pub fn elsewhere(&self, axis: Option<&str>, chart: &str) -> Option<f64> {
        let instant = self.instant.as_ref().filter(|instant| instant.chart != chart && Some(instant.axis.as_str()) == axis);
        instant.map(|instant| instant.when)
    }

    /// The part of the time of `axis` that is shown.
    pub fn window(&self, axis: Option<&str>) -> Option<Window> {
        self.windows.iter().find(|(name, _)| Some(name.as_str()) == axis).map(|(_, window)| *window)
    }
}

impl Reducible for Times {
    type Action = Act;

    fn reduce(self: Rc<Self>, act: Act) -> Rc<Self> {
        let mut times = (*self).clone();
        match act {
            Act::Read(instant) => times.instant = Some(instant),
            Act::Leave(chart) => drop(times.instant.take_if(|instant| instant.chart == chart)),
            Act::Show(axis, window) => {
                times.windows.retain(|(name, _)| *name != axis);
                times.windows.extend(window.map(|window| (axis, window)));
            }
        }
        Rc::new(times)
    }
}

/// What the charts around share, and how a chart changes it.
pub type Shared = UseReducerHandle<Times>;

/// How far the live run is that the picture shows: simulated nanoseconds and events; none where it shows a result. The transport shows
/// the same, so that there are not two clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen(pub Option<(u64, u64)>);

impl Seen {
    /// Of what the picture shows.
    pub fn of(frame: Option<&Frame>) -> Seen {
        let live = frame.filter(|frame| frame.run.is_some());
        Seen(live.map(|frame| (frame.sample.snapshot.now_ns, frame.sample.snapshot.events)))
    }
}

/// The instant at which the picture of the machine stands, in simulated seconds, where charts show another time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MachineAt(pub Option<f64>);

impl MachineAt {
    /// That instant, if `axis` is the time of the run.
    pub fn on(self, axis: Option<&str>) -> Option<f64> {
        self.0.filter(|_| axis == Some(SIMULATED_TIME))
    }
}

/// The content of a scope.
#[derive(Clone, PartialEq, Properties)]
pub struct ScopeProps {
    /// Where the machine stands.
    pub machine: MachineAt,
    /// The charts of a room.
    pub children: Html,
}

/// Charts that share what the reader looks at.
#[component]
pub fn TimeScope(props: &ScopeProps) -> Html {
    let shared = use_reducer_eq(Times::default);
    html! {
        <ContextProvider<MachineAt> context={props.machine}>
            <ContextProvider<Shared> context={shared}>{ props.children.clone() }</ContextProvider<Shared>>
        </ContextProvider<MachineAt>>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(acts: impl IntoIterator<Item = Act>) -> Rc<Times> {
        acts.into_iter().fold(Rc::default(), Reducible::reduce)
    }

    #[test]
    fn an_instant_is_read_in_the_other_charts_of_its_axis_until_its_chart_is_left() {
        let read = || Act::Read(Instant { axis: "Simulated time".into(), when: 30.0, chart: "etr" });
        let times = after([read(), Act::Leave("pages")]);
        assert_eq!(times.elsewhere(Some("Simulated time"), "pages"), Some(30.0));
        assert_eq!(times.elsewhere(Some("Simulated time"), "etr"), None, "its own chart");
        assert_eq!((times.elsewhere(Some("Time since VMRELOCATE"), "pages"), times.elsewhere(None, "pages")), (None, None));
        assert_eq!(after([read(), Act::Leave("etr")]), Rc::default());
    }

    #[test]
    fn the_machine_stands_on_the_time_of_the_run() {
        assert_eq!(MachineAt(Some(3.0)).on(Some(SIMULATED_TIME)), Some(3.0));
        assert_eq!((MachineAt(Some(3.0)).on(Some("Time since VMRELOCATE")), MachineAt(Some(3.0)).on(None)), (None, None));
    }

    #[test]
    fn each_axis_has_its_part() {
        let show = |axis: &str, window| Act::Show(axis.into(), window);
        let times = after([show("a", Some((1.0, 2.0))), show("b", Some((3.0, 4.0))), show("a", Some((1.0, 1.5)))]);
        assert_eq!(
            (times.window(Some("a")), times.window(Some("b")), times.window(None)),
            (Some((1.0, 1.5)), Some((3.0, 4.0)), None)
        );
        assert_eq!(after([show("a", Some((1.0, 2.0))), show("a", None)]), Rc::default());
    }
}
