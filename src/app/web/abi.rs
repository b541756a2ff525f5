//! The module's C interface. A request is written to [`sanki_room`], the answer is read at [`sanki_answer`]; both are
//! JSON, but for the model's file. Only one worker calls, and a panic ends the module.

use std::cell::RefCell;

use super::PlaySession;

/// What lies between two calls.
#[derive(Default)]
struct WasmState {
    request: Vec<u8>,
    answer: Vec<u8>,
    table: Option<PlaySession>,
}

thread_local! {
    static STATE: RefCell<WasmState> = RefCell::default();
}

/// Makes room for a request of `length` bytes, and says where.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sanki_room(length: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.request = vec![0; length];
        state.request.as_mut_ptr()
    })
}

/// Opens the model whose file is the request, and gives the length of the answer.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sanki_open() -> usize {
    STATE.with_borrow_mut(|state| {
        let request = std::mem::take(&mut state.request);
        state.answer = match PlaySession::open(&request) {
            Ok(table) => state.table.insert(table).about(),
            Err(error) => failure(&format!("{error:#}")),
        };
        state.answer.len()
    })
}

/// Answers the request, and gives the length of the answer.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sanki_ask() -> usize {
    STATE.with_borrow_mut(|state| {
        let answer = state.table.as_mut().map(|table| table.ask(&state.request));
        state.answer = match answer {
            Some(Ok(answer)) => answer,
            Some(Err(error)) => failure(&format!("{error:#}")),
            None => failure("no model was opened"),
        };
        state.answer.len()
    })
}

/// Where the last answer is. It stays there until the next one.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sanki_answer() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

fn failure(error: &str) -> Vec<u8> {
    serde_json::json!({ "error": error }).to_string().into_bytes()
}
