//! Measuring, and the table of what was measured.

use std::time::{Duration, Instant};

/// How long `work` takes.
pub fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let made = work();
    let took = start.elapsed();
    drop(made); // what tidying up takes is not part of it
    took
}

/// The median of five runs.
pub fn median(mut run: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..5).map(|_| run()).collect();
    times.sort();
    times[2]
}

/// The time that `part` (0.5, 0.95) of the runs do not exceed.
pub fn quantile(times: &mut [Duration], part: f64) -> Duration {
    times.sort();
    let place = (times.len() as f64 * part).ceil() as usize;
    times[place.clamp(1, times.len()) - 1]
}

/// What a figure is held against.
pub enum Target {
    /// At most so many times the reference, and so much on top.
    Times(&'static str, Duration, f64, Duration),
    /// At most so long on an idle machine.
    Within(Duration),
}

#[derive(Default)]
pub struct Table {
    met: usize,
    missed: usize,
}

impl Table {
    pub fn begin() -> Table {
        let line = [
            "figure",
            "measured",
            "reference",
            "ratio",
            "target",
            "verdict",
        ];
        println!("{}", columns(line));
        Table::default()
    }

    pub fn row(&mut self, figure: &str, measured: Duration, target: Target) {
        let (reference, ratio, goal, limit) = match target {
            Target::Times(name, reference, factor, plus) => {
                let ratio = measured.as_secs_f64() / reference.as_secs_f64();
                let more = match plus {
                    Duration::ZERO => String::new(),
                    plus => format!(" + {}", in_words(plus)),
                };
                (
                    format!("{name} {}", in_words(reference)),
                    format!("{ratio:.2}"),
                    format!("<= {factor} x{more}"),
                    reference.mul_f64(factor) + plus,
                )
            }
            Target::Within(limit) => {
                let goal = format!("<= {}", in_words(limit));
                (String::new(), String::new(), goal, limit)
            }
        };
        let verdict = self.judge(measured <= limit);
        println!(
            "{}",
            columns([
                figure,
                &in_words(measured),
                &reference,
                &ratio,
                &goal,
                verdict
            ])
        );
    }

    /// A figure that is no time.
    pub fn amount(&mut self, figure: &str, measured: f64, limit: f64, unit: &str) {
        let verdict = self.judge(measured <= limit);
        let (is, goal) = (
            format!("{measured:.2} {unit}"),
            format!("<= {limit:.2} {unit}"),
        );
        println!("{}", columns([figure, &is, "", "", &goal, verdict]));
    }

    /// Something that cannot be measured here, and why: not the same as met.
    pub fn skip(&mut self, figure: &str, why: &str) {
        println!("{}", columns([figure, "skipped", why, "", "", ""]));
    }

    fn judge(&mut self, met: bool) -> &'static str {
        if met {
            self.met += 1;
            "met"
        } else {
            self.missed += 1;
            "MISSED"
        }
    }

    pub fn end(self) {
        println!("{} met, {} missed", self.met, self.missed);
    }
}

fn columns([figure, measured, reference, ratio, goal, verdict]: [&str; 6]) -> String {
    format!("{figure:<52} {measured:>11}  {reference:<30} {ratio:>6}  {goal:<20} {verdict}")
}

fn in_words(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1_000.0;
    match ms {
        ms if ms < 1.0 => format!("{:.0} us", ms * 1_000.0),
        ms if ms < 100.0 => format!("{ms:.2} ms"),
        ms => format!("{ms:.0} ms"),
    }
}
