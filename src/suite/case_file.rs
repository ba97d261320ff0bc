//! Case files: their shape, and the cases in them.

use std::{collections::HashSet, ops::Range, sync::Arc};

use serde_json::{Map, Value};

use super::{
    Case, Expectation, Refused, Step, Untestable, by_example,
    matching::{Expected, Mode, Modes},
    reference::{POINTER_HELP, Resolver},
    schema::Schemas,
    template::Template,
};
use crate::{
    corpus::{
        Corpus, Rule,
        yaml::{self, Kind, Manner, Node},
    },
    diagnostics::{Code, Diagnostic, Place, Source, closest, printable},
};

const FILE_KEYS: &[&str] = &["rule", "cases", "untestable"];
const STEP_KEYS: &[&str] = &["operation", "given", "expect", "match", "refused", "bind"];
const CASE_KEYS: &[&str] = &[
    "name",
    "clauses",
    "steps",
    "operation",
    "given",
    "expect",
    "match",
    "refused",
    "bind",
];
const REFUSED_KEYS: &[&str] = &["reason", "naming"];

/// What a case file says.
pub(super) struct CaseFile {
    /// Where in the corpus its rule is.
    pub(super) rule: usize,
    pub(super) cases: Vec<Case>,
    pub(super) untestable: Vec<Untestable>,
    /// Where it names its rule.
    pub(super) place: Place,
}

/// Reads one case file. `None`: it has faults, which are in `faults`, or (unless `strict`) it is
/// about a rule that is not in the corpus.
pub(super) fn read(
    source: &Arc<Source>,
    corpus: &Corpus,
    schemas: &Schemas,
    strict: bool,
    faults: &mut Vec<Diagnostic>,
) -> Option<CaseFile> {
    let root = match yaml::read(source, &Manner::CASES) {
        Ok(root) => root,
        Err(fault) => {
            faults.push(*fault);
            return None;
        }
    };
    let before = faults.len();
    let shape = Shape { source };
    let rule_node = match shape
        .keys(&root, "a case file", FILE_KEYS)
        .and_then(|()| shape.need(&root, "rule", "a case file"))
    {
        Ok(node) => node,
        Err(fault) => {
            faults.push(*fault);
            return None;
        }
    };
    let place = Place::new(source, rule_node.span.clone());
    let id = match shape.word(rule_node, "the rule") {
        Ok(id) => id,
        Err(fault) => {
            faults.push(*fault);
            return None;
        }
    };
    let Some(position) = corpus.position(id) else {
        if strict {
            let ids = corpus.rules().iter().map(|r| r.id.as_str());
            faults.push(
                Diagnostic::error(
                    Code::UnknownRule,
                    format!("there is no document for the rule `{id}`"),
                )
                .at(place)
                .help("`standing list` lists the rules that were read")
                .suggest(id, ids),
            );
        }
        return None;
    };
    let rule = &corpus.rules()[position];
    let mut reader = Reader {
        shape: Shape { source },
        resolver: Resolver {
            source,
            rule,
            named: Vec::new(),
            bound: Vec::new(),
        },
        schemas,
        rule,
        position,
    };
    let mut cases: Vec<Case> = Vec::new();
    match root.get("cases").map(|n| &n.kind) {
        None | Some(Kind::Scalar(Value::Null)) => {}
        Some(Kind::List(items)) => {
            let mut told: HashSet<String> = faults.iter().map(ToString::to_string).collect();
            for item in items {
                match reader.case(item) {
                    Ok(case) => match cases.iter().find(|c| c.name == case.name) {
                        Some(first) => faults.push(
                            Diagnostic::error(
                                Code::DuplicateCase,
                                format!("two cases are `{}`", case.name),
                            )
                            .at(case.place)
                            .see(first.place.clone(), "the other one")
                            .help("give it a name of its own"),
                        ),
                        None => cases.push(case),
                    },
                    // An example that cannot be read is one fault, however many cases name it.
                    Err(fault) if !told.insert(fault.to_string()) => {}
                    Err(fault) => faults.push(*fault),
                }
            }
        }
        Some(_) => {
            faults.push(shape.fault(root.get("cases").unwrap_or(&root), "`cases` is a list"))
        }
    }
    let untestable = reader.untestable(root.get("untestable"), &cases, faults);
    (faults.len() == before).then_some(CaseFile {
        rule: position,
        cases,
        untestable,
        place,
    })
}

