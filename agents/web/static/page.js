"use strict";
// The page shows what the server sends and sends back which button was pressed; it knows no rules.
// A drawing is changed into the next one element by element, by id, so that CSS can move things.

const $ = (id) => document.getElementById(id);
const say = (message) => socket?.readyState === 1 && socket.send(JSON.stringify(message));
const key = () => location.hash.slice(1);
let socket, lobby, now = null, seen = { hand: 0, steps: 0, at: 0 }, alertTimer = 0;

// ---- connection

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
  socket.onmessage = (event) => { const message = JSON.parse(event.data); hear[message.type](message); };
  socket.onclose = () => { $("status").textContent = "The connection is lost; trying again."; setTimeout(connect, 1000); };
}

const hear = {
  lobby(message) {
    lobby = message;
    $("status").textContent = "";
    fillLobby();
    if (key()) say({ do: "join", table: key(), token: sessionStorage.getItem(key()) });
    else if (lobby.library) look();
    else show("lobby");
  },
  seated(message) {
    sessionStorage.setItem(message.table, message.token);
    history.replaceState(null, "", `#${message.table}`);
    $("chat").replaceChildren();
    $("felt").replaceChildren();
    now = null;
    show("table");
  },
  state(message) {
    const before = now;
    now = message;
    if ($("look").hidden) show("table");
    drawTable(before);
  },
  refused(message) {
    $("alert").textContent = message.sentence;
    $("alert").hidden = false;
    clearTimeout(alertTimer);
    alertTimer = setTimeout(() => { $("alert").hidden = true; }, 8000);
    if (!now && key()) { history.replaceState(null, "", "/"); hear.lobby(lobby); }
    if (now) drawChoices(true);
  },
  hint(message) {
    if (now && message.hand === now.hand && message.decision === now.decision) lines($("hint"), message.lines);
  },
  graph(message) { $("graph").innerHTML = message.svg; },
  file(message) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([message.text], { type: "text/plain" }));
    link.download = message.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    const count = message.refused.length;
    if (count) hear.refused({ sentence: `${count} hands are not in the file, such as: ${message.refused[0]}` });
  },
  titles(message) {
    for (const entry of message.titles) {
      const button = make("button", `${entry.hand}. ${entry.text}`);
      button.value = entry.hand;
      button.onclick = () => step(entry.hand, 0);
      $("titles").append(wrap("li", button));
    }
    $("more").hidden = $("titles").children.length >= message.total;
    if (!message.total) $("line").textContent = "No hand is over yet.";
    if (message.titles.length && !seen.hand) step(message.titles[0].hand, 0);
  },
  step(message) {
    const jump = message.hand !== seen.hand;
    seen = { hand: message.hand, steps: message.steps, at: message.step };
    $("title").textContent = message.title;
    $("line").textContent = `Step ${message.step} of ${message.steps}${message.note && `: ${message.note}`}`;
    $("at").max = message.steps;
    $("at").value = message.step;
    $("back").disabled = $("first").disabled = message.step === 0;
    $("on").disabled = $("last").disabled = message.step === message.steps;
    $("advice").textContent = message.advice;
    pairs($("shares"), message.equity.map((entry) => [entry.name, `${(100 * entry.share).toFixed(1)} %`]));
    for (const button of $("titles").querySelectorAll("button")) button.setAttribute("aria-current", +button.value === seen.hand);
    morph($("picture"), message.svg, jump);
  },
};

// ---- small things of the document

