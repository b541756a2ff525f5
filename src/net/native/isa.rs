//! The instruction sets that the kernels are compiled for, and the choice among them at run time.
//!
//! A kernel is plain Rust over [`Lanes`](super::lanes::Lanes), inlined into a function for every instruction set, whose
//! registers and instructions [`Arch`] names. The value of type [`Arch`] that a kernel is given proves that the
//! processor has them.

use std::{env, fmt, str::FromStr};

use serde::Serialize;

use super::arch::{Arch, Kernel, Portable};
#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};
use crate::games::rules::UnknownName;

/// An instruction set that the kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Isa {
    /// AVX-512F, with AVX512_BF16 where the processor has that, too.
    Avx512,
    /// AVX2 and FMA.
    Avx2,
    /// NEON, which every aarch64 processor has.
    Neon,
    /// What every processor of this architecture has, without fused multiplication and addition.
    Portable,
}

/// Why [`Isa::from_env`] finds none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadIsa {
    /// The variable holds no name of one.
    #[error("SANKI_ISA: {0}")]
    Unknown(UnknownName),
    /// It names one that this processor lacks.
    #[error("SANKI_ISA: this processor has no {0}")]
    Unavailable(Isa),
}

impl Isa {
    /// All of them, the fastest first.
    pub const ALL: [Isa; 4] = [Isa::Avx512, Isa::Avx2, Isa::Neon, Isa::Portable];

    /// The environment variable that overrides [`Isa::detect`].
    pub const VARIABLE: &str = "SANKI_ISA";

    /// The name in [`Isa::VARIABLE`].
    pub fn as_str(self) -> &'static str {
        match self {
            Isa::Avx512 => "avx512",
            Isa::Avx2 => "avx2",
            Isa::Neon => "neon",
            Isa::Portable => "portable",
        }
    }

    /// The one that [`Isa::VARIABLE`] names, or else the fastest of this processor.
    ///
    /// # Errors
    /// When the variable names none, or one that this processor lacks.
    pub fn from_env() -> Result<Isa, BadIsa> {
        match env::var_os(Isa::VARIABLE) {
            Some(name) if !name.is_empty() => Isa::named(&name.to_string_lossy()),
            _ => Ok(Isa::detect()),
        }
    }

    fn named(name: &str) -> Result<Isa, BadIsa> {
        let isa: Isa = name.parse().map_err(BadIsa::Unknown)?;
        if isa.is_available() { Ok(isa) } else { Err(BadIsa::Unavailable(isa)) }
    }

    /// The fastest that this processor has.
    pub fn detect() -> Isa {
        Isa::ALL.into_iter().find(|isa| isa.is_available()).expect("the portable one is always there")
    }

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Avx512::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Avx2::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx512 | Isa::Avx2 => false,
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => Neon::detect().is_some(),
            #[cfg(not(target_arch = "aarch64"))]
            Isa::Neon => false,
            Isa::Portable => true,
        }
    }

    /// Runs `kernel` as compiled for this instruction set.
    ///
    /// # Panics
    /// When this processor does not have it.
    pub fn run<K: Kernel>(self, kernel: K) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => match Avx512::detect() {
                Some(arch) => match arch.with_bf16() {
                    Some(arch) => arch.vectorize(kernel),
                    None => arch.vectorize(kernel),
                },
                None => panic!("this processor has no {self}"),
            },
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => match Avx2::detect() {
                Some(arch) => arch.vectorize(kernel),
                None => panic!("this processor has no {self}"),
            },
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx512 | Isa::Avx2 => panic!("this processor has no {self}"),
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => match Neon::detect() {
                Some(arch) => arch.vectorize(kernel),
                None => panic!("this processor has no {self}"),
            },
            #[cfg(not(target_arch = "aarch64"))]
            Isa::Neon => panic!("this processor has no {self}"),
            Isa::Portable => Portable.vectorize(kernel),
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Isa {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::look_up("instruction set", name, &Isa::ALL, Isa::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for isa in Isa::ALL {
            let expected = if isa.is_available() { Ok(isa) } else { Err(BadIsa::Unavailable(isa)) };
            assert_eq!(Isa::named(isa.as_str()), expected);
        }
        let error = Isa::named("sse9").unwrap_err().to_string();
        assert!(error.starts_with("SANKI_ISA: ") && error.contains("sse9"), "{error}");
    }
}
