//! How far the evaluation is off, by number of empties.

use std::collections::BTreeMap;
use std::fmt::Write;

use othello::board::Size;
use othello::evaluation::Evaluator;

use crate::sample::Sample;

/// Mean absolute error of one group of samples.
#[derive(Debug, Clone, Copy, Default)]
pub struct Group {
    /// Samples.
    pub count: u64,
    /// Sum of their absolute errors, discs.
    pub sum: f64,
}

impl Group {
    /// Mean absolute error, discs.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
    }
}

/// The error on samples, by number of empties.
pub fn by_empties(samples: &[Sample]) -> BTreeMap<u32, Group> {
    let mut groups: BTreeMap<u32, Group> = BTreeMap::new();
    for sample in samples {
        let value = Evaluator::new(sample.board, Size::Eight).value(sample.board);
        let error = f64::from((value - i32::from(sample.centidiscs)).abs()) / 100.0;
        groups.entry(sample.empties()).or_default().add(Group { count: 1, sum: error });
    }
    groups
}

/// A table for people.
pub fn table(title: &str, groups: &BTreeMap<u32, Group>) -> String {
    let mut text = format!("{title}\nempties  positions  mean absolute error\n");
    let mut all = Group::default();
    for (empties, group) in groups {
        let _ = writeln!(text, "{empties:7}  {:9}  {:.3}", group.count, group.mean());
        all.add(*group);
    }
    let _ = writeln!(text, "    all  {:9}  {:.3}", all.count, all.mean());
    text
}

/// Width of a bar with its gap, in the plot's units.
const BAR: f64 = 14.0;
/// Height of one disc of error, in the plot's units.
const DISC: f64 = 30.0;

/// A bar chart of the same figures, as SVG.
pub fn plot(title: &str, groups: &BTreeMap<u32, Group>) -> String {
    let most = groups.values().map(Group::mean).fold(1.0, f64::max).ceil();
    let (left, top) = (40.0, 30.0);
    let (width, height) = (left + BAR * groups.len() as f64 + 10.0, top + most * DISC);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {}\" font-family=\"sans-serif\" \
         font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"16\" font-size=\"12\">{title}: mean absolute error in discs by empties</text>\n",
        height + 30.0
    );
    for disc in 0..=most as u32 {
        let y = height - f64::from(disc) * DISC;
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {y}H{width}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{disc}</text>",
            left - 4.0,
            y + 3.0
        );
    }
    for (place, (empties, group)) in groups.iter().enumerate() {
        let x = left + BAR * place as f64;
        let bar = group.mean() * DISC;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{bar:.1}\" fill=\"#3b6ea5\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{empties}</text>",
            x + 1.0,
            height - bar,
            BAR - 2.0,
            x + BAR / 2.0,
            height + 14.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}
