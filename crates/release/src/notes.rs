//! The notes of a release: what the changelog says of its version.

/// The heading of what has no version yet.
const UNRELEASED: &str = "Unreleased";

/// The notes of `version` from the text of a changelog in the form of Keep a Changelog; `versions` stands beneath the title. A version
/// that the changelog does not know takes what is unreleased.
///
/// # Errors
/// When the changelog has neither, or says nothing there.
pub fn of(changelog: &str, version: &str, versions: &str) -> Result<String, String> {
    let section = section(changelog, version).or_else(|| section(changelog, UNRELEASED));
    let text = section.ok_or_else(|| format!("no section [{version}] and none [{UNRELEASED}]"))?;
    if text.is_empty() {
        return Err(format!("the section of {version} is empty"));
    }
    Ok(format!("# zvmlab {version}\n\n{versions}\n\n{text}\n"))
}

/// What stands below the heading `## [name]`, up to the next heading of its kind.
fn section<'a>(changelog: &'a str, name: &str) -> Option<&'a str> {
    let heading = format!("## [{name}]");
    let begin = changelog.lines().find(|line| line.starts_with(&heading))?;
    let (_, rest) = changelog.split_once(begin)?;
    Some(rest.split("\n## [").next().unwrap_or_default().trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "# Changelog\n\n## [Unreleased]\n\nNew.\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- Two.\n\n## [0.1.0] - 2026-11-01\n\n- One.\n";

    #[test]
    fn a_version_has_its_own_section_or_what_is_unreleased() {
        let of = |version| of(CHANGELOG, version, "Links 4.");
        assert_eq!(of("0.2.0").unwrap(), "# zvmlab 0.2.0\n\nLinks 4.\n\n### Added\n\n- Two.\n");
        assert_eq!(of("0.1.0").unwrap(), "# zvmlab 0.1.0\n\nLinks 4.\n\n- One.\n");
        assert_eq!(of("0.3.0").unwrap(), "# zvmlab 0.3.0\n\nLinks 4.\n\nNew.\n");
    }

    #[test]
    fn a_changelog_that_says_nothing_is_refused() {
        assert!(of("# Changelog\n", "0.1.0", "").unwrap_err().contains("[0.1.0]"));
        assert!(of("## [0.1.0]\n\n## [0.0.1]\n\n- A.\n", "0.1.0", "").unwrap_err().contains("empty"));
    }
}
