//! Roots of functions of one number.

/// The root in `low..high` of a function that decreases there, given as its value and its slope: Newton's steps,
/// and halves of the interval where these lead out of it. Without a root inside, the end that is nearer to it.
pub fn root_of_decreasing(low: f64, high: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    // Newton's last step leaves an error of the order of its square.
    let tolerance = 1e-9 * (high - low);
    let (mut low, mut high) = (low, high);
    let mut x = (low + high) / 2.0;
    for _ in 0..100 {
        let (value, slope) = function(x);
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
        if (next - x).abs() <= tolerance {
            return next;
        }
        x = next;
    }
    x
}

/// Where between `low` and `high` the answer turns from true to false, to 1e-7 of the interval.
/// `low` may be the larger; an answer that never turns gives the end that it points to.
pub fn bisect(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_between_poles_and_far_from_the_middle() {
        // 1 / x - 1000 next to its pole, and a flat cubic on which Newton alone would creep.
        let near_pole = root_of_decreasing(0.0, 10.0, |x| (1.0 / x - 1000.0, -1.0 / (x * x)));
        assert!((near_pole - 1e-3).abs() < 1e-11, "{near_pole}");
        let cubic = root_of_decreasing(-5.0, 9.0, |x| (-(x - 1.0).powi(3) - 8.0, -3.0 * (x - 1.0).powi(2)));
        assert!((cubic + 1.0).abs() < 1e-10, "{cubic}");
    }

    #[test]
    fn without_a_root_the_nearer_end() {
        assert!((root_of_decreasing(1.0, 2.0, |x| (-x, -1.0)) - 1.0).abs() < 1e-8);
        assert!((root_of_decreasing(1.0, 2.0, |x| (3.0 - x, -1.0)) - 2.0).abs() < 1e-8);
    }

    #[test]
    fn bisects_in_both_directions() {
        assert!((bisect(0.0, 8.0, |x| x < 3.0) - 3.0).abs() < 1e-6);
        assert!((bisect(8.0, 0.0, |x| x > 3.0) - 3.0).abs() < 1e-6);
        assert!((bisect(0.0, 8.0, |_| true) - 8.0).abs() < 1e-6);
    }
}
