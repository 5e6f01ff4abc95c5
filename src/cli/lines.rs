//! Lines of a conversation, whatever bytes they are made of.

use std::io::{self, BufRead, Read};

/// Longest line that is read whole, in bytes: a game of any length with all its comments is shorter. The rest of a longer
/// line is taken for another line.
const LONGEST_LINE: u64 = 1 << 16;

/// The next line without its end; `None` at the end of the input. Bytes that are no UTF-8 become replacement
/// characters, which no command has.
///
/// # Errors
/// When the input cannot be read.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    while line.last().is_some_and(|&byte| byte == b'\n' || byte == b'\r') {
        line.pop();
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_whatever_they_hold() {
        let mut input: &[u8] = b"one\r\n\n\xFFtwo\nlast";
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["one", "", "\u{FFFD}two", "last"]);
    }

    #[test]
    fn a_line_without_end_comes_in_pieces() {
        let long = vec![b'x'; 3 << 16];
        let mut input: &[u8] = &long;
        let mut pieces = 0;
        while let Some(line) = read_line(&mut input).unwrap() {
            assert!(line.len() <= 1 << 16);
            pieces += 1;
        }
        assert_eq!(pieces, 3);
    }
}
