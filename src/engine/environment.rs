//! What an engine that is a program sees of the environment.
//!
//! A shell's environment holds tokens and passwords, and an engine under test is somebody else's
//! program. So it is given what programs need in order to be found and to run, and beyond that what is
//! passed on by name.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    str::FromStr,
};

/// Where programs and their parts are, where they may write, and how they speak. No variable that
/// credentials are kept in.
const COMMON: &[&str] = &[
    "CARGO_HOME",
    "CLASSPATH",
    "COLORTERM",
    "DOTNET_ROOT",
    "DYLD_LIBRARY_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "GOPATH",
    "GOROOT",
    "HOME",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "NODE_PATH",
    "NO_COLOR",
    "PATH",
    "PERL5LIB",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PWD",
    "PYTHONHOME",
    "PYTHONPATH",
    "RUBYLIB",
    "RUSTUP_HOME",
    "RUST_BACKTRACE",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
];

/// What else is common, by how the name begins: POSIX locale categories, and where the files of a
/// user are (XDG Base Directory Specification).
const COMMON_BEGINNINGS: &[&str] = &["LC_", "XDG_CACHE_", "XDG_CONFIG_", "XDG_DATA_"];

/// A variable for an engine beyond the common ones: `NAME` passes on the value that it has here, if
/// it has one, `NAME=VALUE` says the value.
///
/// # Examples
///
/// ```
/// use standing::engine::Variable;
///
/// let passed: Variable = "DATABASE_URL".parse()?;
/// let said: Variable = "ACME_MODE=strict".parse()?;
/// assert_eq!(said.to_string(), "ACME_MODE=strict");
/// assert!("=strict".parse::<Variable>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    name: String,
    value: Option<String>,
}

impl FromStr for Variable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = match text.split_once('=') {
            None => (text, None),
            Some((name, value)) => (name, Some(value.to_owned())),
        };
        if name.is_empty() || text.contains('\0') {
            return Err("NAME or NAME=VALUE is expected".to_owned());
        }
        let name = name.to_owned();
        Ok(Self { name, value })
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.value {
            None => Ok(()),
            Some(value) => write!(f, "={value}"),
        }
    }
}

/// The environment of an engine: what is common of all that there is, and what is passed on.
pub(super) fn environment(
    all: impl Iterator<Item = (OsString, OsString)>,
    passed_on: &[Variable],
) -> Vec<(OsString, OsString)> {
    let asked_for = |name: &OsStr| passed_on.iter().any(|v| OsStr::new(&v.name) == name);
    let mut environment: Vec<(OsString, OsString)> = all
        .filter(|(name, _)| is_common(name) || asked_for(name))
        .collect();
    let said = passed_on
        .iter()
        .filter_map(|v| Some((&v.name, v.value.as_ref()?)));
    environment.extend(said.map(|(name, value)| (name.into(), value.into())));
    environment
}

fn is_common(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        COMMON.contains(&name)
            || COMMON_BEGINNINGS
                .iter()
                .any(|begin| name.starts_with(begin))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(passed_on: &[&str]) -> Vec<String> {
        let all = [
            "PATH=/bin",
            "LC_ALL=C",
            "TOKEN=t",
            "HTTPS_PROXY=u:p@h",
            "MODE=lax",
        ];
        let all = all.map(|text| text.split_once('=').expect("a value"));
        let passed_on: Vec<Variable> = passed_on
            .iter()
            .map(|text| text.parse().expect("a variable"))
            .collect();
        let all = all
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()));
        environment(all, &passed_on)
            .iter()
            .map(|(name, value)| format!("{}={}", name.display(), value.display()))
            .collect()
    }

    #[test]
    fn what_is_common_and_what_is_asked_for() {
        assert_eq!(given(&[]), ["PATH=/bin", "LC_ALL=C"]);
        assert_eq!(
            given(&["TOKEN", "NOT_THERE"]),
            ["PATH=/bin", "LC_ALL=C", "TOKEN=t"]
        );
        // The last one wins where it is set.
        assert_eq!(
            given(&["MODE=strict", "EMPTY=", "A=b=c"]),
            [
                "PATH=/bin",
                "LC_ALL=C",
                "MODE=lax",
                "MODE=strict",
                "EMPTY=",
                "A=b=c"
            ]
        );
    }

    #[test]
    fn the_list_is_in_order() {
        assert!(COMMON.is_sorted());
    }
}
