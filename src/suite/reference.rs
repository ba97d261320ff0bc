//! What a case says of an input or an expectation, references to the rule's document carried out.
//!
//! A mapping with a `$` key is a reference; a string that is wholly `$name` is a bound value;
//! everything else is as it stands. What comes out of the document is data: it is not looked into
//! for `$` again.

use std::{ops::Range, sync::Arc};

use serde_json::Value;

use super::template::{self, Template};
use crate::{
    corpus::{
        Content, Example, Rule, http_message,
        yaml::{Key, Kind, Node},
    },
    diagnostics::{Code, Diagnostic, Place, Source, closest},
};

/// The keys that a mapping with `$example` may have.
const BESIDE_EXAMPLE: &[&str] = &["$example", "$at", "$as", "$each", "$with", "$kind"];
/// Every key with a meaning.
const KEYS: &[&str] = &[
    "$example", "$at", "$as", "$each", "$with", "$kind", "$verdict", "$text", "$naming",
];

/// How a JSON Pointer is written.
pub(super) const POINTER_HELP: &str = "it is empty, or starts with `/`: /loops/head/0";

type Resolved<T = Template> = Result<T, Box<Diagnostic>>;

/// Carries out the references of one case file.
pub(super) struct Resolver<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) rule: &'a Rule,
    /// The numbers of the examples that the case in hand has named so far.
    pub(super) named: Vec<usize>,
    /// The names that the earlier steps of the case in hand bind.
    pub(super) bound: Vec<String>,
}

impl<'a> Resolver<'a> {
    /// An input or, with `in_expectation`, an expectation.
    pub(super) fn resolve(&mut self, node: &Node, in_expectation: bool) -> Resolved {
        match &node.kind {
            Kind::Scalar(Value::String(text)) => self.text(text, node),
            Kind::Scalar(value) => Ok(Template::Const(value.clone())),
            Kind::List(items) => {
                let items = items.iter().map(|item| self.resolve(item, in_expectation));
                Ok(Template::list(items.collect::<Resolved<_>>()?))
            }
            Kind::Map(members) => {
                if let Some((key, _)) = members.iter().find(|(k, _)| is_reference(&k.name)) {
                    return self.reference(members, key, node, in_expectation);
                }
                let members = members.iter().map(|(key, value)| {
                    Ok((
                        unescape(&key.name).to_owned(),
                        self.resolve(value, in_expectation)?,
                    ))
                });
                Ok(Template::object(members.collect::<Resolved<_>>()?))
            }
        }
    }

    fn text(&self, text: &str, node: &Node) -> Resolved {
        let Some(name) = text.strip_prefix('$') else {
            return Ok(Template::Const(text.into()));
        };
        if name.starts_with('$') {
            return Ok(Template::Const(name.into()));
        }
        if self.bound.iter().any(|bound| bound == name) {
            return Ok(Template::Bound(name.to_owned()));
        }
        let bound = self.bound.iter().map(String::as_str);
        let fault = Diagnostic::error(Code::UnboundName, format!("no earlier step binds `{name}`"))
            .at(self.place(&node.span))
            .help("bind it in an earlier step: `bind: { name: /pointer/into/the/answer }`; write `$$` for a text that starts with `$`");
        Err(Box::new(match closest(name, bound) {
            Some(_) => fault.suggest(name, self.bound.iter().map(String::as_str)),
            None => fault,
        }))
    }

    fn reference(
        &mut self,
        members: &[(Key, Node)],
        key: &Key,
        node: &Node,
        in_expectation: bool,
    ) -> Resolved {
        let has = |name: &str| members.iter().any(|(k, _)| k.name == name);
        let alone = |this: &Self, name: &str| -> Resolved<()> {
            match members.iter().find(|(k, _)| k.name != name) {
                None => Ok(()),
                Some((other, _)) => {
                    let message = format!("`{}` cannot stand beside `{name}`", other.name);
                    Err(this.fault(Code::CaseShape, message, &other.span).into())
                }
            }
        };
        if let Some(of) = node.get("$example") {
            if let Some((other, _)) = members
                .iter()
                .find(|(k, _)| !BESIDE_EXAMPLE.contains(&k.name.as_str()))
            {
                let fault = self.fault(
                    Code::CaseShape,
                    format!("`{}` cannot stand beside `$example`", other.name),
                    &other.span,
                );
                let fault = fault.help("members are added with `$with: { … }`");
                return Err(Box::new(match is_reference(&other.name) {
                    true => fault.suggest(&other.name, BESIDE_EXAMPLE.iter().copied()),
                    false => fault,
                }));
            }
            self.example(node, of)
        } else if let Some(of) = node.get("$verdict") {
            alone(self, "$verdict")?;
            let example = self.find(of)?;
            match &example.verdict {
                Some(verdict) => Ok(Template::Const(verdict.as_str().into())),
                None => Err(Box::new(
                    self.fault(
                        Code::BadReference,
                        format!("{} has no verdict", example.name()),
                        &of.span,
                    )
                    .see(example.place(), "this one"),
                )),
            }
        } else if let Some(of) = node.get("$text") {
            alone(self, "$text")?;
            Ok(Template::Const(self.find(of)?.body.as_str().into()))
        } else if has("$naming") && in_expectation {
            alone(self, "$naming")?;
            Ok(Template::Naming(self.words(node.get("$naming"))?))
        } else {
            let known = KEYS.contains(&key.name.as_str());
            let fault = self.fault(
                Code::CaseShape,
                match known {
                    true => format!("`{}` has no meaning here", key.name),
                    false => format!("`{}` has no meaning", key.name),
                },
                &key.span,
            );
            Err(Box::new(match key.name.as_str() {
                "$naming" => fault.help("it matches a text, and stands in an `expect`"),
                _ if known => fault.help("it stands beside `$example`"),
                name => match closest(name, KEYS.iter().copied()) {
                    Some(_) => fault.suggest(name, KEYS.iter().copied()),
                    None => fault.help("write `$$` for a key that starts with `$`"),
                },
            }))
        }
    }

