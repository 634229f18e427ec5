/// Random numbers from a seed: SplitMix64 (Steele, Lea, Flood 2014). The same seed gives the same
/// run.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Begins at a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 when that is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next().checked_rem(end).unwrap_or(0)
    }

    /// A version 4 UUID's text, for reproducible ids.
    pub fn uuid(&mut self) -> String {
        uuid::Builder::from_random_bytes(
            (u128::from(self.next()) << 64 | u128::from(self.next())).to_be_bytes(),
        )
        .into_uuid()
        .to_string()
    }
}
