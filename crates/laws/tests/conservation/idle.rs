//! Does a field that states that it has no effect have none? Another host lends such fields its values. The host then runs on
//! in the same way, as far as its guests and its figures tell.

use proptest::prelude::*;
use zvmlab::kernel::time::Instant;
use zvmlab::measurement::FIGURES;
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::GuestSnapshot;
use zvmlab::{Measurement, Simulation};

use super::{hosts, step};

/// Events of the run that the other is compared with.
const EVENTS: u32 = 6_000;

/// What guests have done and what the figures are at an instant. A mean over volumes that are not there counts as 0.
fn told(scenario: &Scenario, seed: u64, until: Instant) -> (Vec<GuestSnapshot>, Vec<f64>) {
    let mut simulation = Simulation::new(scenario, seed).expect("the scenario is valid");
    let before = simulation.snapshot();
    simulation.run_until(until);
    let after = simulation.snapshot();
    let figures = Measurement::between(&before, &after);
    (after.guests, FIGURES.iter().map(|figure| figures.get(*figure).unwrap_or(0.0)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_field_without_effect_changes_no_figure(scenario in hosts::hosts(), other in hosts::hosts(), seed in any::<u64>()) {
        let mut simulation = Simulation::new(&scenario, seed).expect("the filter lets only valid scenarios pass");
        (0..EVENTS).for_each(|_| step(&mut simulation));
        let base = told(&scenario, seed, simulation.now());
        for (path, changed) in zvmlab_laws::turned(&scenario, &other) {
            prop_assert_eq!(&told(&changed, seed, simulation.now()), &base, "{}", path);
        }
    }
}
