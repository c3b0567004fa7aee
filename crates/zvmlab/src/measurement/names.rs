//! What a figure is called, and in which unit it is.

use super::better::Better;
use super::figure::{FIGURES, Figure};

impl Figure {
    /// The figure's name in files: `etr`, `pages_read`.
    pub fn id(self) -> &'static str {
        self.texts().0
    }

    /// The figure's name as the published tables print it.
    pub fn label(self) -> &'static str {
        self.texts().1
    }

    /// The figure's unit.
    pub fn unit(self) -> &'static str {
        self.texts().2
    }

    /// Whether more of it is better.
    pub fn better(self) -> Better {
        self.texts().3
    }

    /// The figure with this id.
    pub fn from_id(id: &str) -> Option<Figure> {
        FIGURES.iter().copied().find(|figure| figure.id() == id)
    }
}
