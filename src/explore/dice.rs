//! Choices, taken from proptest's generator of random numbers.

use proptest::{
    prelude::Rng,
    test_runner::{RngAlgorithm, TestRng},
};
use sha2::{Digest, Sha256};

/// What a strategy draws with. All that it gives is decided by where its numbers come from.
pub struct Dice<'r> {
    numbers: &'r mut dyn Rng,
}

impl<'r> Dice<'r> {
    /// Takes the numbers from here.
    pub fn new(numbers: &'r mut dyn Rng) -> Self {
        Self { numbers }
    }

    /// A number below `bound`; 0 where that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high bits: what is fed from a fuzzer's bytes is spread as well.
        let number = u64::from(self.numbers.next_u32());
        ((number * bound as u64) >> 32) as usize
    }

    /// A number from `first` to `last`, both included.
    pub fn from_to(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// Yes, so many times in a hundred.
    pub fn percent(&mut self, times: usize) -> bool {
        self.below(100) < times
    }

    /// One of these.
    pub fn pick<'t, T: ?Sized>(&mut self, from: &[&'t T]) -> &'t T {
        from[self.below(from.len())]
    }

    /// One of these, each as often as its weight says.
    pub fn weighted<T: Copy>(&mut self, from: &[(usize, T)]) -> T {
        let mut at = self.below(from.iter().map(|(weight, _)| weight).sum());
        for &(weight, one) in from {
            if at < weight {
                return one;
            }
            at -= weight;
        }
        from[0].1
    }

    /// These in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Where the numbers of a search come from: ChaCha, seeded by the number of the search and the name
/// of what is drawn, so that each strategy draws the same whatever is drawn beside it.
pub(super) fn numbers(seed: u64, name: &str) -> TestRng {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_le_bytes());
    hasher.update(name);
    TestRng::from_seed(RngAlgorithm::ChaCha, &hasher.finalize())
}
