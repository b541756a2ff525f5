//! Work on all threads, where there are several.

/// What `of` makes of each of `0..count`, on all threads of the pool, `together` or more on each: less is not worth the
/// handing out.
#[cfg(feature = "engine")]
pub fn collect<T: Send>(count: usize, together: usize, of: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    use rayon::prelude::*;

    (0..count).into_par_iter().with_min_len(together).map(of).collect()
}

/// What `of` makes of each of `0..count`.
#[cfg(not(feature = "engine"))]
pub fn collect<T>(count: usize, _: usize, of: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(of).collect()
}
