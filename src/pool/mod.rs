//! The pool: which search runs when, and on how many threads. It is generic over [`searchkit::search::Search`] and
//! knows no game.
