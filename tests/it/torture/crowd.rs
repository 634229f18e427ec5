//! Many processes on one list, killed at random, and the account of what they were promised.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use taskdeck::list::{FileContent, List, Op};
use taskdeck::store::Store;
use taskdeck::store::watch::WatchMode;
use taskdeck::task::{Json, TaskId};

use super::mirror::Mirror;
use super::worker::{self, Role, SHARED, new_task, open};

/// Who takes part, and for how long.
pub struct Crowd {
    pub tools: usize,
    pub omo: usize,
    pub renamers: usize,
    pub in_place: usize,
    pub deleters: usize,
    pub until: Until,
    /// After so many acknowledged writes one process is killed.
    pub per_kill: u64,
    pub seed: u64,
}

/// When it is enough: the short form counts, the long form has a time.
#[allow(dead_code, reason = "each form uses its own")]
pub enum Until {
    /// So many acknowledged writes through locks (the others' are many more).
    Acknowledged(u64),
    Time(Duration),
}

/// What happened.
#[derive(Default)]
pub struct Report {
    pub processes: usize,
    /// Turns of all processes.
    pub operations: u64,
    /// Writes that a process was told to be done.
    pub acknowledged: u64,
    /// Turns given up because somebody had the lock.
    pub gave_up: u64,
    pub kills: u64,
    /// Everything that must not be; losses first.
    pub faults: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            processes,
            operations,
            acknowledged,
            gave_up,
            kills,
            faults,
        } = self;
        writeln!(
            f,
            "{processes} processes, {operations} operations, {acknowledged} acknowledged writes, \
             {gave_up} given up on a busy lock, {kills} kills, {} faults",
            faults.len()
        )?;
        faults
            .iter()
            .take(20)
            .try_for_each(|fault| writeln!(f, "  {fault}"))
    }
}

struct Process {
    role: Role,
    name: String,
    child: Child,
    generation: u64,
}

/// A line of a process, by its place; `None` when it has ended.
type Line = (usize, Option<String>);

struct Run<'a> {
    worker: &'a [&'a str],
    dir: &'a Path,
    processes: Vec<Process>,
    lines: Sender<Line>,
    random: u64,
    /// The last acknowledged turn by task and key.
    turns: BTreeMap<(String, String), u64>,
    /// Created tasks with what they wait for.
    made: Vec<(String, String)>,
    report: Report,
}

impl Crowd {
    /// Lets them work, then holds the files against what was acknowledged.
    pub fn run(&self, worker: &[&str]) -> Report {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("tasks");
        let store = open(&dir);
        let shared = (0..SHARED).map(|n| new_task(&format!("T-shared{n}"), Vec::new()));
        store.act(Op::Create(shared.collect())).unwrap();
        let mut mirror = Mirror::open(&store, WatchMode::Auto);
        let (lines, inbox) = channel();
        let mut run = Run {
            worker,
            dir: &dir,
            processes: Vec::new(),
            lines,
            random: self.seed,
            turns: BTreeMap::new(),
            made: Vec::new(),
            report: Report::default(),
        };
        for (role, count, name) in [
            (Role::Tool, self.tools, "tool"),
            (Role::Omo, self.omo, "omo"),
            (Role::Renamer, self.renamers, "renamer"),
            (Role::InPlace, self.in_place, "place"),
            (Role::Deleter, self.deleters, "deleter"),
        ] {
            (0..count).for_each(|n| run.start(role, format!("{name}{n}")));
        }
        run.report.processes = run.processes.len();
        self.work(&mut run, &inbox, &store, &mut mirror);
        run.finish(&inbox);
        run.check(&store);
        run.report.faults.extend(mirror.catch_up().err());
        run.report
    }

    fn work(&self, run: &mut Run<'_>, inbox: &Receiver<Line>, store: &Store, mirror: &mut Mirror) {
        let (start, mut locked, mut kill_at) = (Instant::now(), 0, self.per_kill);
        for (place, line) in inbox {
            locked += u64::from(run.take(place, line));
            mirror.take();
            if locked >= kill_at {
                kill_at += self.per_kill;
                run.kill_one();
                run.look_for_torn(store);
            }
            let enough = match self.until {
                Until::Acknowledged(count) => locked >= count,
                Until::Time(time) => start.elapsed() >= time,
            };
            if enough {
                return;
            }
        }
    }
}

