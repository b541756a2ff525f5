//! The program `sanki`.

fn main() {}