type Read<T> = Result<T, Box<Diagnostic>>;

/// Checks of the form alone.
struct Shape<'a> {
    source: &'a Arc<Source>,
}

impl Shape<'_> {
    fn fault(&self, node: &Node, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Code::CaseShape, message).at(Place::new(self.source, node.span.clone()))
    }

    /// That `node` is a mapping with these keys at most.
    fn keys(&self, node: &Node, what: &str, known: &[&str]) -> Read<()> {
        let Kind::Map(members) = &node.kind else {
            return Err(Box::new(self.fault(
                node,
                format!("{what} is a mapping, not {}", node.describe()),
            )));
        };
        let Some((key, _)) = members
            .iter()
            .find(|(k, _)| !known.contains(&k.name.as_str()))
        else {
            return Ok(());
        };
        let fault = Diagnostic::error(Code::CaseShape, format!("{what} has no `{}`", key.name))
            .at(Place::new(self.source, key.span.clone()));
        Err(Box::new(match closest(&key.name, known.iter().copied()) {
            Some(close) => fault.help(format!("did you mean `{close}`?")),
            None => fault.help(format!("it has {}", known.join(", "))),
        }))
    }

    fn need<'n>(&self, node: &'n Node, key: &str, what: &str) -> Read<&'n Node> {
        node.get(key).ok_or_else(|| {
            let start = node.span.start;
            Box::new(
                Diagnostic::error(Code::CaseShape, format!("{what} needs `{key}:`"))
                    .at(Place::line_of(self.source, start)),
            )
        })
    }

    fn word<'n>(&self, node: &'n Node, what: &str) -> Read<&'n str> {
        node.as_str().ok_or_else(|| {
            Box::new(self.fault(node, format!("{what} is a text, not {}", node.describe())))
        })
    }

    fn members<'n>(&self, node: &'n Node, what: &str) -> Read<&'n [(yaml::Key, Node)]> {
        match &node.kind {
            Kind::Map(members) => Ok(members),
            _ => Err(Box::new(self.fault(
                node,
                format!("{what} is a mapping, not {}", node.describe()),
            ))),
        }
    }
}

struct Reader<'a> {
    shape: Shape<'a>,
    resolver: Resolver<'a>,
    schemas: &'a Schemas,
    rule: &'a Rule,
    position: usize,
}

