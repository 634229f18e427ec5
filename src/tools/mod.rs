//! The agents' tools as plain functions: JSON arguments in, JSON result out.
