mod coalescing;
mod hinting;
mod store;
mod writers;
