//! What an operation is called with: the parameters of the URL, and those of a Parameters resource. Which there are, and how
//! often, the table of operations says; anything else is refused, and passed over only where the operation and its caller want that.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::fhir::operations::operation::{MANY, Operand, Operation};
use crate::fhir::search::query_string::FORMAT;
use crate::fhir::{body, media};
use crate::http::encoding::{self, NotText};
use crate::preparation::SHAPE;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::HeaderMap;
use fhir::json::{Node, print, read};
use fhir::strict;
use rules::answers::Refusal;
use rules::params::shown;
use serde_json::Value;

/// The parameters of one call, in the order they came.
#[derive(Debug)]
pub(crate) struct Invocation {
    operation: &'static Operation,
    arguments: Vec<(&'static str, Argument)>,
    format: Option<String>,
    /// The names of what is not known, where that is passed over.
    ignored: Option<Vec<String>>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    /// Of a primitive type, as it was written.
    Text(String),
    /// Of any other type.
    Object(Value),
    /// The text of a resource.
    Resource(String),
}

impl Invocation {
    /// What the URL says.
    pub fn of_query(operation: &'static Operation, query: Option<&str>) -> Result<Self, Refusal> {
        Self { operation, arguments: Vec::new(), format: None, ignored: None }.and_query(query)
    }

    /// The same, where what is not known is passed over.
    pub fn of_query_leniently(operation: &'static Operation, query: Option<&str>) -> Result<Self, Refusal> {
        Self { operation, arguments: Vec::new(), format: None, ignored: Some(Vec::new()) }.and_query(query)
    }

    fn and_query(mut self, query: Option<&str>) -> Result<Self, Refusal> {
        let sent = encoding::pairs(query.unwrap_or_default().as_bytes())
            .map_err(|NotText(name)| Refusal::Invalid(format!("the parameter {} is not UTF-8", shown(&name))))?;
        for (name, value) in sent {
            match name.as_ref() {
                FORMAT if self.format.is_some() => return Err(Refusal::Invalid(format!("send {FORMAT} once"))),
                FORMAT => self.format = Some(value.into_owned()),
                name => {
                    if let Some(operand) = self.operand(name)? {
                        self.arguments.push((operand.name, Argument::Text(value.into_owned())));
                    }
                }
            }
        }
        Ok(self)
    }

    /// The same with what a body says, if there is one.
    pub async fn and_sent(
        self,
        (app, caller): (&App, &Caller),
        headers: &HeaderMap,
        body: Body,
    ) -> Result<Self, ApiStop> {
        let sent = body::bytes(app, body).await?;
        if sent.is_empty() {
            return Ok(self);
        }
        media::must_send_json(headers)?;
        self.and_text((app, caller), body::as_text(sent)?).await
    }

    /// The same with what a text says that is a Parameters resource, read away from other requests where that takes long.
    pub async fn and_text(self, (app, caller): (&App, &Caller), text: String) -> Result<Self, ApiStop> {
        Ok(app.workers.run(caller.taker(), text.len(), move || self.and_body(&text)).await??)
    }

    /// The same with what a body says that is a Parameters resource.
    pub fn and_body(mut self, json: &str) -> Result<Self, Refusal> {
        let text = strict::compact(json, SHAPE).map_err(|fault| Refusal::Invalid(fault.to_string()))?;
        let body = read(&text).unwrap_or(Node::Null);
        if !is_parameters(&body) {
            return Err(Refusal::Invalid("the body must be a resource of type Parameters".into()));
        }
        for parameter in body.get("parameter").map(Node::items).unwrap_or_default() {
            let name = parameter.get("name").and_then(Node::text).unwrap_or_default();
            let Some(operand) = self.operand(name)? else { continue };
            let argument = argument(operand, parameter).ok_or_else(|| {
                let kind = operand.kind.unwrap_or_default();
                Refusal::Invalid(format!("the parameter {} must have a value of the type {kind}", operand.name))
            })?;
            self.arguments.push((operand.name, argument));
        }
        Ok(self)
    }