    /// A list of strings.
    pub(super) fn words(&self, node: Option<&Node>) -> Resolved<Vec<String>> {
        let Some(node) = node else {
            return Ok(Vec::new());
        };
        let words = match &node.kind {
            Kind::List(items) => items
                .iter()
                .map(|i| i.as_str().map(str::to_owned))
                .collect(),
            _ => None,
        };
        words.ok_or_else(|| {
            Box::new(self.fault(Code::CaseShape, "a list of words is expected", &node.span))
        })
    }

    /// Finds the example that a title, or `{title?, verdict?, nth?}`, names.
    fn find(&mut self, of: &Node) -> Resolved<&'a Example> {
        let (title, verdict, nth) = match &of.kind {
            Kind::Map(members) => {
                if let Some((key, _)) = members
                    .iter()
                    .find(|(k, _)| !["title", "verdict", "nth"].contains(&k.name.as_str()))
                {
                    return Err(Box::new(
                        self.fault(
                            Code::CaseShape,
                            format!("an example is not named by its `{}`", key.name),
                            &key.span,
                        )
                        .help("it is named by title, verdict and nth"),
                    ));
                }
                let text = |name: &str| match of.get(name) {
                    None => Ok(None),
                    Some(node) => node.as_str().map(Some).ok_or_else(|| {
                        Box::new(self.fault(
                            Code::CaseShape,
                            format!("the {name} is a text"),
                            &node.span,
                        ))
                    }),
                };
                let nth = match of.get("nth").map(|n| (&n.kind, &n.span)) {
                    None => None,
                    Some((Kind::Scalar(Value::Number(n)), _))
                        if n.as_u64().is_some_and(|n| n > 0) =>
                    {
                        n.as_u64()
                    }
                    Some((_, span)) => {
                        return Err(Box::new(self.fault(
                            Code::CaseShape,
                            "`nth` counts from 1",
                            span,
                        )));
                    }
                };
                (text("title")?, text("verdict")?, nth)
            }
            _ => match of.as_str() {
                Some(title) => (Some(title), None, None),
                None => {
                    return Err(Box::new(self.fault(
                        Code::CaseShape,
                        "an example is named by its title, or by `{ title, verdict, nth }`",
                        &of.span,
                    )));
                }
            },
        };
        let rule: &'a Rule = self.rule;
        let fits = |e: &&Example| {
            title.is_none_or(|t| e.title.as_deref() == Some(t))
                && verdict.is_none_or(|v| e.verdict.as_deref() == Some(v))
        };
        let found: Vec<&'a Example> = rule.examples.iter().filter(fits).collect();
        let chosen = match nth {
            Some(n) => usize::try_from(n - 1).ok().and_then(|i| found.get(i)),
            None => found.first(),
        }
        .copied();
        let Some(chosen) = chosen else {
            return Err(Box::new(self.no_example(of, title, found.len())));
        };
        if nth.is_none() && found.len() > 1 {
            let mut fault = self.fault(
                Code::AmbiguousExample,
                format!("{} examples of {} fit", found.len(), self.rule.id),
                &of.span,
            );
            for example in &found {
                fault = fault.see(example.place(), "this one");
            }
            return Err(Box::new(fault.help(
                "say which: `{ title: …, verdict: … }` or `{ title: …, nth: 1 }`",
            )));
        }
        if !self.named.contains(&chosen.number) {
            self.named.push(chosen.number);
        }
        Ok(chosen)
    }

    fn no_example(&self, of: &Node, title: Option<&str>, found: usize) -> Diagnostic {
        let rule = self.rule;
        let what = match (title, found) {
            (_, 1) => format!("only 1 example of {} fits", rule.id),
            (_, 2..) => format!("only {found} examples of {} fit", rule.id),
            (Some(title), _) => format!("{} has no example \"{title}\"", rule.id),
            (None, _) => format!("{} has no such example", rule.id),
        };
        let fault = self.fault(Code::UnknownExample, what, &of.span);
        let titles: Vec<&str> = rule
            .examples
            .iter()
            .filter_map(|e| e.title.as_deref())
            .collect();
        if found > 0 {
            return fault.help(format!("`nth` counts from 1, here to {found}"));
        }
        match title.and_then(|t| closest(t, titles.iter().copied())) {
            Some(close) => fault.help(format!("did you mean \"{close}\"?")),
            None if titles.is_empty() => fault.help(format!(
                "{} has no examples with a title",
                rule.source.path()
            )),
            None => fault.help(format!("its examples are \"{}\"", titles.join("\", \""))),
        }
    }

    fn example(&mut self, node: &Node, of: &Node) -> Resolved {
        let example = self.find(of)?;
        let value = match &example.content {
            Content::Json(value) => value.clone(),
            Content::Text if example.language == "http" => {
                http_message(&example.body).map_err(|(message, at)| {
                    Diagnostic::error(Code::ExampleNotHttp, message).at(example.line_in_body(at))
                })?
            }
            Content::Text => {
                let name = example.name();
                return Err(Box::new(
                    self.fault(
                        Code::BadReference,
                        format!("{name} is neither JSON nor http"),
                        &of.span,
                    )
                    .help("take its text with `$text`"),
                ));
            }
        };
        let value = match node.get("$at") {
            None => value,
            Some(at) => {
                let pointer = self.pointer(at)?;
                pick(&value, &pointer).cloned().ok_or_else(|| {
                    let at_what = at.as_str().unwrap_or_default();
                    let message = format!("the example has nothing at `{at_what}`");
                    self.fault(Code::BadPointer, message, &at.span)
                        .see(example.place(), "this one")
                })?
            }
        };
        let rebuilt = match (node.get("$as"), node.get("$each")) {
            (None, None) => Template::Const(value),
            (Some(template), None) => self
                .rebuild(template, &value)?
                .unwrap_or(Template::Const(Value::Null)),
            (None, Some(template)) => {
                let Value::Array(items) = &value else {
                    return Err(Box::new(self.fault(
                        Code::BadReference,
                        "`$each` rebuilds the items of a list, and this is none",
                        &template.span,
                    )));
                };
                let items = items
                    .iter()
                    .filter_map(|item| self.rebuild(template, item).transpose());
                Template::list(items.collect::<Resolved<_>>()?)
            }
            (Some(_), Some(each)) => {
                return Err(Box::new(self.fault(
                    Code::CaseShape,
                    "`$each` cannot stand beside `$as`",
                    &each.span,
                )));
            }
        };
        let with = match node.get("$with") {
            None => rebuilt,
            Some(with) => self.with(rebuilt, with)?,
        };
        match node.get("$kind") {
            None => Ok(with),
            Some(kinds) => self.kinds(with, kinds),
        }
    }

    /// A template with its picks taken from `value`. `None`: a pick that finds nothing.
    fn rebuild(&self, template: &Node, value: &Value) -> Resolved<Option<Template>> {
        Ok(Some(match &template.kind {
            Kind::Scalar(Value::String(text)) => self.text(text, template)?,
            Kind::Scalar(scalar) => Template::Const(scalar.clone()),
            Kind::List(items) => {
                let items = items
                    .iter()
                    .filter_map(|item| self.rebuild(item, value).transpose());
                Template::list(items.collect::<Resolved<_>>()?)
            }
            Kind::Map(members) => {
                if let Some(at) = template.get("$at").filter(|_| members.len() == 1) {
                    let pointer = self.pointer(at)?;
                    return Ok(pick(value, &pointer).cloned().map(Template::Const));
                }
                let mut rebuilt = Vec::with_capacity(members.len());
                for (key, member) in members {
                    if is_reference(&key.name) {
                        return Err(Box::new(
                            self.fault(
                                Code::CaseShape,
                                format!("`{}` has no meaning in a template", key.name),
                                &key.span,
                            )
                            .help("a template picks with `{ $at: /pointer }`"),
                        ));
                    }
                    if let Some(member) = self.rebuild(member, value)? {
                        rebuilt.push((unescape(&key.name).to_owned(), member));
                    }
                }
                Template::object(rebuilt)
            }
        }))
    }

    /// Adds members to an object, or to the items of a list by their index.
    fn with(&mut self, base: Template, with: &Node) -> Resolved {
        let Kind::Map(additions) = &with.kind else {
            return Err(Box::new(self.fault(
                Code::CaseShape,
                "`$with` is a mapping",
                &with.span,
            )));
        };
        let mut base = Open::from(base);
        for (key, addition) in additions {
            match &mut base {
                Open::Object(members) => {
                    set(members, unescape(&key.name), self.resolve(addition, false)?)
                }
                Open::List(items) => {
                    let item = self.item(items, key)?;
                    let Kind::Map(additions) = &addition.kind else {
                        return Err(Box::new(self.fault(
                            Code::CaseShape,
                            "the members to add are a mapping",
                            &addition.span,
                        )));
                    };
                    let Open::Object(members) = item else {
                        return Err(Box::new(self.fault(
                            Code::BadReference,
                            "this item is no object",
                            &key.span,
                        )));
                    };
                    for (key, value) in additions {
                        set(members, unescape(&key.name), self.resolve(value, false)?);
                    }
                }
                Open::Other(_) => {
                    return Err(Box::new(self.fault(
                        Code::BadReference,
                        "there is no object or list to add to",
                        &with.span,
                    )));
                }
            }
        }
        Ok(base.close())
    }

    /// `$kind: { 3: loopback }` says the `kind` of the edge at index 3.
    fn kinds(&mut self, base: Template, kinds: &Node) -> Resolved {
        let Kind::Map(members) = &kinds.kind else {
            return Err(Box::new(self.fault(
                Code::CaseShape,
                "`$kind` maps an index to a kind",
                &kinds.span,
            )));
        };
        let mut base = Open::from(base);
        let Open::List(items) = &mut base else {
            return Err(Box::new(self.fault(
                Code::BadReference,
                "`$kind` says the kinds of a list of edges, and this is no list",
                &kinds.span,
            )));
        };
        for (key, kind) in members {
            let kind = self.resolve(kind, false)?;
            match self.item(items, key)? {
                Open::Object(members) => set(members, "kind", kind),
                _ => {
                    return Err(Box::new(self.fault(
                        Code::BadReference,
                        "this item is no edge",
                        &key.span,
                    )));
                }
            }
        }
        Ok(base.close())
    }

    fn item<'i>(&self, items: &'i mut [Open], key: &Key) -> Resolved<&'i mut Open> {
        let length = items.len();
        crate::corpus::index(&key.name)
            .and_then(|i| items.get_mut(i))
            .ok_or_else(|| {
                Box::new(
                    self.fault(
                        Code::BadReference,
                        format!("the list has no item {}", key.name),
                        &key.span,
                    )
                    .help(format!("it has {length} items, counted from 0")),
                )
            })
    }

    /// Reads a JSON Pointer.
    pub(super) fn pointer(&self, node: &Node) -> Resolved<Vec<String>> {
        node.as_str().and_then(template::pointer).ok_or_else(|| {
            Box::new(
                self.fault(Code::BadPointer, "this is no JSON Pointer", &node.span)
                    .help(POINTER_HELP),
            )
        })
    }

    pub(super) fn fault(
        &self,
        code: Code,
        message: impl Into<String>,
        span: &Range<usize>,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(self.place(span))
    }

    fn place(&self, span: &Range<usize>) -> Place {
        Place::new(self.source, span.clone())
    }
}

