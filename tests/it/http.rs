//! Engines that are servers: all well, and each fault with its case alone.

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::json;
use snapbox::str;
use standing::run::Outcome;

use crate::{
    fakes::{CASES, Wired},
    server::{Asked, Reply, Server, response},
    support::snapshot,
};

use Outcome::{Error, Pass, Skipped, Timeout};

/// Runs against a server, with one worker and with several, wherever the fault is met: that the case
/// which meets it comes to this, and every other passes.
#[track_caller]
fn stays_with_its_case(
    play: impl Fn(&Asked) -> Reply + Send + Sync + Clone + 'static,
    outcome: Outcome,
    message: &str,
) {
    thread::scope(|scope| {
        for (trip, jobs) in [(1, "1"), (7, "1"), (CASES, "1"), (7, "4")] {
            let server = Server::tripping(play.clone());
            scope.spawn(move || {
                let put = wired(&server, trip).with(&["--jobs", jobs]).run();
                put.falls_short(&[(trip, outcome, message)]);
            });
        }
    });
}

fn wired(server: &Server, trip: usize) -> Wired {
    let limits = ["--timeout", "2", "--max-answer", "5000"];
    Wired::new(CASES, trip).engine(&server.url()).with(&limits)
}

fn says(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Reply {
    Reply::With(status, headers.to_owned(), body.as_ref().to_vec())
}

#[test]
fn all_is_well_over_one_connection() {
    let server = Server::well();
    wired(&server, 7).run().falls_short(&[]);
    assert_eq!(server.connections(), 1);
    // A greeting, and for each case a reset and a question.
    assert_eq!(server.questions(), 1 + 2 * CASES);
}

#[test]
fn several_workers_have_a_connection_each() {
    let server = Server::well();
    wired(&server, 7)
        .with(&["--jobs", "4"])
        .run()
        .falls_short(&[]);
    let connections = server.connections();
    assert!((1..=4).contains(&connections), "{connections}");
}

#[test]
fn cases_are_put_at_the_same_time_where_that_is_asked_for() {
    let waiting = Arc::new(AtomicUsize::new(0));
    let server = Server::playing(move |asked| {
        if asked.method == "loops.resolve" {
            waiting.fetch_add(1, Ordering::SeqCst);
            let since = Instant::now();
            while waiting.load(Ordering::SeqCst) < 4 && since.elapsed() < Duration::from_secs(30) {
                thread::sleep(Duration::from_millis(1));
            }
        }
        Reply::Well
    });
    let wired = Wired::new(4, 1).engine(&server.url());
    wired
        .with(&["--jobs", "4", "--timeout", "20"])
        .run()
        .falls_short(&[]);
}

#[test]
fn what_is_sent() {
    let server = Server::playing(|asked| {
        assert!(
            asked.head.starts_with("post /rpc http/1.1\r\n"),
            "{}",
            asked.head
        );
        for header in [
            "content-type: application/json\r\n",
            "user-agent: standing/",
        ] {
            assert!(asked.head.contains(header), "{}", asked.head);
        }
        Reply::Well
    });
    wired(&server, 7).run().falls_short(&[]);
}

#[test]
fn other_ways_to_answer_well() {
    // In pieces, on several lines, with a space at the end; and with a connection for each answer.
    let server = Server::playing(|asked| {
        let text = asked.right().replace(',', ",\r\n ") + "\n";
        let (one, two) = text.split_at(9);
        let piece = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
        let chunks = format!("{}{}0\r\n\r\n", piece(one), piece(two));
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
        Reply::Raw(format!("{head}{chunks}").into_bytes())
    });
    wired(&server, 7).run().falls_short(&[]);
    assert_eq!(server.connections(), 1 + 2 * CASES);
    // As long as the server likes.
    let server = Server::playing(|asked| {
        Reply::Raw(format!("HTTP/1.0 200 OK\r\n\r\n{}", asked.right()).into_bytes())
    });
    wired(&server, 7).run().falls_short(&[]);
}

#[test]
fn a_connection_that_is_closed_between_two_cases() {
    // Without a word, so that it may be noticed only by what is sent next.
    let server = Server::playing(|asked| match asked.method.as_str() {
        "loops.resolve" => Reply::WellAndClose,
        _ => Reply::Well,
    });
    wired(&server, 7).run().falls_short(&[]);
}

#[test]
fn no_server_of_the_surroundings_comes_between() {
    let server = Server::well();
    let wired = wired(&server, 7).variable("http_proxy", "http://127.0.0.1:9");
    wired
        .variable("ALL_PROXY", "http://127.0.0.1:9")
        .run()
        .falls_short(&[]);
}

#[test]
fn a_connection_is_refused() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("its address").port()
    };
    let wired = Wired::new(1, 1).engine(&format!("http://127.0.0.1:{port}/rpc"));
    let ran = wired.report();
    snapshot(
        ran.stderr.replace(&port.to_string(), "PORT"),
        str![[r#"
error[S404]: the engine could not be started: http://127.0.0.1:PORT/rpc: the server cannot be asked: connection refused

"#]],
    );
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(3), ""));
}

