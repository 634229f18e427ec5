mod graph;
mod markdown;
mod screens;
mod theme;
