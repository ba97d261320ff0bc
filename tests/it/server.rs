//! A server that answers as the reference does, except where a test says otherwise.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use standing::reference;

use crate::answers::Answers;

/// What a server does with a question.
pub enum Reply {
    /// Answers it.
    Well,
    /// Answers with a status and with further headers, each with its end of line, and a body.
    With(u16, String, Vec<u8>),
    /// Writes this, and closes the connection.
    Raw(Vec<u8>),
    /// Answers, and closes the connection without having said so.
    WellAndClose,
    /// Never answers.
    Hang,
    /// Is there no longer, for this question and all others.
    Gone,
}

impl Reply {
    /// Declines a question.
    pub fn declined(asked: &Asked) -> Self {
        let error = json!({"code": -32601, "message": "not here"});
        let answer = json!({"jsonrpc": "2.0", "id": asked.id, "error": error});
        Self::With(200, String::new(), answer.to_string().into_bytes())
    }
}

/// A question, as far as tests look at it.
pub struct Asked {
    pub id: Value,
    pub method: String,
    pub params: String,
    /// What came with it, in small letters.
    pub head: String,
    line: String,
    answers: Answers,
}

impl Asked {
    /// The right answer. Who is not asked for it does not know of the question.
    pub fn right(&self) -> String {
        self.answers.to(&self.line)
    }

    pub fn holds(&self, word: &str) -> bool {
        self.params.contains(word)
    }
}

type Play = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A server on a port of its own. It ends with this value.
pub struct Server {
    address: SocketAddr,
    inner: Arc<Inner>,
}

struct Inner {
    play: Box<Play>,
    answers: Answers,
    connections: Mutex<Vec<TcpStream>>,
    questions: AtomicUsize,
    is_over: AtomicBool,
}

impl Server {
    /// A server that answers.
    pub fn well() -> Self {
        Self::playing(|_| Reply::Well)
    }

    /// A server that answers, except to the questions that hold `trip`.
    pub fn tripping(play: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::playing(move |asked| match asked.holds("trip") {
            true => play(asked),
            false => Reply::Well,
        })
    }

    pub fn playing(play: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let inner = Arc::new(Inner {
            play: Box::new(play),
            answers: Answers::new(&reference::engine()),
            connections: Mutex::default(),
            questions: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        });
        let theirs = Arc::clone(&inner);
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                if theirs.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let mut all = theirs.connections.lock().expect("nobody panicked");
                all.push(connection.try_clone().expect("another handle"));
                let theirs = Arc::clone(&theirs);
                thread::spawn(move || theirs.serve(connection));
            }
        });
        Self { address, inner }
    }

    pub fn url(&self) -> String {
        format!("http://{}/rpc", self.address)
    }

    /// How many connections there were.
    pub fn connections(&self) -> usize {
        self.inner
            .connections
            .lock()
            .expect("nobody panicked")
            .len()
    }

    /// How many questions there were.
    pub fn questions(&self) -> usize {
        self.inner.questions.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.inner.end(self.address);
    }
}

impl Inner {
    fn end(&self, address: SocketAddr) {
        self.is_over.store(true, Ordering::SeqCst);
        // So that the one who accepts looks up, and goes.
        let _ = TcpStream::connect(address);
        for connection in self.connections.lock().expect("nobody panicked").iter() {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn serve(&self, connection: TcpStream) {
        let address = connection.local_addr().expect("an address");
        let mut input = BufReader::new(connection.try_clone().expect("another handle"));
        let mut output = connection;
        while let Some(asked) = self.read(&mut input) {
            self.questions.fetch_add(1, Ordering::SeqCst);
            let (answer, is_last) = match (self.play)(&asked) {
                Reply::Well => (response(200, "", asked.right().as_bytes()), false),
                Reply::WellAndClose => (response(200, "", asked.right().as_bytes()), true),
                Reply::With(status, headers, body) => (response(status, &headers, &body), false),
                Reply::Raw(bytes) => (bytes, true),
                Reply::Hang => {
                    while !self.is_over.load(Ordering::SeqCst) {
                        thread::sleep(Duration::from_millis(5));
                    }
                    return;
                }
                Reply::Gone => return self.end(address),
            };
            if output.write_all(&answer).is_err() || is_last {
                break;
            }
        }
        let _ = output.shutdown(Shutdown::Both);
    }

    /// The next question. `None`: there is none.
    fn read(&self, input: &mut impl BufRead) -> Option<Asked> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if input.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let head = head.to_lowercase();
        let length = head.split("content-length: ").nth(1)?;
        let length = length.split("\r\n").next()?.parse().ok()?;
        let mut body = vec![0; length];
        input.read_exact(&mut body).ok()?;
        let line = String::from_utf8(body).expect("UTF-8");
        let mut message: Value = serde_json::from_str(&line).expect("a question is JSON");
        Some(Asked {
            id: message["id"].take(),
            method: message["method"].as_str().expect("a method").to_owned(),
            params: message["params"].to_string(),
            head,
            line,
            answers: self.answers.clone(),
        })
    }
}

/// A whole response.
pub fn response(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} It\r\n{headers}content-length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}
