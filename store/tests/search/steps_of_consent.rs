//! Hidden things change no step, inside a record that is open: an item of a label that a viewer does not hold costs a look whether it
//! is in reach, whatever else is asked; and a record whose consent is over costs what one costs that never was open.

use crate::asked::{Asked, steps, work};
use crate::engine::{Behind, Engine};
use crate::stage::{NOW, Stage};
use crate::steps::outsider;
use rules::consent::standing::Standing;
use rules::consent::viewer::OpenGlass;
use rules::ids::{PatientId, UserId, ViewerId};
use rules::labels::{Label, Labels};
use rules::moment::Moment;
use rules::reach::Reach;
use rules::sight::Sight;
use store::Store;
use tokio::runtime::Runtime;

/// Items of each of two types.
const ITEMS: usize = 5;
/// Steps of the looks at one of them, whether it is in reach: along each value that leads to it, and for the count.
const STEPS_OF_AN_ITEM: i64 = 1000;
/// The same in nodes of PostgreSQL's plans.
const NODES_OF_AN_ITEM: i64 = 40;
/// Steps between a row of sight that is over and none, for each place of a question that asks for one.
const STEPS_OF_A_ROW: i64 = 40;

const PERSON: UserId = UserId(900_001);

/// A world in which the first patient's record has items of mental health, and the second's has none.
struct Scene {
    runtime: Runtime,
    behind: Behind,
    patients: Vec<PatientId>,
    team: ViewerId,
    member: Reach,
    glass: Reach,
    carers: [Reach; 2],
}

/// A type, its parameters, and by what it is sorted.
type Question<'q> = (&'static str, &'q [(&'q str, &'q str)], Option<&'static str>);

/// A question about the first patient, and about the second.
fn asked() -> Vec<[Asked; 2]> {
    let [one, other] = ["patient-0-of-0", "patient-1-of-0"];
    let questions: [Question; 5] = [
        ("Condition", &[("patient", one), ("code", "B20,zz")], None),
        ("Condition", &[("patient", one), ("code", "B20")], Some("code")),
        ("Observation", &[("patient", one), ("code", "urn:icd|B20")], Some("-date")),
        ("Observation", &[("patient", one)], None),
        ("Observation", &[("patient", one), ("date", "gt2019")], Some("-_lastUpdated")),
    ];
    let both = |(kind, parameters, sort)| {
        let of_one = Asked::new(kind, parameters, sort).costly();
        let of_other = of_one.about(one, other);
        [of_one, of_other]
    };
    questions.into_iter().map(both).collect()
}

impl Scene {
    fn set(engine: Engine) -> Self {
        let runtime = Runtime::new().unwrap();
        let (store, behind) = runtime.block_on(engine.open());
        let (patients, team) = runtime.block_on(written(&store));
        let member = Reach::of_member(PERSON, vec![team]);
        let elsewhere = OpenGlass { patient: patients[2], team, until: NOW.plus_seconds(60) };
        let glass = member.clone().through_glass(elsewhere);
        let carers = [Reach::of_carer(PERSON, patients[0]), Reach::of_carer(PERSON, patients[1])];
        Self { runtime, behind, patients, team: team.into(), member, glass, carers }
    }

    /// Opens the record of the first or the second patient to the team and to the person.
    fn open(&self, patient: usize, labels: Labels, ends_at: Option<Moment>) {
        for viewer in [self.team, PERSON.into()] {
            let sight = Sight { viewer, patient: self.patients[patient], labels, ends_at };
            self.runtime.block_on(self.behind.open(&Standing { sight, stays: false }));
        }
    }

    /// Takes what is open of a record away from everybody.
    fn close(&self, patient: usize) {
        let sql = format!("DELETE FROM sight WHERE patient_id = {}", self.patients[patient].0);
        match &self.behind {
            Behind::Sqlite { connection, .. } => connection.execute_batch(&sql).unwrap(),
            Behind::Postgres(client) => self.runtime.block_on(client.batch_execute(&sql)).unwrap(),
        }
    }

    /// Whoever looks, at the first patient and at the second.
    fn onlookers(&self) -> Vec<[Reach; 2]> {
        let same =
            [&self.member, &self.glass, &Reach::of_individual(PERSON)].map(|reach| [reach.clone(), reach.clone()]);
        same.into_iter().chain([self.carers.clone()]).collect()
    }

