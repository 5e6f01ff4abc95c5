//! API keys. A key is 32 random bytes behind a prefix that scanners for leaked secrets can find. The service is told only
//! the hashes of keys: whoever reads its settings cannot call it. With 256 random bits there is nothing to guess, so one
//! round of SHA-256 is enough; slow hashes are for passwords.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// What every key begins with.
pub const PREFIX: &str = "discern_";

/// Random bytes in a key.
const SECRET_BYTES: usize = 32;

/// A key as its owner has it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A new random key.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut secret = [0; SECRET_BYTES];
        getrandom::fill(&mut secret)?;
        Ok(Self(format!("{PREFIX}{}", hex(&secret))))
    }

    /// The key in full. For its owner's eyes, once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What the service is told of it.
    pub fn hash(&self) -> KeyHash {
        KeyHash::of(self.0.as_bytes())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// The SHA-256 hash of a key; written as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyHash([u8; 32]);

impl KeyHash {
    fn of(key: &[u8]) -> Self {
        Self(Sha256::digest(key).into())
    }
}

impl fmt::Display for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// Why a text is no entry of a key ring.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not `name:hash`.
    #[error("`{0}` is not NAME:HASH")]
    Form(String),
    /// The name cannot stand in logs and metrics.
    #[error("the name `{0}` of a key must have 1 to 32 of the characters a-z, 0-9, - and _")]
    Name(String),
    /// The hash is none. A key itself that was put here by mistake is not repeated.
    #[error(
        "what follows the name `{0}` is not the SHA-256 hash of a key in 64 hexadecimal digits; `discern key` prints it"
    )]
    Hash(String),
    /// The same key twice.
    #[error("the hash of `{0}` is there twice")]
    Twice(String),
}

/// One key that is valid, under the name of its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// Who has the key. Several keys may have one name: they are the same client, so a new key can be handed out before the
    /// old one ends.
    pub name: String,
    /// The hash of the key.
    pub hash: KeyHash,
}

impl FromStr for KeyEntry {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        const LONGEST_NAME: usize = 32;
        let (name, hash) = text.trim().split_once(':').ok_or_else(|| {
            // Without a name it may be a key itself: only its beginning is repeated.
            KeyError::Form(text.trim().chars().take(PREFIX.len()).chain(['…']).collect())
        })?;
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        if !(1..=LONGEST_NAME).contains(&name.len()) || !name.bytes().all(plain) {
            return Err(KeyError::Name(name.chars().take(LONGEST_NAME).collect()));
        }
        let hash = unhex(hash.trim()).ok_or_else(|| KeyError::Hash(name.to_owned()))?;
        Ok(Self { name: name.to_owned(), hash: KeyHash(hash) })
    }
}

/// All keys that are valid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyRing(Vec<KeyEntry>);

impl KeyRing {
    /// A ring of these keys.
    ///
    /// # Errors
    /// When a key is there twice.
    pub fn new(entries: Vec<KeyEntry>) -> Result<Self, KeyError> {
        for (at, entry) in entries.iter().enumerate() {
            if entries[..at].iter().any(|earlier| earlier.hash == entry.hash) {
                return Err(KeyError::Twice(entry.name.clone()));
            }
        }
        Ok(Self(entries))
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The names of the clients that have keys, each once, in the order of their first keys.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for entry in &self.0 {
            if !names.contains(&entry.name.as_str()) {
                names.push(&entry.name);
            }
        }
        names
    }

    /// Whose key this is, if it is valid. All hashes are compared to their ends whatever is found, so the time that it
    /// takes tells nothing about them.
    pub fn owner(&self, presented: &[u8]) -> Option<&str> {
        const NOBODY: u64 = u64::MAX;
        let hash = KeyHash::of(presented);
        let mut found = NOBODY;
        for (at, entry) in self.0.iter().enumerate() {
            found.conditional_assign(&(at as u64), hash.0.ct_eq(&entry.hash.0));
        }
        let at = usize::try_from(found).ok().filter(|_| found != NOBODY)?;
        self.0.get(at).map(|entry| entry.name.as_str())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of "abc", from FIPS 180-2, appendix B.1.
    const OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn ring(entries: &[&str]) -> KeyRing {
        KeyRing::new(entries.iter().map(|entry| entry.parse().expect("an entry")).collect())
            .expect("no doubles")
    }

    #[test]
    fn the_hash_is_sha_256_in_hexadecimal() {
        assert_eq!(KeyHash::of(b"abc").to_string(), OF_ABC);
    }

    #[test]
    fn a_key_is_known_by_its_hash_alone() {
        let ring = ring(&[&format!("site:{OF_ABC}")]);
        assert_eq!(ring.owner(b"abc"), Some("site"));
        for other in [&b"abd"[..], b"", b"abc ", OF_ABC.as_bytes()] {
            assert_eq!(ring.owner(other), None);
        }
    }

    #[test]
    fn two_keys_of_one_client_are_valid_at_once() {
        let (old, new) = (ApiKey::random().expect("random"), ApiKey::random().expect("random"));
        assert_ne!(old, new);
        let ring = ring(&[&format!("site:{}", old.hash()), &format!("site:{}", new.hash())]);
        assert_eq!(
            (ring.owner(old.reveal().as_bytes()), ring.owner(new.reveal().as_bytes())),
            (Some("site"), Some("site"))
        );
        assert_eq!((ring.names(), ring.len()), (vec!["site"], 2));
    }

    #[test]
    fn a_new_key_has_the_prefix_and_256_random_bits_and_is_not_shown_by_accident() {
        let key = ApiKey::random().expect("random");
        assert!(key.reveal().starts_with(PREFIX) && key.reveal().len() == PREFIX.len() + 64);
        assert_eq!(format!("{key:?}"), "ApiKey(…)");
    }

    #[test]
    fn entries_that_cannot_be_meant_are_refused_and_no_key_is_repeated() {
        let key = "discern_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        for (text, shown) in [
            (key.to_owned(), "`discern_…` is not NAME:HASH"),
            (format!("site:{key}"), "what follows the name `site` is not the SHA-256 hash"),
            (format!("Site:{OF_ABC}"), "the name `Site` of a key"),
            (format!(":{OF_ABC}"), "the name `` of a key"),
            (format!("site:{}", &OF_ABC[1..]), "what follows"),
            (format!("site:+{}", &OF_ABC[1..]), "what follows"),
        ] {
            let error = text.parse::<KeyEntry>().expect_err("it is none").to_string();
            assert!(error.starts_with(shown), "{error}");
            assert!(!error.contains(&key[16..]), "{error}");
        }
        let twice = [format!("a:{OF_ABC}"), format!("b:{}", OF_ABC.to_ascii_uppercase())];
        let entries = twice.iter().map(|entry| entry.parse().expect("an entry")).collect();
        assert_eq!(KeyRing::new(entries), Err(KeyError::Twice("b".to_owned())));
    }
}
