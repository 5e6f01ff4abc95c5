//! Files of positions with values.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello::notation::{obf, print};

fuzz_target!(|input: &str| {
    for entry in obf::read_file(input).into_iter().flatten() {
        let printed = print::obf(entry.read.position, &entry.read.values);
        let again = obf::read_line(&printed).expect("a printed line reads back");
        assert_eq!((again.position, again.values), (entry.read.position, entry.read.values));
    }
});
