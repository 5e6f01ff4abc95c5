//! Commands that ask a running service.

use serde_json::Value;

use crate::process::{Running, complaint, printed, run};

#[test]
fn a_service_answers_as_the_engine_here_does() {
    let service = Running::start(&[]);
    let url = format!("http://{}", service.address);
    let question = ["analyze", "f5d6c3d3c4", "--goal", "all_moves", "--depth", "5", "--deterministic"];
    let remote = [&question[..], &["--server", &url]].concat();
    let (here, there) = (printed(&question), printed(&remote));
    assert_eq!(here, there);
    assert!(here.contains("Tiger") && here.contains("depth 5 at"), "{here}");
    let json = |arguments: &[&str]| printed(&[arguments, &["--json"]].concat());
    assert_eq!(json(&question), json(&remote));
}

#[test]
fn refusals_and_silence_have_their_own_exit_codes() {
    let service = Running::start(&[]);
    let url = format!("http://{}", service.address);
    let illegal = run(&["analyze", "f5f5", "--server", &url]);
    assert_eq!(illegal.status.code(), Some(65), "{illegal:?}");
    assert!(complaint(&illegal).contains("f5 is occupied"), "{illegal:?}");
    // Nothing listens on the discard port of loopback.
    for command in [&["analyze", "f5", "--server"][..], &["load", "--server"]] {
        let silent = run(&[command, &["http://127.0.0.1:9"]].concat());
        assert_eq!(silent.status.code(), Some(69), "{silent:?}");
    }
}

#[test]
fn a_load_tells_what_became_of_every_request() {
    let service = Running::start(&[]);
    let url = format!("http://{}", service.address);
    let load = |more: &[&str]| -> Value {
        let printed = printed(&[&["load", "--server", &url, "--json"], more].concat());
        serde_json::from_str(&printed).unwrap()
    };
    let mix = "deadline=3,stream=1,leave=1,repeat=3,moves=1";
    let report = load(&["--requests", "40", "--concurrency", "2", "--mix", mix, "--time-ms", "20..60"]);
    assert_eq!(report["requests"], 40);
    let statuses = report["statuses"].as_object().unwrap();
    let sum: u64 = statuses.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(sum, 40);
    assert!(statuses.keys().all(|status| status == "200" || status == "503"), "{report}");
    let number = |pointer: &str| report.pointer(pointer).unwrap().as_u64().unwrap();
    assert_eq!(number("/best_move/illegal") + number("/overloaded/untruthful"), 0);
    assert!(number("/best_move/legal") > 0 && number("/answered_ms/count") == number("/statuses/200"));

    let left = load(&["--disconnects", "20"]);
    assert!(left["begun"].as_u64().unwrap() > 0 && left["idle_after_ms"].is_number(), "{left}");
}
