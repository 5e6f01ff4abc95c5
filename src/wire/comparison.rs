//! A comparison request, read into what the lab is asked.

use othello::lab::{Comparison, Technique};
use othello::notation::Read;

use super::analysis::{CLASSES, Class};
use super::json::Json;
use super::limits::{LimitName, Limits};
use super::position::{self, POSITION_FIELDS};
use super::problem::{FieldCode, FieldError};
use super::reader::{Members, Place, document, quoted};
use super::technique;

/// The fields of a comparison request besides those of the position.
pub const COMPARISON_FIELDS: [&str; 5] = ["depths", "configurations", "limits", "threads", "class"];

/// The depths compared when a request names none.
pub const DEFAULT_DEPTHS: [u8; 2] = [5, 6];

/// A comparison request with all defaults filled in.
#[derive(Debug, Clone)]
pub struct ComparisonRequest {
    /// The position, with its history if there was one.
    pub read: Read,
    /// Depths in plies, as asked; none twice.
    pub depths: Vec<u8>,
    /// Configurations by name, as asked; no name twice.
    pub configurations: Vec<(String, Technique)>,
    /// Milliseconds from the arrival of the request to the answer.
    pub time_ms: u64,
    /// Most threads.
    pub threads: usize,
    /// Whose turn comes first.
    pub class: Class,
}

impl ComparisonRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// All faults found, each at its place.
    pub fn parse(json: &Json, limits: &Limits) -> Result<Self, Vec<FieldError>> {
        document(json, |root| read(root, limits))
    }

    /// What the lab is asked.
    pub fn comparison(&self) -> Comparison {
        Comparison::new(self.read.position, &self.configurations, &self.depths)
    }
}

/// Reads as much as there is, so that all faults are told in one answer.
fn read(root: Place<'_>, limits: &Limits) -> Option<ComparisonRequest> {
    let known: Vec<&'static str> = POSITION_FIELDS.into_iter().chain(COMPARISON_FIELDS).collect();
    let members = root.object(&known)?;
    let position = position::read(&members);
    let depths =
        members.get("depths").map_or(Some(default_depths(limits)), |place| read_depths(&place, limits));
    let configurations =
        members.get("configurations").map_or(Some(named()), |place| read_configurations(&place, limits));
    let time = limits.get(LimitName::TimeMs);
    let time_ms = match members.get("limits") {
        Some(place) => read_time(&place, limits),
        None => Some(time.default.unwrap_or(time.max)),
    };
    let threads = read_threads(&members, limits);
    let class = members.get("class").map_or(Some(Class::Interactive), |place| place.one_of(&CLASSES));
    Some(ComparisonRequest {
        read: position?,
        depths: depths?,
        configurations: configurations?,
        time_ms: time_ms?,
        threads: threads?,
        class: class?,
    })
}

/// The usual depths, as far as the operator allows them.
fn default_depths(limits: &Limits) -> Vec<u8> {
    let max = limits.get(LimitName::ComparisonDepth).max;
    let mut depths: Vec<u8> =
        DEFAULT_DEPTHS.into_iter().map(|depth| depth.min(u8::try_from(max).unwrap_or(u8::MAX))).collect();
    depths.dedup();
    depths.truncate(usize::try_from(limits.get(LimitName::ComparisonDepths).max).unwrap_or(usize::MAX));
    depths
}

/// The named configurations of the first founding text.
pub fn named() -> Vec<(String, Technique)> {
    Technique::NAMED.map(|(name, technique)| (name.to_owned(), technique)).to_vec()
}

fn read_depths(place: &Place<'_>, limits: &Limits) -> Option<Vec<u8>> {
    let range = limits.get(LimitName::ComparisonDepth);
    let mut depths = Vec::new();
    for (index, json) in read_list(place, LimitName::ComparisonDepths, limits)?.iter().enumerate() {
        let element = place.element(index, json);
        let depth = u8::try_from(element.integer(range)?).unwrap_or(u8::MAX);
        if depths.contains(&depth) {
            element.refuse(FieldCode::Conflict, format!("depth {depth} is asked twice"));
            return None;
        }
        depths.push(depth);
    }
    Some(depths)
}

fn read_configurations(place: &Place<'_>, limits: &Limits) -> Option<Vec<(String, Technique)>> {
    let mut found: Vec<(String, Technique)> = Vec::new();
    let mut whole = true;
    for (index, json) in read_list(place, LimitName::ComparisonConfigurations, limits)?.iter().enumerate() {
        let element = place.element(index, json);
        let Some((name, technique)) = technique::read(&element, index) else {
            whole = false;
            continue;
        };
        if found.iter().any(|(other, _)| *other == name) {
            let message = format!("{} names two configurations: give one another `name`", quoted(&name));
            element.refuse(FieldCode::Conflict, message);
            whole = false;
        }
        found.push((name, technique));
    }
    whole.then_some(found)
}

/// A list with at least one element and no more than its limit allows.
fn read_list<'a>(place: &Place<'a>, most: LimitName, limits: &Limits) -> Option<&'a [Json]> {
    let list = place.array()?;
    let range = limits.get(most);
    if (range.min..=range.max).contains(&(list.len() as u64)) {
        return Some(list);
    }
    let message = format!("must have {} to {} elements, not {}", range.min, range.max, list.len());
    place.refuse(FieldCode::OutOfRange, message);
    None
}

fn read_time(place: &Place<'_>, limits: &Limits) -> Option<u64> {
    let name = LimitName::TimeMs.row().name;
    let range = limits.get(LimitName::TimeMs);
    match place.object(&[name])?.get(name) {
        Some(time) => time.integer(range),
        None => Some(range.default.unwrap_or(range.max)),
    }
}

fn read_threads(members: &Members<'_>, limits: &Limits) -> Option<usize> {
    let range = limits.get(LimitName::Threads);
    let threads = match members.get("threads") {
        Some(place) => place.integer(range)?,
        None => range.default.unwrap_or(1),
    };
    Some(usize::try_from(threads).unwrap_or(usize::MAX))
}
