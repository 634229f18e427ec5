//! One file per subcommand: arguments, human and JSON output, exit codes.
pub mod init;
