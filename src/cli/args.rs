use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::engine::ArgValueCompleter;

use super::complete::{task_ids, tool_names};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "taskdeck",
    version,
    about = "A live board for the task lists of AI coding agents",
    long_about = "A live board for the task lists of AI coding agents.\n\nWithout a command it opens the \
                  board on the list that your agents write. Every command works on the same JSON files, \
                  under the agents' own lock; looking never writes.",
    after_help = "Examples:\n  taskdeck                     the board\n  taskdeck demo                a board that moves by itself\n  \
                  taskdeck ready               what can run now, best first\n  taskdeck create \"Fix login\" --priority high\n  \
                  taskdeck done T-3d0aa1       a unique start of an id is enough",
    subcommand_required = false,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub global: Global,
    /// How the board looks.
    #[command(flatten)]
    pub look: super::board::Look,
    /// What to do; without it, the board.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Flags of every command, before or after its name.
#[derive(Debug, Clone, Args)]
pub struct Global {
    /// The list's folder (else TASKDECK_DIR, else the list is found; see `taskdeck lists`)
    #[arg(long, global = true, value_name = "PATH")]
    pub dir: Option<PathBuf>,
    /// Whose files they are (else told from the folder)
    #[arg(long, global = true, value_name = "omo|omo-team|claude")]
    pub dialect: Option<DialectName>,
    /// One of OmO's lists by its name
    #[arg(long, global = true, value_name = "NAME")]
    pub list: Option<String>,
    /// Answer in JSON; a failure is one object with "error" and "message"
    #[arg(long, global = true)]
    pub json: bool,
    /// Colour in the output
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// Say nothing but what went wrong
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Look for changes every two seconds instead of listening (network file systems)
    #[arg(long, global = true)]
    pub poll: bool,
    /// Refuse every write
    #[arg(long, global = true)]
    pub read_only: bool,
    /// How long to wait for a busy lock
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 5.0)]
    pub lock_timeout: f64,
}

