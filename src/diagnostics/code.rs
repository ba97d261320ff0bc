//! The kinds of fault, each with a code that stays.

macro_rules! codes {
    ($($(#[$doc:meta])+ $name:ident = $id:literal),+ $(,)?) => {
        /// A kind of fault. `R1xx` is about rule documents, `R2xx` about the examples in them,
        /// `C3xx` about case files, `S4xx` about what was asked for, `T5xx` about citations. A code
        /// is never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])+ $name),+
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &[Code] = &[$(Code::$name),+];

            /// The code as it is shown, `R105`.
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $id),+ }
            }

            /// Its name in words, `unknown-level`.
            pub fn name(self) -> String {
                let name = match self { $(Code::$name => stringify!($name)),+ };
                let mut words = String::with_capacity(name.len() + 4);
                for c in name.chars() {
                    if c.is_ascii_uppercase() && !words.is_empty() {
                        words.push('-');
                    }
                    words.push(c.to_ascii_lowercase());
                }
                words
            }

            /// The code of this id or name, in capitals or not.
            ///
            /// ```
            /// use standing::diagnostics::Code;
            /// assert_eq!(Code::find("r105"), Some(Code::UnknownLevel));
            /// assert_eq!(Code::find("unknown-level"), Some(Code::UnknownLevel));
            /// assert_eq!(Code::find("R999"), None);
            /// ```
            pub fn find(word: &str) -> Option<Self> {
                let word = word.to_ascii_lowercase();
                let mut all = Self::ALL.iter().copied();
                all.find(|c| c.id().to_ascii_lowercase() == word || c.name() == word)
            }
        }
    };
}

