//! What a check of a whole source tree costs, against parsing it and nothing else.
//!
//! `cargo bench --bench check [FOLDER]`: by default the specification beside the project. The base line
//! parses the same YAML, Markdown and JSON with the same crates, and drops what comes out: once with the
//! reading of the files, as a check has to read them too, and once from memory. All are processor
//! time, the least of several rounds. Exits with 1 above [`MOST`] times the first of them.

use std::{
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use nix::time::{ClockId, clock_gettime};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use standing::check::{CaseSource, Levels, check};

const ROUNDS: usize = 15;
/// How many times the base line a check may take.
const MOST: f64 = 3.0;

fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

fn least(mut work: impl FnMut()) -> Duration {
    let rounds = (0..ROUNDS).map(|_| {
        let start = processor_time();
        work();
        processor_time() - start
    });
    rounds.min().unwrap_or_default()
}

/// The texts of a source tree.
#[derive(Default)]
struct Texts {
    yaml: Vec<String>,
    markdown: Vec<String>,
    json: Vec<String>,
}

impl Texts {
    fn read(folder: &Path, texts: &mut Self) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        for path in entries.filter_map(|e| Some(e.ok()?.path())) {
            if path.is_dir() {
                Self::read(&path, texts);
                continue;
            }
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            match path.extension().and_then(|e| e.to_str()) {
                Some("yml") => texts.yaml.push(text),
                Some("json") => texts.json.push(text),
                Some("mdx") => {
                    let mut parts = text.splitn(3, "---\n").skip(1);
                    texts.yaml.extend(parts.next().map(str::to_owned));
                    texts.markdown.extend(parts.next().map(str::to_owned));
                }
                _ => {}
            }
        }
    }

    fn parse(&self) {
        for text in &self.yaml {
            let mut events = saphyr_parser::Parser::new_from_str(text);
            while let Some(event) = events.next_event() {
                let _ = black_box(event);
            }
        }
        for text in &self.markdown {
            let mut example: Option<String> = None;
            for (event, _) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
                match black_box(event) {
                    Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                        example = info.starts_with("json").then(String::new);
                    }
                    Event::Text(text) => {
                        if let Some(example) = &mut example {
                            example.push_str(&text);
                        }
                    }
                    Event::End(TagEnd::CodeBlock) => {
                        if let Some(text) = example.take() {
                            let _ = black_box(serde_json::from_str::<serde_json::Value>(&text));
                        }
                    }
                    _ => {}
                }
            }
        }
        for text in &self.json {
            let _ = black_box(serde_json::from_str::<serde_json::Value>(text));
        }
    }
}

fn main() -> ExitCode {
    let named = env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let folder = named.map_or_else(|| PathBuf::from("../shared/flowdrop-spec"), PathBuf::from);
    let mut texts = Texts::default();
    Texts::read(&folder, &mut texts);
    if texts.yaml.is_empty() {
        println!("there is no source tree at {}", folder.display());
        return ExitCode::SUCCESS;
    }
    let levels = Levels::default();
    let memory = least(|| texts.parse());
    let base = least(|| {
        let mut texts = Texts::default();
        Texts::read(&folder, &mut texts);
        texts.parse();
    });
    let whole = least(|| {
        black_box(check(&[&folder], CaseSource::Carried, &levels));
    });
    let ratio = whole.as_secs_f64() / base.as_secs_f64();
    println!(
        "reading and parsing {base:.2?} ({} YAML, {} Markdown), checking {whole:.2?}: {ratio:.2} times",
        texts.yaml.len(),
        texts.markdown.len()
    );
    println!(
        "parsing from memory {memory:.2?}: {:.2} times",
        whole.as_secs_f64() / memory.as_secs_f64()
    );
    match ratio > MOST {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}