    /// The parameter of this name; `None` where it is passed over.
    fn operand(&mut self, name: &str) -> Result<Option<&'static Operand>, Refusal> {
        let takes = self.operation.takes;
        let operand = takes.iter().find(|operand| operand.name == name);
        match (operand, &mut self.ignored) {
            (Some(operand), _) => Ok(Some(operand)),
            (None, Some(ignored)) => {
                ignored.push(shown(name).to_string());
                Ok(None)
            }
            (None, None) => {
                let known: Vec<&str> = takes.iter().map(|operand| operand.name).collect();
                let (name, known) = (shown(name), known.join(", "));
                Err(Refusal::Invalid(format!("the parameter {name} is not known; known are: {known}")))
            }
        }
    }

    /// The names of what was passed over.
    pub fn ignored(&self) -> &[String] {
        self.ignored.as_deref().unwrap_or_default()
    }

    /// The same, if each parameter is there as often as it has to be.
    pub fn checked(self) -> Result<Self, Refusal> {
        for operand in self.operation.takes {
            let times = self.all(operand.name).count();
            if times < operand.least || times > operand.most {
                let (name, least) = (operand.name, operand.least);
                return Err(Refusal::Invalid(match operand.most {
                    MANY => format!("{name} must be there at least {least} times"),
                    1 if least == 0 => format!("send {name} once"),
                    most => format!("{name} must be there {least} to {most} times"),
                }));
            }
        }
        Ok(self)
    }

    pub fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// The call again, for a link: as it came, with another value of one parameter.
    pub fn link(&self, name: &str, value: Option<&str>) -> String {
        let kept = self.arguments.iter().filter_map(|(known, argument)| match argument {
            Argument::Text(text) if *known != name => Some((*known, text.as_str())),
            _ => None,
        });
        let format = self.format.as_deref().map(|format| (FORMAT, format));
        encoding::query(kept.chain(format).chain(value.map(|value| (name, value))))
    }

    /// The values of a parameter.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(move |(known, _)| *known == name).map(|(_, argument)| argument)
    }

    /// The value of a primitive type, if the parameter is there.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.all(name).next() {
            None => Ok(None),
            Some(Argument::Text(text)) => Ok(Some(text)),
            Some(_) => Err(Refusal::Invalid(format!("{name} must have a value of a primitive type"))),
        }
    }

    /// The text of a resource, if the parameter is there.
    pub fn resource(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.all(name).next() {
            None => Ok(None),
            Some(Argument::Resource(text)) => Ok(Some(text)),
            Some(_) => Err(Refusal::Invalid(format!("{name} must have a resource"))),
        }
    }
}

/// Whether a body is a Parameters resource.
pub(crate) fn is_parameters(body: &Node<'_>) -> bool {
    body.get("resourceType").and_then(Node::text) == Some("Parameters")
}

fn argument(operand: &Operand, parameter: &Node<'_>) -> Option<Argument> {
    let kind = operand.kind?;
    if matches!(kind, "Resource" | "Patient") {
        return parameter.get("resource").map(|resource| Argument::Resource(print(resource)));
    }
    let (name, value) = parameter.members().iter().find(|(name, _)| name.starts_with("value"))?;
    let name = name.strip_prefix("value")?;
    // Clients write a URL, a code and a moment under the names of their kin.
    let kin: &[&str] = match kind {
        "uri" => &["Canonical", "Url", "String"],
        "code" => &["String"],
        "instant" | "date" => &["Instant", "DateTime", "Date", "String"],
        "integer" => &["PositiveInt", "UnsignedInt"],
        _ => &[],
    };
    if !(name.eq_ignore_ascii_case(kind) || kin.contains(&name)) {
        return None;
    }
    match value {
        Node::Text(text) if !matches!(kind, "integer" | "boolean") => Some(Argument::Text(text.to_string())),
        Node::Number(digits) if kind == "integer" => Some(Argument::Text(digits.to_string())),
        Node::Bool(is) if kind == "boolean" => Some(Argument::Text(is.to_string())),
        Node::Object(_) => serde_json::from_str(&print(value)).ok().map(Argument::Object),
        _ => None,
    }
}
