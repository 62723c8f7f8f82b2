//! The page's files are part of the program: a new one among them is a reason to build again.

fn main() {
    println!("cargo::rerun-if-changed=web");
}
