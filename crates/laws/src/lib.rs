//! Laws of the model that tests of several packages hold it to. The model's tests stand beside, in `tests/`.

mod shares;
mod turned;

pub use shares::no_share_exceeds_its_whole;
pub use turned::turned;