impl Reader<'_> {
    fn case(&mut self, node: &Node) -> Read<Case> {
        self.shape.keys(node, "a case", CASE_KEYS)?;
        let name_node = self.shape.need(node, "name", "a case")?;
        let name = self.shape.word(name_node, "the name")?;
        if name.is_empty()
            || printable(name) != name
            || name
                .chars()
                .any(|c| c.is_whitespace() || "/*?[]{}:¶".contains(c))
        {
            return Err(Box::new(
                self.shape
                    .fault(name_node, format!("`{name}` cannot be the name of a case"))
                    .help("use words with `-` between them: a selector names the case by it"),
            ));
        }
        let clauses = self.clauses(self.shape.need(node, "clauses", "a case")?)?;
        self.resolver.named.clear();
        self.resolver.bound.clear();
        let mut steps = Vec::new();
        match node.get("steps") {
            None => steps.push(self.step(node, false)?),
            Some(list) => {
                if let Kind::Map(members) = &node.kind
                    && let Some((key, _)) = members
                        .iter()
                        .find(|(k, _)| STEP_KEYS.contains(&k.name.as_str()))
                {
                    let place = Place::new(self.shape.source, key.span.clone());
                    return Err(Box::new(
                        Diagnostic::error(
                            Code::CaseShape,
                            format!("`{}` cannot stand beside `steps`", key.name),
                        )
                        .at(place)
                        .help("it belongs to one of the steps"),
                    ));
                }
                match &list.kind {
                    Kind::List(items) if !items.is_empty() => {
                        for item in items {
                            steps.push(self.step(item, true)?);
                        }
                    }
                    _ => {
                        return Err(Box::new(
                            self.shape
                                .fault(list, "`steps` is a list of at least one step"),
                        ));
                    }
                }
            }
        }
        let mut examples = std::mem::take(&mut self.resolver.named);
        examples.sort_unstable();
        Ok(Case {
            rule: self.position,
            name: format!("{}/{name}", self.rule.id),
            clauses,
            steps,
            examples,
            by_example: by_example::is_so(node),
            place: Place::new(self.shape.source, name_node.span.clone()),
        })
    }

    fn clauses(&self, node: &Node) -> Read<Vec<usize>> {
        let items = match &node.kind {
            Kind::List(items) if !items.is_empty() => items,
            _ => {
                return Err(Box::new(
                    self.shape
                        .fault(node, "`clauses` is a list of at least one number"),
                ));
            }
        };
        let mut clauses = Vec::new();
        for item in items {
            let number = match &item.kind {
                Kind::Scalar(Value::Number(n)) => n.as_u64().and_then(|n| usize::try_from(n).ok()),
                _ => None,
            };
            let number = self.known_clause(number, item.span.clone())?;
            if !clauses.contains(&number) {
                clauses.push(number);
            }
        }
        clauses.sort_unstable();
        Ok(clauses)
    }

    fn known_clause(&self, number: Option<usize>, span: Range<usize>) -> Read<usize> {
        number
            .filter(|n| self.rule.clause(*n).is_some())
            .ok_or_else(|| {
                let place = Place::new(self.shape.source, span);
                let shown = &self.shape.source.text()[place.span()];
                Box::new(
                    Diagnostic::error(
                        Code::UnknownClause,
                        format!("{} has no clause {shown}", self.rule.id),
                    )
                    .at(place)
                    .help(match self.rule.clauses.len() {
                        1 => "it has clause 1 alone".to_owned(),
                        most => format!("it has clauses 1 to {most}"),
                    }),
                )
            })
    }

    fn step(&mut self, node: &Node, alone: bool) -> Read<Step> {
        if alone {
            self.shape.keys(node, "a step", STEP_KEYS)?;
        }
        let name_node =
            self.shape
                .need(node, "operation", if alone { "a step" } else { "a case" })?;
        let operation = self.shape.word(name_node, "the operation")?;
        if !self.schemas.knows(operation) {
            return Err(Box::new(
                Diagnostic::error(
                    Code::UnknownOperation,
                    format!("there is no operation `{operation}`"),
                )
                .at(Place::new(self.shape.source, name_node.span.clone()))
                .help("`standing operations` lists them")
                .suggest(operation, self.schemas.names()),
            ));
        }
        let given = match node.get("given") {
            None => Template::Const(Value::Object(Map::new())),
            Some(given) => {
                let template = self.resolver.resolve(given, false)?;
                let at = |pointer: &[String]| {
                    Place::new(self.shape.source, given.nearest(pointer).span.clone())
                };
                self.schemas.check(operation, &template, at)?;
                template
            }
        };
        let expectation = self.expectation(node)?;
        let bind = match node.get("bind") {
            None => Vec::new(),
            Some(bind) => {
                let mut names = Vec::new();
                for (key, pointer) in self.shape.members(bind, "`bind`")? {
                    self.resolver.pointer(pointer)?;
                    names.push((
                        key.name.clone(),
                        pointer.as_str().unwrap_or_default().to_owned(),
                    ));
                }
                names
            }
        };
        self.resolver
            .bound
            .extend(bind.iter().map(|(name, _)| name.clone()));
        Ok(Step {
            operation: operation.to_owned(),
            given,
            expectation,
            bind,
            place: Place::line_of(self.shape.source, name_node.span.start),
        })
    }

    fn expectation(&mut self, node: &Node) -> Read<Expectation> {
        if let (Some(_), Some(refused)) = (node.get("expect"), node.get("refused")) {
            return Err(Box::new(
                self.shape
                    .fault(refused, "a step expects an answer or a refusal, not both"),
            ));
        }
        if let Some(matching) = node.get("match").filter(|_| node.get("expect").is_none()) {
            return Err(Box::new(self.shape.fault(
                matching,
                "there is no `expect` for this `match` to be about",
            )));
        }
        if let Some(refused) = node.get("refused") {
            self.shape.keys(refused, "`refused`", REFUSED_KEYS)?;
            let reason = self.shape.need(refused, "reason", "`refused`")?;
            return Ok(Expectation::Refused(Refused {
                reason: self.shape.word(reason, "the reason")?.to_owned(),
                naming: self.resolver.words(refused.get("naming"))?,
            }));
        }
        let Some(expect) = node.get("expect") else {
            return Ok(Expectation::Anything);
        };
        let template = self.resolver.resolve(expect, true)?;
        let modes = match node.get("match") {
            None => Modes::default(),
            Some(matching) => self.modes(matching, &template)?,
        };
        Ok(Expectation::Answer(Expected { template, modes }))
    }

    fn modes(&self, node: &Node, expected: &Template) -> Read<Modes> {
        let mut modes = Modes::default();
        if node.as_str().is_some() {
            modes.set(&[], self.mode(node)?);
            return Ok(modes);
        }
        for (key, mode) in self.shape.members(node, "`match`")? {
            let place = Place::new(self.shape.source, key.span.clone());
            let fault =
                |message: String| Box::new(Diagnostic::error(Code::BadPointer, message).at(place));
            let Some(pointer) = super::template::pointer(&key.name) else {
                let mut fault = fault(format!("`{}` is no JSON Pointer", key.name));
                fault.help = Some(POINTER_HELP.to_owned());
                return Err(fault);
            };
            if !expected.has(&pointer) {
                return Err(fault(format!(
                    "what is expected has nothing at `{}`",
                    key.name
                )));
            }
            modes.set(&pointer, self.mode(mode)?);
        }
        Ok(modes)
    }

    fn mode(&self, node: &Node) -> Read<Mode> {
        let word = node.as_str().unwrap_or_default();
        let known = Mode::WORDS.iter().find(|(w, _)| *w == word);
        known.map(|(_, mode)| *mode).ok_or_else(|| {
            Box::new(
                self.shape
                    .fault(node, "this is no way of matching")
                    .help("it is exact, includes or unordered"),
            )
        })
    }

    fn untestable(
        &self,
        node: Option<&Node>,
        cases: &[Case],
        faults: &mut Vec<Diagnostic>,
    ) -> Vec<Untestable> {
        let mut all = Vec::new();
        let members = match node.map(|n| self.shape.members(n, "`untestable`")) {
            None => return all,
            Some(Ok(members)) => members,
            Some(Err(fault)) => {
                faults.push(*fault);
                return all;
            }
        };
        for (key, node) in members {
            let read = self
                .known_clause(key.name.parse().ok(), key.span.clone())
                .and_then(|clause| Ok((clause, self.shape.word(node, "the reason")?)));
            match read {
                Ok((clause, reason)) => {
                    if let Some(case) = cases.iter().find(|c| c.clauses.contains(&clause)) {
                        faults.push(
                            self.shape.fault(node, format!("clause {clause} has cases, and is called untestable"))
                                .see(case.place.clone(), "this one bears on it")
                                .help("take the clause out of the case's `clauses`, or out of `untestable`"),
                        );
                    }
                    all.push(Untestable {
                        clause,
                        reason: reason.to_owned(),
                    });
                }
                Err(fault) => faults.push(*fault),
            }
        }
        all
    }
}
