//! How a move is spelt in each style.

use super::{MoveInfo, Notate, Style, algebraic, candidates::Candidates, janggi, shogi, usi, xiangqi};

impl<G: Notate> Candidates<G> {
    /// The legal move in `style`, without a mark of check.
    pub(super) fn written(&self, mv: G::Move, style: Style) -> String {
        let (_, move_info) = self.steps.iter().find(|(legal, _)| *legal == mv).expect("a legal move");
        self.spellings(mv, move_info, style).swap_remove(0)
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
        let is_meant = |mv: G::Move, move_info: &MoveInfo| {
            asked.iter().any(|(style, text)| {
                self.spellings(mv, move_info, *style).iter().any(|spelling| form(spelling, *style) == *text)
            })
        };
        self.steps.iter().filter(|(mv, move_info)| is_meant(*mv, move_info)).map(|(mv, _)| *mv).collect()
    }

    /// How the move may be written, the way we write it first.
    fn spellings(&self, mv: G::Move, move_info: &MoveInfo, style: Style) -> Vec<String> {
        match style {
            Style::Wxf | Style::Chinese if xiangqi::has_no_words(self, move_info) => vec![mv.to_string()],
            Style::Uci => vec![mv.to_string()],
            Style::Usi => vec![usi::<G>(mv)],
            Style::Kif => shogi::kif(self, move_info),
            Style::Csa => vec![shogi::csa(self, move_info)],
            Style::Western => shogi::western(self, move_info),
            Style::San => algebraic::san(self, move_info),
            Style::Wxf => vec![xiangqi::wxf(self, move_info)],
            Style::Chinese => vec![xiangqi::chinese(self, move_info)],
            Style::Korean => vec![janggi::korean(self, move_info)],
            Style::Numbers => vec![janggi::numbers(move_info)],
        }
    }
}
