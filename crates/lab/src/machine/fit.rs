//! How the picture fits into a place: larger where there is room, and where there is little, with its parts closer together.

use zvmlab::Scenario;
use zvmlab::limit::ResourceKind;
use zvmlab::snapshot::Snapshot;

use super::area::{Given, WIDE_FROM};
use super::layout;
use super::{Form, Rates, Scene, control_unit, guests, members};

/// Sizes that are tried, from the largest on. Chosen: at the smallest, letters have 9 CSS pixels.
const LARGER: [f64; 6] = [1.5, 1.4, 1.3, 1.2, 1.1, 1.0];
const TIGHT: [f64; 4] = [1.0, 0.95, 0.9, 0.85];

/// A larger picture keeps at least this width of its own, so that its words stay whole.
const WIDTH_KEPT: f64 = 700.0;

/// What is drawn.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// In which form.
    pub form: Form,
    /// The host.
    pub scenario: &'a Scenario,
    /// Its state.
    pub snapshot: &'a Snapshot,
    /// The rates of the time before.
    pub rates: &'a Rates,
    /// What limits the run.
    pub limits: Option<ResourceKind>,
}

/// How a picture fits into a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// CSS pixels for each pixel of the scene.
    pub scale: f64,
    /// Whether the parts stand closer together.
    pub tight: bool,
    /// Whether what else can be read below the picture is left out of it.
    pub brief: bool,
}

impl View<'_> {
    /// The picture, as wide as `width` CSS pixels and as high as it needs.
    pub fn scene(&self, width: f64) -> Scene {
        self.drawn(width, Given::default())
    }

    /// How the picture fits best into a place of `width` by `height` CSS pixels.
    pub fn fit(&self, (width, height): (f64, f64)) -> Fit {
        let larger = LARGER.iter().filter(|&&scale| scale == 1.0 || width / scale >= WIDTH_KEPT);
        let close = |brief: bool| TIGHT.map(|scale| Fit { scale, tight: true, brief });
        // Letters that can be read matter more than space between parts. The columns of a pipeline are close only to fill a height.
        let with_close = self.form != Form::Pipeline;
        let larger = larger.flat_map(|&scale| {
            let loose = Fit { scale, tight: false, brief: false };
            [Some(loose), (with_close && scale > 1.0).then_some(Fit { tight: true, ..loose })]
        });
        let all = larger.flatten().chain(close(false)).chain(close(true));
        let fits = |fit: &Fit| {
            // Loose parts have the height that they like; close ones take the height that there is.
            let Fit { scale, tight, brief } = *fit;
            let given = Given { tight, brief, height: tight.then_some(height / scale) };
            self.drawn(width / fit.scale, given).height * fit.scale <= height + 0.5
        };
        // What has to be scrolled anyway is as large as on a phone; beside each other, columns have the least to scroll.
        let least = TIGHT[TIGHT.len() - 1];
        let tall = Fit { scale: 1.0, tight: true, brief: false };
        let short = if width / least < WIDE_FROM { tall } else { Fit { scale: least, tight: true, brief: true } };
        all.into_iter().find(fits).unwrap_or(short)
    }

    /// The picture in such a place. It is higher than the place if nothing fits.
    pub fn fitted(&self, (width, height): (f64, f64), fit: Fit) -> Scene {
        self.drawn(width / fit.scale, Given { tight: fit.tight, brief: fit.brief, height: Some(height / fit.scale) })
    }

    fn drawn(&self, width: f64, given: Given) -> Scene {
        let mut scene = layout::draw(self.form, self.scenario, self.snapshot, self.rates, (width, given));
        for part in &mut scene.parts {
            part.limits = self.limits.is_some_and(|limit| {
                let (kind, index) = part.id;
                kind.shows(limit)
                    && guests::is_it(limit, kind, index, self.scenario, self.snapshot)
                    && control_unit::is_it(limit, kind, index, self.scenario)
                    && members::is_it(limit, index, self.snapshot, self.rates)
            });
        }
        scene
    }
}
