mod markdown;
mod theme;
