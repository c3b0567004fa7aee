//! The words over the picture.

use super::Frame;
use crate::words::number::{fixed, trimmed};

/// The instant that is shown, and how fast time goes by: `32.418 06 s · 1 ms a second`.
pub fn title(frame: &Frame) -> String {
    let at = format!("{} s", fixed(frame.sample.snapshot.now_ns as f64 / 1e9, 4));
    match (frame.run.is_some(), frame.speed) {
        _ if frame.is_so_far => format!("{at} · the experiment runs"),
        (false, _) => format!("{at} · end of the interval"),
        (true, 0.0) => format!("{at} · paused"),
        (true, speed) => format!("{at} · {}", pace(speed)),
    }
}

/// How fast time goes by: simulated seconds for each second.
pub fn pace(speed: f64) -> String {
    if speed < 0.1 {
        format!("{} ms a second", trimmed(speed * 1e3))
    } else if speed == 1.0 {
        "as fast as real".into()
    } else if speed < 1.0 {
        format!("{} times slower than real", trimmed(1.0 / speed))
    } else {
        format!("{} times as fast as real", trimmed(speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_told_in_words() {
        assert_eq!(pace(0.001), "1 ms a second");
        assert_eq!(pace(1.0), "as fast as real");
        assert_eq!(pace(10.0), "10 times as fast as real");
    }
}
