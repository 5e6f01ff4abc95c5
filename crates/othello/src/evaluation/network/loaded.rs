//! The weights in use: the ones built into the program, or others put in their place at the start.

use std::sync::{LazyLock, OnceLock};

use crate::evaluation::network::model::Model;
use crate::evaluation::network::packed::{self, UnpackError};

static MODEL: OnceLock<Model> = OnceLock::new();

/// The weights built into the program.
static EMBEDDED: &[u8] = include_bytes!("../../../data/evaluation.bin");

/// Weights were asked for too late: an evaluation has been made already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("other weights are in use already")]
pub struct InUse;

/// Puts a model in the place of the built-in one, for the whole process: for training and for comparing weights.
///
/// # Errors
/// When an evaluation has been made before.
pub fn install(model: Model) -> Result<(), InUse> {
    MODEL.set(model).map_err(|_| InUse)
}

/// Makes the built-in model ready now instead of at the first evaluation, and shows that it computes here what it did
/// where it was packed. Does nothing when a model is in use already.
///
/// # Errors
/// When the built-in weights are damaged, or this machine computes other values with them.
pub fn load() -> Result<(), UnpackError> {
    if MODEL.get().is_none() {
        let model = packed::unpack(EMBEDDED)?;
        // Another thread may have been faster; its model is the same.
        let _ = MODEL.set(model);
    }
    Ok(())
}

/// The model in use.
///
/// # Panics
/// Never with built-in weights that pass the tests, which unpack them.
pub fn model() -> &'static Model {
    MODEL.get_or_init(|| packed::unpack(EMBEDDED).expect("the built-in weights are whole, as tests show"))
}

/// Names the built-in weights: the 16 hexadecimal digits of an FNV-1a hash over their packed bytes.
pub fn id() -> &'static str {
    static ID: LazyLock<String> = LazyLock::new(|| {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        format!("{:016x}", EMBEDDED.iter().fold(0xCBF2_9CE4_8422_2325, step))
    });
    &ID
}
