//! A question on a connection of its own that ends in the moment it is let go. The HTTP library closes a connection when it
//! comes to it, which is too vague for who measures what happens after.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Client, Error};

/// How an answer began.
#[derive(Debug)]
pub enum Begun {
    /// With 200, on this connection.
    Answer(TcpStream),
    /// With this other status.
    Refused(u16),
}

/// The longest head that an answer may have, in bytes.
const MOST_HEAD: usize = 16 * 1024;

impl Client {
    /// Asks for an analysis of Othello as a stream, and waits until it begins.
    ///
    /// # Errors
    /// When the service cannot be reached or answers no HTTP.
    pub async fn begin_alone(&self, question: &Value) -> Result<Begun, Error> {
        let strange = |error: std::io::Error| Error::Strange(error.to_string());
        let place = self.base.strip_prefix("http://").unwrap_or(&self.base);
        let (host, path) = place.find('/').map_or((place, ""), |at| place.split_at(at));
        let address = if host.rsplit(']').next().is_some_and(|rest| rest.contains(':')) {
            host.to_owned()
        } else {
            format!("{host}:80")
        };
        let mut stream = TcpStream::connect(&address).await.map_err(strange)?;
        stream.set_nodelay(true).map_err(strange)?;
        let body = question.to_string();
        let key =
            self.key.as_ref().map_or_else(String::new, |key| format!("authorization: Bearer {key}\r\n"));
        let head = format!(
            "POST {path}/v1/othello/analysis HTTP/1.1\r\nhost: {host}\r\naccept: application/x-ndjson\r\n{key}\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).await.map_err(strange)?;
        let mut answer = Vec::new();
        while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
            let count = stream.read_buf(&mut answer).await.map_err(strange)?;
            if count == 0 || answer.len() > MOST_HEAD {
                return Err(Error::Strange("the head of an answer is not there".to_owned()));
            }
        }
        match answer.get(9..12).and_then(|status| std::str::from_utf8(status).ok()?.parse().ok()) {
            Some(200) => Ok(Begun::Answer(stream)),
            Some(status) => Ok(Begun::Refused(status)),
            None => Err(Error::Strange("the answer is no HTTP".to_owned())),
        }
    }
}
