//! HTTP: everything that touches a socket.

pub mod connections;