codes! {
    /// A path that is not there or cannot be read.
    Unreadable = "R100",
    /// A document whose bytes are not UTF-8.
    NotUtf8 = "R101",
    /// A document without front matter, or whose front matter does not end.
    NoFrontMatter = "R102",
    /// Front matter that is not YAML.
    FrontMatterNotYaml = "R103",
    /// Front matter with a member missing or of the wrong type.
    FrontMatterShape = "R104",
    /// A level that the specification does not have.
    UnknownLevel = "R105",
    /// A profile that the specification does not have.
    UnknownProfile = "R106",
    /// A posture that the specification does not have.
    UnknownPosture = "R107",
    /// An id that is not spelled as ids are.
    BadId = "R108",
    /// Two documents with one id.
    DuplicateRule = "R109",
    /// A heading that is missing or names another rule.
    Heading = "R110",
    /// A document without normative text.
    NoNormativeText = "R111",
    /// A registry line that cannot be read.
    RegistryLine = "R112",
    /// A path under which there is no rule document.
    NoDocuments = "R113",
    /// A rule whose text is not the one that its cases were written for.
    ChangedRule = "R114",
    /// A clause whose number is not the one that it is counted with.
    ClauseNumber = "R115",
    /// A document whose name is not the one that its id asks for.
    FileName = "R116",
    /// A title that is too short or too long.
    TitleBounds = "R117",
    /// A version that is not two numbers.
    BadVersion = "R118",
    /// A rule that changed before it was added.
    ChangedBeforeAdded = "R119",
    /// An id whose family is not that of its document or its folder.
    FamilyOfId = "R120",
    /// An id that is not in the registry.
    Unregistered = "R121",
    /// An id of the registry that no document has.
    MissingRule = "R122",
    /// A rule whose family is not the registered one.
    MovedRule = "R123",
    /// A rule that is withdrawn in its document or in the registry, and not in both.
    WithdrawnDisagrees = "R124",
    /// An id that stands in the registry twice.
    RegisteredTwice = "R125",
    /// A related or superseding rule that does not exist.
    UnknownRelated = "R126",
    /// A rule that is related to itself.
    RelatedToItself = "R127",
    /// A rule that is related twice.
    RelatedTwice = "R128",
    /// Two pages of which one names the other, and that one does not say so.
    NotReferencedBack = "R129",
    /// Prose that explains an older text of its rule.
    StaleProse = "R130",
    /// Prose that belongs to no rule.
    ProseWithoutRule = "R131",
    /// A key that rule documents do not have.
    UnknownKey = "R132",
    /// A rule that does not fit the published schema.
    RuleSchema = "R133",
    /// A published schema that cannot be used.
    BadSchema = "R134",
    /// A fence whose title or verdict cannot be read.
    InfoString = "R201",
    /// A JSON example that does not parse.
    ExampleNotJson = "R202",
    /// A JSON example that has a member twice.
    RepeatedMember = "R203",
    /// An `http` example without a request line, or with a broken header.
    ExampleNotHttp = "R204",
    /// A fence that is never closed.
    UnclosedFence = "R205",
    /// A JSON example with a comma that nothing follows.
    TrailingComma = "R206",
    /// A JSON example with a comment in it.
    JsonComment = "R207",
    /// An example in which dots stand for data.
    Ellipsis = "R208",
    /// Two examples of one rule with one title.
    DuplicateTitle = "R209",
    /// An attribute of a fence that means nothing.
    UnknownAttribute = "R210",
    /// White space that an example does not need.
    FenceSpace = "R211",
    /// An `http` example whose body is not the JSON that it looks like.
    HttpBody = "R212",
    /// An example that no case names.
    UnboundExample = "R213",
    /// An example that the reference implementation disagrees with.
    Disagreement = "R214",
    /// A case file that is not YAML.
    CasesNotYaml = "C301",
    /// YAML that JSON cannot say: tags, anchors, keys that are no strings.
    BeyondJson = "C302",
    /// A key that stands twice in one mapping.
    DuplicateKey = "C303",
    /// A case file of the wrong shape: a key missing, unknown, or of the wrong type.
    CaseShape = "C304",
    /// A case file for a rule that is not among the documents.
    UnknownRule = "C305",
    /// An example that the rule's document does not have.
    UnknownExample = "C306",
    /// More than one example fits.
    AmbiguousExample = "C307",
    /// A clause that the rule does not have.
    UnknownClause = "C308",
    /// An operation that the harness does not know.
    UnknownOperation = "C309",
    /// An input that does not fit its operation's schema.
    InputShape = "C310",
    /// A `$name` that no earlier step binds.
    UnboundName = "C311",
    /// Two cases of one name.
    DuplicateCase = "C312",
    /// A JSON Pointer that is malformed, or that finds nothing.
    BadPointer = "C313",
    /// A reference that cannot be carried out: a template that does not fit its value.
    BadReference = "C314",
    /// Two case files for one rule.
    DuplicateCaseFile = "C315",
    /// A folder in which there is no case file.
    NoCaseFiles = "C316",
    /// A selector that fits nothing.
    UnknownSelector = "S401",
    /// A selector that is malformed.
    BadSelector = "S402",
    /// A call that cannot be carried out.
    BadCall = "S403",
    /// An engine that could not be started.
    EngineStart = "S404",
    /// A configuration or a list of known failures that cannot be read.
    Config = "S405",
    /// A known failure that is none: it passes, names nothing, or stands twice.
    StaleKnownFailure = "S406",
    /// A file that is no record of a run.
    BadRecord = "S407",
    /// A run in which nothing was put.
    NothingPut = "S408",
    /// A question that an engine gave no answer to.
    NoAnswer = "S409",
    /// Records that are not the parts of one whole.
    BadParts = "S410",
    /// Records that cannot be held against each other.
    NotComparable = "S411",
    /// A citation that cannot be read.
    BadCitation = "T501",
    /// A citation of a clause that does not exist.
    UnknownCitation = "T502",
    /// A citation of a text that has changed since.
    StaleCitation = "T503",
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code_is_its_own_and_in_order() {
        let ids: Vec<&str> = Code::ALL.iter().map(|c| &c.id()[1..]).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    }
}
