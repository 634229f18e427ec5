mod coalescing;
mod hinting;
mod writers;