/// A template whose outermost layers can be added to.
enum Open {
    Object(Vec<(String, Template)>),
    List(Vec<Open>),
    Other(Template),
}

impl From<Template> for Open {
    fn from(template: Template) -> Self {
        match template {
            Template::Object(members) => Self::Object(members),
            Template::Const(Value::Object(members)) => Self::Object(
                members
                    .into_iter()
                    .map(|(k, v)| (k, Template::Const(v)))
                    .collect(),
            ),
            Template::List(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Template::Const(Value::Array(items)) => Self::List(
                items
                    .into_iter()
                    .map(|v| Self::from(Template::Const(v)))
                    .collect(),
            ),
            other => Self::Other(other),
        }
    }
}

impl Open {
    fn close(self) -> Template {
        match self {
            Self::Object(members) => Template::object(members),
            Self::List(items) => Template::list(items.into_iter().map(Self::close).collect()),
            Self::Other(template) => template,
        }
    }
}

fn set(members: &mut Vec<(String, Template)>, name: &str, value: Template) {
    match members.iter_mut().find(|(n, _)| n == name) {
        Some((_, old)) => *old = value,
        None => members.push((name.to_owned(), value)),
    }
}

fn is_reference(key: &str) -> bool {
    key.starts_with('$') && !key.starts_with("$$")
}

fn unescape(key: &str) -> &str {
    match key.starts_with("$$") {
        true => &key[1..],
        false => key,
    }
}

fn pick<'v>(value: &'v Value, pointer: &[String]) -> Option<&'v Value> {
    pointer
        .iter()
        .try_fold(value, |at, token| template::child(at, token))
}
