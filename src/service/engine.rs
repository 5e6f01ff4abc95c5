//! What answers here: version, evaluation, processor.

use super::Service;
use crate::wire::limits::LimitName;
use crate::wire::service_info::{CpuReply, EngineReply, GameReply};
use gomoku::point::Size as GomokuSize;
use gomoku::rules::Rule;
use othello::board::Size;
use othello::evaluation::network::loaded;

impl Service {
    /// `GET /v1/engine`.
    pub fn engine(&self) -> EngineReply {
        EngineReply {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            evaluation: loaded::id().to_owned(),
            cpu: CpuReply { architecture: std::env::consts::ARCH, level: cpu_level() },
            threads: usize::try_from(self.limits.get(LimitName::Threads).max).unwrap_or(usize::MAX),
            games: vec![
                GameReply {
                    name: "othello",
                    sizes: Size::ALL.map(Size::side).to_vec(),
                    rules: Vec::new(),
                    evaluation: loaded::id().to_owned(),
                },
                GameReply {
                    name: "gomoku",
                    sizes: (GomokuSize::MIN..=GomokuSize::MAX).collect(),
                    rules: Rule::ALL.map(Rule::name).to_vec(),
                    evaluation: gomoku::evaluation::id().to_owned(),
                },
            ],
        }
    }
}

/// The microarchitecture level of an x86-64 processor, as the x86-64 psABI defines them.
#[cfg(target_arch = "x86_64")]
fn cpu_level() -> Option<&'static str> {
    let v2 = is_x86_feature_detected!("sse4.2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("ssse3");
    let v3 = v2
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    let v4 = v3
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    Some(match (v2, v3, v4) {
        (_, _, true) => "x86-64-v4",
        (_, true, _) => "x86-64-v3",
        (true, ..) => "x86-64-v2",
        _ => "x86-64-v1",
    })
}

/// Other processors have no such levels.
#[cfg(not(target_arch = "x86_64"))]
fn cpu_level() -> Option<&'static str> {
    None
}
