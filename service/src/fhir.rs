//! stub
macro_rules! stub { ($($m:ident: $($f:ident),*);*) => { $(pub mod $m { $(pub async fn $f(_c: crate::caller::FhirCaller) -> &'static str { "" })* })* } }
stub!(metadata: read; patient: search, read; document_reference: create, read; read_receipts: query; binary: read);
