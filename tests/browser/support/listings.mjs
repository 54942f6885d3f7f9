/** Hosts that list what they hold: nginx, Python's server, and the documents of Apache and of buckets made of a folder. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { until } from "./network.mjs";
import { NGINX } from "./nginx.mjs";
import { passing } from "./passing.mjs";
import { freePort } from "./ports.mjs";

/** Passes requests on to a program that listens on `port`, once it does. */
async function behind(child, port) {
  let answers = false;
  await until(() => {
    fetch(`http://127.0.0.1:${port}/`).then(() => (answers = true), () => undefined);
    return answers;
  });
  return {
    handle: passing(port),
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** nginx with `autoindex on` for a folder. */
export async function nginxListing(folder) {
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), "rectilinear-zarr-listing-"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${home}/${name};`).join(" ");
  await writeFile(join(home, "nginx.conf"), `daemon off; master_process off; pid ${home}/pid; error_log stderr crit; events {}
    http { ${temporary} access_log off; root ${folder}; server { listen 127.0.0.1:${port}; autoindex on; } }`);
  const child = spawn(NGINX, ["-c", join(home, "nginx.conf"), "-p", home], { stdio: "ignore" });
  const found = await behind(child, port);
  return { ...found, close: () => found.close().then(() => rm(home, { recursive: true, force: true })) };
}

/** Python's `http.server` for a folder. */
export async function pythonListing(folder, python) {
  const port = await freePort();
  const child = spawn(python, ["-m", "http.server", port, "--bind", "127.0.0.1", "--directory", folder], { stdio: "ignore" });
  return behind(child, port);
}

/** The listing of mod_autoindex of Apache 2.4 with FancyIndexing for a folder that is served at `path`. */
export async function apacheIndex(folder, path) {
  const rows = await Promise.all((await readdir(folder)).filter((name) => !name.startsWith(".")).map(async (name) => {
    const isFolder = (await stat(join(folder, name))).isDirectory();
    const link = encodeURIComponent(name) + (isFolder ? "/" : "");
    return `<tr><td valign="top"><img src="/icons/${isFolder ? "folder" : "unknown"}.gif" alt="[   ]"></td><td><a href="${link}">${name}${isFolder ? "/" : ""}</a></td><td align="right">2026-11-23 10:00  </td></tr>`;
  }));
  return `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><html><head><title>Index of ${path}</title></head><body><h1>Index of ${path}</h1>
    <table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th></tr>
    <tr><td><a href="${dirname(path)}">Parent Directory</a></td></tr>${rows.join("\n")}</table>
    <address>Apache/2.4.62 (Debian) Server</address></body></html>`;
}

/** The answer of Amazon S3 and Google Cloud Storage to `ListObjectsV2` for a bucket that holds a folder, `most` names a page. */
export async function bucketListing(folder, url, most = 1000) {
  const { searchParams: query } = new URL(url);
  const prefix = query.get("prefix") ?? "";
  const names = (await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => [])).sort((a, b) => (a.name < b.name ? -1 : 1));
  const from = Number(query.get("continuation-token") ?? 0);
  const page = names.slice(from, from + most);
  const more = from + most < names.length;
  const rows = page.map((each) => (each.isDirectory() ? `<CommonPrefixes><Prefix>${prefix}${each.name}/</Prefix></CommonPrefixes>` : `<Contents><Key>${prefix}${each.name}</Key><Size>1</Size></Contents>`));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><Prefix>${prefix}</Prefix><Delimiter>/</Delimiter><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${from + most}</NextContinuationToken>` : ""}${rows.join("")}</ListBucketResult>`;
}
