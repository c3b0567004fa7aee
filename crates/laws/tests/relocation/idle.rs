//! Does a field of a cluster that states that it has no effect have none? Another cluster lends such fields its values. The
//! relocations then go the same way, to the last byte.

use proptest::prelude::*;

use super::clusters::clusters;
use super::laws::run;

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn a_field_without_effect_changes_no_relocation(scenario in clusters(), other in clusters(), seed in any::<u64>()) {
        let base = run(&scenario, seed);
        for (path, changed) in zvmlab_laws::turned(&scenario, &other) {
            prop_assert_eq!(&run(&changed, seed), &base, "{}", path);
        }
    }
}
