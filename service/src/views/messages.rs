//! What the pages of messages show: conversations with what is new in them, and one conversation with the form that answers it.

use super::everyone::Link;
use super::frame::Frame;
use super::letter::LetterFile;
use super::password::FieldProblem;
use super::record::{ConversationRow, DateText};
use super::record_form::FilledForm;
use askama::Template;

/// `/record/messages`.
#[derive(Debug, Template)]
#[template(path = "messages.html")]
pub struct MessagesPage {
    pub frame: Frame,
    pub conversations: Vec<ConversationRow>,
    pub older: Option<String>,
}

/// `/record/messages/{id}`.
#[derive(Debug, Template)]
#[template(path = "conversation.html")]
pub struct ConversationPage {
    pub frame: Frame,
    pub notice: Option<&'static str>,
    pub back: Link,
    pub subject: String,
    pub with: String,
    /// The oldest first.
    pub messages: Vec<MessageText>,
    /// To those before.
    pub earlier: Option<String>,
    /// To whom an answer goes, and the form; nothing where there is nobody to answer.
    pub reply: Option<(String, FilledForm)>,
}

/// One message.
#[derive(Clone, Debug)]
pub struct MessageText {
    pub from: String,
    pub to: String,
    pub sent: Option<DateText>,
    pub text: String,
    pub files: Vec<LetterFile>,
    pub is_new: bool,
    /// What else is to be known of it.
    pub about: Vec<&'static str>,
}

impl ConversationPage {
    fn problems(&self) -> &[FieldProblem] {
        self.reply.as_ref().map_or(&[], |(_, form)| &form.problems)
    }
}
