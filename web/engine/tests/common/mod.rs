//! A job done to its end, as static/worker.js does it.

use js_sys::Function;
use zvmlab_engine::{begin, go_on};

/// Does a job, however many pieces it takes.
pub fn work(job: &[u8], tell: &Function) -> Vec<u8> {
    let mut done = begin(job, tell);
    loop {
        match done {
            Some(answer) => return answer,
            None => done = go_on(tell),
        }
    }
}