/// The dialects by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DialectName {
    /// OmO's task files.
    Omo,
    /// OmO team mode.
    #[value(alias = "team")]
    OmoTeam,
    /// Claude Code.
    Claude,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal that wants it.
    Auto,
    /// Also into a pipe.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a task; prints its id
    #[command(
        after_help = "Examples:\n  taskdeck create \"Fix login\" -d \"500 on empty password\" --priority high\n  \
                            taskdeck create \"Ship\" --blocked-by T-3d0aa1,T-9f1a22\n  \
                            taskdeck create \"Tune cache\" --metadata estimate=3 --metadata 'tags=[\"perf\"]'"
    )]
    Create(CreateArgs),
    /// Show one task with all that is stored, its blockers and what it frees
    #[command(after_help = "With --json one object a task.\n\n\
                            Examples:\n  taskdeck get T-3d0aa1 --json | jq .task.metadata\n  taskdeck list | taskdeck get -")]
    Get {
        /// The tasks; - reads them from standard input
        #[arg(required = true, value_name = "ID", add = ArgValueCompleter::new(task_ids))]
        ids: Vec<String>,
    },
    /// Tasks in the board's order; completed and deleted ones only on request
    #[command(
        after_help = "FILTER is the board's: words, @owner, #priority, is:STATE, id:ID, \"exact words\", -negated\n\n\
                            Examples:\n  taskdeck list\n  taskdeck list @atlas is:blocked\n  taskdeck list --all --json -- login -@hera"
    )]
    List(ListArgs),
    /// What can run now, best first
    #[command(after_help = "Example:\n  taskdeck ready --json | jq -r '.tasks[0].id'")]
    Ready,
    /// Change tasks
    #[command(
        after_help = "Examples:\n  taskdeck update T-3d0aa1 --status completed\n  \
                            taskdeck update T-3d0aa1 T-9f1a22 --owner atlas --priority low\n  \
                            taskdeck update T-3d0aa1 --add-blocked-by T-9f1a22 --unset-metadata estimate\n  \
                            taskdeck update T-3d0aa1 --owner \"\"      (releases it)"
    )]
    Update(UpdateArgs),
    /// Set tasks to in progress
    Start(Ids),
    /// Set tasks to completed
    Done(Ids),
    /// Set tasks back to pending
    Reopen(Ids),
    /// Delete tasks, in the way of the list's own program (OmO: a status, so it can be reopened)
    Delete(Ids),
    /// Take a ready task for an owner, atomically: the named one, or the first
    #[command(
        after_help = "Examples:\n  taskdeck claim --owner atlas\n  taskdeck claim T-3d0aa1 --owner atlas --json"
    )]
    Claim {
        /// The task; without it the first ready one that nobody owns
        #[arg(add = ArgValueCompleter::new(task_ids))]
        id: Option<String>,
        /// Who takes it
        #[arg(long, value_name = "NAME")]
        owner: String,
    },
    /// What blocks a task, down to the tasks that can run now
    #[command(after_help = "Example:\n  taskdeck why T-3d0aa1")]
    Why {
        /// The task
        #[arg(add = ArgValueCompleter::new(task_ids))]
        id: String,
    },
    /// Everything wrong in the list, what it means for the agent, and what to do; exit 1 if any is an error
    #[command(
        after_help = "--fix repairs only what loses nothing, shows it first, and can be undone.\n\n\
                            Examples:\n  taskdeck doctor\n  taskdeck doctor --fix\n  taskdeck doctor --undo\n  \
                            taskdeck doctor --json | jq -r '.findings[] | select(.severity == \"error\") | .file'"
    )]
    Doctor(super::doctor::DoctorArgs),
    /// Every list found, where and why, and which one opens
    Lists,
    /// Changes as they happen: created updated started completed reopened deleted unblocked blocked vanished problem
    #[command(
        after_help = "Examples:\n  taskdeck watch\n  taskdeck watch --jsonl | jq 'select(.event == \"unblocked\")'"
    )]
    Watch {
        /// One JSON object per line
        #[arg(long)]
        jsonl: bool,
        /// Stop after so many changes
        #[arg(long, value_name = "N")]
        count: Option<usize>,
    },
    /// One agent tool call: JSON in, JSON out
    #[command(
        after_help = "JSON is an object; `-` reads it from standard input, nothing means {}.\n\n\
                            Examples:\n  taskdeck tool task_list\n  taskdeck tool task_create '{\"subject\":\"Fix login\"}'\n  \
                            echo '{\"id\":\"T-3d0aa1\"}' | taskdeck tool task_get -"
    )]
    Tool {
        /// The tool, such as task_create
        #[arg(add = ArgValueCompleter::new(tool_names))]
        name: String,
        /// Its arguments
        arguments: Option<String>,
    },
    /// Work the list off: one process per ready task, several at a time, as the list changes
    #[command(
        after_help = "The command gets the task in words on its standard input (--stdin), and TASKDECK_TASK_ID,\n\
                            TASKDECK_TASK_FILE, TASKDECK_DIR, TASKDECK_SUBJECT, TASKDECK_OWNER and TASKDECK_ATTEMPT.\n\
                            Ctrl-c once takes no new tasks, twice ends the workers and gives their tasks back.\n\n\
                            Examples:\n  taskdeck run -j 4 -- ./work.sh {id}\n  taskdeck run -j 4 --done task -- claude -p\n  \
                            taskdeck run --filter '#high' --retries 2 --timeout 10m -- make {subject}\n  taskdeck run -j 4 --dry-run"
    )]
    Run(super::run::RunArgs),
    /// Waits until its task is claimed, then becomes the command (what `run` starts)
    #[command(hide = true)]
    Gate,
    /// Serve the list to an MCP client on standard input and output
    #[command(
        after_help = "A client starts it; `taskdeck init claude` and `taskdeck init opencode` set that up.\n\n\
                            Examples:\n  taskdeck mcp --owner atlas\n  taskdeck mcp --read-only"
    )]
    Mcp {
        /// Who the client's agent is: the owner of what it claims, and who hears of people's
        /// edits (else TASKDECK_OWNER)
        #[arg(long, value_name = "NAME")]
        owner: Option<String>,
    },
    /// Show or make the set-up that gives a client's agents the tools
    #[command(
        after_help = "It changes the project's own files: for claude .mcp.json and CLAUDE.md, for opencode\n\
                            opencode.json and AGENTS.md. What is there stays, comments too.\n\n\
                            Examples:\n  taskdeck init claude\n  taskdeck init opencode --write\n  taskdeck init claude --remove --write"
    )]
    Init(super::init::InitArgs),
    /// Simulated agents at work on a plan, with real files and locks; leaves nothing behind
    #[command(
        after_help = "Examples:\n  taskdeck demo\n  taskdeck demo --scenario incident --agents 6 --speed 2\n  \
                            taskdeck demo --headless --for 5"
    )]
    Demo(super::demo::DemoArgs),
    /// The dependency graph as text, dot, Mermaid, JSON, SVG or PNG
    #[command(
        after_help = "Examples:\n  taskdeck graph\n  taskdeck graph --focus T-3d0aa1 --hops 1\n  \
                            taskdeck graph --labels id --no-reduce --ascii\n  taskdeck graph --format dot | dot -Tpdf > graph.pdf"
    )]
    Graph(super::graph::GraphArgs),
    /// The board as text, ANSI, SVG or PNG, without a terminal
    #[command(
        after_help = "Examples:\n  taskdeck snapshot\n  taskdeck snapshot --size 160x45 --format png -o board.png\n  \
                            taskdeck snapshot --view graph --format svg --theme light -o graph.svg"
    )]
    Snapshot(super::snapshot::SnapshotArgs),
    /// The configuration that holds, and where each value comes from; exit 1 if a file is wrong
    #[command(
        after_help = "The file is ~/.config/taskdeck/config.toml (XDG_CONFIG_HOME and TASKDECK_CONFIG move it); what is\n\
                            printed has its form. Your own themes are themes/NAME.toml beside it.\n\n\
                            Examples:\n  taskdeck config\n  taskdeck config --json | jq '.problems'"
    )]
    Config,
    /// Shell completions, on standard output
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The manual page, or that of one command, on standard output
    #[command(
        after_help = "Examples:\n  taskdeck man | man -l -\n  taskdeck man run > taskdeck-run.1\n  \
                            taskdeck man --output ~/.local/share/man/man1"
    )]
    Man {
        /// The command
        #[arg(conflicts_with = "output")]
        command: Option<String>,
        /// A folder to write all the pages into
        #[arg(short, long, value_name = "FOLDER")]
        output: Option<PathBuf>,
    },
}

