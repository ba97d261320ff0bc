"use strict";
// Filters, kept in the URL; deep links; keys. Without this all is there, unfiltered.
(() => {
  const form = document.querySelector("form.filters");
  const rules = [...document.querySelectorAll("details.rule")];
  const texts = new Map();
  const text = (rule) => {
    if (!texts.has(rule)) texts.set(rule, rule.textContent.toLowerCase());
    return texts.get(rule);
  };
  const chosen = (name) => new FormData(form).getAll(name).filter(Boolean);

  const fits = (rule) => {
    const data = rule.dataset;
    const has = (name) => {
      const wanted = chosen(name);
      return !wanted.length || data[name].split(" ").some((word) => wanted.includes(word));
    };
    const words = (chosen("q")[0] || "").toLowerCase().split(/\s+/).filter(Boolean);
    return has("standing") && has("level") && has("profile")
      && (!chosen("differences").length || "differs" in data)
      && words.every((word) => text(rule).includes(word));
  };

  const apply = () => {
    let shown = 0;
    for (const rule of rules) {
      rule.hidden = !fits(rule);
      shown += !rule.hidden;
    }
    for (const family of document.querySelectorAll("section.family"))
      family.hidden = !family.querySelector("details.rule:not([hidden])");
    document.querySelector(".nothing").hidden = shown > 0;
    form.querySelector("output").value = `${shown} of ${rules.length} rules`;
  };

  const toUrl = () => {
    const url = new URL(location.href);
    url.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value)).toString();
    if (url.href !== location.href) history.replaceState(null, "", url);
  };

  const fromUrl = () => {
    const query = new URLSearchParams(location.search);
    for (const field of form.elements) {
      if (!field.name || field.type === "button") continue;
      if (field.type === "checkbox") field.checked = query.getAll(field.name).includes(field.value);
      else field.value = query.get(field.name) || "";
      if (field.tagName === "SELECT" && field.selectedIndex < 0) field.selectedIndex = 0;
    }
  };

  const changed = () => { apply(); toUrl(); };

  // A link to a rule or a case opens it, whatever the filters say.
  const follow = () => {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* no name */ }
    if (!target) return;
    for (let at = target; at; at = at.parentElement) {
      at.hidden = false;
      if (at.tagName === "DETAILS") at.open = true;
    }
    const own = target.querySelector(":scope > details");
    if (own) own.open = true;
    target.scrollIntoView({ block: "start" });
  };

  form.hidden = false;
  fromUrl();
  apply();
  follow();
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
  addEventListener("hashchange", follow);
  addEventListener("popstate", () => { fromUrl(); apply(); });

  const open = form.querySelector("button[name=open]");
  open.addEventListener("click", () => {
    const some = rules.filter((rule) => !rule.hidden);
    const all = some.every((rule) => rule.open);
    for (const rule of some) rule.open = !all;
    open.textContent = all ? "Open all" : "Close all";
  });

  const search = form.querySelector("input[type=search]");
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      changed();
    }
  });

  // On paper all is open that is not well.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.rule:not([hidden])[data-standing~=fails], details.rule[data-standing~=fails] .cases details")]
      .filter((one) => !one.open);
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of opened) one.open = false; });
})();
