//! stub
macro_rules! stub { ($($m:ident: $($f:ident),*);*) => { $(pub mod $m { $(pub async fn $f(_c: crate::caller::RestCaller) -> &'static str { "" })* })* } }
stub!(users: read_self; attachments: read);