/// Several tasks.
#[derive(Debug, Args)]
pub struct Ids {
    /// The tasks, by id or by a unique start of an OmO id; - reads them from standard input
    #[arg(required = true, value_name = "ID", add = ArgValueCompleter::new(task_ids))]
    pub ids: Vec<String>,
    /// Cross what the list's own program does not allow
    #[arg(long)]
    pub force: bool,
}

/// Fields that both `create` and `update` set.
#[derive(Debug, Clone, Default, Args)]
pub struct Fields {
    /// Any text; - reads it from standard input
    #[arg(short = 'd', long, value_name = "TEXT")]
    pub description: Option<String>,
    /// What it does while it runs: "Fixing login"
    #[arg(long, value_name = "TEXT")]
    pub active_form: Option<String>,
    /// Who works on it
    #[arg(long, value_name = "NAME")]
    pub owner: Option<String>,
    /// high, medium or low
    #[arg(long, value_name = "PRIORITY")]
    pub priority: Option<PriorityName>,
    /// A key of the metadata; repeat it for more
    #[arg(long, value_name = "KEY=JSON")]
    pub metadata: Vec<String>,
    /// The task that it is a part of
    #[arg(long, value_name = "ID", add = ArgValueCompleter::new(task_ids))]
    pub parent: Option<String>,
    /// The repository it is about
    #[arg(long, value_name = "URL")]
    pub repo_url: Option<String>,
    /// The thread that it belongs to (else TASKDECK_THREAD_ID)
    #[arg(long, value_name = "ID")]
    pub thread: Option<String>,
}

/// `create`.
#[derive(Debug, Args)]
pub struct CreateArgs {
    /// What is to be done, in one line; - reads it from standard input, the description below it
    pub subject: String,
    #[command(flatten)]
    pub fields: Fields,
    /// Tasks that it waits for
    #[arg(long, value_name = "ID", value_delimiter = ',', num_args = 1, add = ArgValueCompleter::new(task_ids))]
    pub blocked_by: Vec<String>,
    /// Tasks that are to wait for it
    #[arg(long, value_name = "ID", value_delimiter = ',', num_args = 1, add = ArgValueCompleter::new(task_ids))]
    pub blocks: Vec<String>,
}

/// `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Also completed and deleted tasks
    #[arg(long)]
    pub all: bool,
    /// Only these statuses
    #[arg(long, value_name = "STATUS", value_delimiter = ',', num_args = 1)]
    pub status: Vec<String>,
    /// Only tasks of this owner
    #[arg(long, value_name = "NAME")]
    pub owner: Option<String>,
    /// Only what fits
    #[arg(value_name = "FILTER")]
    pub filter: Vec<String>,
}

/// `update`.
#[derive(Debug, Args)]
pub struct UpdateArgs {
    #[command(flatten)]
    pub ids: Ids,
    /// What is to be done, in one line
    #[arg(long, value_name = "TEXT")]
    pub subject: Option<String>,
    /// pending, in_progress, completed or deleted
    #[arg(long, value_name = "STATUS")]
    pub status: Option<String>,
    #[command(flatten)]
    pub fields: Fields,
    /// Tasks that it is to wait for
    #[arg(
        long,
        visible_alias = "blocked-by",
        value_name = "ID",
        value_delimiter = ',',
        num_args = 1,
        add = ArgValueCompleter::new(task_ids)
    )]
    pub add_blocked_by: Vec<String>,
    /// Tasks that it no longer waits for
    #[arg(long, value_name = "ID", value_delimiter = ',', num_args = 1, add = ArgValueCompleter::new(task_ids))]
    pub remove_blocked_by: Vec<String>,
    /// Tasks that are to wait for it
    #[arg(
        long,
        visible_alias = "blocks",
        value_name = "ID",
        value_delimiter = ',',
        num_args = 1,
        add = ArgValueCompleter::new(task_ids)
    )]
    pub add_blocks: Vec<String>,
    /// Tasks that no longer wait for it
    #[arg(long, value_name = "ID", value_delimiter = ',', num_args = 1, add = ArgValueCompleter::new(task_ids))]
    pub remove_blocks: Vec<String>,
    /// A key of the metadata to take away
    #[arg(long, value_name = "KEY", value_delimiter = ',', num_args = 1)]
    pub unset_metadata: Vec<String>,
}

/// The priorities that agents mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PriorityName {
    /// First.
    High,
    /// In between.
    Medium,
    /// Last.
    Low,
}
