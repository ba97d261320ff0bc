// Puts an engine to the cases of `standing`. Node 20 or later, and nothing else.
//
//     standing run --engine 'node adapter.mjs' SG-16
//     standing ask loops.resolve '{"edges": []}' --engine 'node adapter.mjs'
//
// `loops.resolve` is worked out here as an example. Put a call to your engine in its place, and
// add further operations to `operations` as you get to them; `standing operations NAME` prints
// what one is asked and answers. What is not in that table is declined, and its cases count as
// unsupported.

// The engine's own no, with the word that the case looks for:
//
//     throw new Refusal('run_ended', 'checkpoint cp_1 belongs to a run that has ended');
class Refusal extends Error {
  constructor(reason, message, data = {}) {
    super(message);
    this.data = { reason, ...data };
  }
}

// The engine has no notion of what this input asks for.
class Declined extends Error {}

// What is kept from question to question. Every case begins with a new one.
class Engine {
  runs = new Map();
}

// ---- The worked example. It works loops out by itself, which is your engine's to do and not an adapter's:
// ---- take it out, down to where it ends, and call your engine in its place.

// Which loops the edges make, which of them each node is in, and what is odd about them.
function resolveLoops(engine, { edges }) {
  // Nodes are keys of maps, never of plain objects: one of them may be called `__proto__`.
  const [after, before, tails] = [new Map(), new Map(), new Map()];
  for (const edge of edges) {
    const { source, target } = edge;
    if (!source || !target) continue; // a loose end joins nothing
    const kind = kindOf(edge);
    if (kind === 'loopback') {
      listed(tails, target).push(source);
    } else if (kind !== 'tool' && kind !== 'agent_result') {
      listed(after, source).push(target);
      listed(before, target).push(source);
    }
  }

  // One loop a head, however many tails: all that lies on a way from the head to any of them. A
  // head that leads to no tail is a loop of its own.
  const diagnostics = [];
  const drawn = [...tails.keys()].sort(byName).map((head) => {
    const below = reach(after, [head]);
    const ends = [...new Set(tails.get(head))].sort(byName);
    const above = reach(before, ends.filter((tail) => below.has(tail)));
    for (const tail of ends.filter((tail) => !below.has(tail))) {
      diagnostics.push({ code: 'no_cycle', head, tail });
    }
    const body = new Set([head, ...[...below].filter((node) => above.has(node))]);
    return { head, body, drawn: body.size, absorbed: [] };
  });

  const loops = merge(drawn).sort((a, b) => byName(a.head, b.head));
  for (const { head, absorbed } of loops) {
    if (absorbed.length) {
      diagnostics.push({ code: 'merged', head, absorbed: absorbed.sort(byName) });
    }
  }

  // Loops that still share a node are nested, so the larger one is the outer one.
  const memberships = new Map();
  for (const { head, body } of [...loops].sort((a, b) => b.body.size - a.body.size)) {
    for (const node of body) listed(memberships, node).push(head);
  }
  return {
    loops: Object.fromEntries(loops.map(({ head, body }) => [head, [...body].sort(byName)])),
    memberships: Object.fromEntries(memberships),
    diagnostics,
  };
}

// What an edge is: what the question says, else what handles and declared type say.
function kindOf({ kind, sourceHandle = '', targetHandle = '', data }) {
  if (kind !== undefined) return kind;
  const declared = data?.edgeType;
  const declares = typeof declared === 'string' && declared !== '';
  if (declares ? declared === 'tool_availability' : targetHandle.endsWith('-input-tool')) {
    return 'tool';
  }
  if (targetHandle.endsWith('-input-loop_back')) return 'loopback';
  if (targetHandle.endsWith('-input-trigger')) return 'trigger';
  return sourceHandle.endsWith('-output-error') ? 'error' : 'data';
}

// These nodes, and all that can be come to from them.
function reach(steps, nodes) {
  const seen = new Set(nodes);
  // A set is gone through in the order of its making, what is added meanwhile included.
  for (const node of seen) {
    for (const next of steps.get(node) ?? []) seen.add(next);
  }
  return seen;
}

// Makes one of the loops that share nodes while neither lies within the other.
function merge(loops) {
  for (;;) {
    let groups = [];
    for (const loop of loops) {
      const touches = (group) => group.some((other) => tangled(loop.body, other.body));
      const joined = [loop, ...groups.filter(touches).flat()];
      groups = [...groups.filter((group) => !touches(group)), joined];
    }
    if (groups.length === loops.length) return loops;
    // What a merger gives can be as large as another loop, and is then looked at again.
    loops = groups.map(merged);
  }
}

function tangled(one, other) {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  const shared = [...small].filter((node) => large.has(node)).length;
  return shared > 0 && (shared < small.size || small.size === large.size);
}

// The head of the largest body as drawn, or of the first by name, stands for all of them.
function merged(group) {
  const [first, ...others] = group.sort((a, b) => b.drawn - a.drawn || byName(a.head, b.head));
  const absorbed = others.flatMap((loop) => [loop.head, ...loop.absorbed]);
  return {
    ...first,
    body: new Set(group.flatMap((loop) => [...loop.body])),
    absorbed: [...first.absorbed, ...absorbed],
  };
}

// Names in the order of their bytes. JavaScript's own order is another one beyond U+FFFF.
function byName(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function listed(map, key) {
  if (!map.has(key)) map.set(key, []);
  return map.get(key);
}

// ---- The worked example ends here.

// A function here may be `async`: each answer is waited for before the next question is read.
const operations = new Map([['loops.resolve', resolveLoops]]);

const about = {
  protocol: 1,
  engine: { name: 'my engine', version: '0.1.0', language: 'javascript' },
  profiles: ['runtime'],
  operations: [...operations.keys()],
};

let engine = new Engine();

// The line that answers a question.
async function answer({ id, method, params = {} }) {
  const reply = (member) => JSON.stringify({ jsonrpc: '2.0', id, ...member });
  try {
    if (method === 'initialize') return reply({ result: about });
    if (method === 'reset') engine = new Engine();
    if (method === 'reset' || method === 'shutdown') return reply({ result: {} });
    if (!operations.has(method)) throw new Declined(`no ${method} here`);
    return reply({ result: (await operations.get(method)(engine, params)) ?? null });
  } catch (fault) {
    const message = String(fault?.message ?? fault);
    if (fault instanceof Refusal) return reply({ error: { code: 1, message, data: fault.data } });
    if (fault instanceof Declined) return reply({ error: { code: -32601, message } });
    console.error(fault); // this file's own failure, an error of that case alone
    return reply({ error: { code: -32603, message } });
  }
}

// Lines are taken apart by hand, because `readline` also breaks them at U+2028, which may stand in
// the middle of a JSON string.
async function* lines(stream) {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const [first, ...others] = chunk.split('\n');
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
  }
  yield rest;
}

const write = process.stdout.write.bind(process.stdout);
const say = (line) => new Promise((done) => write(`${line}\n`, done));
const complain = (code, message) =>
  say(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));

// What the engine prints is no answer.
process.stdout.write = process.stderr.write.bind(process.stderr);

for await (const line of lines(process.stdin)) {
  if (!line.trim()) continue;
  let question;
  try {
    question = JSON.parse(line);
  } catch (fault) {
    await complain(-32700, `no JSON: ${fault.message}`);
    continue;
  }
  if (typeof question?.method !== 'string') {
    await complain(-32600, 'no request');
    continue;
  }
  const text = await answer(question);
  if (question.id !== undefined) await say(text); // without an id it is a notification
  if (question.method === 'shutdown') break;
}
process.exit(); // also where the engine still holds something open
