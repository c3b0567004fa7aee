//! The text form of a share, "15:1": MDISK first, as table 6 of the 6.4 paging page prints it.

use zvmlab::scenario::{AliasShare, Scenario};

use crate::{problems, refuses};

#[test]
fn a_share_is_two_numbers_with_a_colon() {
    for (text, mdisk, paging) in [("15:1", 15, 1), ("1:15", 1, 15), ("1000:1000", 1000, 1000), ("1:1", 1, 1)] {
        let share = AliasShare { mdisk, paging };
        for written in [format!("lcu.alias_share = \"{text}\""), format!("{{\"lcu\": {{\"alias_share\": \"{text}\"}}}}")] {
            let scenario = Scenario::parse(&written).expect("the share is one");
            assert_eq!(scenario.lcu.alias_share, share, "{written}");
            assert!(scenario.to_toml().contains(&format!("alias_share = \"{text}\"")), "it is written as it was read");
        }
        assert_eq!((share.to_string().as_str(), text.parse()), (text, Ok(share)));
    }
}

#[test]
fn anything_else_is_refused_with_what_is_allowed() {
    for bad in [
        "15",
        "",
        ":",
        "15:",
        ":1",
        "0:1",
        "1:0",
        "0:0",
        "1:1001",
        "1001:1",
        "1:2:3",
        "١:1",
        "１:1",
        " 1:1",
        "1:1 ",
        "1 : 1",
        "1\u{a0}:1",
        "+1:1",
        "-1:1",
        "1.0:1",
        "1e2:1",
        "0x1:1",
        "01:1",
        "1:015",
        "1;1",
        "15/1",
        "4294967297:1",
        "99999999999999999999:1",
        "MDISK:PAGING",
        "15:1,",
        "15：1",
    ] {
        refuses(&format!("lcu.alias_share = \"{bad}\""), "lcu.alias_share");
        let message = &problems(&format!("lcu.alias_share = \"{bad}\""))[0].message;
        assert!(message.starts_with(&format!("\"{bad}\" given, two whole numbers from 1 to 1000")), "{message}");
        assert!(message.contains("\"15:1\""), "an example of what is allowed: {message}");
    }
    // A time of day is what TOML takes three numbers with colons for.
    refuses("lcu.alias_share = 15:01:00", "lcu.alias_share");
    // Without quotes two of them are no TOML, which is said with the place.
    let message = &problems("[lcu]\nalias_share = 15:1")[0].message;
    assert!(message.starts_with("the text is not TOML") && message.contains("line 2"), "{message}");
    refuses("lcu.alias_share = { mdisk = 15, paging = 1 }", "lcu.alias_share");
}
