#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| taskdeck::fuzz::run("graph", data));