impl Run<'_> {
    fn start(&mut self, role: Role, name: String) {
        let place = self.processes.len();
        let child = self.spawn(place, role, &name, 0);
        self.processes.push(Process {
            role,
            name,
            child,
            generation: 0,
        });
    }

    fn spawn(&self, place: usize, role: Role, name: &str, generation: u64) -> Child {
        let from = generation * 1_000_000; // later turns than those of the process before
        let mut child = worker::spawn(self.worker, role, name, self.dir, from);
        let out = BufReader::new(child.stdout.take().unwrap());
        let lines = self.lines.clone();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if lines.send((place, Some(line))).is_err() {
                    return;
                }
            }
            let _ = lines.send((place, None));
        });
        child
    }

    /// Notes what a process said; whether it was an acknowledged write under the lock.
    fn take(&mut self, place: usize, line: Option<String>) -> bool {
        let line = line.unwrap_or_default();
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["ack", id, key, turn] => {
                let turn = turn.parse().unwrap();
                self.turns.insert((id.to_owned(), key.to_owned()), turn);
                self.report.acknowledged += 1;
            }
            ["made", id, waits_for] => {
                self.made.push((id.to_owned(), waits_for.to_owned()));
                self.report.acknowledged += 1;
            }
            ["gave", "up"] => self.report.gave_up += 1,
            ["refused"] | ["tried", ..] => {}
            ["fault", ..] => self.report.faults.push(line.clone()),
            _ => return false,
        }
        self.report.operations += 1;
        let role = self.processes[place].role;
        matches!(words[0], "ack" | "made") && matches!(role, Role::Tool | Role::Omo)
    }

    /// Kills a process as it is, and starts another in its place.
    fn kill_one(&mut self) {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let place = (self.random % self.processes.len() as u64) as usize;
        let process = &mut self.processes[place];
        process.child.kill().unwrap();
        process.child.wait().unwrap();
        process.generation += 1;
        let (role, name, generation) = (process.role, process.name.clone(), process.generation);
        self.processes[place].child = self.spawn(place, role, &name, generation);
        self.report.kills += 1;
    }

    /// Files that are only ever replaced must be whole at any moment.
    fn look_for_torn(&mut self, store: &Store) {
        let names: Vec<String> = (0..SHARED).map(|n| format!("T-shared{n}.json")).collect();
        for file in store.read(&names) {
            if !matches!(file.content, FileContent::Task(_)) {
                self.report.faults.push(format!("torn: {file:?}"));
            }
        }
    }

    /// Lets everybody end their turn; whoever was killed in the middle of one has a successor.
    fn finish(&mut self, inbox: &Receiver<Line>) {
        fs::write(worker::stop_file(self.dir), "").unwrap();
        for process in &mut self.processes {
            process.child.wait().unwrap();
        }
        let (last, _) = channel();
        self.lines = last; // so that the inbox ends with the last reader
        for (place, line) in inbox {
            self.take(place, line);
        }
    }

    fn check(&mut self, store: &Store) {
        // One who was killed with the lock may be its last holder: it must not outlive its time.
        let last = store.act(worker::mark("T-shared0", "last", 1));
        let mut faults: Vec<String> = last
            .err()
            .map(|e| format!("lock: {e}"))
            .into_iter()
            .collect();
        faults.extend(
            self.dir
                .join(".lock")
                .exists()
                .then(|| "a lock is left".to_owned()),
        );
        let list = store.load().unwrap();
        faults.extend(self.losses(&list));
        let torn = list.problems().into_iter();
        let torn = torn.filter(|p| p.file.starts_with("T-") && !p.file.contains(".tmp."));
        faults.extend(torn.map(|p| format!("torn: {}: {}", p.file, p.message)));
        faults.append(&mut self.report.faults);
        self.report.faults = faults;
    }

    fn losses<'a>(&'a self, list: &'a List) -> impl Iterator<Item = String> + 'a {
        let turns = self.turns.iter().filter_map(move |((id, key), turn)| {
            let now = turn_of(list, id, key);
            let lost = now.is_none_or(|now| now < *turn);
            lost.then(|| format!("lost: {id} has turn {now:?} of {key}, {turn} was acknowledged"))
        });
        let made = self.made.iter().filter_map(move |(id, waits_for)| {
            let (new, old) = (TaskId::new(id), TaskId::new(waits_for));
            let both = list
                .get(&new)
                .is_some_and(|task| task.blocked_by.contains(&old))
                && list
                    .get(&old)
                    .is_some_and(|task| task.blocks.contains(&new));
            (!both).then(|| format!("lost: {id} was made to wait for {waits_for}"))
        });
        turns.chain(made)
    }
}

fn turn_of(list: &List, id: &str, key: &str) -> Option<u64> {
    let metadata: Json = list.get(&TaskId::new(id))?.metadata.clone()?;
    metadata.parse()?.get(key)?.as_u64()
}
