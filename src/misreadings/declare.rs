//! How misreadings are written down.

/// Declares misreadings: what each says, its name, the clause that it misreads, and the one method
/// that it overrides. They become the file's `ALL`.
macro_rules! misreadings {
    ($(
        $(#[doc = $says:literal])+
        $name:literal misreads $rule:literal:$clause:literal as $subject:ident {
            fn $method:ident $(<$lifetime:lifetime>)? ($($params:tt)*) $(-> $result:ty)? $body:block
        }
    )+) => {
        pub(super) const ALL: &[crate::misreadings::Misreading] = &[$({
            struct This;
            impl $subject for This {
                fn $method $(<$lifetime>)? ($($params)*) $(-> $result)? $body
            }
            // All else is as it is written.
            macro_rules! unless_it_is_this {
                ($subject $path:path) => {};
                ($other:ident $path:path) => { impl $path for This {} };
            }
            every_subject!(unless_it_is_this);
            crate::misreadings::Misreading {
                name: $name,
                rule: $rule,
                clause: $clause,
                says: concat!($($says),+).trim_ascii(),
                reading: || std::sync::Arc::new(This),
            }
        }),+];
    };
}

/// Calls a macro with the trait of every subject, and where it is.
macro_rules! every_subject {
    ($each:ident) => {
        $each!(EdgeReading crate::reference::edges::EdgeReading);
        $each!(LoopReading crate::reference::loops::LoopReading);
        $each!(RoundReading crate::reference::rounds::RoundReading);
        $each!(StateReading crate::reference::state::StateReading);
        $each!(SeedReading crate::reference::seeding::SeedReading);
        $each!(RunReading crate::reference::runs::RunReading);
        $each!(ResumeReading crate::reference::resume::ResumeReading);
        $each!(BranchReading crate::reference::branches::BranchReading);
        $each!(CompileReading crate::reference::compile::CompileReading);
        $each!(FormReading crate::reference::forms::FormReading);
        $each!(PortReading crate::reference::ports::PortReading);
        $each!(ForeachReading crate::reference::foreach::ForeachReading);
        $each!(ScheduleReading crate::reference::schedule::ScheduleReading);
        $each!(BarrierReading crate::reference::barrier::BarrierReading);
        $each!(FailureReading crate::reference::failures::FailureReading);
        $each!(RecordReading crate::reference::records::RecordReading);
    };
}
