//! How much a patch may ask for. The numbers are rules of the caller; here they are kept, and what is spent is counted.

use crate::issue::{Issue, IssueCode};
use crate::json::Node;
use crate::limits::Shape;

/// The bounds that a patch is held to.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Operations in one patch.
    pub operations: usize,
    /// Of the patch, and of what it makes.
    pub shape: Shape,
    /// Bytes of what it makes.
    pub bytes: usize,
    /// Members and items that may be passed over on the way to what is meant. A path over a large resource costs little
    /// once, and a lot when every operation of a long patch has one.
    pub steps: usize,
}

/// What is left of them.
#[derive(Debug)]
pub(super) struct Budget {
    pub bounds: Bounds,
    bytes_left: usize,
    values_left: usize,
    steps_left: usize,
}

impl Budget {
    pub const fn new(bounds: Bounds) -> Self {
        Self { bounds, bytes_left: bounds.bytes, values_left: bounds.shape.values, steps_left: bounds.steps }
    }

    /// Counts what is passed over.
    pub fn pass(&mut self, steps: usize) -> Result<(), Issue> {
        self.steps_left = self.steps_left.checked_sub(steps.max(1)).ok_or_else(|| {
            Issue::rule(IssueCode::TooCostly, "", "the patch takes too much work on a resource of this size")
        })?;
        Ok(())
    }

    /// Counts what is copied or moved inside of the resource: how much that is and how long it takes, the length of the patch
    /// does not bound.
    pub fn carry(&mut self, value: &Node<'_>) -> Result<(), Issue> {
        let left = (self.bytes_left.checked_sub(value.size()), self.values_left.checked_sub(value.count()));
        let (Some(bytes), Some(values)) = left else {
            let (bytes, values) = (self.bounds.bytes, self.bounds.shape.values);
            let text = format!("the patch copies and moves more than {bytes} bytes or {values} values in all");
            return Err(Issue::rule(IssueCode::TooCostly, "", text));
        };
        (self.bytes_left, self.values_left) = (bytes, values);
        Ok(())
    }

    pub fn too_large(&self) -> Issue {
        let text = format!("the patch makes a resource of more than {} bytes", self.bounds.bytes);
        Issue::rule(IssueCode::TooCostly, "", text)
    }

    pub fn too_deep(&self) -> Issue {
        let text =
            format!("the patch makes a resource that is nested more than {} levels deep", self.bounds.shape.depth);
        Issue::rule(IssueCode::TooCostly, "", text)
    }
}
