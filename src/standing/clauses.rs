//! How a standing follows: a clause's from the outcomes of its cases, and a rule's, a family's, a
//! level's or a profile's from the standings below it.

use super::Standing;
use crate::run::Outcome;

/// A clause's standing, from the outcomes of the cases that bear on it.
///
/// The first that applies: it **fails** where a case failed, erred or timed out; it is
/// **untested** where no case bears on it or none was put; **unsupported** where every case that
/// was put was declined; **partial** where some were declined or not put; else the engine
/// **meets** it.
///
/// ```
/// use standing::{run::Outcome, standing::{Standing, clause_standing}};
///
/// assert_eq!(clause_standing([]), Standing::Untested);
/// assert_eq!(clause_standing([Outcome::Pass, Outcome::Unsupported]), Standing::Partial);
/// assert_eq!(clause_standing([Outcome::Pass, Outcome::Timeout]), Standing::Fails);
/// ```
pub fn clause_standing(outcomes: impl IntoIterator<Item = Outcome>) -> Standing {
    let (mut passed, mut declined, mut skipped) = (0, 0, 0);
    for outcome in outcomes {
        match outcome {
            Outcome::Fail | Outcome::Error | Outcome::Timeout => return Standing::Fails,
            Outcome::Pass => passed += 1,
            Outcome::Unsupported => declined += 1,
            Outcome::Skipped => skipped += 1,
        }
    }
    match (passed, declined, skipped) {
        (0, 0, _) => Standing::Untested,
        (0, _, _) => Standing::Unsupported,
        (_, 0, 0) => Standing::Meets,
        _ => Standing::Partial,
    }
}

/// The standing of a whole from those of its parts: a rule from its clauses, or a family, a level
/// or a profile from its rules.
///
/// Parts that are untestable or not applicable count nowhere. The first that applies: it **fails**
/// where a part does; it is **untested** where every part is, or none is left; it is **met** where
/// every part is; **partial** where one is met or partial; else **unsupported**.
///
/// ```
/// use standing::standing::{Standing::*, joint_standing};
///
/// assert_eq!(joint_standing([Meets, Untestable]), Meets);
/// assert_eq!(joint_standing([Meets, Untested]), Partial);
/// assert_eq!(joint_standing([Unsupported, Untested]), Unsupported);
/// ```
pub fn joint_standing(parts: impl IntoIterator<Item = Standing>) -> Standing {
    let (mut all, mut untested, mut met, mut partial) = (0, 0, 0, 0);
    let mut not_applicable = false;
    for part in parts {
        match part {
            Standing::Untestable => continue,
            Standing::NotApplicable => {
                not_applicable = true;
                continue;
            }
            Standing::Fails => return Standing::Fails,
            Standing::Untested => untested += 1,
            Standing::Meets => met += 1,
            Standing::Partial => partial += 1,
            Standing::Unsupported => {}
        }
        all += 1;
    }
    match all {
        0 if not_applicable => Standing::NotApplicable,
        all if untested == all => Standing::Untested,
        all if met == all => Standing::Meets,
        _ if met + partial > 0 => Standing::Partial,
        _ => Standing::Unsupported,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::*;

    #[test]
    fn a_clause_takes_the_first_that_applies() {
        for (outcomes, standing) in [
            (&[][..], Standing::Untested),
            (&[Skipped, Skipped], Standing::Untested),
            (&[Unsupported, Skipped], Standing::Unsupported),
            (&[Pass, Skipped], Standing::Partial),
            (&[Pass, Unsupported], Standing::Partial),
            (&[Pass, Pass], Standing::Meets),
            (&[Skipped, Unsupported, Pass, Error], Standing::Fails),
            (&[Fail], Standing::Fails),
        ] {
            assert_eq!(
                clause_standing(outcomes.iter().copied()),
                standing,
                "{outcomes:?}"
            );
        }
    }

    #[test]
    fn a_whole_takes_the_first_that_applies() {
        use Standing::*;
        for (parts, standing) in [
            (&[][..], Untested),
            (&[Untestable], Untested),
            (&[NotApplicable], NotApplicable),
            (&[NotApplicable, Untested], Untested),
            (&[NotApplicable, Meets], Meets),
            (&[Meets, Partial], Partial),
            (&[Partial, Untested], Partial),
            (&[Unsupported], Unsupported),
            (&[Unsupported, Meets], Partial),
            (&[Meets, Untested, Fails], Fails),
        ] {
            assert_eq!(joint_standing(parts.iter().copied()), standing, "{parts:?}");
        }
    }
}
