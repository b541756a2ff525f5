//! How a move is spelt in each style.

use super::{Notate, Step, Style, algebraic, janggi, scene::Scene, shogi, usi, xiangqi};

impl<G: Notate> Scene<G> {
    /// The legal move in `style`, without a mark of check.
    pub(super) fn written(&self, mv: G::Move, style: Style) -> String {
        let (_, step) = self.steps.iter().find(|(legal, _)| *legal == mv).expect("a legal move");
        self.spellings(mv, step, style).swap_remove(0)
    }

    /// The moves of which a spelling in one of `styles` is `text`, both brought to one form. Styles of other games are
    /// left out: we do not write them, so they have no spelling to compare with.
    pub(super) fn meant(
        &self,
        styles: &[Style],
        text: &str,
        form: impl Fn(&str, Style) -> String,
    ) -> Vec<G::Move> {
        let own = styles.iter().filter(|style| G::STYLES.contains(style));
        let asked: Vec<(Style, String)> = own.map(|&style| (style, form(text, style))).collect();
        let is_meant = |mv: G::Move, step: &Step| {
            asked.iter().any(|(style, text)| {
                self.spellings(mv, step, *style).iter().any(|spelling| form(spelling, *style) == *text)
            })
        };
        self.steps.iter().filter(|(mv, step)| is_meant(*mv, step)).map(|(mv, _)| *mv).collect()
    }

    /// How the move may be written, the way we write it first.
    fn spellings(&self, mv: G::Move, step: &Step, style: Style) -> Vec<String> {
        match style {
            Style::Wxf | Style::Chinese if xiangqi::has_no_words(self, step) => vec![mv.to_string()],
            Style::Uci => vec![mv.to_string()],
            Style::Usi => vec![usi::<G>(mv)],
            Style::Kif => shogi::kif(self, step),
            Style::Csa => vec![shogi::csa(self, step)],
            Style::Western => vec![shogi::western(self, step)],
            Style::San => algebraic::san(self, step),
            Style::Wxf => vec![xiangqi::wxf(self, step)],
            Style::Chinese => vec![xiangqi::chinese(self, step)],
            Style::Korean => vec![janggi::korean(self, step)],
            Style::Numbers => vec![janggi::numbers(step)],
        }
    }
}
