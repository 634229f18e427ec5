use super::{Command, Group, Situation};

macro_rules! commands {
    ($($id:ident $name:literal $title:literal $doc:literal $group:ident $keys:expr, $available:ident;)*) => {
        /// Names of the commands in code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum CommandId { $(#[doc = $doc] $id,)* }

        /// Every command, in the order of help.
        pub const COMMANDS: &[Command] = &[$(Command {
            id: CommandId::$id,
            name: $name,
            title: $title,
            doc: $doc,
            group: Group::$group,
            keys: &$keys,
            available: $available,
        },)*];
    };
}

commands! {
    Down "down" "down"
        "Select the card below."
        Move ["j", "down"], always;
    Up "up" "up"
        "Select the card above."
        Move ["k", "up"], always;
    Left "left" "column left"
        "Go to the column on the left; in the graph, to a blocker; in the tree, to the parent."
        Move ["h", "left"], always;
    Right "right" "column right"
        "Go to the column on the right; in the graph, to a dependant; in the tree, to the parts."
        Move ["l", "right"], always;
    First "first" "first"
        "Select the first card of the column."
        Move ["home", "g k"], always;
    Last "last" "last"
        "Select the last card of the column."
        Move ["end", "G"], always;
    PageDown "page-down" "page down"
        "Go down by a screen."
        Move ["ctrl-d", "pagedown"], always;
    PageUp "page-up" "page up"
        "Go up by a screen."
        Move ["ctrl-u", "pageup"], always;
    NextReady "next-ready" "next ready"
        "Select the next task that can run now."
        Move ["}"], always;
    PreviousReady "previous-ready" "previous ready"
        "Select the previous task that can run now."
        Move ["{"], always;
    NextCritical "next-critical" "next critical"
        "Go on along the critical path."
        Move ["]"], always;
    PreviousCritical "previous-critical" "previous critical"
        "Go back along the critical path."
        Move ["["], always;
    NextPane "next-pane" "next pane"
        "Give the next pane the focus."
        Move ["tab"], always;
    PreviousPane "previous-pane" "previous pane"
        "Give the previous pane the focus."
        Move ["backtab"], always;
    Jump "jump" "jump"
        "Find a task by its name and select it."
        Move ["f"], always;
    StatusOn "status-on" "advance"
        "Pending to in progress, in progress to completed."
        Edit ["L"], change;
    StatusBack "status-back" "step back"
        "Completed to in progress, in progress to pending."
        Edit ["H"], change;
    MoveDown "move-down" "move down"
        "Move the card down within its priority (writes metadata.order)."
        Edit ["J"], change;
    MoveUp "move-up" "move up"
        "Move the card up within its priority (writes metadata.order)."
        Edit ["K"], change;
    Raise "raise" "priority up"
        "Raise the priority by one step."
        Edit ["+", "="], change;
    Lower "lower" "priority down"
        "Lower the priority by one step."
        Edit ["-"], change;
    New "new" "new"
        "Make a task."
        Edit ["n"], write;
    QuickAdd "quick-add" "quick add"
        "Make a task from one line: Fix login >T-3d0aa1 @atlas #high."
        Edit ["N"], write;
    EditTask "edit" "edit"
        "Edit the task in a form."
        Edit ["e"], change;
    Description "description" "describe"
        "Edit the description in $EDITOR."
        Edit ["E"], change;
    OwnerOf "owner" "owner"
        "Set who works on the task; empty releases it."
        Edit ["o"], change;
    AddBlocker "add-blocker" "block"
        "Choose a task that this one is to wait for."
        Edit ["b"], change;
    Unblock "unblock" "unblock"
        "Remove blockers that hold this task back."
        Edit ["x"], unblock;
    Link "link" "link marked"
        "Make the selected task wait for the marked ones, or no longer where it does."
        Edit ["m"], link;
    Reverse "reverse" "reverse edge"
        "Turn an edge of the task around."
        Edit ["M"], change;
    Split "split" "split"
        "Replace the task by several, one per line; its edges go over to them."
        Edit ["s"], split;
    Duplicate "duplicate" "duplicate"
        "Make a pending copy of the task with the same blockers."
        Edit ["D"], change;
    Delete "delete" "delete"
        "Delete the task (it asks first)."
        Edit ["d"], change;
    Restore "restore" "restore"
        "Make a deleted task pending again, or one whose file vanished, under a fresh id."
        Edit ["R"], restore;
    Undo "undo" "undo"
        "Take the last edit back, as far as nobody changed it since."
        Edit ["u"], undo;
    Redo "redo" "redo"
        "Make the edit again that was taken back."
        Edit ["U", "ctrl-r"], redo;
    Edits "edits" "edits"
        "List every edit of this board, also of its earlier runs, to take one back."
        Edit ["g u"], edits;
    Attention "attention" "attention"
        "What wants your eye, most urgent first, with the key that helps."
        View ["!"], always;
    ViewState "view-state" "by state"
        "A column per state."
        View ["v s"], always;
    ViewStatus "view-status" "raw statuses"
        "A column per status word, as the files have it."
        View ["v r"], always;
    ViewOwner "view-owner" "by owner"
        "A lane per owner: what each agent does, did, and will do."
        View ["v o"], always;
    ViewList "view-list" "list"
        "One table of all tasks; h and l choose what it is sorted by, again turns it round."
        View ["v l"], always;
    ViewTree "view-tree" "tree"
        "Parts below the task that they are a part of."
        View ["v t"], always;
    Follow "follow" "follow"
        "Let the selection go to what changes, or stay."
        View ["w"], always;
    Freeze "freeze" "freeze"
        "Hold the picture still, or let it go on."
        View ["F"], always;
    StepChanges "step-changes" "what changed"
        "Step through what changed while you looked away."
        View ["'"], away;
    Related "related" "neighbours"
        "Go to a blocker or a dependant of the task."
        View ["g r"], selected;
    RawJson "raw" "raw JSON"
        "Show the task's file as it is in the details, or what it means."
        View ["g j"], always;
    Details "details" "details"
        "Show or hide the details of the task."
        View ["enter"], always;
    Filter "filter" "filter"
        "Show only what fits: words, @owner, #priority, is:STATE, -not."
        View ["/"], always;
    Filters "filters" "saved filters"
        "Choose a saved filter, or save the one that is set."
        View ["S"], always;
    ClearFilter "clear-filter" "clear filter"
        "Show everything again."
        View ["\\"], filtered;
    Mark "mark" "mark"
        "Mark the task or unmark it; editing keys then take all that are marked."
        View ["space"], selected;
    MarkRange "mark-range" "mark range"
        "Mark all from the last marked card to this one."
        View ["V"], selected;
    MarkShown "mark-shown" "mark shown"
        "Mark everything that the filter shows, or nothing."
        View ["*"], always;
    Closed "closed" "all columns"
        "Show or hide the columns for deleted tasks and unknown statuses."
        View ["a"], always;
    Zoom "zoom" "zoom"
        "Give the pane with the focus the whole screen, and back."
        View ["z"], always;
    DetailsWider "details-wider" "wider details"
        "Make the details wider; after the widest, as the board chooses."
        View ["|", "ctrl-left"], always;
    DetailsNarrower "details-narrower" "narrower details"
        "Make the details narrower."
        View ["ctrl-right"], always;
    LowerTaller "lower-taller" "taller graph"
        "Make the pane below the columns taller; after the tallest, as the board chooses."
        View ["_", "ctrl-up"], always;
    LowerShorter "lower-shorter" "lower graph"
        "Make the pane below the columns lower."
        View ["ctrl-down"], always;
    ScrollDown "scroll-down" "scroll details"
        "Scroll the details down."
        View ["ctrl-e"], always;
    ScrollUp "scroll-up" "scroll details up"
        "Scroll the details up."
        View ["ctrl-y"], always;
    GraphPane "graph" "graph"
        "Show or hide the dependency graph."
        Graph ["g g"], always;
    GraphAll "graph-all" "whole graph"
        "Draw every task of the list."
        Graph ["g f"], always;
    GraphEgo "graph-ego" "neighbourhood"
        "Draw only what is near the selected task."
        Graph ["g e"], always;
    GraphWaves "graph-waves" "waves"
        "Draw one bar per level: what is done, running, ready and blocked."
        Graph ["g w"], always;
    GraphOutline "graph-outline" "outline"
        "Draw a tree: each task under the blocker that really gates it."
        Graph ["g o"], always;
    GraphPath "graph-path" "path"
        "Draw only what lies between the marked task and this one, or from it to the end of its chain."
        Graph ["g p"], always;
    GraphBack "graph-back" "back"
        "Go back to what was selected and drawn before in the graph."
        Graph ["backspace"], always;
    HideDone "graph-hide-done" "hide done"
        "Draw open tasks only, or all."
        Graph ["g d"], always;
    CriticalOnly "graph-critical" "critical path"
        "Draw the critical path only, or all."
        Graph ["g c"], always;
    Implied "graph-implied" "implied edges"
        "Draw edges too that a longer path implies."
        Graph ["g i"], always;
    Fold "graph-fold" "fold"
        "Draw chains of finished tasks, and tasks alike, as one box each, or all."
        Graph ["g z"], always;
    MoreHops "graph-more" "wider"
        "Draw the neighbourhood one hop further."
        Graph [">"], always;
    FewerHops "graph-fewer" "narrower"
        "Draw the neighbourhood one hop less."
        Graph ["<"], always;
    CopyId "copy-id" "copy id"
        "Copy the task's id to the clipboard (through the terminal)."
        Program ["y"], selected;
    Problems "problems" "problems"
        "Show what is wrong in the list, what it means for the agent, and repair it."
        Program ["p"], always;
    Lists "lists" "lists"
        "Show all lists of this project and this person; enter opens one here."
        Program ["ctrl-l"], always;
    Workers "workers" "workers"
        "Show the workers of run: stop one, retry what failed, change how many."
        Program ["W"], always;
    Refresh "refresh" "refresh"
        "Read the whole folder again."
        Program ["r"], always;
    Palette "palette" "commands"
        "Find a command by its name and run it."
        Program [":"], always;
    Help "help" "help"
        "Show every key; type to search, Enter runs."
        Program ["?", "f1"], always;
    Mouse "mouse" "mouse"
        "Leave the mouse to the terminal, to select text with it, or take it back."
        Program ["ctrl-o"], always;
    Suspend "suspend" "suspend"
        "Put the board to sleep and give the shell back (fg wakes it)."
        Program ["ctrl-z"], always;
    Quit "quit" "quit"
        "Leave."
        Program ["q", "ctrl-c"], always;
}

