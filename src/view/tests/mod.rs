mod feel;
mod fuzz;
mod graph;
mod lists;
mod markdown;
mod screens;
mod theme;
