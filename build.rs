//! Puts the built files of the analysis board (`web/dist/site`, made by `npm run build` in `web/`) into the binary, each with
//! its compressed forms. Where there are none, the binary has none either and says so at `/`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Watched as a whole; the README in it is always there, so that a build without Node is not taken for an outdated one.
const WATCHED: &str = "web/dist";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={WATCHED}");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let site = root.join(WATCHED).join("site");
    let mut files = Vec::new();
    collect(&site, &mut files);
    files.retain(|path| !is_compressed(path));
    files.sort();
    let mut table = String::from("pub(super) static FILES: &[File] = &[\n");
    for path in &files {
        let name = path.strip_prefix(&site).expect("it was found below the site");
        let name = name.to_str().expect("built names are ASCII").replace('\\', "/");
        let bytes = fs::read(path).expect("the file was just listed");
        let plain = included(path);
        let (brotli, gzip) = (compressed(path, "br"), compressed(path, "gz"));
        writeln!(
            table,
            "    File {{ path: {name:?}, etag: \"\\\"{:016x}\\\"\", plain: {plain}, brotli: {brotli}, gzip: {gzip} }},",
            fnv1a(&bytes)
        )
        .expect("a text takes everything");
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it"));
    fs::write(out.join("site.rs"), table).expect("the output folder can be written");
}

/// All files below a folder; none when it is not there.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "br" || extension == "gz")
}

fn included(path: &Path) -> String {
    format!("include_bytes!({:?})", path.to_str().expect("the path of the checkout is UTF-8"))
}

/// The compressed form beside a file, where the build of the board found it worth making.
fn compressed(path: &Path, extension: &str) -> String {
    let beside = PathBuf::from(format!("{}.{extension}", path.display()));
    if beside.is_file() { format!("Some({})", included(&beside)) } else { "None".to_owned() }
}

/// FNV-1a, 64 bits: names the content for caches; nothing depends on its being hard to forge.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
