//! Begins the answer to an analysis, whatever the game: from kept answers, a search that runs already, or one of its own.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use searchkit::search::Search;

use super::analyze::{pool_class, refused};
use super::answers::{Answers, Keepable, Question, Share};
use super::leased::{Game, LeasedSearch};
use super::running::{Running, Source, Submit, Telling};
use super::{Arrival, Service};
use crate::pool::{Ends, Submission};
use crate::wire::analysis::Class;
use crate::wire::limits::LimitName;
use crate::wire::problem::Problem;
use crate::wire::times::{Times, search_ms};

/// What a game's engine shows.
type SnapshotOf<G> = <<G as Game>::Search as Search>::Snapshot;

/// What a request leaves to the pool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    pub(super) class: Class,
    pub(super) time_ms: u64,
    /// The limit that the search has besides time, if any: plies or nodes.
    pub(super) own_limit: Option<u64>,
    pub(super) threads: usize,
    pub(super) arrival: Arrival,
}

impl Service {
    /// An answer under way to a question about a game that is not over.
    ///
    /// # Errors
    /// The problem to answer with, when the search is not taken in.
    pub(super) fn begin<G, T>(
        &self,
        answers: &Arc<Answers<G::Query, SnapshotOf<G>>>,
        question: Question<G::Query>,
        telling: T,
        terms: Terms,
    ) -> Result<Running<T>, Problem>
    where
        G: Game,
        G::Query: Hash + Eq,
        SnapshotOf<G>: Keepable + Clone,
        T: Telling<Query = G::Query, Snapshot = SnapshotOf<G>>,
    {
        let arrival = terms.arrival;
        if let Some(kept) = answers.known(&question) {
            let times = Times { ran_ms: kept.ran_ms, ..self.elapsed(arrival) };
            let reply = telling.at_last(&kept.snapshot, None, times);
            return Ok(Running::known(telling, reply, Source::Kept));
        }
        let class = pool_class(terms.class);
        let submission = Submission {
            class,
            client: arrival.client,
            deadline: Some(arrival.at + Duration::from_millis(search_ms(terms.time_ms))),
            ends: self.ends(terms.time_ms, terms.own_limit),
            threads: terms.threads,
        };
        let (answers, pool, bank) = (Arc::clone(answers), Arc::clone(&self.pool), Arc::clone(&self.bank));
        let join = move || {
            let search = LeasedSearch::<G>::new(question.query.clone(), bank, question.repeatability);
            let submit = || Ok((pool.submit(search, submission)?, pool.now()));
            answers.join(question, terms.time_ms, (class, arrival.client), submit).map_err(refused)
        };
        let again = join.clone();
        let (search, share) = join()?;
        let own: Option<Submit<T>> = match share {
            Share::Own => None,
            Share::Joined => Some(Box::new(move || again().map(|(search, _)| search))),
        };
        Ok(Running::searching(telling, search, own, arrival.at))
    }

    /// What will probably end the search of a request: with limits of its own and all the time there is, those.
    pub(super) fn ends(&self, time_ms: u64, own_limit: Option<u64>) -> Ends {
        let most = self.limits.get(LimitName::TimeMs).max;
        if own_limit.is_some() && time_ms >= most { Ends::ByItself } else { Ends::AtDeadline }
    }

    /// What a request has taken so far without a search.
    pub(super) fn elapsed(&self, arrival: Arrival) -> Times {
        Times::of_answer(self.pool.now().saturating_sub(arrival.at))
    }
}
