use serde_json::{Value, json};

/// A client that `init` can set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Client {
    /// Claude Code: `.mcp.json` and `CLAUDE.md`
    Claude,
    /// OpenCode: `opencode.json` and `AGENTS.md`
    Opencode,
}

/// Where the server stands in a client's configuration: an object of servers, by name.
pub const SERVER: &str = "taskdeck";

impl Client {
    /// The name on the command line, which is also the owner of what the client's agent claims.
    pub fn name(self) -> &'static str {
        match self {
            Client::Claude => "claude",
            Client::Opencode => "opencode",
        }
    }

    /// The project's configuration files that the client reads; the first one that is there is
    /// changed, else the last one is made.
    pub fn configs(self) -> &'static [&'static str] {
        match self {
            Client::Claude => &[".mcp.json"],
            Client::Opencode => &["opencode.jsonc", "opencode.json"],
        }
    }

    /// The file with standing instructions for the client's agents.
    pub fn instructions(self) -> &'static str {
        match self {
            Client::Claude => "CLAUDE.md",
            Client::Opencode => "AGENTS.md",
        }
    }

    /// The path of keys to our server in the configuration.
    pub fn path(self) -> [&'static str; 2] {
        match self {
            Client::Claude => ["mcpServers", SERVER],
            Client::Opencode => ["mcp", SERVER],
        }
    }

    /// The value at that path.
    pub fn server(self) -> Value {
        match self {
            Client::Claude => json!({
                "command": "taskdeck",
                "args": ["mcp", "--owner", self.name()],
            }),
            Client::Opencode => json!({
                "type": "local",
                "command": ["taskdeck", "mcp", "--owner", self.name()],
                "enabled": true,
            }),
        }
    }
}
