//! Where traces are sent: the standard variables of OpenTelemetry, since whoever runs a collector has set them for all
//! programs alike. Checked with the other settings, whether this build can send traces or not.

use thiserror::Error;

/// The collector for all signals; `/v1/traces` is added to its path.
pub const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// The collector for traces, with its whole path; it goes before [`ENDPOINT`].
pub const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const TRACES_PROTOCOL: &str = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL";
/// The one protocol that is spoken.
const SPOKEN: &str = "http/protobuf";
const DISABLED: &str = "OTEL_SDK_DISABLED";
const EXPORTER: &str = "OTEL_TRACES_EXPORTER";

/// Whether traces are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Traces {
    /// No collector is named, or tracing is switched off.
    Off,
    /// To this collector.
    To(String),
}

/// Variables that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TracesError {
    /// The address is none that this program can reach.
    #[error(
        "{variable}={value}: a collector's address is http://, a host and a port (https is not spoken; send to one nearby)"
    )]
    Endpoint {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
    },
    /// Another protocol is asked for.
    #[error("{variable}={value}: traces are sent by {SPOKEN} alone, usually on port 4318")]
    Protocol {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
    },
}

impl Traces {
    /// What the variables say; an empty one counts as not set, as OpenTelemetry has it.
    ///
    /// # Errors
    /// When a collector is named that cannot be spoken to.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, TracesError> {
        let set = |name: &str| {
            variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let first = |names: [&'static str; 2]| names.into_iter().find_map(|name| Some((name, set(name)?)));
        let Some((variable, value)) = first([TRACES_ENDPOINT, ENDPOINT]) else { return Ok(Self::Off) };
        let disabled = set(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        if disabled || set(EXPORTER).as_deref() == Some("none") {
            return Ok(Self::Off);
        }
        let host = value.strip_prefix("http://").unwrap_or_default();
        if host.is_empty()
            || host.starts_with(['/', ':'])
            || host.contains(|sign: char| !sign.is_ascii_graphic())
        {
            return Err(TracesError::Endpoint { variable, value });
        }
        match first([TRACES_PROTOCOL, PROTOCOL]) {
            Some((variable, value)) if value != SPOKEN => Err(TracesError::Protocol { variable, value }),
            _ => Ok(Self::To(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Traces, TracesError> {
        Traces::from_variables(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_named_collector_is_used_unless_tracing_is_off() {
        let collector = (ENDPOINT, "http://collector:4318");
        assert_eq!(read(&[]), Ok(Traces::Off));
        assert_eq!(read(&[(ENDPOINT, " ")]), Ok(Traces::Off));
        assert_eq!(read(&[collector]), Ok(Traces::To("http://collector:4318".to_owned())));
        assert_eq!(
            read(&[collector, (TRACES_ENDPOINT, "http://[::1]:1/x")]),
            Ok(Traces::To("http://[::1]:1/x".to_owned()))
        );
        for off in [(DISABLED, "TRUE"), (EXPORTER, "none")] {
            assert_eq!(read(&[collector, off]), Ok(Traces::Off), "{off:?}");
        }
        assert!(matches!(read(&[collector, (DISABLED, "no")]), Ok(Traces::To(_))));
    }

    #[test]
    fn what_cannot_be_reached_or_spoken_is_refused_by_name() {
        for bad in ["collector:4318", "https://collector", "http://", "http:///v1", "http://a b"] {
            let refused = read(&[(ENDPOINT, bad)]).expect_err(bad).to_string();
            assert!(refused.starts_with(&format!("{ENDPOINT}={bad}: ")), "{refused}");
        }
        let refused =
            read(&[(ENDPOINT, "http://a"), (PROTOCOL, "grpc")]).expect_err("not spoken").to_string();
        assert!(refused.contains("grpc: traces are sent by http/protobuf"), "{refused}");
        let own = [(ENDPOINT, "http://a"), (PROTOCOL, "grpc"), (TRACES_PROTOCOL, SPOKEN)];
        assert!(read(&own).is_ok(), "the one for traces goes first");
    }
}
