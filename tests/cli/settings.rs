//! Settings: what is refused, with which words and code, and before any port opens.

#[cfg(not(feature = "otlp"))]
use crate::process::Running;
use crate::process::{complaint, discern, printed, run};

/// The exit code of refused settings.
const CONFIG: Option<i32> = Some(78);

#[test]
fn a_good_configuration_is_said_to_be_fine() {
    let said = printed(&["serve", "--check-config", "--threads", "2", "--memory-mib", "512"]);
    // 64 for the program, 10 for 256 + 1024 waiting requests of 8 KiB, a sixteenth of the rest for answers.
    let memory = "memory: 512 MiB = 410 for 4 tables, 27 for kept answers, 10 for waiting requests, 64 for the program";
    assert_eq!(said, format!("the settings are fine\n{memory}\n"));
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
        ["--time-ms-max", "999"],
        ["--exact-from-empties-max", "19"],
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

/// The entry and the key of a new API key for this name.
fn made(name: &str) -> (String, String) {
    let text = printed(&["key", name]);
    let line = |label: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(label));
        line.unwrap_or_else(|| panic!("no {label} in {text}")).trim().to_owned()
    };
    (line("key "), line("entry "))
}

#[test]
fn a_new_key_is_shown_once_beside_the_entry_that_makes_it_valid() {
    let (key, entry) = made("site");
    assert!(key.starts_with("discern_") && entry.starts_with("site:") && !entry.contains(&key[8..]));
    assert_ne!(made("site").0, key);
    assert_eq!(run(&["key", "No Name"]).status.code(), Some(65));
    let output = discern(&["serve", "--check-config"]).env("DISCERN_API_KEYS", entry).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn keys_that_cannot_be_read_stop_the_start() {
    let folder = std::env::temp_dir().join(format!("discern-keys-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("keys");
    let (key, entry) = made("site");
    let path = file.to_str().unwrap();
    let check = |flags: &[&str]| run(&[&["serve", "--check-config"], flags].concat());
    let missing = check(&["--api-keys-file", path]);
    assert_eq!(missing.status.code(), CONFIG, "{missing:?}");
    std::fs::write(&file, format!("# of the games site\n\n{entry}\n")).unwrap();
    assert_eq!(check(&["--api-keys-file", path]).status.code(), Some(0));
    let twice = check(&["--api-keys-file", path, "--api-keys", &entry]);
    assert_eq!(twice.status.code(), CONFIG, "{twice:?}");
    std::fs::write(&file, format!("{entry}\nlab:{key}\n")).unwrap();
    let itself = check(&["--api-keys-file", path]);
    assert_eq!(itself.status.code(), CONFIG, "{itself:?}");
    let words = complaint(&itself);
    assert!(words.contains("keys, line 2: ") && !words.contains(&key), "{words}");
    for flags in [&["--anonymous", "refuse"][..], &["--api-keys", "site"], &["--trusted-hops", "17"]] {
        let output = check(flags);
        assert_eq!(output.status.code(), CONFIG, "{flags:?}: {output:?}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_collector_of_traces_that_cannot_be_spoken_to_stops_the_start() {
    let checked = |variable: &str, value: &str| {
        let mut command = discern(&["serve", "--check-config"]);
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1").env(variable, value);
        command.output().unwrap()
    };
    for (variable, value) in [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector:4318"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "collector:4318"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc"),
    ] {
        let output = checked(variable, value);
        assert_eq!(output.status.code(), CONFIG, "{output:?}");
        assert!(complaint(&output).contains(&format!("{variable}={value}: ")), "{output:?}");
    }
    assert_eq!(checked("OTEL_SERVICE_NAME", "games").status.code(), Some(0));
}

/// The variables may be set for every program of a machine, so they stop no program that cannot follow them.
#[cfg(not(feature = "otlp"))]
#[test]
fn a_build_without_traces_says_so_where_a_collector_is_named() {
    let mut command = discern(&["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command.args(["--threads", "1", "--memory-mib", "256"]);
    let service = Running::with(command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"));
    service.terminate();
    let log = service.log();
    assert!(log.contains("this build sends no traces: it lacks the feature otlp"), "{log}");
}
