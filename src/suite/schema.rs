//! The operations that cases may use, and whether an input fits its operation's schema.

use crate::{
    diagnostics::{Diagnostic, Place},
    operations::Operations,
};

use super::template::Template;

/// Operations and, with the feature `check`, a validator of the params of each.
pub(super) struct Schemas {
    operations: Operations,
    #[cfg(feature = "check")]
    validators: std::cell::RefCell<Validators>,
}

/// Validators by name.
#[cfg(feature = "check")]
type Validators = std::collections::HashMap<String, std::rc::Rc<jsonschema::Validator>>;

impl Schemas {
    pub(super) fn new(operations: Operations) -> Self {
        Self {
            operations,
            #[cfg(feature = "check")]
            validators: Default::default(),
        }
    }

    pub(super) fn knows(&self, operation: &str) -> bool {
        self.operations.get(operation).is_some()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.operations.iter().map(|o| o.name)
    }

    #[cfg(not(feature = "check"))]
    pub(super) fn check(
        &self,
        _: &str,
        _: &Template,
        _: impl Fn(&[String]) -> Place,
    ) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    /// Checks what is known of an input; the gaps that bound values will fill are left out.
    /// `place` says where a JSON Pointer into the input leads.
    #[cfg(feature = "check")]
    pub(super) fn check(
        &self,
        operation: &str,
        given: &Template,
        place: impl Fn(&[String]) -> Place,
    ) -> Result<(), Box<Diagnostic>> {
        use crate::{
            diagnostics::{Code, brief},
            suite::template,
        };

        let Some(validator) = self.validator(operation) else {
            return Ok(());
        };
        let value = given.fill(&template::Bindings::new());
        for error in validator.iter_errors(&value) {
            let at = error.instance_path().as_str();
            let pointer = template::pointer(at).unwrap_or_default();
            if !given.is_gap(&pointer) {
                let at = match at {
                    "" => String::new(),
                    at => format!("`{at}` of "),
                };
                let why = explained(&error);
                let message = format!("{at}the input does not fit `{operation}`: {why}");
                return Err(Box::new(
                    Diagnostic::error(Code::InputShape, message)
                        .at(place(&pointer))
                        .note(format!("the input is {}", brief(&value)))
                        .help(format!(
                            "`standing operations {operation}` prints the schema"
                        )),
                ));
            }
        }
        Ok(())
    }

    #[cfg(feature = "check")]
    fn validator(&self, operation: &str) -> Option<std::rc::Rc<jsonschema::Validator>> {
        if let Some(known) = self.validators.borrow().get(operation) {
            return Some(known.clone());
        }
        let schema = self.operations.get(operation)?.params_schema();
        // A schema that comes from a Rust type is valid; were one not, its inputs go unchecked
        // here and are still checked by whoever reads them.
        let validator = std::rc::Rc::new(jsonschema::validator_for(&schema).ok()?);
        self.validators
            .borrow_mut()
            .insert(operation.to_owned(), validator.clone());
        Some(validator)
    }
}

/// What does not fit, with the words that would where there is a choice of words.
#[cfg(feature = "check")]
fn explained(error: &jsonschema::ValidationError<'_>) -> String {
    use jsonschema::error::ValidationErrorKind as Kind;

    let (Kind::OneOfNotValid { context } | Kind::AnyOf { context }) = error.kind() else {
        return error.to_string();
    };
    let words: Option<Vec<String>> = context
        .iter()
        .map(|branch| match branch.as_slice() {
            [only] => match only.kind() {
                Kind::Constant { expected_value } => Some(expected_value.to_string()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    match words {
        Some(words) => format!("{} is none of {}", error.instance(), words.join(", ")),
        None => error.to_string(),
    }
}

/// Whether params and results fit the schemas of their operations, for many of them.
#[cfg(feature = "explore")]
pub struct Shapes {
    params: Schemas,
    results: std::cell::RefCell<std::collections::HashMap<String, std::rc::Rc<OfResult>>>,
}

/// The schema of a result, and its validator.
#[cfg(feature = "explore")]
type OfResult = (serde_json::Value, Option<jsonschema::Validator>);

#[cfg(feature = "explore")]
impl Shapes {
    /// Of these operations.
    pub fn new(operations: Operations) -> Self {
        Self {
            params: Schemas::new(operations),
            results: Default::default(),
        }
    }

    /// Whether an operation that is known can be asked this. Names that stand for earlier answers
    /// are texts, as what they stand for is.
    pub fn params_fit(&self, operation: &str, params: &serde_json::Value) -> bool {
        let validator = self.params.validator(operation);
        validator.is_some_and(|validator| validator.is_valid(params))
    }

    /// Why an operation cannot answer this, if it cannot.
    pub fn result_misfit(&self, operation: &str, result: &serde_json::Value) -> Option<String> {
        let known = self.of_result(operation)?;
        let error = known.1.as_ref()?.iter_errors(result).next()?;
        let at = match error.instance_path().as_str() {
            "" => String::new(),
            at => format!("`{at}`: "),
        };
        Some(format!("{at}{}", explained(&error)))
    }

    /// The schema of an operation's result.
    pub fn result(&self, operation: &str) -> Option<serde_json::Value> {
        Some(self.of_result(operation)?.0.clone())
    }

    fn of_result(&self, operation: &str) -> Option<std::rc::Rc<OfResult>> {
        if let Some(known) = self.results.borrow().get(operation) {
            return Some(known.clone());
        }
        let schema = self.params.operations.get(operation)?.result_schema();
        let validator = jsonschema::validator_for(&schema).ok();
        let known = std::rc::Rc::new((schema, validator));
        self.results
            .borrow_mut()
            .insert(operation.to_owned(), known.clone());
        Some(known)
    }
}
