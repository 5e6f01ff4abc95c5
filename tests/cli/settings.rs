//! Settings: what is refused, with which words and code, and before any port opens.

use crate::process::{complaint, discern, printed, run};

/// The exit code of refused settings.
const CONFIG: Option<i32> = Some(78);

#[test]
fn a_good_configuration_is_said_to_be_fine() {
    assert_eq!(printed(&["serve", "--check-config"]), "the settings are fine\n");
}

#[test]
fn an_unknown_variable_stops_the_start_with_the_nearest_known_name() {
    let output = discern(&["serve"]).env("DISCERN_THREAD", "2").output().unwrap();
    assert_eq!(output.status.code(), CONFIG);
    let words = complaint(&output);
    assert!(words.contains("unknown variable DISCERN_THREAD; did you mean DISCERN_THREADS?"), "{words}");
    assert!(output.stdout.is_empty(), "nothing was opened");
}

#[test]
fn a_value_is_refused_alike_from_a_flag_and_from_a_variable() {
    let flag = run(&["serve", "--max-connections", "0"]);
    let variable = discern(&["serve"]).env("DISCERN_MAX_CONNECTIONS", "0").output().unwrap();
    for output in [flag, variable] {
        assert_eq!(output.status.code(), CONFIG, "{output:?}");
        assert!(complaint(&output).contains("--max-connections"), "{output:?}");
    }
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    for flags in [
        ["--listen", "127.0.0.1:9090"],
        ["--memory-mib", "1048576"],
        ["--drain-delay-ms", "20000"],
        ["--time-ms-default", "60001"],
    ] {
        let output = run(&[&["serve", "--check-config"], &flags[..]].concat());
        assert_eq!(output.status.code(), CONFIG, "{flags:?}: {output:?}");
    }
}

#[test]
fn an_unknown_flag_is_a_matter_of_the_command_line() {
    assert_eq!(run(&["serve", "--thread", "2"]).status.code(), Some(2));
    assert_eq!(run(&[]).status.code(), Some(2));
}

#[test]
fn the_printed_settings_mean_the_same_when_they_are_set() {
    let set = [
        "serve",
        "--print-config",
        "--threads",
        "3",
        "--queue-max",
        "7",
        "--cors-origins",
        "https://a.example",
    ];
    let first = printed(&set);
    let lines =
        || first.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once('=').unwrap());
    let threads = lines().find(|&(name, _)| name == "DISCERN_THREADS");
    assert_eq!(threads, Some(("DISCERN_THREADS", "3")));
    let second = discern(&["serve", "--print-config"]).envs(lines()).output().unwrap();
    let second = String::from_utf8(second.stdout).unwrap();
    let values: Vec<_> = second.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(values, lines().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>());
}

#[test]
fn a_flag_wins_over_a_variable() {
    let output =
        discern(&["serve", "--print-config", "--threads", "3"]).env("DISCERN_THREADS", "5").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("DISCERN_THREADS=3\n"));
}
