//! The list of routes: method, what the caller must be, voice, path, handler, and what the documentation says of it.
//! `dispatch.rs` answers by it, the documentation is made of it, and the test that tries every route with every wrong
//! caller walks it.

use super::fhir_list;
use super::rest_list;
use super::route::{Route, delete, get, post, put};
use crate::callers::admin::AdminSignIn;
use crate::callers::officer::OfficerSignIn;
use crate::callers::people::{AccountSignIn, CoordinatorSignIn, PatientSignIn, RecordSignIn};
use crate::callers::requirement::Anyone;
use crate::callers::sign_in::SignIn;
use crate::callers::staff::ClinicianSignIn;
use crate::http::well_known::{AUTHORIZATION_SERVER, OPENID_CONFIGURATION, PROTECTED_RESOURCE};
use crate::reference::inputs;
use crate::reference::listing::Payload::{Content, Html, Json, Nothing};
use crate::reference::listing::{Listing, Schema};
use crate::voices::stop::Voice::{self, Authorization, Discovery, Fhir, Health, Page, Rest, Token};
use crate::{fhir, health, oauth, pages, reference, sandbox};

/// Every route of the service.
#[must_use]
pub fn routes() -> Vec<Route> {
    let mut routes = vec![
        get::<Anyone>(Authorization, "/apiAuthorize.action", oauth::authorize::show)
            .says("Shows the page on which a person approves or denies an app.")
            .takes(inputs::AUTHORIZATION)
            .may_answer(&[303]),
        post::<Anyone>(Authorization, "/apiAuthorize.action", oauth::authorize::post)
            .says("Takes the decision of that page; with the request in the body it shows the page.")
            .takes(inputs::REQUEST_FORM)
            .takes(inputs::DECISION),
        get::<Anyone>(Authorization, "/apiLogout.action", oauth::logout::show)
            .says("Signs the person out in whose browser it is opened, at once where an id_token says who is meant, or asks (OpenID Connect).")
            .takes(inputs::LOGOUT)
            .may_answer(&[303]),
        post::<Anyone>(Authorization, "/apiLogout.action", oauth::logout::post)
            .says("The same, asked by POST: leads to GET.")
            .takes(inputs::LOGOUT_FORM),
        post::<Anyone>(Token, "/apiToken.action", oauth::token::token)
            .says("Gives tokens for a code, a refresh token, or a System Client's secret.")
            .takes(inputs::TOKEN)
            .takes(inputs::PROOF)
            .takes(inputs::CLIENT)
            .gives(Json(Schema::Tokens)),
        post::<Anyone>(Token, "/apiPar.action", oauth::pushed_request::push)
            .says("Takes an authorization request (RFC 9126), which request_uri then names for a minute.")
            .takes(inputs::REQUEST_FORM)
            .takes(inputs::PROOF)
            .takes(inputs::CLIENT)
            .gives(Json(Schema::PushedRequest)),
        post::<Anyone>(Token, "/apiRevoke.action", oauth::revocation::revoke)
            .says("Ends what a token opens (RFC 7009); a token that is not ours is fine too.")
            .takes(inputs::TOKEN_QUESTION)
            .takes(inputs::CLIENT),
        // For servers, which have secrets; a page has none.
        post::<Anyone>(Token, "/apiIntrospect.action", oauth::introspection::introspect)
            .says("Says what a token is and whether it is active (RFC 7662).")
            .takes(inputs::TOKEN_QUESTION)
            .takes(inputs::CLIENT)
            .gives(Json(Schema::Introspection))
            .may_answer(&[403])
            .closed_to_other_origins(),
        post::<Anyone>(Token, "/apiRegister.action", oauth::registration::register)
            .says("Registers the client that asks (RFC 7591), by an initial access token of an operator's, where client_registration is on.")
            .reads(Schema::ClientMetadata)
            .takes(inputs::REGISTRATION)
            .gives(Json(Schema::ClientRegistration))
            .may_answer(&[404]),
        get::<Anyone>(Token, "/apiRegister.action/{client}", oauth::registration::show)
            .says("Gives a client that registered itself its registration (RFC 7592).")
            .takes(inputs::REGISTRATION)
            .gives(Json(Schema::RegistrationRead)),
        put::<Anyone>(Token, "/apiRegister.action/{client}", oauth::registration::change)
            .says("Takes other metadata in place of all that the client said before.")
            .reads(Schema::ClientMetadata)
            .takes(inputs::REGISTRATION)
            .gives(Json(Schema::RegistrationRead))
            .may_answer(&[404]),
        delete::<Anyone>(Token, "/apiRegister.action/{client}", oauth::registration::withdraw)
            .says("Ends the registration and every session of the client.")
            .takes(inputs::REGISTRATION)
            .gives(Nothing)
            .may_answer(&[404]),
        get::<Anyone>(Discovery, AUTHORIZATION_SERVER, oauth::discovery::authorization_server)
            .says("Says what the authorization server is and can (RFC 8414).")
            .gives(Json(Schema::AuthorizationServer)),
        get::<Anyone>(Discovery, PROTECTED_RESOURCE, oauth::discovery::whole_service)
            .says("Says what the service is as one resource (RFC 9728).")
            .gives(Json(Schema::ProtectedResource)),
        get::<Anyone>(Discovery, "/.well-known/oauth-protected-resource/fhir", oauth::discovery::fhir_api)
            .says("Says who hands out tokens for the FHIR API (RFC 9728).")
            .gives(Json(Schema::ProtectedResource)),
        get::<Anyone>(Discovery, "/.well-known/oauth-protected-resource/json", oauth::discovery::rest_api)
            .says("Says who hands out tokens for the custom REST API (RFC 9728).")
            .gives(Json(Schema::ProtectedResource)),
        get::<Anyone>(Discovery, "/fhir/.well-known/smart-configuration", oauth::discovery::smart)
            .says("Says what SMART App Launch clients can expect.")
            .gives(Json(Schema::SmartConfiguration)),
        get::<Anyone>(Discovery, OPENID_CONFIGURATION, oauth::openid::configuration)
            .says("Says what OpenID Connect clients can expect (OpenID Connect Discovery).")
            .gives(Json(Schema::OpenIdConfiguration)),
        get::<Anyone>(Discovery, "/.well-known/jwks.json", oauth::openid::keys)
            .says("Gives the public keys by which id_tokens are signed (RFC 7517).")
            .gives(Json(Schema::JwkSet))
            .may_answer(&[500]),
        get::<Anyone>(Rest, "/apiUserinfo.action", oauth::openid::userinfo)
            .says("Says who granted the session of an access token (OpenID Connect).")
            .gives(Json(Schema::Userinfo))
            .may_answer(&[401, 403]),
        post::<Anyone>(Rest, "/apiUserinfo.action", oauth::openid::userinfo)
            .says("The same, asked by POST.")
            .gives(Json(Schema::Userinfo))
            .may_answer(&[401, 403]),
    ];
    routes.extend(fhir_list::routes());
    routes.extend([
        get::<Anyone>(Page, "/", pages::home::show)
            .says("Shows a signed-in person what they can do here, what is connected and who looked last; others, what this is.")
            .may_answer(&[303, 500, 503]),
        get::<Anyone>(Page, "/sign-in", pages::sign_in::show)
            .says("Asks a person for their username and password.")
            .may_answer(&[303, 400]),
        post::<Anyone>(Page, "/sign-in", pages::sign_in::post)
            .says("Signs a person in, or asks for their second factor first, and takes it.")
            .gives(Html)
            .may_answer(&[401]),
        get::<Anyone>(Page, "/forgotten-password", pages::forgotten_password::show)
            .says("Asks somebody who has forgotten their password for their username or e-mail address, or says who can help."),
        post::<Anyone>(Page, "/forgotten-password", pages::forgotten_password::ask)
            .says("Has a link sent, if there is such an account; the answer is the same if there is none.")
            .gives(Html),
        get::<Anyone>(Page, "/new-password/{id}", pages::forgotten_password::choose)
            .says("Shows the form in which somebody chooses a new password by a link that was sent to them.")
            .may_answer(&[404, 410]),
        post::<Anyone>(Page, "/new-password/{id}", pages::forgotten_password::renew)
            .says("Takes the new password, and signs the person out everywhere.")
            .may_answer(&[404, 410]),
        get::<Anyone>(Page, "/join", pages::join::show)
            .says("Asks somebody who was invited for the code, the token and their date of birth.")
            .takes(inputs::INVITATION)
            .may_answer(&[400]),
        get::<Anyone>(Page, "/join/{id}", pages::join::show_of_team)
            .says("The same, where links of the public record lead: the id is the code of a team, and decides nothing.")
            .takes(inputs::INVITATION)
            .may_answer(&[400, 404]),
        post::<Anyone>(Page, "/join", pages::join::post)
            .says("Takes them and asks for an e-mail address and a password; takes those and makes the account.")
            .gives(Html),
        post::<SignIn>(Page, "/sign-out", pages::sign_in::sign_out).says("Signs a person out."),
        get::<SignIn>(Page, "/password", pages::password::show)
            .says("Shows the form in which a person changes their password."),
        post::<SignIn>(Page, "/password", pages::password::change)
            .says("Changes the password, and signs the person's other browsers out.")
            .gives(Html),
        get::<AccountSignIn>(Page, "/account", pages::account::show)
            .says("Shows a person their account: who they are as their record has it, their e-mail address, and what they can do.")
            .may_answer(&[400]),
        post::<AccountSignIn>(Page, "/account/email", pages::account::change_email)
            .says("Sends a link to an address that a person says is theirs.")
            .may_answer(&[404]),
        get::<SignIn>(Page, "/account/confirm/{id}", pages::account::check)
            .says("Asks a person who followed such a link whether the address is theirs.")
            .may_answer(&[404, 410]),
        post::<SignIn>(Page, "/account/confirm/{id}", pages::account::confirm)
            .says("Confirms the address; the one that was there before is told.")
            .may_answer(&[404, 409, 410]),
        get::<PatientSignIn>(Page, "/account/close", pages::account_closing::show)
            .says("Tells a patient what ends when they close their account, and asks for the password."),
        post::<PatientSignIn>(Page, "/account/close", pages::account_closing::close)
            .says("Closes the account of a patient; the record and with whom it is shared stay."),
        get::<RecordSignIn>(Page, "/account/record.ndjson", pages::record_download::read)
            .says("Gives a patient all that they see of the own record: one FHIR resource a line.")
            .gives(Content)
            .may_answer(&[404]),
        get::<SignIn>(Page, "/second-factor", pages::second_factor::show)
            .says("Shows a person whether they have a second factor, and the form that changes it."),
        post::<SignIn>(Page, "/second-factor", pages::second_factor::change)
            .says("Begins to set up an app or a passkey, makes new recovery codes, or removes one of them; with the password.")
            .gives(Html),
        post::<SignIn>(Page, "/second-factor/confirm", pages::second_factor::confirm)
            .says("Sets an app up by its first code, and shows recovery codes.")
            .gives(Html),
        post::<SignIn>(Page, "/second-factor/passkey", pages::passkeys::confirm)
            .says("Stores the passkey that a person's browser has made; of the first factor it shows recovery codes.")
            .gives(Html),
        get::<SignIn>(Page, "/second-factor/prove", pages::factor_proof::show)
            .says("Asks a signed-in person for their second factor, before what can harm.")
            .may_answer(&[400]),
        post::<SignIn>(Page, "/second-factor/prove", pages::factor_proof::prove)
            .says("Takes the code, and leads back.")
            .may_answer(&[401]),
        get::<Anyone>(Page, "/second-factor/reset", pages::factor_reset::show)
            .says("Asks whoever has a link that resets a second factor for username and password.")
            .may_answer(&[400]),
        post::<Anyone>(Page, "/second-factor/reset", pages::factor_reset::reset)
            .says("Takes the second factor of a person away, and signs them in.")
            .may_answer(&[401]),
        post::<SignIn>(Page, "/sign-out/for-app", oauth::logout::sign_out)
            .says("Signs a person out who was asked because of an app, and leads back to it."),
        get::<SignIn>(Page, "/sign-ins", pages::sign_ins::show)
            .says("Shows a person where they are signed in.")
            .may_answer(&[400]),
        post::<SignIn>(Page, "/sign-ins/end/{id}", pages::sign_ins::end).says("Signs one browser of a person out."),
        post::<SignIn>(Page, "/sign-ins/end-others", pages::sign_ins::end_others)
            .says("Signs a person out everywhere else."),
        get::<SignIn>(Page, "/apps", pages::apps::show)
            .says("Shows the apps that a person can open from here.")
            .may_answer(&[400, 404]),
        get::<SignIn>(Page, "/apps/{client}", pages::apps::show_one)
            .says("Asks what an app shall be opened for, and says where it leads.")
            .may_answer(&[400, 404]),
        post::<SignIn>(Page, "/apps/{client}", pages::apps::open)
            .says("Leads to the app, with a launch for it (SMART’s EHR launch).")
            .gives(Html)
            .may_answer(&[404]),
        get::<SignIn>(Page, "/connected-apps", pages::connected_apps::show)
            .says("Shows the apps that may use a person's account.")
            .may_answer(&[400]),
        get::<SignIn>(Page, "/connected-apps/revoke/{id}", pages::connected_apps::check)
            .says("Shows what ends with an app's access, and asks."),
        post::<SignIn>(Page, "/connected-apps/revoke/{id}", pages::connected_apps::revoke)
            .says("Takes an app's access back."),
        get::<RecordSignIn>(Page, "/record", pages::record::show)
            .says("Shows a patient the own record: every section, with what is newest in it.")
            .may_answer(&[404]),
        get::<RecordSignIn>(Page, "/record/{section}", pages::record::show_section)
            .says("Shows a patient one section of the own record; `of` names a type of measurements, or a test, to see over time.")
            .may_answer(&[400, 404]),
        get::<RecordSignIn>(Page, "/record/letters/{id}", pages::letters::show)
            .says("Shows a patient a letter before it is opened: who sent it, when, its label, its files, and whether it was opened.")
            .may_answer(&[404]),
        get::<RecordSignIn>(Page, "/record/messages", pages::messages::list)
            .says("Shows a patient the conversations of the own record, with what they have not read.")
            .may_answer(&[400, 404]),
        get::<RecordSignIn>(Page, "/record/messages/new", pages::messages::show_new)
            .says("Shows a patient the form by which they write to somebody to whom the record is open.")
            .may_answer(&[404]),
        post::<RecordSignIn>(Page, "/record/messages/new", pages::messages::begin)
            .says("Begins a conversation with a message.")
            .may_answer(&[404, 422]),
        get::<RecordSignIn>(Page, "/record/messages/{id}", pages::conversation::show)
            .says("Shows a patient one conversation, which they have read by that, and the form that answers.")
            .may_answer(&[400, 404]),
        post::<RecordSignIn>(Page, "/record/messages/{id}", pages::conversation::answer)
            .says("Answers in a conversation.")
            .may_answer(&[404, 422]),
        get::<RecordSignIn>(Page, "/record/measurements/new", pages::own_measurements::show_new)
            .says("Asks a patient what they measured; with `of`, a type of measurements, it shows the form for it.")
            .may_answer(&[400, 404]),
        post::<RecordSignIn>(Page, "/record/measurements/new", pages::own_measurements::add)
            .says("Adds a measurement to a patient's own record.")
            .may_answer(&[404, 422]),
        get::<RecordSignIn>(Page, "/record/measurements/{id}", pages::own_measurements::show)
            .says("Shows a patient the form by which they correct or remove a measurement of their own.")
            .may_answer(&[404]),
        post::<RecordSignIn>(Page, "/record/measurements/{id}", pages::own_measurements::change)
            .says("Corrects or removes a measurement that the patient wrote.")
            .may_answer(&[404, 409, 422]),
        get::<RecordSignIn>(Page, "/record/journal/new", pages::own_journal::show_new)
            .says("Shows a patient the form for an entry of the journal.")
            .may_answer(&[404]),
        post::<RecordSignIn>(Page, "/record/journal/new", pages::own_journal::add)
            .says("Adds an entry to a patient's own journal.")
            .may_answer(&[404, 422]),
        get::<RecordSignIn>(Page, "/record/journal/{id}", pages::own_journal::show)
            .says("Shows a patient the form by which they change or remove an entry of the journal.")
            .may_answer(&[404]),
        post::<RecordSignIn>(Page, "/record/journal/{id}", pages::own_journal::change)
            .says("Changes or removes an entry of the journal that the patient wrote.")
            .may_answer(&[404, 409, 422]),
        get::<RecordSignIn>(Page, "/record/attachments/{id}", pages::letters::give)
            .says("Gives a patient a file of the own record to keep. Whoever sent a letter is told that it was opened.")
            .takes(inputs::RANGES)
            .gives(Content)
            .may_answer(&[206, 404, 416]),
        get::<RecordSignIn>(Page, "/sharing", pages::sharing::show)
            .says("Shows a patient with whom they share their record, and which labels.")
            .may_answer(&[400, 404]),
        get::<RecordSignIn>(Page, "/sharing/carer", pages::carer_invitation::show)
            .says("Shows a patient the form by which they invite somebody to care for their record.")
            .may_answer(&[404]),
        post::<RecordSignIn>(Page, "/sharing/carer", pages::carer_invitation::invite)
            .says("Invites somebody to care for the patient's record.")
            .may_answer(&[404, 422]),
        get::<RecordSignIn>(Page, "/sharing/{id}", pages::sharing::check)
            .says("Shows a patient what one team, professional or carer sees, and the form that changes it.")
            .may_answer(&[404]),
        post::<RecordSignIn>(Page, "/sharing/{id}", pages::sharing::change)
            .says("Changes what one team, professional or carer sees of the patient's record, or ends it.")
            .may_answer(&[404]),
        get::<RecordSignIn>(Page, "/sharing/{id}/why", pages::why::of_consent)
            .says("Shows a patient why one team, professional or carer sees something of the record, step by step.")
            .may_answer(&[404]),
        get::<SignIn>(Page, "/notices", pages::notices::show)
            .says("Shows a person what they were told about records that they have to do with.")
            .may_answer(&[400]),
        post::<SignIn>(Page, "/notices/seen", pages::notices::see_all)
            .says("Notes that a person has seen what they were told."),
        post::<SignIn>(Page, "/notices/accept/{patient}", pages::notices::accept)
            .says("Accepts an invitation to care for a record.")
            .may_answer(&[404]),
        get::<PatientSignIn>(Page, "/access-log", pages::access_log::show)
            .says("Shows a patient who looked at their record.")
            .may_answer(&[400]),
        get::<PatientSignIn>(Page, "/access-log/why", pages::why::show)
            .says("Tells a patient why somebody could see what a line of their access log tells of, and whether they still can.")
            .may_answer(&[400, 404]),
        get::<PatientSignIn>(Page, "/access-log.csv", pages::log_download::csv)
            .says("Gives a patient their whole access log as a table.")
            .gives(Content),
        get::<PatientSignIn>(Page, "/access-log.json", pages::log_download::json)
            .says("Gives a patient their whole access log for programs.")
            .gives(Content),
        get::<ClinicianSignIn>(Page, "/teams", pages::teams::show)
            .says("Shows a clinician their teams, to choose the one that they work for; who is in one alone goes on to it.")
            .may_answer(&[303]),
        get::<ClinicianSignIn>(Page, "/teams/{id}", pages::teams::show_patients)
            .says("Shows a clinician the patients of one of their teams: by `q`, a name or a number, and by `state`.")
            .may_answer(&[400, 404, 422]),
        get::<ClinicianSignIn>(Page, "/teams/{id}/emergency", pages::team_glass::show)
            .says("Shows a clinician of a team that may who is told when a record is opened in an emergency, and asks whose.")
            .may_answer(&[404]),
        post::<ClinicianSignIn>(Page, "/teams/{id}/emergency", pages::team_glass::break_glass)
            .says("Opens the record of a patient, by number, in an emergency, to this browser for thirty minutes.")
            .may_answer(&[404, 422]),
        get::<ClinicianSignIn>(Page, "/teams/{id}/patients/{patientId}", pages::team_record::show)
            .says("Shows a clinician the record of a patient as one of their teams sees it, and how much that is.")
            .may_answer(&[404]),
        get::<ClinicianSignIn>(Page, "/teams/{id}/patients/{patientId}/emergency", pages::team_glass::show)
            .says("The same page for the record of this patient.")
            .may_answer(&[404]),
        post::<ClinicianSignIn>(Page, "/teams/{id}/patients/{patientId}/emergency", pages::team_glass::break_glass)
            .says("Opens this record in an emergency, to this browser for thirty minutes.")
            .may_answer(&[404, 422]),
        post::<ClinicianSignIn>(Page, "/teams/{id}/patients/{patientId}/emergency/end", pages::team_glass::end)
            .says("Ends the emergency look of this browser.")
            .may_answer(&[404]),
        get::<ClinicianSignIn>(Page, "/teams/{id}/patients/{patientId}/{section}", pages::team_record::show_section)
            .says("Shows a clinician one section of it; `of` names a type of measurements, or a test, to see over time.")
            .may_answer(&[400, 404]),
        get::<ClinicianSignIn>(Page, "/teams/{id}/patients/{patientId}/letters/{letter}", pages::team_letters::show)
            .says("Shows a clinician a letter of a patient before it is opened, and whether the patient has opened it.")
            .may_answer(&[404]),
        get::<ClinicianSignIn>(Page, "/teams/{id}/patients/{patientId}/letters/{letter}/files/{file}", pages::team_letters::give)
            .says("Gives a clinician a file of a letter to keep.")
            .takes(inputs::RANGES)
            .gives(Content)
            .may_answer(&[206, 404, 416]),
        get::<ClinicianSignIn>(Page, "/looks", pages::looks::show)
            .says("Shows a clinician what they looked at and wrote themselves."),
        get::<OfficerSignIn>(Page, "/officer", pages::officer::show)
            .says("Shows a privacy officer the emergency looks of the organisation's teams, and asks for a patient's number.")
            .may_answer(&[400]),
        post::<OfficerSignIn>(Page, "/officer/find", pages::officer::find)
            .says("Finds a patient of the organisation by an exact number.")
            .may_answer(&[422]),
        get::<OfficerSignIn>(Page, "/officer/emergencies/{id}", pages::officer::show_glass)
            .says("Shows a privacy officer which parts of a record were opened in one emergency look, and no item.")
            .may_answer(&[404]),
        get::<OfficerSignIn>(Page, "/officer/patients/{id}", pages::officer_patient::show)
            .says("Shows a privacy officer with whom a patient's record is shared, how that came, and its states.")
            .may_answer(&[400, 404]),
        post::<OfficerSignIn>(Page, "/officer/patients/{id}/state", pages::officer_patient::change)
            .says("Freezes a record or ends that, disables its sharing or enables it, with a reason.")
            .may_answer(&[404, 422]),
        get::<OfficerSignIn>(Page, "/officer/patients/{id}/looks", pages::officer_looks::show)
            .says("Shows a privacy officer who of the organisation looked at a patient's record.")
            .may_answer(&[400, 404]),
        get::<OfficerSignIn>(Page, "/officer/patients/{id}/looks.csv", pages::officer_looks::csv)
            .says("Gives all of it as a table.")
            .gives(Content)
            .may_answer(&[404]),
        get::<AdminSignIn>(Page, "/admin", pages::admin::show)
            .says("Shows an administrator whether the service can do its work, and the configuration in force."),
        get::<AdminSignIn>(Page, "/admin/users", pages::admin_users::show)
            .says("Shows an administrator accounts: `q` is the beginning of a username.")
            .may_answer(&[400]),
        post::<AdminSignIn>(Page, "/admin/users", pages::admin_users::add)
            .says("Adds the account of a professional.")
            .may_answer(&[422]),
        get::<AdminSignIn>(Page, "/admin/users/{id}", pages::admin_users::show_one)
            .says("Shows an administrator one account, and what can be done with it.")
            .may_answer(&[400, 404]),
        post::<AdminSignIn>(Page, "/admin/users/{id}", pages::admin_users::change)
            .says("Freezes an account or ends that, or ends its sessions.")
            .may_answer(&[404, 422]),
        get::<AdminSignIn>(Page, "/admin/clients", pages::admin_clients::show)
            .says("Shows an administrator the registered clients."),
        post::<AdminSignIn>(Page, "/admin/clients", pages::admin_clients::add)
            .says("Registers a client; a secret that was made is shown once.")
            .gives(Html)
            .may_answer(&[422]),
        get::<AdminSignIn>(Page, "/admin/clients/{id}", pages::admin_clients::show_one)
            .says("Shows an administrator one client, and what can be done with it.")
            .may_answer(&[400, 404]),
        post::<AdminSignIn>(Page, "/admin/clients/{id}", pages::admin_clients::change)
            .says("Disables a client or lets it in again, or gives it a new secret, which is shown once.")
            .gives(Html)
            .may_answer(&[404, 422]),
        get::<AdminSignIn>(Page, "/admin/organisations", pages::admin_organisations::show)
            .says("Shows an administrator the organisations with their teams.")
            .may_answer(&[400]),
        post::<AdminSignIn>(Page, "/admin/organisations", pages::admin_organisations::add)
            .says("Adds an organisation.")
            .may_answer(&[422]),
        post::<AdminSignIn>(Page, "/admin/teams", pages::admin_organisations::add_team)
            .says("Adds a team.")
            .may_answer(&[422]),
        get::<CoordinatorSignIn>(Page, "/coordinator/api-access", pages::coordinator::show)
            .says("Shows a Team Coordinator which clients act for their teams.")
            .may_answer(&[400]),
        get::<CoordinatorSignIn>(Page, "/coordinator/api-access/check", pages::grant_check::show)
            .says("Shows a Team Coordinator what they are about to grant, and asks.")
            .may_answer(&[400]),
        post::<CoordinatorSignIn>(Page, "/coordinator/api-access", pages::grant_check::grant)
            .says("Grants a Tethered-Token System Client access; the next page shows its first refresh token."),
        get::<CoordinatorSignIn>(Page, "/coordinator/api-access/history", pages::grant_history::show)
            .says("Shows a Team Coordinator every grant of their teams, who gave it, and who or what ended it.")
            .may_answer(&[400]),
        post::<CoordinatorSignIn>(Page, "/coordinator/api-access/revoke/{id}", pages::coordinator::revoke)
            .says("Takes a client's access to a team back."),
        get::<CoordinatorSignIn>(Page, "/coordinator/accounts", pages::accounts::show)
            .says("Shows a Team Coordinator which patients of their teams made an account, when, and by whose invitation.")
            .may_answer(&[400]),
        post::<CoordinatorSignIn>(Page, "/coordinator/accounts/end/{id}", pages::accounts::end)
            .says("Ends an account that a patient made by invitation, with all its sessions."),
        post::<CoordinatorSignIn>(Page, "/coordinator/accounts/paper/{id}", pages::accounts::print)
            .says("Shows the further code that an invitation asks for, once, to be printed.")
            .gives(Html),
        get::<Anyone>(Page, "/assets/{name}", pages::assets::read)
            .says("Gives the stylesheet and the pictures of the pages.")
            .gives(Content),
        get::<Anyone>(Discovery, "/openapi.json", |_, call| reference::openapi(call, listings))
            .says("Describes OAuth and the custom REST API to programs: OpenAPI 3.1.")
            .takes(inputs::HELD)
            .gives(Json(Schema::OpenApi))
            .may_answer(&[304]),
        get::<Anyone>(Page, "/docs", |_, call| reference::page(call, listings))
            .says("Shows this documentation.")
            .takes(inputs::HELD)
            .may_answer(&[304]),
        get::<Anyone>(Health, "/healthz", health::alive).says("Says that the process answers."),
        get::<Anyone>(Health, "/readyz", health::ready)
            .says("Says that it can do its work, or why it cannot (503).")
            .may_answer(&[503]),
        get::<Anyone>(Page, "/sandbox/outbox", sandbox::outbox::show)
            .says("Shows the mail that the sandbox would have sent.")
            .in_sandbox_only(),
        get::<Anyone>(Rest, "/sandbox/clock", sandbox::clock::read)
            .says("Says what time it is in the sandbox.")
            .gives(Json(Schema::Clock))
            .in_sandbox_only()
            .closed_to_other_origins(),
        post::<Anyone>(Rest, "/sandbox/clock", sandbox::clock::set)
            .says("Moves the sandbox's clock on, or sets it back.")
            .takes(inputs::CLOCK)
            .gives(Json(Schema::Clock))
            .may_answer(&[400, 403, 415])
            .in_sandbox_only()
            .closed_to_other_origins(),
    ]);
    routes.push(
        get::<Anyone>(Fhir, "/fhir/OperationDefinition", fhir::operations::definition::search)
            .says("Finds the definitions of the operations that are served; with a token, those that are stored.")
            .takes(inputs::DEFINITIONS)
            .may_answer(&[401, 403, 422]),
    );
    routes.extend(fhir::operations::definition::paths().map(|path| {
        get::<Anyone>(Fhir, path, fhir::operations::definition::read)
            .says("Reads the definition of an operation that is served.")
            .takes(inputs::FORMATS)
    }));
    routes.extend(rest_list::routes());
    routes
}

/// Every route as the documentation lists it.
fn listings() -> Vec<Listing> {
    routes().iter().map(Route::listing).collect()
}

/// Below this nothing is missed but in FHIR's voice. No path of the tree: beside one that begins with a free part there is
/// no place for one that is free to its end.
pub(super) const FHIR_MISSING: (&str, &str) = ("/fhir/", "/fhir/{*rest}");

/// In which voice a path is missed that no route has.
pub(super) const MISSING: [(Voice, &str); 12] = [
    (Rest, "/json"),
    (Rest, "/json/"),
    (Rest, "/json/{*rest}"),
    (Token, "/apiToken.action/"),
    (Token, "/apiToken.action/{*rest}"),
    (Token, "/apiPar.action/"),
    (Token, "/apiPar.action/{*rest}"),
    (Token, "/apiRevoke.action/"),
    (Token, "/apiRevoke.action/{*rest}"),
    (Token, "/apiIntrospect.action/"),
    (Token, "/apiIntrospect.action/{*rest}"),
    (Token, "/apiRegister.action/"),
];
