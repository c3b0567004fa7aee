//! Brings what comes often to the parts that show it, so that the rest of the page need not be drawn again for it.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

/// A way to parts of the page, which listen as long as they are there.
pub struct Feed<T> {
    listeners: Rc<RefCell<Vec<Callback<T>>>>,
}

impl<T: Clone + 'static> Feed<T> {
    /// Tells everyone who listens.
    pub fn tell(&self, told: T) {
        // Who hears it may leave, or another come.
        let listeners = self.listeners.borrow().clone();
        listeners.iter().for_each(|listener| listener.emit(told.clone()));
    }

    fn leave(&self, listener: &Callback<T>) {
        self.listeners.borrow_mut().retain(|other| other != listener);
    }
}

impl<T> Default for Feed<T> {
    fn default() -> Feed<T> {
        Feed { listeners: Rc::default() }
    }
}

impl<T> Clone for Feed<T> {
    fn clone(&self) -> Feed<T> {
        Feed { listeners: self.listeners.clone() }
    }
}

impl<T> PartialEq for Feed<T> {
    fn eq(&self, other: &Feed<T>) -> bool {
        Rc::ptr_eq(&self.listeners, &other.listeners)
    }
}

/// What a feed told last, since the part is there.
#[hook]
pub fn use_feed<T: Clone + 'static>(feed: &Feed<T>) -> Option<T> {
    let told = use_state(|| None::<T>);
    let setter = told.setter();
    use_effect_with(feed.clone(), move |feed| {
        let listener = Callback::from(move |told| setter.set(Some(told)));
        feed.listeners.borrow_mut().push(listener.clone());
        let feed = feed.clone();
        move || feed.leave(&listener)
    });
    (*told).clone()
}
