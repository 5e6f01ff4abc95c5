//! The weights as they are stored: rows that stand for themselves only, lane by lane, deflated, behind a check value
//! that says what the model must compute on every machine.

use crate::evaluation::network::model::{Head, Model, Stage};
use crate::evaluation::network::shapes::{self, SHAPES};
use crate::evaluation::network::stages::STAGES;
use crate::evaluation::network::{HIDDEN, LANES};

/// First bytes of a packed set of weights; the number changes with the layout.
const MAGIC: &[u8; 8] = b"DSCNNET2";
/// Most bytes that a packed set may unpack to: more than all stages with all rows.
const UNPACKED_LIMIT: usize = STAGES * 80_000 * LANES;
/// Numbers of a head: bias, output weights, three scalars.
const HEAD_NUMBERS: usize = LANES + HIDDEN + 3;

/// Bytes that are not a packed set of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// The data does not begin as packed weights do.
    #[error("not a packed set of weights of this layout")]
    Magic,
    /// The compressed part is damaged.
    #[error("the compressed weights are damaged")]
    Damaged,
    /// The data ends too early or goes on too long.
    #[error("the weights have the wrong length")]
    Length,
    /// The model computes other values here than where it was packed.
    #[error("the weights give other values on this machine than where they were packed")]
    Check,
}

/// For every row of all shapes one after another, the row that stands for it.
pub fn standing_rows() -> Vec<u32> {
    let offsets = shapes::row_offsets();
    (0..SHAPES)
        .flat_map(|shape| {
            let first = offsets[shape] as u32;
            shapes::canonical_rows(shape).into_iter().map(move |row| first + row)
        })
        .collect()
}

/// The rows that stand for themselves: the only ones that are trained and stored.
fn own_rows(standing: &[u32]) -> Vec<usize> {
    (0..standing.len()).filter(|&row| standing[row] as usize == row).collect()
}

/// Packs stages (late to early) into bytes.
pub fn pack(stages: &[Option<Stage>]) -> Vec<u8> {
    let own = own_rows(&standing_rows());
    let mut raw = Vec::new();
    for stage in stages {
        raw.push(u8::from(stage.is_some()));
        let Some(stage) = stage else { continue };
        let head = &stage.head;
        let scalars = [head.own_mobility, head.other_mobility, head.odd_empties];
        for number in head.bias.iter().chain(&head.output).chain(&scalars) {
            raw.extend_from_slice(&number.to_le_bytes());
        }
        for lane in 0..LANES {
            raw.extend(own.iter().map(|&row| stage.rows[row][lane] as u8));
        }
    }
    let mut packed = MAGIC.to_vec();
    packed.extend_from_slice(&Model::new(stages.to_vec()).check().to_le_bytes());
    packed.extend(miniz_oxide::deflate::compress_to_vec(&raw, 9));
    packed
}

/// Reads packed weights.
///
/// # Errors
/// When the bytes are not a complete, undamaged set of this layout, or this machine computes other values with them
/// than the one that packed them.
pub fn unpack(packed: &[u8]) -> Result<Model, UnpackError> {
    let body = packed.strip_prefix(MAGIC).ok_or(UnpackError::Magic)?;
    let (check, deflated) = body.split_first_chunk().ok_or(UnpackError::Length)?;
    let raw = miniz_oxide::inflate::decompress_to_vec_with_limit(deflated, UNPACKED_LIMIT)
        .map_err(|_| UnpackError::Damaged)?;
    let standing = standing_rows();
    let own = own_rows(&standing);
    let mut rest = raw.as_slice();
    let mut stages = Vec::with_capacity(STAGES);
    for _ in 0..STAGES {
        let (present, after) = rest.split_first().ok_or(UnpackError::Length)?;
        rest = after;
        if *present == 0 {
            stages.push(None);
            continue;
        }
        let (stage, after) =
            rest.split_at_checked(HEAD_NUMBERS * 2 + own.len() * LANES).ok_or(UnpackError::Length)?;
        rest = after;
        stages.push(Some(unpack_stage(stage, &standing, &own)));
    }
    if !rest.is_empty() {
        return Err(UnpackError::Length);
    }
    let model = Model::new(stages);
    if model.check() == u64::from_le_bytes(*check) { Ok(model) } else { Err(UnpackError::Check) }
}

fn unpack_stage(bytes: &[u8], standing: &[u32], own: &[usize]) -> Stage {
    let (head, lanes) = bytes.split_at(HEAD_NUMBERS * 2);
    let numbers: Vec<i16> = head.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    let mut stage = Stage {
        head: Head {
            own_mobility: numbers[LANES + HIDDEN],
            other_mobility: numbers[LANES + HIDDEN + 1],
            odd_empties: numbers[LANES + HIDDEN + 2],
            ..Head::default()
        },
        rows: vec![[0; LANES]; standing.len()].into_boxed_slice(),
    };
    stage.head.bias.copy_from_slice(&numbers[..LANES]);
    stage.head.output.copy_from_slice(&numbers[LANES..LANES + HIDDEN]);
    for (lane, weights) in lanes.chunks_exact(own.len()).enumerate() {
        for (&row, &weight) in own.iter().zip(weights) {
            stage.rows[row][lane] = weight as i8;
        }
    }
    for (row, &stands) in standing.iter().enumerate() {
        stage.rows[row] = stage.rows[stands as usize];
    }
    stage
}
