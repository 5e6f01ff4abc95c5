//! Who may call, and how much.

use std::fs;
use std::path::PathBuf;

use clap::{Args, ValueEnum, value_parser};

use crate::http::access::{
    Access, Anonymous, ForwardedHeader, KeyEntry, KeyError, KeyRing, Proxies, QuotaPolicy,
};

/// Who may call, and how much.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Access")]
pub struct AccessSettings {
    /// API keys that are valid, separated by commas, each NAME:HASH as `discern key NAME` prints it. Several keys of one
    /// name are one client. None by default: nobody is asked for one.
    #[arg(
        long,
        env = "DISCERN_API_KEYS",
        value_name = "NAME:HASH,...",
        default_value = "",
        hide_env_values = true,
        hide_default_value = true
    )]
    pub api_keys: String,

    /// File of more API keys, one NAME:HASH a line; lines that begin with # are remarks. Read at the start.
    #[arg(long, env = "DISCERN_API_KEYS_FILE", value_name = "FILE")]
    pub api_keys_file: Option<PathBuf>,

    /// What becomes of callers without a key; auto refuses them as soon as there are keys.
    #[arg(long, env = "DISCERN_ANONYMOUS", value_enum, default_value_t = AnonymousSetting::Auto)]
    pub anonymous: AnonymousSetting,

    /// How many proxies of your own stand in front. The address of a caller without a key is counted that many hops from
    /// the right of the forwarding header; 0 believes no header.
    #[arg(long, env = "DISCERN_TRUSTED_HOPS", value_name = "COUNT", default_value_t = 0,
          value_parser = value_parser!(u8).range(0..=16))]
    pub trusted_hops: u8,

    /// The header that those proxies write. The other one is not read.
    #[arg(long, env = "DISCERN_FORWARDED_HEADER", value_enum, default_value_t = ForwardedSetting::XForwardedFor)]
    pub forwarded_header: ForwardedSetting,

    /// Search time that each client gets back each second, in ms of search threads: 1000 is one thread all the time. 0
    /// sets no quota.
    #[arg(long, env = "DISCERN_QUOTA_MS_PER_S", value_name = "MS", default_value_t = 0,
          value_parser = value_parser!(u64).range(0..=1_024_000))]
    pub quota_ms_per_s: u64,

    /// The most search time that a client can save up, in ms of search threads.
    #[arg(long, env = "DISCERN_QUOTA_BURST_MS", value_name = "MS", default_value_t = 60_000,
          value_parser = value_parser!(u64).range(1..=86_400_000))]
    pub quota_burst_ms: u64,
}

/// What becomes of callers without a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnonymousSetting {
    /// Refused when there are keys, else served.
    Auto,
    /// Served; their addresses tell them apart.
    Allow,
    /// Refused with 401.
    Refuse,
}

/// The header that proxies in front write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ForwardedSetting {
    /// X-Forwarded-For.
    XForwardedFor,
    /// Forwarded (RFC 7239).
    Forwarded,
}

/// Access settings that cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// The file cannot be read.
    #[error("cannot read the API keys in {file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// A key is none.
    #[error("{place}: {error}")]
    Key {
        /// Where it stands.
        place: String,
        /// What is wrong with it.
        error: KeyError,
    },
    /// The same key in both places, or twice in one.
    #[error("the API keys: {0}")]
    Ring(KeyError),
    /// Nobody could call.
    #[error("without API keys there must be anonymous callers: set --api-keys, or leave --anonymous at auto")]
    Nobody,
}

impl AccessSettings {
    /// What they mean, with the key file read.
    ///
    /// # Errors
    /// When a key cannot be read, or nobody could call.
    pub fn check(&self) -> Result<Access, AccessError> {
        let keys = KeyRing::new(self.entries()?).map_err(AccessError::Ring)?;
        let anonymous = match self.anonymous {
            AnonymousSetting::Auto if keys.is_empty() => Anonymous::Served,
            AnonymousSetting::Refuse if keys.is_empty() => return Err(AccessError::Nobody),
            AnonymousSetting::Allow => Anonymous::Served,
            AnonymousSetting::Auto | AnonymousSetting::Refuse => Anonymous::Refused,
        };
        let header = match self.forwarded_header {
            ForwardedSetting::XForwardedFor => ForwardedHeader::XForwardedFor,
            ForwardedSetting::Forwarded => ForwardedHeader::Forwarded,
        };
        let policy = QuotaPolicy { ms_per_s: self.quota_ms_per_s, burst_ms: self.quota_burst_ms };
        Ok(Access {
            keys,
            anonymous,
            proxies: Proxies { hops: self.trusted_hops, header },
            quota: (policy.ms_per_s > 0).then_some(policy),
        })
    }

    fn entries(&self) -> Result<Vec<KeyEntry>, AccessError> {
        let read = |place: String, text: &str| {
            text.parse::<KeyEntry>().map_err(|error| AccessError::Key { place, error })
        };
        let mut entries = Vec::new();
        // An empty text is an empty list, as charts write it.
        for (at, text) in self.api_keys.split(',').enumerate().filter(|_| !self.api_keys.trim().is_empty()) {
            entries.push(read(format!("API key {}", at + 1), text)?);
        }
        let Some(file) = &self.api_keys_file else { return Ok(entries) };
        let name = file.display().to_string();
        let text = fs::read_to_string(file)
            .map_err(|error| AccessError::Unreadable { file: name.clone(), reason: error.to_string() })?;
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                entries.push(read(format!("{name}, line {}", at + 1), line)?);
            }
        }
        Ok(entries)
    }
}
