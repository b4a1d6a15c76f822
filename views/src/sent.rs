//! What an app sends: an item, or an array of them, read with all that is wrong with it.

use crate::item::ItemSent;
use crate::members::faults::Faults;
use crate::members::member::{Body, Member, is_object};
use crate::members::place::Place;
use crate::members::schema::sent_object;
use fhir::json::{Node, read as tree};
use fhir::limits::Shape;
use fhir::strict;
use rules::limits::{RESOURCE_DEPTH, RESOURCE_VALUES};
use rules::rest_errors::RestError;
use rules::rest_faults::{MOST_CREATED, ShapeFault};
use serde_json::Value;

/// One item that was sent. What is wrong with its values is told when it is checked, together with what a check finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent<V> {
    pub item: ItemSent,
    pub view: V,
    pub(crate) faults: Faults,
    /// Its place in the array that was sent, if it was one.
    at: Option<usize>,
}

/// Notes what must be sent of a kind and is missing.
pub type Demand<V> = fn(&V, Place<'_>, &mut Faults);

impl<V: Body> Sent<V> {
    fn read(object: &Node<'_>, at: Option<usize>, demand: Demand<V>) -> Self {
        let mut faults = Faults::default();
        let root = Place::ROOT;
        let place = at.map_or(root, |at| root.item(at));
        if !is_object(object, &[ItemSent::MEMBERS, V::MEMBERS], place, &mut faults) {
            return Self { item: ItemSent::default(), view: V::default(), faults, at };
        }
        let item = ItemSent::of_members(object, place, &mut faults);
        let view = V::of_members(object, place, &mut faults);
        demand(&view, place, &mut faults);
        Self { item, view, faults, at }
    }

    /// What may be sent, as JSON Schema.
    #[must_use]
    pub fn schema() -> Value {
        let own = V::sent_members();
        let required: Vec<&str> = own.iter().filter(|member| member.2).map(|member| member.0).collect();
        let of_item = ItemSent::sent_members().into_iter().map(|member| (member.0.to_owned(), member.1));
        let own = own.iter().map(|member| (member.0.to_owned(), member.1.clone()));
        sent_object(of_item.chain(own).collect(), &required)
    }
}

impl<V> Sent<V> {
    /// Where it stands in what was sent.
    pub(crate) fn placed(&self, check: impl FnOnce(Place<'_>)) {
        let root = Place::ROOT;
        check(self.at.map_or(root, |at| root.item(at)));
    }
}

/// The items of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct SentItems<V> {
    pub items: Vec<Sent<V>>,
    /// Whether an array was sent: then one is answered.
    pub is_array: bool,
}

fn compact(body: &str) -> Result<String, RestError> {
    let shape = Shape { depth: RESOURCE_DEPTH, values: RESOURCE_VALUES };
    let fault = |fault: fhir::fault::Fault| RestError::BadRequest(ShapeFault::NotJson(&fault.to_string()).words());
    strict::compact(body, shape).map_err(fault)
}

fn not_json() -> RestError {
    RestError::BadRequest(ShapeFault::NotJson("the JSON cannot be read").words())
}

/// Reads one item.
pub fn one<V: Body>(body: &str, demand: Demand<V>) -> Result<Sent<V>, RestError> {
    let text = compact(body)?;
    shaped(Sent::read(&tree(&text).ok_or_else(not_json)?, None, demand))
}

/// Reads one item, or an array of 1 to 100.
pub fn one_or_several<V: Body>(body: &str, demand: Demand<V>) -> Result<SentItems<V>, RestError> {
    let text = compact(body)?;
    let sent = tree(&text).ok_or_else(not_json)?;
    let Node::Array(objects) = &sent else {
        return Ok(SentItems { items: vec![shaped(Sent::read(&sent, None, demand))?], is_array: false });
    };
    if objects.is_empty() || objects.len() > MOST_CREATED {
        return Err(RestError::BadRequest(ShapeFault::BatchSize(objects.len()).words()));
    }
    let items: Vec<Sent<V>> =
        objects.iter().enumerate().map(|(at, object)| Sent::read(object, Some(at), demand)).collect();
    let mut faults = Faults::default();
    items.iter().for_each(|one| faults.join(one.faults.clone()));
    match faults.shape_error() {
        Some(error) => Err(error),
        None => Ok(SentItems { items, is_array: true }),
    }
}

/// What was sent, if it has the right shape.
fn shaped<V>(sent: Sent<V>) -> Result<Sent<V>, RestError> {
    match sent.faults.shape_error() {
        Some(error) => Err(error),
        None => Ok(sent),
    }
}

/// Reads a body that is no item: `{"reason": …}`.
pub fn body<B: Member>(body: &str) -> Result<B, RestError> {
    let text = compact(body)?;
    let mut faults = Faults::default();
    let read = B::read(&tree(&text).ok_or_else(not_json)?, Place::ROOT, &mut faults);
    match faults.error() {
        Some(error) => Err(error),
        None => Ok(read),
    }
}
