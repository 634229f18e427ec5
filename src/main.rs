//! Parse, dispatch, exit code. Nothing else.

fn main() -> std::process::ExitCode {
    taskdeck::cli::main(std::env::args_os())
}