function make(tag, text = "", kind = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function wrap(tag, ...inside) {
  const element = document.createElement(tag);
  element.append(...inside);
  return element;
}

const lines = (box, texts) => box.replaceChildren(...texts.map((text) => make("p", text)));

const signed = (bb) => (Math.abs(bb) < 0.05 ? "0.0" : (bb > 0 ? "+" : "−") + Math.abs(bb).toFixed(1));

function pairs(list, entries) {
  list.replaceChildren(...entries.flatMap(([name, value, kind]) => [make("dt", name, kind), make("dd", value, kind)]));
}

function show(view) {
  if ($(view).hidden) scrollTo(0, 0);
  for (const other of ["lobby", "table", "look"]) $(other).hidden = other !== view;
  $("leave").hidden = view === "lobby" || (view === "look" && !now);
  if (view !== "table") $("felt").replaceChildren(); // ids are unique: one drawing at a time
  if (view !== "look") $("picture").replaceChildren();
}

// ---- drawings

function place(element, transform = element.getAttribute("transform")) {
  const [, x, y, rest] = /translate\(([-\d.]+) ([-\d.]+)\)(.*)/.exec(transform) || [];
  if (x !== undefined) element.style.transform = `translate(${x}px, ${y}px)${rest}`;
}

const groups = (svg) => [...svg.children].filter((child) => child.id);
const find = (svg, id) => svg.querySelector(`:scope > [id="${id}"]`);

function morph(holder, text, fresh) {
  const next = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  next.classList.toggle("four", $("four").checked);
  const old = holder.firstElementChild;
  if (!old || groups(old).filter((g) => g.id.startsWith("seat")).length !== groups(next).filter((g) => g.id.startsWith("seat")).length) {
    holder.replaceChildren(next);
    groups(next).forEach((group) => place(group));
    return;
  }
  for (const name of ["class", "aria-label"]) old.setAttribute(name, next.getAttribute(name));
  if (fresh) old.querySelectorAll(".card, .bet").forEach((card) => card.remove());
  for (const gone of groups(old)) if (!find(next, gone.id)) sendOff(old, gone);
  let previous = [...old.children].filter((child) => !child.id).pop();
  const coming = [];
  for (const group of groups(next)) {
    let current = find(old, group.id);
    if (current && !current.classList.contains("leaving")) change(current, group);
    else {
      current?.remove();
      coming.push(current = group);
      previous.after(current);
      place(current, origin(old, current));
    }
    previous = current;
  }
  old.getBoundingClientRect(); // lays the newcomers out where they come from, before they move
  coming.forEach((group, order) => {
    group.style.transitionDelay = group.classList.contains("card") ? `${Math.min(order, 24) * 25}ms` : "";
    place(group);
  });
}

function change(current, group) {
  if (current.innerHTML !== group.innerHTML) current.innerHTML = group.innerHTML;
  for (const { name, value } of group.attributes) if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  current.style.transitionDelay = "";
  place(current);
}

// Cards come from the middle, bets from their seat; bets go to the pot.
function origin(svg, group) {
  if (group.classList.contains("card")) return "translate(400 250)";
  const seat = group.classList.contains("bet") && find(svg, group.id.replace("bet", "seat"));
  return (seat || group).getAttribute("transform");
}

function sendOff(svg, group) {
  if (!group.classList.contains("bet")) return group.remove();
  group.classList.add("leaving");
  place(group, find(svg, "pot-0")?.getAttribute("transform") || "translate(400 300)");
  setTimeout(() => group.remove(), 450);
}

// ---- the table

function drawTable(before) {
  const { hand = 0, svg = "", open, host, seat } = now;
  if (svg && $("look").hidden) morph($("felt"), svg, hand !== before?.hand);
  $("invite").hidden = !open;
  $("waiting").textContent = `Waiting for ${open} more ${open === 1 ? "person" : "people"}.`;
  $("link").textContent = $("link").href = location.href;
  $("sit").hidden = seat !== null;
  $("start").hidden = !host;
  $("status").textContent = now.note || (!svg && !open ? "The table is being laid; the first time takes some seconds."
    : now.paused ? "Paused: no new hand is dealt." : seat === null ? "You are watching." : "");
  $("speed").value = now.speed;
  $("pause").textContent = now.paused ? "Go on" : "Pause";
  $("speed").disabled = $("pause").disabled = !host;
  $("muck").disabled = seat === null;
  $("muck").checked = now.auto_muck !== false;
  const count = now.hands || 0;
  $("played").textContent = `Score after ${count} ${count === 1 ? "hand" : "hands"}, in big bets`;
  pairs($("score"), (now.score || []).map(({ name, bb }, at) => [name, signed(bb), at === seat ? "mine" : ""]));
  chat();
  drawChoices();
  if ($("course").open && count !== before?.hands) say({ do: "graph" });
  if (hand !== before?.hand || now.decision !== before?.decision || now.choices.length !== before?.choices.length) askHint();
}

function chat() {
  const list = $("chat"), below = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
  for (const [, line] of now.chat) {
    list.append(make("li", line, /^Hand \d+\.$/.test(line) ? "head" : / (wins|splits) /.test(line) ? "won" : ""));
  }
  while (list.children.length > 300) list.firstChild.remove();
  if (below) list.scrollTop = list.scrollHeight;
}

// Buttons are made anew only when they change: a click that has begun must find its button.
function drawChoices(again = false) {
  const next = !now.choices.length && now.host && !!(now.note || now.over) && !now.open;
  const wanted = JSON.stringify([now.hand, now.decision, now.choices, next]);
  if (!again && wanted === $("choices").dataset.shown) return;
  $("choices").dataset.shown = wanted;
  const buttons = now.choices.map(({ action, key: letter, label }) => {
    const button = make("button", label, action === "fold" ? "quiet" : "");
    button.dataset.action = action;
    button.append(make("kbd", letter.toUpperCase()));
    button.onclick = () => {
      for (const other of $("choices").children) other.disabled = true;
      say({ do: "act", action, hand: now.hand, decision: now.decision });
    };
    return button;
  });
  if (next) {
    const button = make("button", "Next hand", "quiet");
    button.id = "next";
    button.append(make("kbd", "N"));
    button.onclick = () => say({ do: "next" });
    buttons.push(button);
  }
  $("choices").replaceChildren(...buttons);
}

function askHint() {
  if ($("hints").open && (now.choices.length || (now.seat === null && !now.over))) say({ do: "hint" });
  else lines($("hint"), [`They come with ${now.seat === null ? "the" : "your"} next decision.`]);
}

// ---- hands to look up

function look() {
  seen = { hand: 0, steps: 0, at: 0 };
  show("look");
  $("return").textContent = now ? "Back to the table" : "Play";
  $("titles").replaceChildren();
  $("title").textContent = $("line").textContent = "";
  say({ do: "titles", start: 0 });
}

function step(hand, at) {
  say({ do: "step", hand, step: Math.max(0, at), equity: $("equity").checked, player: $("player").value || null });
}

// ---- the lobby

function fillLobby() {
  if ($("rules").options.length) return;
  for (const [name, stakes] of Object.entries(lobby.rules)) $("rules").add(new Option(`${name.replaceAll("_", " ")}: ${stakes}`, name));
  for (let count = 2; count <= 8; count++) $("seats").add(new Option(count, count, false, count === 6));
  for (const name of lobby.players) $("player").add(new Option(name, name));
  planSeats(true);
}

function planSeats(mine) {
  const usual = lobby.players.slice(0, 3), kept = [...$("plan").querySelectorAll("select")].map((select) => select.value);
  $("plan").querySelectorAll("label").forEach((label) => label.remove());
  for (let seat = 0; seat < +$("seats").value; seat++) {
    const select = document.createElement("select");
    select.add(new Option("me", "me"));
    select.add(new Option("open for a guest", "open"));
    for (const name of lobby.players) select.add(new Option(name, name));
    select.value = kept[seat] || (seat === 0 && mine ? "me" : usual[seat % usual.length]);
    $("plan").append(wrap("label", `Seat ${seat + 1}`, select));
  }
}

function order(seats) {
  const seed = $("seed").value.trim();
  say({ do: "create", seats, name: $("name").value, rules: $("rules").value, stacks: +$("stacks").value, carry: $("carry").checked, seed: seed ? +seed : null });
}

const planned = () => [...$("plan").querySelectorAll("select")].map((select) => select.value);
const bot = (seat, at) => (seat === "me" || seat === "open" ? lobby.players[at % 3] : seat);

$("order").onsubmit = (event) => { event.preventDefault(); order(planned()); };
$("watch").onclick = () => order(planned().map(bot));
$("seats").onchange = () => planSeats(true);
$("leave").onclick = () => { say({ do: "leave" }); history.replaceState(null, "", "/"); now = null; show("lobby"); };
$("sit").onclick = () => say({ do: "sit", name: prompt("Your name", $("name").value)?.trim() || "Guest" });
$("start").onclick = () => say({ do: "start" });
$("speed").onchange = () => { $("speed").blur(); say({ do: "speed", speed: $("speed").value }); };
$("pause").onclick = () => say({ do: "pause", on: !now.paused });
$("muck").onchange = () => say({ do: "auto_muck", on: $("muck").checked });
$("four").onchange = () => document.querySelectorAll("svg.razz").forEach((svg) => svg.classList.toggle("four", $("four").checked));
$("hints").ontoggle = () => now && askHint();
$("course").ontoggle = () => $("course").open && say({ do: "graph" });
$("hands").onclick = look;
$("return").onclick = () => { if (now) { show("table"); drawTable(null); } else show("lobby"); };
$("more").onclick = () => say({ do: "titles", start: $("titles").children.length });
$("at").oninput = () => step(seen.hand, +$("at").value);
$("first").onclick = () => step(seen.hand, 0);
$("back").onclick = () => step(seen.hand, seen.at - 1);
$("on").onclick = () => step(seen.hand, seen.at + 1);
$("last").onclick = () => step(seen.hand, seen.steps);
$("equity").onchange = $("player").onchange = () => { $("player").blur(); if (seen.hand) step(seen.hand, seen.at); };
for (const button of document.querySelectorAll(".download")) button.onclick = () => say({ do: "download", format: button.value });

document.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input:not([type=checkbox])")) return;
  if (!$("look").hidden) return { ArrowLeft: $("back"), ArrowRight: $("on"), Home: $("first"), End: $("last") }[event.key]?.click();
  if ($("table").hidden || event.repeat) return;
  const wanted = now?.choices.find((choice) => choice.key === event.key.toLowerCase());
  if (wanted) $("choices").querySelector(`[data-action="${wanted.action}"]`).click();
  else if (event.key.toLowerCase() === "n") $("next")?.click();
};

connect();
