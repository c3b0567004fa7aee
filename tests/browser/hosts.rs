//! Small clusters for tests, opened by links: their guests have some MB, so that a relocation takes simulated seconds.

use serde_json::{Value, json};

use crate::page::Page;

/// One guest of 256 MB that changes most of it in a second, over `chpids` of 1 Gb.
pub fn one_guest(chpids: usize) -> Value {
    let mut host = cluster(2, chpids);
    host["guests"] = json!([{
        "name": "SERVER", "count": 1, "virtual_mb": 256, "loop_mb": 256, "touch_mb_s": 256, "transaction": 1, "pattern": "random",
        "move_to": 2,
    }]);
    host
}

/// Twenty-five guests of 64 MB, all relocated at once.
pub fn twenty_five() -> Value {
    let mut host = cluster(2, 2);
    host["storage"] = json!({ "central_mb": 4096 });
    host["member2"] = json!({ "central_mb": 4096, "processors": 4 });
    host["relocation"] = json!({ "mode": "ASYNCH" });
    host["guests"] = json!([{
        "name": "LINUX", "count": 25, "virtual_mb": 64, "loop_mb": 64, "active_mb": 8, "touch_mb_s": 4, "transaction": 1,
        "pattern": "random", "move_to": 2,
    }]);
    host
}

/// Two groups that must leave the first of three members within half a minute.
pub fn evacuation() -> Value {
    let mut host = cluster(3, 1);
    host["member3"] = json!({ "central_mb": 1024, "processors": 4 });
    host["relocation"] = json!({ "window_s": 30 });
    host["guests"] = json!([
        {
            "name": "SMALL", "count": 3, "virtual_mb": 64, "loop_mb": 64, "active_mb": 8, "touch_mb_s": 8, "transaction": 1,
            "pattern": "random", "move_to": 2,
        },
        {
            "name": "LARGE", "count": 1, "virtual_mb": 256, "loop_mb": 256, "active_mb": 64, "touch_mb_s": 64, "transaction": 1,
            "pattern": "random", "move_to": 2,
        },
    ]);
    host
}

/// A cluster of so many members, whose link has so many chpids of 1 Gb.
fn cluster(members: u32, chpids: usize) -> Value {
    let mut link = json!({ "chpid1": "none" });
    for chpid in 1..=chpids {
        link[format!("chpid{chpid}")] = "1 Gb".into();
    }
    json!({
        "name": "SMALL", "level": "6.2", "processors": { "count": 4 }, "cluster": { "members": members }, "isfc": link,
        "storage": { "central_mb": 1024 }, "member2": { "central_mb": 1024, "processors": 4 },
        "measure": { "warmup_s": 1, "interval_s": 5 },
    })
}

/// Opens a host that began as the ready experiment `run`; the run names the subject.
pub async fn open(page: &Page, host: &Value, run: &str) {
    let fragment = fragment(page, host, run).await;
    page.open(&fragment).await;
    let alert = page.text("[role=alert]").await;
    assert_eq!(alert, "", "the page does not take the host {host}");
}

/// The fragment of a link to a host.
pub async fn fragment(page: &Page, host: &Value, run: &str) -> String {
    let state = json!({ "s": host, "n": 1, "v": { "run": run } }).to_string();
    let encoded = page
        .run(&format!("return btoa({}).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')", json!(state)))
        .await;
    format!("#v3/{}", encoded.as_str().expect("a text"))
}

/// The state that the address of the page holds.
pub async fn in_the_address(page: &Page) -> Value {
    let state = page
        .run(
            "const text = location.hash.split('/')[1].split('.')[0].replaceAll('-', '+').replaceAll('_', '/');
             return atob(text)",
        )
        .await;
    serde_json::from_str(state.as_str().expect("a text")).expect("the state in an address is JSON")
}
