//! Parse, dispatch, exit code. Nothing else.

fn main() -> std::process::ExitCode {
    taskdeck::cli::run(std::env::args_os())
}