    /// What a question costs.
    fn cost(&self, asked: &Asked, reach: &Reach) -> i64 {
        let statements = asked.statements(reach);
        match &self.behind {
            Behind::Sqlite { connection, .. } => steps(connection, &statements),
            Behind::Postgres(client) => {
                statements.iter().map(|(sql, args)| self.runtime.block_on(work(client, sql, args))).sum()
            }
        }
    }

    /// How much more it costs to ask about the first patient than about the second: of each onlooker and question, with how often it
    /// asks for a row of sight.
    fn differences(&self) -> Vec<(String, i64, i64)> {
        let mut all = Vec::new();
        for reaches in self.onlookers() {
            for questions in asked() {
                let [one, other] = [0, 1].map(|at| self.cost(&questions[at], &reaches[at]));
                let text: String = questions[0].statements(&reaches[0]).into_iter().map(|(sql, _)| sql).collect();
                let places = i64::try_from(text.matches("sight s").count()).unwrap();
                let said = format!("{}?{:?} for {:?}", questions[0].kind, questions[0].parameters.first(), reaches[0]);
                all.push((said, one - other, places));
            }
        }
        all
    }

    fn of_an_item(&self) -> i64 {
        match self.behind {
            Behind::Sqlite { .. } => STEPS_OF_AN_ITEM,
            Behind::Postgres(_) => NODES_OF_AN_ITEM,
        }
    }
}

async fn written(store: &Store) -> (Vec<PatientId>, rules::ids::TeamId) {
    let stage = Stage::set(store, 0).await;
    let outsider = outsider(&stage).await;
    for at in 0..ITEMS {
        for (kind, more) in
            [("Condition", ""), ("Observation", r#","status":"final","effectiveDateTime":"2020-01-01""#)]
        {
            let body = format!(
                r#"{{"resourceType":"{kind}","id":"{kind}-{at}","meta":{{"security":[{{"system":"urn:recordgate:privacy-label","code":"MENTAL_HEALTH"}}]}},"code":{{"coding":[{{"system":"urn:icd","code":"B20"}}]}},"subject":{{"reference":"Patient/patient-0-of-0"}}{more}}}"#
            );
            stage.put(&body, outsider).await;
        }
    }
    (stage.patients.clone(), stage.teams[0])
}

/// That what is hidden costs a look, and that the same items cost far more where they are seen: the questions could tell.
fn hold_labels(engine: Engine) {
    let scene = Scene::set(engine);
    let (general, all) = (Labels(Label::GeneralHealth.bit()), Labels::ALL);
    (0..2).for_each(|patient| scene.open(patient, general, None));
    let most = i64::try_from(ITEMS).unwrap() * scene.of_an_item();
    let hidden = scene.differences();
    for (asked, more, _) in &hidden {
        assert!(*more <= most, "{asked} costs {more} more for {ITEMS} hidden items");
    }
    (0..2).for_each(|patient| scene.open(patient, all, None));
    for ((asked, seen, _), (_, hidden, _)) in scene.differences().into_iter().zip(hidden) {
        assert!(
            seen > hidden,
            "{asked} costs {seen} more for {ITEMS} items that are seen, and {hidden} for hidden ones"
        );
    }
}

fn hold_ends(engine: Engine) {
    let scene = Scene::set(engine);
    scene.close(1);
    for (labels, ends_at) in [(Labels::ALL, Some(NOW)), (Labels(0), None)] {
        scene.close(0);
        scene.open(0, labels, ends_at);
        for (asked, more, places) in scene.differences() {
            // Without a label there is still an association, as far as a team or a professional goes.
            if labels == Labels(0) && !asked.contains("Carer") {
                continue;
            }
            assert!(
                more <= places * STEPS_OF_A_ROW,
                "{asked} costs {more} more than about a record that never was open"
            );
        }
    }
}

#[test]
fn items_of_a_label_that_is_not_held_cost_one_look_each_on_the_embedded_engine() {
    hold_labels(Engine::sqlite());
}

#[test]
fn items_of_a_label_that_is_not_held_cost_one_look_each_on_postgresql() {
    hold_labels(Engine::postgres());
}

#[test]
fn a_record_that_is_open_no_more_costs_what_one_costs_that_never_was_on_the_embedded_engine() {
    hold_ends(Engine::sqlite());
}

#[test]
fn a_record_that_is_open_no_more_costs_what_one_costs_that_never_was_on_postgresql() {
    hold_ends(Engine::postgres());
}
