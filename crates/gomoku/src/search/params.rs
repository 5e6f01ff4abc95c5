//! Experimental.
use std::sync::LazyLock;
pub static P: LazyLock<[i32; 48]> = LazyLock::new(|| {
    let mut p = [0; 48];
    let d = [
        60, 8, 1, 130, 2, 3, 132, 1, 60, 100, // 0-9
        16, 16, 16, 3000, 0, 0, 4, 0, 10, 0, // 10-19
        100, 80, 3, 99, 120, 8, 180, 1000, 8, 0, // 20-29
        0, 30, 16,
    ];
    p[..d.len()].copy_from_slice(&d);
    if let Ok(text) = std::env::var("GP") {
        for pair in text.split(',') {
            if let Some((i, v)) = pair.split_once(':') {
                p[i.parse::<usize>().unwrap()] = v.parse().unwrap();
            }
        }
    }
    p
});
#[inline]
pub fn p(i: usize) -> i32 {
    P[i]
}
