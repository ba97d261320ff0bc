//! Puts the documents in `rules/` and the case files in `cases/` into the library.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    // Tests that read a checkout of the specification are ignored where there is none.
    println!("cargo::rustc-check-cfg=cfg(specification_checkout)");
    if root.join("../shared/pages").is_dir() {
        println!("cargo::rustc-cfg=specification_checkout");
    }
    let mut code = String::new();
    for (folder, name, endings) in [
        ("rules", "RULES", &["md", "lock"][..]),
        ("cases", "CASES", &["yml"][..]),
    ] {
        println!("cargo::rerun-if-changed={folder}");
        let mut files = Vec::new();
        collect(&root.join(folder), endings, &mut files)?;
        files.sort();
        let _ = writeln!(code, "static {name}: &[(&str, &str)] = &[");
        for file in files {
            let shown = file.strip_prefix(&root).unwrap_or(&file);
            let shown = shown.to_string_lossy().replace('\\', "/");
            let _ = writeln!(
                code,
                "    ({shown:?}, include_str!({:?})),",
                file.to_string_lossy()
            );
        }
        code.push_str("];\n");
    }
    fs::write(out.join("embedded.rs"), code)
}

fn collect(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, endings, files)?;
        } else if path
            .extension()
            .and_then(|e| e.to_str())
            .is_some_and(|e| endings.contains(&e))
        {
            files.push(path);
        }
    }
    Ok(())
}
