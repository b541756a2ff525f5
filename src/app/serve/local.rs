//! Addresses of our own pages, for redirects: nothing from outside leads a browser elsewhere.

/// `address`, a path with perhaps a query, if it is one on this server, whatever a browser makes of it: browsers take
/// `//host` and `/\host` for other hosts, and read an address as if it had no tabs and line breaks (URL standard, 4.4).
pub(super) fn local(address: &str) -> Option<&str> {
    let mut letters = address.bytes();
    let begins = letters.next() == Some(b'/') && letters.next() != Some(b'/');
    let is_plain = address.bytes().all(|letter| letter.is_ascii_graphic() && letter != b'\\');
    (begins && is_plain).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_addresses_are_local() {
        for ours in ["/", "/runs/a?b=c", "/a//b", "/%EB%82%B4"] {
            assert_eq!(local(ours), Some(ours));
        }
        for foreign in [
            "",
            "runs",
            "//evil.example/",
            "///evil.example/",
            "https://evil.example/",
            "/\\evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            "\t//evil.example",
            "/a\r\nSet-Cookie: b=c",
            "/a b",
            "/내",
        ] {
            assert_eq!(local(foreign), None, "{foreign:?}");
        }
    }
}
