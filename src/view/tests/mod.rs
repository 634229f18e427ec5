mod markdown;
mod screens;
mod theme;
