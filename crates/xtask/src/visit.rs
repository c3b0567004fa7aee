//! What `./run first-visit` and the visit that it calls say to each other.

/// The folder of the page that tells which of its functions were called, in the root of the repository.
pub const SITE: &str = "target/first-visit/site";

/// The file in which the visit writes a line for each function.
pub const CALLED: &str = "target/first-visit/called.txt";

/// A function of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The program, by its file.
    pub program: String,
    /// The short name.
    pub name: String,
    /// Whether it was called.
    pub is_called: bool,
}

impl Function {
    /// The function as a line.
    pub fn line(&self) -> String {
        format!("{} {} {}\n", self.program, self.name, if self.is_called { "called" } else { "-" })
    }

    /// The function of a line, if it is one.
    pub fn of(line: &str) -> Option<Function> {
        let [program, name, called] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
        Some(Function { program: program.into(), name: name.into(), is_called: called == "called" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_read_as_it_was_written() {
        for is_called in [false, true] {
            let function = Function { program: "zvmlab_web".into(), name: "00ff00ff00".into(), is_called };
            assert_eq!(Function::of(function.line().trim_end()), Some(function));
        }
        assert_eq!(Function::of("zvmlab_web"), None);
    }
}
