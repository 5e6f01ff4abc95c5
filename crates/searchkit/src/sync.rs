//! The locks and atomics of what threads share: the standard library's, or with the feature `schedules` those of shuttle,
//! which runs the threads of a test in thousands of random orders.

#[cfg(not(feature = "schedules"))]
pub use std::sync::{
    Condvar, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

#[cfg(feature = "schedules")]
pub use shuttle::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};
#[cfg(feature = "schedules")]
pub use std::sync::PoisonError;
