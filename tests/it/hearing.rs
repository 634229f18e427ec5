//! A person steers on the board, and the agent that has the task hears of it.

use serde_json::json;

use super::client::Client;
use super::pty::{Board, tasks};

/// Every step of a notice, as the agent and the person see it. None of the agent's calls writes a
/// file of the list, so that the board learns of them by asking alone.
#[test]
fn the_board_says_how_far_an_agent_has_heard_of_an_edit() {
    let mut board = Board::open(160, 40);
    board.see("● live");
    let state = board.home.path().join(".local/state/taskdeck");
    let mut agent = Client::connect_to(&tasks(board.home.path()), &state, &["--owner", "atlas"]);
    let claimed = agent.call("task_claim", json!({}));
    assert_eq!(claimed["task"]["id"], "T-00000001");
    board.see("@atlas");
    board.press("+");
    board.see("@atlas hears of it at its next call");
    board.see("@atlas has not called yet since your edit");

    let ready = agent.call("task_ready", json!({}));
    let notice = &ready["notices"][0];
    assert_eq!(notice["task"], "T-00000001");
    board.see("@atlas your edit was delivered");

    let number = notice["number"].clone();
    let after = agent.call("task_ready", json!({ "acknowledge": number }));
    assert!(after.get("notices").is_none(), "{after}");
    board.see("@atlas your edit was acknowledged");

    agent.end();
    board.press("q");
    assert_eq!(board.end().0, 0);
}
