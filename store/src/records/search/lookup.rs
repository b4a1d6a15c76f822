//! Values looked up in the index: of the row that is at hand, or to find rows. A row that is found is out of the caller's reach or in it
//! before anything but its first value is looked at, and a patient whom a reference names is in reach before what refers to them is
//! looked up.

use super::clauses::Text;
use super::criteria::{Cell, Group};
use super::form::Cells;
use super::subject::SearchSubject;
use crate::records::index::shared_key;
use crate::sql::arg::OwnedArg;
use fhir::types::ResourceType;

/// The values of a group as SQL: rows `i0`, `i1`, … of the index, one for each leaf.
struct Lookup {
    /// What is searched for, where that is a list.
    list: Option<String>,
    tables: Vec<String>,
    conditions: Vec<String>,
}

impl Text {
    /// That a value of the subject is as one of the group's rows says.
    pub(crate) fn any(&mut self, group: &Group, subject: &SearchSubject) -> String {
        let exact = group.leaves.first().is_some_and(|leaf| leaf.form.is_exact());
        let Lookup { list, tables, conditions } = self.look_up(group, subject.type_number(), exact);
        format!(
            "EXISTS (SELECT 1 FROM {} WHERE {} AND i0.resource_id = {}{})",
            list.into_iter().chain(tables).collect::<Vec<_>>().join(" CROSS JOIN "),
            conditions.join(" AND "),
            subject.row(),
            subject.inside("i0")
        )
    }

    /// The numbers `id` of the resources that have a value as one of the group's rows says. Of a composite the first component leads
    /// to rows, of which those in reach are asked for the others.
    pub(crate) fn found(&mut self, group: &Group, subject: &SearchSubject) -> String {
        let Lookup { list, mut tables, mut conditions } = self.look_up(group, subject.type_number(), true);
        let (other_tables, other_conditions) = (tables.split_off(1), conditions.split_off(1));
        if !other_tables.is_empty() {
            let (tables_of_others, others) = (other_tables.join(" CROSS JOIN "), other_conditions.join(" AND "));
            let others = format!("EXISTS (SELECT 1 FROM {tables_of_others} WHERE {others})");
            tables.push("resources h".into());
            conditions.push(format!("h.id = i0.resource_id AND {}", self.seen_and("h", &[others])));
        }
        let tables = list.into_iter().chain(tables).collect::<Vec<_>>().join(" CROSS JOIN ");
        format!("SELECT i0.resource_id AS id FROM {tables} WHERE {}", conditions.join(" AND "))
    }

    /// By their values, or by what else is known of them, where a value alone would lead to many. They are looked up in the order of
    /// the text, which SQLite keeps in a cross join: it believes that a list is long.
    fn look_up(&mut self, group: &Group, of: i64, by_value: bool) -> Lookup {
        let plus = if by_value { "" } else { "+" };
        let only = if let [cells] = &group.rows[..] { Some(cells) } else { None };
        let list = only.is_none().then(|| format!("json_each({}, '$') v", self.mark(OwnedArg::Text(group.list()))));
        let (own, mut at) = (self.number(of), 0);
        let (mut tables, mut conditions) = (Vec::new(), Vec::new());
        for (number, leaf) in group.leaves.iter().enumerate() {
            let (i, mark) = (format!("i{number}"), self.number(leaf.key));
            let cells = if only.is_some() { Cells::Names(at) } else { Cells::Row(at) };
            let condition = leaf.form.condition(&i, cells, |kind, id| self.target(group, at, of, (kind, id)));
            let same = match number {
                0 => format!("{plus}{i}.type = {own}"),
                _ => format!("{i}.resource_id = i0.resource_id AND {i}.part = i0.part AND +{i}.type = {own}"),
            };
            tables.push(format!("{} {i}", leaf.form.table()));
            conditions.push(format!("{same} AND {i}.parameter = {mark} AND {condition}"));
            at += leaf.form.width();
        }
        for (at, cell) in only.into_iter().flatten().enumerate() {
            let name = Cells::name(at);
            if conditions.iter().any(|condition| condition.contains(&name)) {
                let mark = self.mark(cell.arg());
                conditions.iter_mut().for_each(|condition| *condition = condition.replace(&name, &mark));
            }
        }
        Lookup { list, tables, conditions }
    }

    /// The id that a reference is compared with, whose type and id these are, in the cells of a group from this one on. Where what
    /// refers to a Patient is in that patient's record, it is null for a patient out of reach: nothing is looked up then.
    pub(crate) fn target(&self, group: &Group, at: usize, of: i64, (kind, id): (&str, &str)) -> String {
        let patient = ResourceType::Patient.number();
        let is_patient = |cells: &Vec<Cell>| cells.get(at) == Some(&Cell::Number(patient));
        let makes_record = group.leaves.iter().any(|leaf| shared_key::makes_record(of, leaf.key));
        if !makes_record || !group.rows.iter().any(is_patient) {
            return id.into();
        }
        let in_reach = self.reach.patient_id(id);
        match group.rows.iter().all(is_patient) {
            true => in_reach,
            false => format!("CASE WHEN {kind} = {patient} THEN {in_reach} ELSE {id} END"),
        }
    }
}
