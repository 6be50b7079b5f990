// The page of `compass ui`. Its token lives in this script alone: a reload needs a new link.
// It asks for parts that the server has made as HTML, and never for a release of anything.

const view = document.getElementById("view");
const said = document.getElementById("said");
const state = document.getElementById("state");
const stateText = document.getElementById("state-text");
const project = document.getElementById("project");
const count = document.querySelector("nav .count");
const titles = { checks: "Checks", check: "Check" };
const RETRIES = 8;

let token = "";
let stream = null; // The AbortController of the stream that is open.
let mark = ""; // From where a stream goes on.
let shown = 0; // Which navigation is the newest: a slower one before it is dropped.
let fresh = 0; // Checks that came while another view was open.
let over = false;

function part(html) {
  // Inert until it is put in, and then under the page's policy: no script and no handler of a text would run.
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function tell(status, text) {
  state.className = status;
  stateText.textContent = text;
}

function notice(title, ...lines) {
  over = true;
  token = "";
  if (stream) stream.abort();
  const box = document.createElement("div");
  box.className = "notice";
  const head = document.createElement("h1");
  head.tabIndex = -1;
  head.textContent = title;
  box.append(head);
  for (const line of lines) {
    const code = line.startsWith("$ ");
    const one = document.createElement(code ? "pre" : "p");
    if (code) {
      one.className = "command";
      one.tabIndex = 0;
      const inner = document.createElement("code");
      inner.textContent = line.slice(2);
      one.append(inner);
    } else one.textContent = line;
    box.append(one);
  }
  document.getElementById("choose").hidden = true;
  view.replaceChildren(box);
  head.focus();
}

class Refused extends Error {
  constructor(status, cause) {
    super(cause);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  const headers = { ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  const found = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  if (found.ok) return found;
  let cause = `the service answered ${found.status}`;
  try {
    cause = (await found.json()).error || cause;
  } catch {
    // No JSON: the status alone is told.
  }
  throw new Refused(found.status, cause);
}

function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, id] = path.split("/");
  const given = new URLSearchParams(query || "");
  try {
    if (id) given.set("id", decodeURIComponent(id));
  } catch {
    // Not an id of ours.
  }
  return { name: name in titles ? name : "checks", given };
}

function failed(error) {
  if (error.name === "AbortError") return;
  if (error instanceof Refused && error.status === 401) {
    notice("This page is closed", error.message + ".", "$ compass ui");
  } else if (error instanceof Refused) {
    view.replaceChildren(part('<div class="empty" role="alert"><h1 tabindex="-1">That did not work</h1><p></p></div>'));
    view.querySelector("p").textContent = error.message;
  } else ended();
}

function ended() {
  notice(
    "The service has stopped",
    "It stops when it has been idle for a while, and after an upgrade. The next hook starts another.",
    "$ compass ui",
    "opens this page again."
  );
  tell("off", "ended");
}

async function go() {
  if (!token || over) return;
  const turn = ++shown;
  const { name, given } = place();
  const where = new URLSearchParams(given);
  where.set("project", project.value);
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.dataset.view === (name === "check" ? "checks" : name);
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  view.setAttribute("aria-busy", "true");
  try {
    const found = await ask(`/page/view/${name}?${where}`);
    const html = await found.text();
    if (turn !== shown) return;
    put(html, name);
    if (name === "checks") {
      fresh = 0;
      count.hidden = true;
      mark = document.getElementById("mark").dataset.mark;
      listen(given.get("only") || "");
    } else if (!stream) listen("");
  } catch (error) {
    if (turn === shown) failed(error);
  } finally {
    if (turn === shown) view.removeAttribute("aria-busy");
  }
}

function put(html, name) {
  view.replaceChildren(part(html));
  const head = view.querySelector("h1");
  view.dataset.shown = location.hash;
  document.title = `${name === "check" && head ? head.textContent : titles[name]} \u00b7 Compass`;
  if (head) head.focus({ preventScroll: true });
  scrollTo(0, 0);
}

async function listen(only) {
  if (stream) stream.abort();
  const own = (stream = new AbortController());
  let tries = 0;
  while (!own.signal.aborted && !over) {
    try {
      const where = new URLSearchParams({ project: project.value, only, after: mark });
      const found = await ask(`/page/stream?${where}`, { signal: own.signal });
      tell("on", "live");
      tries = 0;
      await read(found.body.pipeThrough(new TextDecoderStream()).getReader(), own);
    } catch (error) {
      if (own.signal.aborted || over) return;
      if (error instanceof Refused && error.status === 401) return failed(error);
    }
    if (own.signal.aborted || over) return;
    if (++tries > RETRIES) return ended();
    tell("off", "reconnecting");
    await new Promise((done) => setTimeout(done, 250 * 2 ** Math.min(tries, 4)));
  }
}

async function read(reader, own) {
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done || own.signal.aborted) return;
    rest += value;
    const events = rest.split("\n\n");
    rest = events.pop();
    for (const one of events) heard(one);
    if (over) return;
  }
}

function heard(text) {
  let kind = "";
  const data = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("event: ")) kind = line.slice(7);
    else if (line.startsWith("id: ")) mark = line.slice(4);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  const html = data.join("\n");
  if (kind === "check") came(html);
  else if (kind === "end") {
    if (html === "closing") ended();
    else notice("This page is closed", "It has expired.", "$ compass ui");
  } else if (kind === "fault") tell("off", html);
  else if (kind === "tiles") {
    const target = document.getElementById(kind);
    if (target) target.replaceChildren(part(html));
  }
}

function came(html) {
  const rows = document.getElementById("rows");
  const row = part(html);
  const one = row.firstElementChild;
  if (rows && one) {
    if (rows.querySelector(`[data-place="${Number(one.dataset.place)}"]`)) return;
    for (const empty of view.querySelectorAll(".empty")) empty.remove();
    one.classList.add("fresh");
    rows.prepend(row);
    while (rows.children.length > 300) rows.lastElementChild.remove();
  } else {
    count.textContent = String(++fresh);
    count.hidden = false;
  }
  if (one && one.dataset.said) say(`New check, ${one.dataset.said}`);
}

function say(text) {
  said.textContent = text;
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  (view.querySelector("h1") || view).focus();
});

project.addEventListener("change", () => {
  mark = "";
  if (stream) stream.abort();
  stream = null;
  go();
});

addEventListener("hashchange", () => {
  if (new URLSearchParams(location.hash.slice(1)).has("link")) start();
  else go();
});

async function start() {
  const given = new URLSearchParams(location.hash.slice(1));
  const link = given.get("link");
  // Neither the address bar nor the history keeps it.
  history.replaceState(null, "", "/");
  if (!link) {
    notice(
      "This page needs a link",
      "Its key is kept in memory only, so that nothing on the disk opens it. A reload, a new tab or a bookmark needs a new link:",
      "$ compass ui"
    );
    return;
  }
  try {
    over = false;
    token = (await (await post("/page/link", { secret: link })).json()).token;
    project.replaceChildren(part(await (await ask("/page/view/projects")).text()));
    document.getElementById("choose").hidden = false;
    location.replace("#/checks");
  } catch (error) {
    if (error instanceof Refused) notice("This link does not work", error.message + ".", "$ compass ui");
    else ended();
  }
}

start();
