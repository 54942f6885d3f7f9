// The licences of what is compiled into the package's modules: each text once, with the crates that it is of.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const HEAD = `Licences of the crates that are compiled into the WebAssembly of rectilinear-zarr. Where a crate may be used by
one of several licences, it is used by the first of these that it offers: MIT, Apache-2.0, or the one below. Rust's
standard library is used by the MIT licence of the Rust project.
`;

// What Cargo knows of all crates; it downloads those that no build here has needed yet.
function metadata() {
  const args = ["metadata", "--format-version", "1", "--locked", "--all-features", "--filter-platform", "wasm32-unknown-unknown"];
  return JSON.parse(execFileSync("cargo", args, { cwd: ROOT, maxBuffer: 2 ** 28, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }));
}

// Crates that the modules need when they run: not those that only compile them.
function compiledIn({ packages, resolve }) {
  const byId = new Map(packages.map((crate) => [crate.id, crate]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const isMacro = ({ targets }) => targets.every(({ kind }) => kind.some((one) => ["proc-macro", "custom-build"].includes(one)));
  const found = new Set();
  const add = (id) => {
    if (found.has(id) || isMacro(byId.get(id))) return;
    found.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) add(pkg);
  };
  packages.filter(({ manifest_path }) => relative(ROOT, manifest_path).startsWith("src/wasm/")).forEach(({ id }) => add(id));
  return [...found].map((id) => byId.get(id)).filter(({ source }) => source !== null);
}

// The text of a crate's licence; of several, the MIT licence.
function textOf({ license, manifest_path }) {
  const folder = dirname(manifest_path);
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|unlicense)/i.test(name)).sort();
  const files = names.flatMap((name) => {
    try {
      return [[name, readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim()]];
    } catch {
      // A folder of texts.
      return readdirSync(join(folder, name)).sort().map((inner) => [inner, readFileSync(join(folder, name, inner), "utf8").replaceAll("\r\n", "\n").trim()]);
    }
  });
  const isChoice = /\bMIT\b/.test(license ?? "") && / OR |\//.test(license ?? "");
  const mit = isChoice && files.filter(([name, text]) => /mit/i.test(name) || text.includes("Permission is hereby granted, free of charge"));
  const texts = (mit?.length ? mit.slice(0, 1) : files).map(([, text]) => text);
  return texts.length > 0 ? texts.join("\n\n") : `Licence: ${license}. The crate has no text of it.`;
}

// The notices, the same for the same Cargo.lock.
export function notices() {
  const byText = new Map();
  const named = compiledIn(metadata()).map((crate) => [`${crate.name} ${crate.version} (${crate.license})${crate.repository ? `, ${crate.repository}` : ""}`, textOf(crate)]);
  for (const [name, text] of named.sort(([a], [b]) => (a < b ? -1 : 1))) byText.set(text, [...(byText.get(text) ?? []), name]);
  const parts = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return [HEAD, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}
