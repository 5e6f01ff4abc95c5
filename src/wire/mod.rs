//! What goes over the wire: requests read into values with every fault named, replies as serialisable types, the table
//! of limits and the list of problem codes. Floor 2: it knows no web framework.

pub mod analysis;
pub mod analysis_reply;
pub mod comparison;
pub mod comparison_reply;
mod evaluation;
pub mod evaluation_reply;
pub mod gomoku;
pub mod json;
pub mod limits;
pub mod moves;
pub mod nearest;
pub mod picture;
pub mod position;
pub mod position_reply;
pub mod position_schema;
pub mod problem;
pub mod query_string;
pub mod reader;
pub mod schema;
mod schema_technique;
pub mod service_info;
pub mod strength;
pub mod technique;
pub mod telling;
pub mod times;