fn always(_: &Situation) -> Result<(), &'static str> {
    Ok(())
}

fn selected(now: &Situation) -> Result<(), &'static str> {
    if now.selected {
        Ok(())
    } else {
        Err("no task is selected")
    }
}

fn write(now: &Situation) -> Result<(), &'static str> {
    if now.read_only {
        Err("the list is open read-only")
    } else {
        Ok(())
    }
}

fn change(now: &Situation) -> Result<(), &'static str> {
    write(now)?;
    selected(now)?;
    if now.unreadable {
        Err("its file cannot be read now")
    } else {
        Ok(())
    }
}

fn unblock(now: &Situation) -> Result<(), &'static str> {
    change(now)?;
    if now.blocked {
        Ok(())
    } else {
        Err("nothing holds this task back")
    }
}

fn link(now: &Situation) -> Result<(), &'static str> {
    change(now)?;
    if now.marked > 0 {
        Ok(())
    } else {
        Err("mark the blockers with space first")
    }
}

fn split(now: &Situation) -> Result<(), &'static str> {
    change(now)?;
    if now.closed {
        Err("only open tasks can be split")
    } else {
        Ok(())
    }
}

fn restore(now: &Situation) -> Result<(), &'static str> {
    if now.vanished {
        return write(now);
    }
    change(now)?;
    if now.deleted {
        Ok(())
    } else {
        Err("it is neither deleted nor vanished")
    }
}

fn undo(now: &Situation) -> Result<(), &'static str> {
    write(now)?;
    if now.can_undo {
        Ok(())
    } else {
        Err("nothing was edited yet")
    }
}

fn redo(now: &Situation) -> Result<(), &'static str> {
    write(now)?;
    if now.can_redo {
        Ok(())
    } else {
        Err("nothing was taken back")
    }
}

fn edits(now: &Situation) -> Result<(), &'static str> {
    write(now)?;
    if now.edited {
        Ok(())
    } else {
        Err("nothing was edited yet")
    }
}

fn away(now: &Situation) -> Result<(), &'static str> {
    if now.changed_while_away {
        Ok(())
    } else {
        Err("nothing changed while you looked away")
    }
}

fn filtered(now: &Situation) -> Result<(), &'static str> {
    if now.filtered {
        Ok(())
    } else {
        Err("no filter is set")
    }
}