#[test]
fn a_connection_breaks_off() {
    let message = "the server cannot be asked: peer disconnected";
    stays_with_its_case(|_| Reply::Raw(Vec::new()), Error, message);
    let head = b"HTTP/1.1 200 OK\r\ncontent-le";
    stays_with_its_case(|_| Reply::Raw(head.to_vec()), Error, message);
    let half = |asked: &Asked| {
        let whole = response(200, "", asked.right().as_bytes());
        Reply::Raw(whole[..whole.len() - 20].to_vec())
    };
    stays_with_its_case(half, Error, "the answer cannot be read: peer disconnected");
}

#[test]
fn it_speaks_no_http() {
    stays_with_its_case(
        |_| Reply::Raw(b"220 mail.example.org ESMTP\r\n\r\n".to_vec()),
        Error,
        "the server cannot be asked: protocol: http parse fail: invalid HTTP version",
    );
}

#[test]
fn a_status_that_is_not_200() {
    for (status, body, message) in [
        (
            204,
            "",
            "the server answered with the status 204 No Content",
        ),
        (404, "", "the server answered with the status 404 Not Found"),
        (
            500,
            "Fatal error: out of paper\n",
            "the server answered with the status 500 Internal Server Error: \"Fatal error: out of paper\"",
        ),
    ] {
        stays_with_its_case(move |_| says(status, "", body), Error, message);
    }
    // Also where the body would be an answer.
    let put = wired(&Server::tripping(|asked| says(202, "", asked.right())), 7).run();
    assert_eq!(put.case(7).outcome, Error);
}

#[test]
fn a_redirect_is_named_and_not_followed() {
    let other = Arc::new(Server::well());
    for (status, name) in [
        (301, "Moved Permanently"),
        (302, "Found"),
        (303, "See Other"),
        (307, "Temporary Redirect"),
        (308, "Permanent Redirect"),
    ] {
        let to = other.url();
        let message =
            format!("the server redirects ({status} {name}) to {to}, which is not followed");
        let play = move |_: &Asked| says(status, &format!("location: {to}\r\n"), "");
        stays_with_its_case(play, Error, &message);
    }
    assert_eq!(other.questions(), 0);
}

#[test]
fn a_body_that_is_no_answer() {
    let page = "the answer is not JSON (expected value at line 1 column 1): \"<!DOCTYPE html>\"";
    stays_with_its_case(|_| says(200, "", "<!DOCTYPE html>"), Error, page);
    let empty = "the answer is not JSON (EOF while parsing a value at line 1 column 0): \"\"";
    stays_with_its_case(|_| says(200, "", ""), Error, empty);
    stays_with_its_case(
        |_| says(200, "", b"\"caf\xe9\""),
        Error,
        "the answer is not UTF-8: \"\\\"caf\u{fffd}\\\"\"",
    );
}

#[test]
fn a_wrong_id() {
    let server = Server::tripping(|asked| {
        let id = asked.id.as_u64().expect("a number");
        let answer = json!({"jsonrpc": "2.0", "id": id + 1, "result": {}});
        says(200, "", answer.to_string())
    });
    let put = wired(&server, 7).run();
    let message = put.case(7).message.clone().unwrap_or_default();
    assert_eq!(message, "question 14 was answered with the id 15");
    put.falls_short(&[(7, Error, &message)]);
}

#[test]
fn an_answer_that_is_too_long() {
    let long = |asked: &Asked| {
        let answer = json!({"jsonrpc": "2.0", "id": asked.id, "result": "x".repeat(100_000)});
        says(200, "", answer.to_string())
    };
    let message = "the answer is longer than 5000 bytes (--max-answer)";
    stays_with_its_case(long, Error, message);
}

#[test]
fn an_answer_that_does_not_come() {
    stays_with_its_case(|_| Reply::Hang, Timeout, "no answer within 2s");
}

#[test]
fn a_server_that_is_gone_for_good() {
    let server = Server::tripping(|_| Reply::Gone);
    let put = wired(&server, 7).run();
    assert_eq!(
        (put.count(Pass), put.count(Error), put.count(Skipped)),
        (6, 1, 5)
    );
    assert_eq!(
        put.case(8).message.as_deref(),
        Some("the engine could not be started again")
    );
    assert_eq!(put.status, Some(3));
    let port = server
        .url()
        .replace("http://127.0.0.1:", "")
        .replace("/rpc", "");
    snapshot(
        put.stderr.replace(&port, "PORT"),
        str![[r#"
error[S404]: the engine could not be started: http://127.0.0.1:PORT/rpc: the server cannot be asked: connection refused
 |
 = note: the report is of what was answered until then

"#]],
    );
    assert!(put.record().interrupted);
}

#[test]
fn an_interrupted_run() {
    for method in ["initialize", "reset", "loops.resolve"] {
        let server = Arc::new(Server::playing(move |asked| match asked.method == method {
            true => Reply::Hang,
            false => Reply::Well,
        }));
        let patient = ["--timeout", "3600", "--start-timeout", "3600"];
        let running = Wired::new(CASES, 1)
            .engine(&server.url())
            .with(&patient)
            .start();
        let waits = |asked: usize| move |s: &Server| s.questions() >= asked;
        let is_asked = waits(match method {
            "initialize" => 1,
            "reset" => 2,
            _ => 3,
        });
        running.wait_until("it is asked", || is_asked(&server));
        running.signal(&["INT"]);
        let put = running.end();
        assert_eq!(
            (put.status, put.count(Skipped)),
            (Some(130), CASES),
            "{method}"
        );
        assert!(put.record().interrupted);
    }
}
