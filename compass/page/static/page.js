// The page of `compass ui`. Its token lives in this script alone: a reload needs a new link.
// It asks for parts that the server has made as HTML, and never for a release of anything.

const view = document.getElementById("view");
const titles = { checks: "Checks", check: "Check" };
const EVERY_MS = 2000;

let token = "";
let shown = 0; // Which navigation is the newest: a slower one before it is dropped.
let last = ""; // What was shown last.
let over = false;

function part(html) {
  // Inert until it is put in, and then under the page's policy: no script and no handler of a text would run.
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function notice(title, ...lines) {
  over = true;
  token = "";
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
}

async function load() {
  const { name, given } = place();
  return (await ask(`/page/view/${name}?${given}`)).text();
}

async function go() {
  if (!token || over) return;
  const turn = ++shown;
  view.setAttribute("aria-busy", "true");
  try {
    const html = await load();
    if (turn === shown) put((last = html), place().name);
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

// Checks as they happen: the list is asked for again while somebody looks at it.
setInterval(async () => {
  if (!token || over || document.hidden || place().name !== "checks") return;
  const turn = shown;
  try {
    const html = await load();
    if (turn !== shown || html === last) return;
    const focused = document.activeElement.getAttribute("href");
    view.replaceChildren(part((last = html)));
    if (focused) view.querySelector(`a[href="${focused}"]`)?.focus({ preventScroll: true });
  } catch (error) {
    if (turn === shown) failed(error);
  }
}, EVERY_MS);

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  (view.querySelector("h1") || view).focus();
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
    location.replace("#/checks");
  } catch (error) {
    if (error instanceof Refused) notice("This link does not work", error.message + ".", "$ compass ui");
    else ended();
  }
}

start();
