//! Pumps.
use std::collections::HashMap;
use std::fmt;

/// One pump.
#[derive(Debug, Clone)]
pub struct Pump<'a> {
    name: &'a str,
}

pub trait Keep {
    fn put(&mut self, number: u32);
}

impl<'a> Keep for Pump<'a> {
    /// Keeps it.
    #[inline]
    fn put(&mut self, number: u32) {
        let text = r#"fn not_a_function() {"#;
        println!("{}{}{}", self.name, number, text);
    }
}

macro_rules! pump {
    ($name:expr) => {
        Pump { name: $name }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps() {
        assert_eq!(pump!("a").name, "a");
    }
}
