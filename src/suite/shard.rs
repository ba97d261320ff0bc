//! A part of the cases, for one of several machines.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};

/// One part of so many: `2/5`. Which part a case is in follows from its name alone, so that a case
/// stays where it is when others come and go.
///
/// ```
/// use standing::suite::Shard;
///
/// let shards = [1, 2, 3].map(|i| format!("{i}/3").parse::<Shard>().expect("a part"));
/// let holding = shards.iter().filter(|s| s.holds("SG-16/two-tails-one-head"));
/// assert_eq!(holding.count(), 1);
/// assert!("4/3".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    total: usize,
}

impl Shard {
    /// The part `index`, counted from 1, of `total`. `None`: there is no such part.
    pub fn new(index: usize, total: usize) -> Option<Self> {
        (1..=total)
            .contains(&index)
            .then_some(Self { index, total })
    }

    /// Which part it is, counted from 1.
    pub fn index(self) -> usize {
        self.index
    }

    /// How many parts there are.
    pub fn total(self) -> usize {
        self.total
    }

    /// Whether the case with this name is in it.
    pub fn holds(self, case: &str) -> bool {
        let digest = Sha256::digest(case.as_bytes());
        let start = digest.iter().take(8);
        let number = start.fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        number % self.total as u64 == self.index as u64 - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.total)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = "M/N is expected with 1 ≤ M ≤ N, as 2/5";
        let (index, total) = text.split_once('/').ok_or(wrong)?;
        let numbers = index.parse().ok().zip(total.parse().ok());
        let shard = numbers.and_then(|(index, total)| Self::new(index, total));
        shard.ok_or_else(|| wrong.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn a_case_is_in_the_part_that_its_name_says() {
        // The first eight bytes of SHA-256 of "abc": ba7816bf8f01cfea.
        let remainder = 0xba78_16bf_8f01_cfea_u64 % 7;
        for index in 1..=7 {
            let shard = Shard::new(index, 7).expect("a part");
            assert_eq!(shard.holds("abc"), index as u64 - 1 == remainder);
        }
    }

    #[test]
    fn what_is_no_part() {
        for text in ["0/2", "3/2", "1", "/", "1/0", "a/b", "-1/2", "1/2/3", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/5".parse::<Shard>().expect("a part").to_string(), "2/5");
    }
}
