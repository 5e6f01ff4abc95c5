//! What each part of the house does without.

use crate::source::{names, words};
use crate::{ROOMS, assert_none, read, room_files, root, rust_files, shown};

/// Paths that none of some places may name, and why.
struct Absence {
    /// Rooms of `src/`.
    rooms: &'static [&'static str],
    /// Crates below `crates/`.
    crates: &'static [&'static str],
    paths: &'static [&'static [&'static str]],
    why: &'static str,
}

const ABSENCES: [Absence; 9] = [
    Absence {
        rooms: &["wire", "pool", "service", "jobs"],
        crates: &[],
        paths: &[&["axum"], &["hyper"], &["hyper_util"], &["tower"]],
        why: "only http knows the web framework",
    },
    Absence {
        rooms: &["pool"],
        crates: &["searchkit"],
        paths: &[&["othello"], &["gomoku"]],
        why: "the pool and the search kit know no game",
    },
    Absence {
        rooms: &["wire"],
        crates: &[],
        paths: &[&["tokio"], &["reqwest"]],
        why: "wire only turns requests and replies into values and back",
    },
    Absence {
        rooms: &["wire", "pool", "service", "jobs", "cli"],
        crates: &["searchkit", "othello", "gomoku"],
        paths: &[
            &["TcpListener", "bind"],
            &["TcpSocket"],
            &["UdpSocket"],
            &["UnixListener"],
            &["UnixDatagram"],
        ],
        why: "only http binds sockets",
    },
    Absence {
        rooms: &["wire", "service", "jobs", "http"],
        crates: &["othello", "gomoku"],
        paths: &[&["thread", "spawn"], &["thread", "Builder"], &["thread", "scope"], &["spawn_blocking"]],
        why: "in the service only the pool has threads to search on",
    },
    Absence {
        rooms: &["http"],
        crates: &[],
        paths: &[
            &["searchkit", "search"],
            &["othello", "search"],
            &["othello", "lab"],
            &["gomoku", "search"],
            &["ThreatSearch"],
            &["Swap2Search"],
        ],
        why: "handlers run on the threads of the sockets: searches go through the service to the pool",
    },
    Absence {
        rooms: &["pool"],
        crates: &[],
        paths: &[&["spawn_blocking"]],
        why: "the pool searches on threads of its own, never on the runtime's",
    },
    Absence {
        rooms: &["wire", "pool", "service", "http", "cli"],
        crates: &[],
        paths: &[
            &["fs", "write"],
            &["File", "create"],
            &["File", "options"],
            &["OpenOptions"],
            &["fs", "create_dir"],
            &["fs", "create_dir_all"],
            &["fs", "rename"],
            &["fs", "remove_file"],
        ],
        why: "only jobs writes to the disk",
    },
    Absence {
        rooms: &[],
        crates: &["searchkit", "othello", "gomoku"],
        paths: &[
            &["std", "fs"],
            &["std", "env"],
            &["std", "net"],
            &["std", "process"],
            &["io", "stdin"],
            &["io", "stdout"],
            &["SystemTime"],
            &["println"],
            &["eprintln"],
        ],
        why: "engines know no files, environment, network or console",
    },
];

/// The one place below the service that asks the machine for the time: it makes the clock that is handed in.
const CLOCK: &str = "crates/searchkit/src/clock.rs";

fn breaches(absence: &Absence, text: &str) -> Vec<String> {
    let words = words(text);
    absence.paths.iter().filter(|path| names(&words, path)).map(|path| path.join("::")).collect()
}

#[test]
fn nothing_is_used_where_it_is_meant_to_be_absent() {
    let mut found = Vec::new();
    for absence in &ABSENCES {
        let in_rooms = absence.rooms.iter().flat_map(|room| room_files(room));
        let in_crates =
            absence.crates.iter().flat_map(|name| rust_files(&root().join("crates").join(name).join("src")));
        for file in in_rooms.chain(in_crates) {
            for path in breaches(absence, &read(&file)) {
                found.push(format!("{} uses `{path}`: {}", shown(&file), absence.why));
            }
        }
    }
    assert_none(&found);
}

#[test]
fn no_clock_but_the_one_handed_in() {
    let engines = ["searchkit", "othello", "gomoku"];
    let files: Vec<_> =
        engines.iter().flat_map(|name| rust_files(&root().join("crates").join(name).join("src"))).collect();
    let asks = |text: &str| names(&words(text), &["Instant", "now"]);
    let found: Vec<_> = files
        .iter()
        .filter(|file| asks(&read(file)))
        .map(|file| shown(file))
        .filter(|name| name != CLOCK)
        .collect();
    assert_none(&found);
    assert!(asks("let a = std::time::Instant::now();"));
    assert!(asks(&read(&root().join(CLOCK))), "the clock has moved, and this check with it");
}

#[test]
fn each_absence_would_be_noticed() {
    for absence in &ABSENCES {
        for path in absence.paths {
            let text = format!("fn f() {{ {}(1) }}", path.join("::"));
            assert_eq!(breaches(absence, &text), [path.join("::")]);
            assert_eq!(breaches(absence, &format!("// {text}\nfn g() {{}}")), [""; 0]);
        }
    }
}

/// A name that is spelt wrong above would check nothing.
#[test]
fn the_places_named_exist_or_are_known_rooms() {
    for absence in &ABSENCES {
        for room in absence.rooms {
            assert!(ROOMS.iter().any(|(name, _)| name == room), "{room}");
        }
        for name in absence.crates {
            assert!(!rust_files(&root().join("crates").join(name).join("src")).is_empty(), "{name}");
        }
    }
}
