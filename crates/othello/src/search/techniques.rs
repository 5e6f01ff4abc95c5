//! The techniques that the midgame search can do with or without, so that each one's worth can be measured.
//! `docs/ENGINE.md` has the measurements, which decide what [`Techniques::USED`] holds.

/// One technique.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Technique {
    /// Try moves early that cut at the same ply elsewhere.
    Killers,
    /// Prefer moves that cut often.
    History,
    /// Where even passing seems good enough, do not search (C. Donninger 1993). Selective searches only.
    NullMove,
    /// The same, with a search of the side's own moves to confirm it (O. David and N. Netanyahu 2002).
    VerifiedNullMove,
    /// Look at late moves less deeply first. Selective searches only.
    LateMoveReductions,
}

impl Technique {
    /// All techniques with their names on the command line.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Killers, "killers"),
        (Self::History, "history"),
        (Self::NullMove, "null_move"),
        (Self::VerifiedNullMove, "verified_null_move"),
        (Self::LateMoveReductions, "late_move_reductions"),
    ];
}

/// A set of techniques.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Techniques(u8);

impl Techniques {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// Those that the engine uses.
    pub const USED: Self = Self::NONE.with(Technique::Killers);

    /// The set with this technique.
    #[must_use]
    pub const fn with(self, technique: Technique) -> Self {
        Self(self.0 | 1 << technique as u8)
    }

    /// The set without this technique.
    #[must_use]
    pub const fn without(self, technique: Technique) -> Self {
        Self(self.0 & !(1 << technique as u8))
    }

    /// Whether a technique is in the set.
    #[inline]
    pub const fn has(self, technique: Technique) -> bool {
        self.0 >> technique as u8 & 1 != 0
    }

    /// The used set changed by words like `+null_move-killers`, `none+history`: what is named first is taken in, or taken
    /// out after a minus. `None` when a name is unknown.
    pub fn read(text: &str) -> Option<Self> {
        let (mut set, mut rest) = match text.strip_prefix("none") {
            Some(rest) => (Self::NONE, rest),
            None => (Self::USED, text),
        };
        while !rest.is_empty() {
            let sign = rest.chars().next()?;
            let after = &rest[sign.len_utf8()..];
            let end = after.find(['+', '-']).unwrap_or(after.len());
            let (name, following) = after.split_at(end);
            let (technique, _) = Technique::ALL.into_iter().find(|(_, known)| *known == name)?;
            set = match sign {
                '+' => set.with(technique),
                '-' => set.without(technique),
                _ => return None,
            };
            rest = following;
        }
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_as_changes_of_the_used_one() {
        assert_eq!(Techniques::read(""), Some(Techniques::USED));
        assert_eq!(Techniques::read("none"), Some(Techniques::NONE));
        let changed = Techniques::read("+null_move-killers").unwrap();
        assert!(changed.has(Technique::NullMove) && !changed.has(Technique::Killers));
        assert_eq!(changed.has(Technique::History), Techniques::USED.has(Technique::History));
        assert!(Techniques::read("none+history").unwrap().has(Technique::History));
        for text in ["killers", "+", "+dance", "none killers", "é"] {
            assert_eq!(Techniques::read(text), None, "{text}");
        }
    }
}
