// @ts-check
// `node bench/summarize-profile.js FILE.cpuprofile [DIVISOR]`: where the time of a thread went. With a divisor, such as
// the number of sends meanwhile, in microseconds each.
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ functionName: string, url: string, lineNumber: number }} CallFrame
 * @typedef {{ id: number, callFrame: CallFrame, children?: number[] }} ProfileNode
 */

const [file, divisor] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node bench/summarize-profile.js FILE.cpuprofile [DIVISOR]');
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
const each = divisor === undefined ? null : Number(divisor);

/** @type {Map<number, ProfileNode>} */
const byId = new Map(nodes.map((/** @type {ProfileNode} */ node) => [node.id, node]));
/** @type {Map<number, number>} */
const parents = new Map();
for (const node of byId.values()) for (const child of node.children ?? []) parents.set(child, node.id);

const self = new Map();
let total = 0;
let idle = 0;
for (let index = 0; index < samples.length; index++) {
  const time = timeDeltas[index] ?? 0;
  if (byId.get(samples[index])?.callFrame.functionName === '(idle)') {
    idle += time;
    continue;
  }
  self.set(samples[index], (self.get(samples[index]) ?? 0) + time);
  total += time;
}

/** @param {CallFrame} frame */
function placeOf({ functionName, url, lineNumber }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  const path = url.replace(/^file:\/\//, '').replace(/^.*\/dist\//, '');
  const [, inPackage] = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(path) ?? [];
  return inPackage === undefined
    ? path
    : `node_modules/${inPackage}${path.slice(path.lastIndexOf('/'))}:${lineNumber + 1}`;
}

/** @param {CallFrame} frame */
const partOf = (frame) =>
  placeOf(frame)
    .replace(/^(node_modules\/(?:@[^/]+\/)?[^/]+).*/, '$1')
    .replace(/^node:.*/, 'node');
/** @param {CallFrame} frame */
const functionOf = (frame) => `${frame.functionName || '(anonymous)'}  ${placeOf(frame)}:${frame.lineNumber + 1}`;

/** @type {Map<string, number>} */
const bySelf = new Map();
/** @type {Map<string, number>} */
const byPart = new Map();
/** @type {Map<string, number>} */
const byInclusive = new Map();
for (const [id, time] of self) {
  const frame = /** @type {ProfileNode} */ (byId.get(id)).callFrame;
  add(bySelf, functionOf(frame), time);
  add(byPart, partOf(frame), time);
  const seen = new Set();
  for (let at = /** @type {number | undefined} */ (id); at !== undefined; at = parents.get(at)) {
    const name = functionOf(/** @type {ProfileNode} */ (byId.get(at)).callFrame);
    if (!seen.has(name)) add(byInclusive, name, time);
    seen.add(name);
  }
}

console.log(`busy ${(total / 1e6).toFixed(2)} s, idle ${(idle / 1e6).toFixed(2)} s`);
print('by file or package, own time', byPart, 40);
print('by function, own time', bySelf, 45);
print('by function, with what it calls', byInclusive, 90);

/** @param {Map<string, number>} table @param {string} name @param {number} time */
function add(table, name, time) {
  table.set(name, (table.get(name) ?? 0) + time);
}

/** @param {string} title @param {Map<string, number>} table @param {number} limit */
function print(title, table, limit) {
  console.log(`\n${title}`);
  const sorted = [...table].sort(([, a], [, b]) => b - a).slice(0, limit);
  for (const [name, time] of sorted) {
    const cost = each === null ? '' : `${(time / each).toFixed(1).padStart(8)} µs`;
    console.log(`${((100 * time) / total).toFixed(1).padStart(6)} %${cost}  ${name}`);
  }
}
