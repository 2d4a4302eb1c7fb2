// `node dist/bench/summarize-profile.js FILE.cpuprofile [DIVISOR]` tells where the time of a thread went. With a
// divisor, such as the number of sends meanwhile, it also tells the microseconds of each.
import { readFileSync } from 'node:fs';

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  /** Ids of the nodes that were running, one a sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

const [file, divisor] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node dist/bench/summarize-profile.js FILE.cpuprofile [DIVISOR]');
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
const each = divisor === undefined ? null : Number(divisor);

const byId = new Map(nodes.map((node) => [node.id, node]));
const parents = new Map<number, number>();
for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node.id);

const self = new Map<number, number>();
let total = 0;
let idle = 0;
for (const [index, id] of samples.entries()) {
  const time = timeDeltas[index] ?? 0;
  if (byId.get(id)?.callFrame.functionName === '(idle)') {
    idle += time;
    continue;
  }
  self.set(id, (self.get(id) ?? 0) + time);
  total += time;
}

function frameOf(id: number): CallFrame {
  const node = byId.get(id);
  if (!node) throw new Error(`the profile has no node ${id}`);
  return node.callFrame;
}

function placeOf({ functionName, url, lineNumber }: CallFrame) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  const path = url.replace(/^file:\/\//, '').replace(/^.*\/dist\//, '');
  const [, inPackage] = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(path) ?? [];
  return inPackage === undefined
    ? path
    : `node_modules/${inPackage}${path.slice(path.lastIndexOf('/'))}:${lineNumber + 1}`;
}

const partOf = (frame: CallFrame) =>
  placeOf(frame)
    .replace(/^(node_modules\/(?:@[^/]+\/)?[^/]+).*/, '$1')
    .replace(/^node:.*/, 'node');
const functionOf = (frame: CallFrame) =>
  `${frame.functionName || '(anonymous)'}  ${placeOf(frame)}:${frame.lineNumber + 1}`;

const bySelf = new Map<string, number>();
const byPart = new Map<string, number>();
const byInclusive = new Map<string, number>();
for (const [id, time] of self) {
  const frame = frameOf(id);
  add(bySelf, functionOf(frame), time);
  add(byPart, partOf(frame), time);
  const seen = new Set();
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const name = functionOf(frameOf(at));
    if (!seen.has(name)) add(byInclusive, name, time);
    seen.add(name);
  }
}

console.log(`busy ${(total / 1e6).toFixed(2)} s, idle ${(idle / 1e6).toFixed(2)} s`);
print('by file or package, own time', byPart, 40);
print('by function, own time', bySelf, 45);
print('by function, with what it calls', byInclusive, 90);

function add(table: Map<string, number>, name: string, time: number) {
  table.set(name, (table.get(name) ?? 0) + time);
}

function print(title: string, table: Map<string, number>, limit: number) {
  console.log(`\n${title}`);
  const sorted = [...table].sort(([, a], [, b]) => b - a).slice(0, limit);
  for (const [name, time] of sorted) {
    const cost = each === null ? '' : `${(time / each).toFixed(1).padStart(8)} µs`;
    console.log(`${((100 * time) / total).toFixed(1).padStart(6)} %${cost}  ${name}`);
  }
}
