//! What is known of the experiment under way: how far it is, and its first figures. It comes often, and only the result and the strip of
//! a phone show it.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab_lab::comparison::Pair;
use zvmlab_lab::worker::wire::SoFar;

use crate::feed::{Feed, use_feed};

/// What is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnderWay {
    /// What is told later has a larger number.
    pub number: u64,
    /// How far it is, if it takes long.
    pub so_far: Option<Rc<SoFar>>,
    /// Every figure of it so far, as soon as there are any.
    pub early: Option<Vec<Pair>>,
    /// Whether these are of its warm-up.
    pub warms: bool,
}

/// The newest of what the page knows and of what it has told since.
#[hook]
pub fn use_newest(known: &Rc<UnderWay>, feed: &Feed<Rc<UnderWay>>) -> Rc<UnderWay> {
    let told = use_feed(feed);
    told.filter(|told| told.number > known.number).unwrap_or_else(|| known.clone())
}
