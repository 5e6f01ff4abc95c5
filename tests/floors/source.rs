//! Rust source as a list of words: enough to see which paths it names, comments and texts left out.

/// Names and single signs, in order; `::` is one word.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if let Some(length) = skipped(rest) {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
            words.push(rest[..length].to_owned());
            length
        } else {
            let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
            words.push(rest[..length].to_owned());
            length
        };
        rest = &rest[length..];
    }
    words
}

/// The length of the comment, text or character that begins here, if one does.
fn skipped(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment(rest));
    }
    let plain = rest.strip_prefix('b').unwrap_or(rest);
    if let Some(raw) = plain.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &raw[hashes + 1..];
            let length = body.find(&end).map_or(body.len(), |at| at + end.len());
            return Some(rest.len() - body.len() + length);
        }
    }
    if plain.starts_with('"') {
        return Some(rest.len() - plain.len() + quoted(plain, '"'));
    }
    // A quote that no second one follows soon is a lifetime.
    let is_character = plain.starts_with("'\\")
        || plain.starts_with('\'')
            && plain.chars().nth(2) == Some('\'')
            && plain.chars().nth(1) != Some('\'');
    is_character.then(|| rest.len() - plain.len() + quoted(plain, '\''))
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        if !escaped && sign == quote {
            return at + 1;
        }
        escaped = !escaped && sign == '\\';
    }
    text.len()
}

/// Whether a path such as `["std", "fs"]` stands anywhere in the words, at any place of a longer path. Groups such as
/// `use std::{fs, io}` count.
pub fn names(words: &[String], path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    words.iter().enumerate().any(|(at, word)| word == first && continues(&words[at + 1..], rest))
}

fn continues(words: &[String], rest: &[&str]) -> bool {
    let Some((first, deeper)) = rest.split_first() else { return true };
    next_segments(words).into_iter().any(|(name, at)| name == *first && continues(&words[at + 1..], deeper))
}

/// The names that may follow a path segment: the one after `::`, or each at the head of an entry of a group, with its
/// place in `words`.
pub fn next_segments(words: &[String]) -> Vec<(&str, usize)> {
    let word = |at: usize| words.get(at).map(String::as_str);
    if word(0) != Some("::") {
        return Vec::new();
    }
    match word(1) {
        Some("{") => {}
        Some(name) => return vec![(name, 1)],
        None => return Vec::new(),
    }
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut at_head = false;
    for (at, word) in words.iter().enumerate().skip(1) {
        match word.as_str() {
            "{" => {
                depth += 1;
                at_head = depth == 1;
            }
            "}" => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            "," => at_head = depth == 1,
            name if at_head => {
                heads.push((name, at));
                at_head = false;
            }
            _ => {}
        }
    }
    heads
}

#[test]
fn comments_and_texts_are_no_source() {
    let text = r##"
        // crate::http
        /* crate::http /* nested */ crate::cli */
        let a = "crate::http \" crate::cli"; let b = r#"crate::"cli""#; let c = '"'; let d = '\''; let e = b"crate";
        fn f<'a>(x: &'a str) {}
    "##;
    let words = words(text);
    assert!(!words.iter().any(|word| word == "crate" || word == "http" || word == "cli"), "{words:?}");
    assert!(words.iter().any(|word| word == "f") && words.iter().any(|word| word == "str"));
}

#[test]
fn paths_are_found_in_groups_and_longer_paths() {
    let found = |text, path: &[&str]| names(&words(text), path);
    assert!(found("std::fs::read(x)", &["std", "fs"]));
    assert!(found("use std::{io, fs::{self, File}};", &["std", "fs"]));
    assert!(found("use std::{io, fs::{self, File}};", &["std", "fs", "File"]));
    assert!(found("use ::std :: fs;", &["std", "fs"]));
    assert!(!found("use std::{io::fs, net};", &["std", "fs"]));
    assert!(!found("use std::fmt; fs::read()", &["std", "fs"]));
}
