//! `recordgate health`, as a container's health check runs it.

use crate::terminal::operator::Operator;
use std::io::{Read, Write};
use std::net::TcpListener;

#[test]
fn a_service_that_is_ready_says_so_wherever_it_listens() {
    let operator = Operator::with_world();
    let server = operator.serve();
    let address = server.address();
    assert_eq!(operator.run(&["health", "--listen", address]).fine().trim(), "ready");
    let everywhere = address.replace("127.0.0.1", "0.0.0.0");
    assert_eq!(operator.run(&["health", "--json", "--listen", &everywhere]).json()["ready"], true);
}

#[test]
fn a_service_whose_store_is_away_is_not_ready() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let asked = std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let mut request = [0; 1024];
        let length = connection.read(&mut request).unwrap();
        connection.write_all(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n").unwrap();
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    let complaint = Operator::new().run(&["health", "--listen", &address]).failed(1);
    assert!(complaint.contains("is not ready: HTTP/1.1 503"), "{complaint}");
    assert!(asked.join().unwrap().starts_with("GET /readyz HTTP/1.1\r\n"));
}

#[test]
fn where_nothing_listens_that_is_said() {
    let complaint = Operator::new().run(&["health", "--listen", "127.0.0.1:1"]).failed(1);
    assert!(complaint.contains("nothing answers on 127.0.0.1:1"), "{complaint}");
}
