//! How PostgreSQL can go about a read: by an index into every table, whatever the arguments.

use crate::world::World;

#[tokio::test]
async fn every_table_of_a_read_can_be_entered_by_an_index() {
    let w = World::new().await;
    let journeys = [store::journeys::read().bearer, store::journeys::refresh().client].map(String::from);
    for sql in journeys.into_iter().chain(store::scoped_statements()).chain(store::ownership::lookups()) {
        let sql = store::in_postgres(&sql);
        // Where there is an index to use, it is used even on tables as small as these; and the plan is the one that is
        // kept for all arguments.
        let settings = "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;";
        let count = (1..).take_while(|n| sql.contains(&format!("${n}"))).count();
        let nulls = vec!["NULL"; count].join(", ");
        let plan = format!("{settings} PREPARE p AS {sql}; EXPLAIN (COSTS OFF) EXECUTE p ({nulls})");
        let plan = cluster::ask(w.home.url(), &plan);
        assert!(plan.contains("Index"), "{plan}");
        assert!(!plan.contains("Seq Scan"), "{sql}\n{plan}");
    }
}
