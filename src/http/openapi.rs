//! The OpenAPI document: made from the routes, completed with what all operations share.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::info::{InfoBuilder, LicenseBuilder};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::Type;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{ComponentsBuilder, Header, Object, OpenApi, OpenApiBuilder, Ref, RefOr, Response};

use super::{examples, routes};
use crate::wire::gomoku::schema as gomoku_schema;
use crate::wire::limits::Limits;
use crate::wire::picture::picture_parameters;
use crate::wire::problem::{FieldCode, FieldError, ProblemBody, ProblemCode};
use crate::wire::{position_schema, schema};

/// The document as a file: pretty, with a newline at its end. This is what is committed; it has the limits of a pool of one
/// thread, which is what the table says before anything about a machine is known.
pub fn openapi_json() -> String {
    let mut json =
        document(&Limits::for_threads(1)).to_pretty_json().expect("a document holds only texts and numbers");
    json.push('\n');
    json
}

/// The document of a service with these limits.
pub(super) fn document(limits: &Limits) -> OpenApi {
    let (_, mut document) = routes::described().split_for_parts();
    let components = document.components.get_or_insert_default();
    components.schemas.extend(schema::requests(limits));
    restrict_parameters(&mut document, limits);
    examples::add(&mut document);
    document
}

/// Gives the parameters of a question in a URL the grammar that the fields of a body have; the macro of a route can only
/// name their types.
fn restrict_parameters(document: &mut OpenApi, limits: &Limits) {
    let pictures = picture_parameters();
    let of_othello =
        [position_schema::parameters(), schema::analysis_parameters(limits), pictures.clone()].concat();
    let of_gomoku = [gomoku_schema::parameters(limits), pictures].concat();
    for operation in document.paths.paths.values_mut().filter_map(|item| item.get.as_mut()) {
        // The games share names of parameters, not what they may hold.
        let gomoku = operation.tags.iter().flatten().any(|tag| tag == "gomoku");
        let schemas = if gomoku { &of_gomoku } else { &of_othello };
        for parameter in operation.parameters.iter_mut().flatten() {
            let RefOr::T(parameter) = parameter else { continue };
            if let Some((_, schema)) = schemas.iter().find(|(name, _)| *name == parameter.name) {
                parameter.schema = Some(schema.clone());
            }
        }
    }
}

/// The document before any route: who we are, and the types that no route names by itself.
pub(super) fn base() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Discern")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .license(Some(
            LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build(),
        ))
        .build();
    let components = ComponentsBuilder::new()
        .schema_from::<ProblemBody>()
        .schema_from::<ProblemCode>()
        .schema_from::<FieldError>()
        .schema_from::<FieldCode>()
        .security_scheme(
            BEARER,
            SecurityScheme::Http(
                HttpBuilder::new()
                    .scheme(HttpAuthScheme::Bearer)
                    .description(Some(
                        "An API key of this instance. Whether one is needed is up to its operator.",
                    ))
                    .build(),
            ),
        )
        .build();
    let tag =
        |name: &str, description: &str| TagBuilder::new().name(name).description(Some(description)).build();
    OpenApiBuilder::new()
        .info(info)
        .components(Some(components))
        // With a key or without one.
        .security(Some([SecurityRequirement::default(), SecurityRequirement::new(BEARER, [""; 0])]))
        .tags(Some([
            tag("othello", "Othello on 8x8, 6x6 and 4x4 boards."),
            tag("gomoku", "Gomoku on boards of 5x5 to 20x20, by freestyle, standard or renju rules."),
            tag("service", "What the service says about itself."),
        ]))
        .build()
}

const DESCRIPTION: &str = "What is the best move here, what is every other move worth, and how sure are we?\n\n\
    Scores are from the point of view of the side to move: Othello's in discs, Gomoku's moves to a proven win or a chance of winning. Every score says whether it is proven to the end \
    (`exact`) or an `estimate`, to which depth, and whether it is a bound. Unknown fields are refused and named; nothing is \
    capped or assumed in silence. Every failure is an RFC 9457 problem body with a code from a closed list.";

/// The security scheme of API keys.
const BEARER: &str = "api_key";

/// Problems that any operation can end in.
pub(super) struct ReadProblems;

/// Problems of an operation with a path parameter and an answer that is not negotiated.
pub(super) struct NotFoundProblem;

/// Problems of an operation that is asked by a query string.
pub(super) struct QueryProblems;

/// Problems of an operation that is asked by a query string and needs worker threads.
pub(super) struct SearchQueryProblems;

/// Problems of an operation that reads a body.
pub(super) struct PositionProblems;

/// Problems of an operation that reads a body and needs worker threads.
pub(super) struct AnalysisProblems;

impl IntoResponses for QueryProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[401, 406, 422, 429, 500])
    }
}

impl IntoResponses for SearchQueryProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[401, 406, 422, 429, 500, 503])
    }
}

impl IntoResponses for PositionProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 401, 406, 413, 415, 422, 429, 500])
    }
}

impl IntoResponses for AnalysisProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 401, 406, 413, 415, 422, 429, 500, 503])
    }
}

impl IntoResponses for ReadProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[401, 406, 500])
    }
}

impl IntoResponses for NotFoundProblem {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[404, 500])
    }
}

/// One problem response for each status, naming the codes it comes with.
fn problems(statuses: &[u16]) -> BTreeMap<String, RefOr<Response>> {
    statuses.iter().map(|&status| (status.to_string(), RefOr::T(response(status)))).collect()
}

/// The headers that come with a problem of this status besides those of every answer.
fn headers(status: u16) -> &'static [(&'static str, &'static str)] {
    const RETRY_AFTER: (&str, &str) = ("Retry-After", "Whole seconds after which to try again.");
    match status {
        401 => &[("WWW-Authenticate", "`Bearer`, with `error` when the key that was sent is not valid.")],
        405 => &[("Allow", "The methods that the path answers.")],
        429 => &[
            RETRY_AFTER,
            (
                "RateLimit",
                "How the client stands: `r` ms of search time are left, and `t` seconds pass until enough is.",
            ),
            ("RateLimit-Policy", "What the client may use: `q` ms of search time come back in `w` seconds."),
        ],
        503 => &[RETRY_AFTER],
        _ => &[],
    }
}

fn response(status: u16) -> Response {
    let codes = ProblemCode::ALL.map(ProblemCode::row);
    let meanings: Vec<String> = codes
        .iter()
        .filter(|row| row.status == status)
        .map(|row| format!("`{}`: {}.", row.name, row.title))
        .collect();
    let mut response = ResponseBuilder::new().description(meanings.join(" "));
    for (name, description) in headers(status) {
        let mut header = Header::new(Object::with_type(Type::String));
        header.description = Some((*description).to_owned());
        response = response.header(*name, header);
    }
    response
        .content(
            "application/problem+json",
            ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build(),
        )
        .build()
}
