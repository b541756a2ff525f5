//! The module's C interface. A request is written to [`sanki_room`], the answer is read at [`sanki_answer`]; both are
//! JSON, but for the model's file. Only one worker calls, and a panic ends the module.

use std::cell::RefCell;

use super::Table;

/// What lies between two calls.
#[derive(Default)]
struct Desk {
    request: Vec<u8>,
    answer: Vec<u8>,
    table: Option<Table>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Makes room for a request of so many bytes, and says where.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sanki_room(length: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.request = vec![0; length];
        desk.request.as_mut_ptr()
    })
}

/// Opens the model whose file is the request, and gives the length of the answer.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sanki_open() -> usize {
    DESK.with_borrow_mut(|desk| {
        let request = std::mem::take(&mut desk.request);
        desk.answer = match Table::open(&request) {
            Ok(table) => desk.table.insert(table).about(),
            Err(error) => failure(&format!("{error:#}")),
        };
        desk.answer.len()
    })
}

/// Answers the request, and gives the length of the answer.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sanki_ask() -> usize {
    DESK.with_borrow_mut(|desk| {
        let answer = desk.table.as_mut().map(|table| table.ask(&desk.request));
        desk.answer = match answer {
            Some(Ok(answer)) => answer,
            Some(Err(error)) => failure(&format!("{error:#}")),
            None => failure("no model was opened"),
        };
        desk.answer.len()
    })
}

/// Where the last answer is. It stays there until the next one.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sanki_answer() -> *const u8 {
    DESK.with_borrow(|desk| desk.answer.as_ptr())
}

fn failure(error: &str) -> Vec<u8> {
    serde_json::json!({ "error": error }).to_string().into_bytes()
}
