//! Drawing: model and theme in, cells and mouse rectangles out. One file per pane.
