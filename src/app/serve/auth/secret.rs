//! What only the owner knows: the token, and the code that opens the page once.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rand::RngExt;
use subtle::ConstantTimeEq;

/// How long a code may be used: a browser that has to start first takes its time.
const CODE_LASTS: Duration = Duration::from_secs(120);

/// 128 random bits, in hexadecimal. They are not printed by accident.
#[derive(Clone)]
pub(super) struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// A new one.
    pub(super) fn new() -> Self {
        Secret(format!("{:032x}", rand::rng().random::<u128>()))
    }

    /// Its text.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether `given` is the same, in a time that does not depend on where they differ.
    pub(super) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

/// A code that works once, and not for long.
#[derive(Debug, Default)]
pub(super) struct OneTime {
    code: Mutex<Option<(Secret, Instant)>>,
}

impl OneTime {
    /// Makes a new code; one that was there before works no more.
    pub(super) fn issue(&self) -> Secret {
        let code = Secret::new();
        *self.code.lock().unwrap_or_else(PoisonError::into_inner) = Some((code.clone(), Instant::now()));
        code
    }

    /// Whether `given` is the code. If so, it is used up.
    pub(super) fn redeem(&self, given: &str) -> bool {
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = code.as_ref().is_some_and(|(code, made)| made.elapsed() < CODE_LASTS && code.is(given));
        if is_it {
            *code = None;
        }
        is_it
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_not_shown() {
        let (one, other) = (Secret::new(), Secret::new());
        assert!(one.is(one.reveal()) && !one.is(other.reveal()));
        assert!(!one.is("") && !one.is(&one.reveal()[1..]) && !one.is(&format!("{}0", one.reveal())));
        assert_eq!(one.reveal().len(), 32);
        assert!(!format!("{one:?}").contains(one.reveal()));
    }

    #[test]
    fn a_code_works_once() {
        let once = OneTime::default();
        assert!(!once.redeem(""));
        let first = once.issue();
        assert!(!once.redeem("0"));
        assert!(once.redeem(first.reveal()) && !once.redeem(first.reveal()));
        let (old, new) = (once.issue(), once.issue());
        assert!(!once.redeem(old.reveal()) && once.redeem(new.reveal()));
    }
}
