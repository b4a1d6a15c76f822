//! Times on pages: as the clocks of the service's zone show them, with the moment in UTC beside for machines.

use crate::kit::World;
use service::formats::zone::Zone;

// gaps: Pages > Times
#[tokio::test]
async fn pages_tell_the_time_in_the_services_zone_and_machines_in_utc() {
    let w = World::embedded_with(|settings| settings.time_zone = Zone::named("Asia/Kolkata").unwrap()).await;
    let asked = w.client("Sleep Diary").asks();
    let page = w.client("Sleep Diary").sends_to_page(&asked).await;
    assert!(page.html.contains("until 13 February 2027, 15:00 IST"), "{}", page.html);
    w.amina().approves("Sleep Diary").await;
    let page = w.amina().signs_in().await.sees("/connected-apps").await;
    let told = r#"<time datetime="2026-11-15T09:30:00.000Z">15 November 2026, 15:00 IST</time>"#;
    assert!(page.html.contains(told), "{}", page.html);
}
