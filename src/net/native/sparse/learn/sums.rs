//! Which rows are added up to what, and the same read backwards.

use std::ops::Range;

/// A row of a table, and the place of its factor in a list of factors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Term {
    /// The row.
    pub row: u32,
    /// Where its factor is.
    pub factor: u32,
}

/// Sums of rows: for each a list of terms.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    ends: Vec<usize>,
    terms: Vec<Term>,
}

impl Sums {
    /// How many sums there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The terms of sum `index`.
    pub fn terms(&self, index: usize) -> &[Term] {
        &self.terms[self.span(index..index + 1)]
    }

    /// The terms of sum `index` and of all after it.
    pub fn terms_from(&self, index: usize) -> &[Term] {
        &self.terms[self.span(index..index).start..]
    }

    /// Where the terms of some sums are among all.
    pub fn span(&self, sums: Range<usize>) -> Range<usize> {
        let end = |sum: usize| if sum == 0 { 0 } else { self.ends[sum - 1] };
        end(sums.start)..end(sums.end)
    }

    /// The sums in about `parts` ranges, one after the other, that are alike in the number of their terms.
    pub fn cut(&self, parts: usize) -> Vec<Range<usize>> {
        // A sum without terms is work, too: it is written.
        let work = |sum: usize| self.span(0..sum).end + sum;
        let most = work(self.len()).div_ceil(parts.max(1)).max(1);
        let (mut ranges, mut begin) = (Vec::with_capacity(parts + 1), 0);
        for end in 1..=self.len() {
            // A sum that is much by itself is a range of its own.
            if end == self.len() || work(end + 1) - work(begin) > most {
                ranges.push(begin..end);
                begin = end;
            }
        }
        ranges
    }

    /// Terms of all sums.
    pub fn all(&self) -> usize {
        self.terms.len()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.terms.clear();
    }

    /// Adds `row` to the sum that is being made, with the next factor of the list.
    pub fn add(&mut self, row: usize) {
        self.add_with(row, self.terms.len());
    }

    /// Adds `row` to the sum that is being made, with the factor at `factor`.
    pub fn add_with(&mut self, row: usize, factor: usize) {
        self.terms.push(Term { row: row as u32, factor: factor as u32 });
    }

    /// Ends the sum that is being made.
    pub fn end(&mut self) {
        self.ends.push(self.terms.len());
    }
}

/// The rows of a table that some sums touch. They are numbered anew, without those that none touches.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// Their numbers in the whole table, ascending.
    pub rows: Vec<usize>,
    /// The sums, of the new numbers.
    pub forward: Sums,
    /// For each touched row the sums that it is a term of, in their order: its gradient's terms.
    pub backward: Sums,
}

impl Touched {
    /// Renumbers the rows of `forward`, which are those of a table of `table` rows, and reads the sums backwards.
    /// `places` is a buffer: for each row of the table how often it is touched; then its new number and where its next
    /// term goes.
    pub fn renumber(&mut self, table: usize, places: &mut Vec<(u32, u32)>) {
        let Touched { rows, forward, backward } = self;
        places.clear();
        places.resize(table, (0, 0));
        for term in &forward.terms {
            places[term.row as usize].0 += 1;
        }
        rows.clear();
        backward.clear();
        let mut end = 0;
        for (row, place) in places.iter_mut().enumerate().filter(|(_, (count, _))| *count > 0) {
            let begin = end;
            end += place.0;
            *place = (rows.len() as u32, begin);
            rows.push(row);
            backward.ends.push(end as usize);
        }
        backward.terms.resize(forward.terms.len(), Term::default());
        let mut begin = 0;
        for (sum, &end) in forward.ends.iter().enumerate() {
            for term in &mut forward.terms[begin..end] {
                let (row, next) = &mut places[term.row as usize];
                backward.terms[*next as usize] = Term { row: sum as u32, factor: term.factor };
                *next += 1;
                term.row = *row;
            }
            begin = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_alike_in_terms() {
        let mut sums = Sums::default();
        for terms in [3, 1, 0, 40, 2, 2, 2, 2, 30] {
            (0..terms).for_each(|row| sums.add(row));
            sums.end();
        }
        assert_eq!(sums.cut(1).first(), Some(&(0..9)));
        // 91 in all: at most 23 each, but what is more by itself.
        assert_eq!(sums.cut(4), [0..3, 3..4, 4..8, 8..9]);
        assert_eq!(sums.cut(1000).len(), 9);
        assert!(Sums::default().cut(4).is_empty());
    }

    #[test]
    fn sums_read_backwards() {
        let mut touched = Touched::default();
        for rows in [&[7, 2][..], &[], &[2, 9, 7]] {
            rows.iter().for_each(|&row| touched.forward.add(row));
            touched.forward.end();
        }
        touched.renumber(11, &mut Vec::new());
        let term = |(row, factor)| Term { row, factor };
        assert_eq!(touched.rows, [2, 7, 9]);
        assert_eq!(touched.forward.terms(0), [(1, 0), (0, 1)].map(term));
        assert_eq!(touched.forward.terms(1), []);
        assert_eq!(touched.forward.terms(2), [(0, 2), (2, 3), (1, 4)].map(term));
        assert_eq!((touched.backward.len(), touched.backward.all()), (3, 5));
        assert_eq!(touched.backward.terms(0), [(0, 1), (2, 2)].map(term));
        assert_eq!(touched.backward.terms(1), [(0, 0), (2, 4)].map(term));
        assert_eq!(touched.backward.terms(2), [(2, 3)].map(term));
    }
}
