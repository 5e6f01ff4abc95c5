//! Which known name was probably meant by an unknown one.

/// The known name closest to `unknown`, when it is close enough to be a likely slip: at most a third of the letters
/// differ (at least one may), counting a swap of two neighbours as one.
pub fn nearest<'k>(unknown: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    // Longer names are no slips of anything, and the distance below is quadratic.
    const LONGEST: usize = 64;
    if unknown.len() > LONGEST {
        return None;
    }
    let folded = fold(unknown);
    known
        .into_iter()
        .map(|name| (distance(&folded, &fold(name)), name))
        .filter(|&(distance, name)| distance <= (name.len().max(unknown.len()) / 3).max(1))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Lower case, and `-` for `_`: `timeMs` and `time-ms` are both near `time_ms`.
fn fold(name: &str) -> Vec<char> {
    name.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
}

/// Edit distance with insertion, removal, replacement and the swap of two neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["time_ms", "depth", "nodes", "exact_from_empties", "selectivity_percent"];

    #[test]
    fn slips_are_recognised() {
        for (slip, meant) in [
            ("timems", "time_ms"),
            ("timeMs", "time_ms"),
            ("time-ms", "time_ms"),
            ("dpeth", "depth"),
            ("node", "nodes"),
            ("exact_from_empty", "exact_from_empties"),
            ("selectivity", "selectivity_percent"),
        ] {
            let expected = (slip != "selectivity").then_some(meant);
            assert_eq!(nearest(slip, KNOWN), expected, "{slip}");
        }
    }

    #[test]
    fn strangers_are_near_to_nothing() {
        for stranger in ["", "colour", "x", "🂡🂡🂡", &"depth".repeat(100)] {
            assert_eq!(nearest(stranger, KNOWN), None, "{stranger}");
        }
    }

    #[test]
    fn a_swap_counts_once() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("ab"), &chars("ba")), 1);
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
        assert_eq!(distance(&chars(""), &chars("abc")), 3);
    }
}
