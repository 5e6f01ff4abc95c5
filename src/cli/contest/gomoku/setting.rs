//! Who plays Gomoku, as the command line says it.

use std::fmt;
use std::num::{NonZeroU8, NonZeroU64, NonZeroUsize};
use std::str::FromStr;
use std::time::Duration;

use contest::player::Player;
use gomoku::rules::Rule;
use gomoku::search::techniques::{Technique, Techniques};
use searchkit::level::Level;

use super::Board;
use super::gomocup::{GomocupPlayer, Terms};
use super::own::{OwnPlayer, Strength};
use crate::cli::contest::setting::{number, parts};

/// Milliseconds a move when nothing limits it.
const USUAL_TIME_MS: u64 = 100;
/// Size of this engine's table in MiB when none is given.
const USUAL_TABLE_MIB: usize = 16;

/// One player of a match. Prints as it was written.
#[derive(Debug, Clone)]
pub struct Setting {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Own(Strength),
    Gomocup(Terms),
}

impl Setting {
    /// The player, ready for its first game.
    pub fn player(&self, rule: Rule) -> Box<dyn Player<Board>> {
        match &self.kind {
            Kind::Own(strength) => Box::new(OwnPlayer::new(strength.clone())),
            Kind::Gomocup(terms) => Box::new(GomocupPlayer::new(terms.clone(), rule)),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, options, command) = parts(text)?;
        let kind = match (name, command) {
            ("discern", None) => Kind::Own(own(&options)?),
            ("discern", Some(_)) => {
                return Err(
                    "`discern` takes no command; another build of it is gomocup:PATH gomocup".to_owned()
                );
            }
            ("gomocup", Some(command)) => Kind::Gomocup(gomocup(&options, command)?),
            ("gomocup", None) => return Err("`gomocup` needs a command: gomocup:COMMAND".to_owned()),
            _ => return Err(format!("`{name}` is none of discern, gomocup:COMMAND")),
        };
        Ok(Self { text: text.to_owned(), kind })
    }
}

fn own(options: &[(&str, &str)]) -> Result<Strength, String> {
    let mut strength = Strength {
        level: None,
        seed: 0,
        time: None,
        nodes: None,
        depth: None,
        threads: 1,
        table_mib: USUAL_TABLE_MIB,
        techniques: Techniques::ALL,
    };
    for &(key, value) in options {
        match key {
            "level" => {
                let level = Level::new(number(key, value)?);
                strength.level = Some(level.ok_or_else(|| format!("there is no level {value}"))?);
            }
            "seed" => strength.seed = number(key, value)?,
            "time_ms" => strength.time = Some(Duration::from_millis(number(key, value)?)),
            "nodes" => strength.nodes = Some(number::<NonZeroU64>(key, value)?.get()),
            "depth" => strength.depth = Some(number::<NonZeroU8>(key, value)?.get()),
            "threads" => strength.threads = number::<NonZeroUsize>(key, value)?.get(),
            "table_mib" => strength.table_mib = number(key, value)?,
            "without" => {
                let known = Technique::ALL.into_iter().find(|technique| format!("{technique:?}") == value);
                let technique = known.ok_or_else(|| format!("without: there is no technique `{value}`"))?;
                strength.techniques = strength.techniques.without(technique);
            }
            _ => {
                return Err(format!(
                    "`discern` has no option `{key}`; it has level, seed, time_ms, nodes, depth, threads, \
                     table_mib, without"
                ));
            }
        }
    }
    let by_limits = strength.nodes.is_some() || strength.depth.is_some();
    if strength.level.is_some() && by_limits {
        return Err("`level` takes the place of nodes and depth".to_owned());
    }
    if strength.time.is_none() && strength.level.is_none() && !by_limits {
        strength.time = Some(Duration::from_millis(USUAL_TIME_MS));
    }
    Ok(strength)
}

fn gomocup(options: &[(&str, &str)], command: String) -> Result<Terms, String> {
    let mut terms = Terms { command, time_ms: USUAL_TIME_MS, nodes: None };
    for &(key, value) in options {
        match key {
            "time_ms" => terms.time_ms = number(key, value)?,
            "nodes" => terms.nodes = Some(number::<NonZeroU64>(key, value)?.get()),
            _ => return Err(format!("`gomocup` has no option `{key}`; it has time_ms, nodes")),
        }
    }
    Ok(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_with_their_options() {
        let kind = |text: &str| text.parse::<Setting>().unwrap().kind;
        let Kind::Own(strength) = kind("discern,nodes=5000,without=LeafFours") else { panic!("this engine") };
        assert_eq!((strength.nodes, strength.time), (Some(5_000), None));
        assert!(!strength.techniques.has(Technique::LeafFours));
        let Kind::Gomocup(terms) = kind("gomocup,time_ms=500:engine -x a:b") else { panic!("a program") };
        assert_eq!((terms.command.as_str(), terms.time_ms), ("engine -x a:b", 500));
    }

    #[test]
    fn slips_are_told_in_words() {
        for (text, part) in [
            ("gtp:x", "none of"),
            ("discern,skill=3", "no option `skill`"),
            ("discern,level=31", "no level 31"),
            ("discern,level=3,nodes=5", "takes the place"),
            ("discern,without=Luck", "no technique"),
            ("discern,nodes=0", "not a number"),
            ("gomocup", "needs a command"),
            ("gomocup,depth=1:x", "no option"),
        ] {
            let message = text.parse::<Setting>().unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
