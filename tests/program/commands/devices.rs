//! `sanki devices`.

use serde_json::{Value, json};

use super::{sanki, stdout};

#[test]
fn a_check_without_gpu_support_says_that_it_checked_nothing() {
    if cfg!(any(feature = "wgpu", feature = "cuda")) {
        return;
    }
    let told = stdout(&sanki(&["devices", "--check"], ""));
    assert!(told.contains("nothing was checked: this program was built without GPU support"), "{told}");
    let devices = |more: &[&str]| -> Value {
        let args = [&["devices", "--json"], more].concat();
        serde_json::from_str(&stdout(&sanki(&args, ""))).expect("JSON")
    };
    let checked = devices(&["--check"]);
    assert_eq!((&checked["checks"], &checked["gpu_support"]), (&json!([]), &json!(false)));
    assert_eq!(devices(&[]).get("checks"), None, "nobody asked");
}
