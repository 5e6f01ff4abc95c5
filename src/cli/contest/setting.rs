//! Who plays, as the command line says it.

use std::fmt;
use std::num::{NonZeroU8, NonZeroU64};
use std::str::FromStr;
use std::time::Duration;

use contest::player::{Fault, Player};
use othello::query::Selectivity;
use othello::search::techniques::{Technique, Techniques};

use super::game::Othello;
use super::gtp::GtpPlayer;
use super::nboard::NboardPlayer;
use super::own::OwnPlayer;
use crate::cli::thinking::{Strength, parse_level};

/// One player of a match. Prints as it was written.
#[derive(Debug, Clone)]
pub struct Setting {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Own { strength: Strength, table_mib: usize },
    Gtp { command: String },
    Nboard { command: String, depth: Option<u8> },
}

impl Setting {
    /// The player, ready for its first game.
    ///
    /// # Errors
    /// When it is a program that cannot be started.
    pub fn player(&self) -> Result<Box<dyn Player<Othello>>, Fault> {
        Ok(match &self.kind {
            Kind::Own { strength, table_mib } => Box::new(OwnPlayer::new(strength, *table_mib)),
            Kind::Gtp { command } => Box::new(GtpPlayer::start(command)?),
            Kind::Nboard { command, depth } => Box::new(NboardPlayer::start(command, *depth)?),
        })
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
            ("discern", None) => own(&options)?,
            ("discern", Some(_)) => {
                return Err("`discern` takes no command; another build of it is gtp:PATH gtp".to_owned());
            }
            ("gtp", Some(command)) => {
                options.first().map_or(Ok(()), |(key, _)| Err(format!("`gtp` has no option `{key}`")))?;
                Kind::Gtp { command }
            }
            ("nboard", Some(command)) => Kind::Nboard { command, depth: nboard_depth(&options)? },
            ("gtp" | "nboard", None) => return Err(format!("`{name}` needs a command: {name}:COMMAND")),
            _ => return Err(format!("`{name}` is none of discern, gtp:COMMAND, nboard:COMMAND")),
        };
        Ok(Self { text: text.to_owned(), kind })
    }
}

/// What a player is written as: its name, its options, and the command of a program.
pub(super) type Parts<'t> = (&'t str, Vec<(&'t str, &'t str)>, Option<String>);

/// Takes `NAME,KEY=VALUE,...:COMMAND` apart.
pub(super) fn parts(text: &str) -> Result<Parts<'_>, String> {
    let (head, command) = match text.split_once(':') {
        Some((head, command)) => (head, Some(command.trim().to_owned())),
        None => (text, None),
    };
    let mut words = head.split(',').map(str::trim);
    let name = words.next().unwrap_or_default();
    let options = words
        .map(|word| word.split_once('=').ok_or_else(|| format!("`{word}` is not KEY=VALUE")))
        .collect::<Result<Vec<_>, _>>()?;
    Ok((name, options, command))
}

pub(super) fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{key}: `{value}` is not a number in its range"))
}

fn nboard_depth(options: &[(&str, &str)]) -> Result<Option<u8>, String> {
    let mut depth = None;
    for &(key, value) in options {
        match key {
            "depth" => depth = Some(number(key, value)?),
            _ => return Err(format!("`nboard` has no option `{key}`; it has depth")),
        }
    }
    Ok(depth)
}

/// Time a move of this engine when nothing limits it.
const USUAL_TIME: Duration = Duration::from_millis(100);
/// Size of its table in MiB when none is given: enough for the usual time, and quick to make for many games at once.
const USUAL_TABLE_MIB: usize = 16;

fn own(options: &[(&str, &str)]) -> Result<Kind, String> {
    let mut strength = Strength::default();
    let mut table_mib = USUAL_TABLE_MIB;
    for &(key, value) in options {
        match key {
            "level" => strength.level = Some(parse_level(value)?),
            "seed" => strength.seed = number(key, value)?,
            "time_ms" => strength.time = Some(Duration::from_millis(number(key, value)?)),
            "nodes" => strength.nodes = Some(number::<NonZeroU64>(key, value)?.get()),
            "depth" => strength.depth = Some(number::<NonZeroU8>(key, value)?.get()),
            "exact_from_empties" => strength.exact_from_empties = number(key, value)?,
            "threads" => strength.threads = number(key, value)?,
            "table_mib" => table_mib = number(key, value)?,
            "techniques" => {
                let known = Technique::ALL.map(|(_, name)| name).join(", ");
                strength.techniques = Techniques::read(value)
                    .ok_or_else(|| format!("techniques: changes like +NAME-NAME or none+NAME, of {known}"))?;
            }
            "selectivity" => {
                strength.selectivity = Selectivity::from_percent(number(key, value)?)
                    .ok_or("selectivity: one of 73, 87, 95, 98, 99, 100")?;
            }
            _ => {
                return Err(format!(
                    "`discern` has no option `{key}`; it has level, seed, time_ms, nodes, depth, selectivity, \
                     exact_from_empties, threads, techniques, table_mib"
                ));
            }
        }
    }
    if strength.level.is_some() && (strength.depth.is_some() || strength.nodes.is_some()) {
        return Err("a level takes the place of depth and nodes".to_owned());
    }
    Ok(Kind::Own { strength: strength.or_time(USUAL_TIME), table_mib })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_with_their_options() {
        let own = |text: &str| match text.parse::<Setting>().unwrap().kind {
            Kind::Own { strength, .. } => strength,
            other => panic!("{other:?}"),
        };
        let deep = own("discern, depth=8,selectivity=95");
        assert_eq!((deep.depth, deep.selectivity, deep.time), (Some(8), Selectivity::P95, None));
        assert_eq!(own("discern").time, Some(USUAL_TIME));
        assert_eq!(own("discern,level=30").level, Some(searchkit::level::Level::MAX));
        let Kind::Nboard { command, depth } = "nboard,depth=4:engine -x a:b".parse::<Setting>().unwrap().kind
        else {
            panic!("a program")
        };
        assert_eq!((command.as_str(), depth), ("engine -x a:b", Some(4)));
    }

    #[test]
    fn slips_are_told_in_words() {
        for (text, part) in [
            ("edax", "none of"),
            ("discern,deep=3", "no option `deep`"),
            ("discern,depth", "KEY=VALUE"),
            ("discern,depth=0", "not a number"),
            ("discern,selectivity=80", "one of 73"),
            ("discern,level=31", "1 to 30"),
            ("discern,techniques=+dance", "of killers, history"),
            ("discern,level=3,depth=3", "takes the place"),
            ("gtp", "needs a command"),
            ("gtp,depth=1:x", "no option"),
            ("nboard,level=1:x", "no option"),
        ] {
            let message = text.parse::<Setting>().unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
