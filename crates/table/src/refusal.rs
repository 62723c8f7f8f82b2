//! Why something asked for is not done: a stable code, one sentence, and the HTTP status.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kiebitz_core::{Illegal, SetupError, SpecError};

use crate::identity::NoRandomness;
use crate::protocol::http::ErrorBody;
use crate::queue::QueueError;
use crate::store::StoreError;

/// A refusal; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// A stable code.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Seconds after which another try makes sense.
    pub retry_after: Option<u32>,
}

impl Refusal {
    /// A refusal.
    pub fn new(status: u16, code: &str, message: impl Into<String>) -> Self {
        Refusal { status, code: code.to_owned(), message: message.into(), retry_after: None }
    }

    /// The sender may not do this.
    pub fn forbidden(message: &str) -> Self {
        Refusal::new(403, "forbidden", message)
    }
}

impl From<Illegal> for Refusal {
    fn from(e: Illegal) -> Self {
        Refusal::new(422, e.code, e.message)
    }
}

impl From<SetupError> for Refusal {
    fn from(e: SetupError) -> Self {
        Refusal::new(400, e.code, e.message)
    }
}

impl From<SpecError> for Refusal {
    fn from(e: SpecError) -> Self {
        Refusal::new(400, e.code(), e.to_string())
    }
}

impl From<StoreError> for Refusal {
    fn from(e: StoreError) -> Self {
        Refusal::new(e.status(), e.code(), e.to_string())
    }
}

impl From<NoRandomness> for Refusal {
    fn from(e: NoRandomness) -> Self {
        Refusal::new(503, "random", e.to_string())
    }
}

impl From<QueueError> for Refusal {
    fn from(e: QueueError) -> Self {
        let status = if matches!(e, QueueError::Full | QueueError::Closed) { 503 } else { 429 };
        Refusal { retry_after: Some(e.retry_after()), ..Refusal::new(status, e.code(), e.to_string()) }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let mut response = (status, Json(ErrorBody { code: self.code, message: self.message })).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
