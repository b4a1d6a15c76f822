//! Who acts in the world: its people, its clients, and the callers that stand for one kind of client each.

use super::caller::Caller;
use super::client_app::ClientApp;
use super::organisations::{HILLSIDE, RIVERSIDE};
use super::people;
use super::person::Person;
use super::world::World;

impl World {
    pub fn amina(&self) -> Person<'_> {
        Person { world: self, account: &people::AMINA }
    }

    /// A patient of the other organisation.
    pub fn ben(&self) -> Person<'_> {
        Person { world: self, account: &people::BEN }
    }

    pub fn dr_okafor(&self) -> Person<'_> {
        Person { world: self, account: &people::OKAFOR }
    }

    /// A clinician of Riverside's other team.
    pub fn dr_silva(&self) -> Person<'_> {
        Person { world: self, account: &people::SILVA }
    }

    pub fn grace(&self) -> Person<'_> {
        Person { world: self, account: &people::GRACE }
    }

    /// The Team Coordinator of the other organisation.
    pub fn henry(&self) -> Person<'_> {
        Person { world: self, account: &people::HENRY }
    }

    pub fn admin(&self) -> Person<'_> {
        Person { world: self, account: &people::ADMIN }
    }

    /// The privacy officer of Riverside.
    pub fn officer(&self) -> Person<'_> {
        Person { world: self, account: &people::OLIVE }
    }

    pub fn hillside_officer(&self) -> Person<'_> {
        Person { world: self, account: &people::OTTO }
    }

    /// The client that goes by this product name.
    pub fn client(&self, product: &str) -> ClientApp<'_> {
        ClientApp::of(self, product)
    }

    /// A Tethered-Token client that Grace has granted access to her team.
    pub async fn site(&self) -> Caller<'_> {
        let shown = self.grace().signs_in().await.grants("old-bridge").await;
        let bridge = self.client("Old Bridge");
        let access = bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted().access;
        Caller { world: self, access, organisation: None }
    }

    /// A System Client that acts for Riverside, which has granted it access.
    pub async fn system(&self) -> Caller<'_> {
        let access = self.client("Lab Link").client_credentials().await.granted().access;
        Caller { world: self, access, organisation: Some(RIVERSIDE.to_owned()) }
    }

    /// The same System Client, acting for Hillside, which grants it access too.
    pub async fn system_for_hillside(&self) -> Caller<'_> {
        self.grants(HILLSIDE, "Lab Link").await;
        Caller { organisation: Some(HILLSIDE.to_owned()), ..self.system().await }
    }
}
