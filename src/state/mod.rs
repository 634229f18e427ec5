//! What we keep outside the task folder, per list, in the user's state directory.
