#!/usr/bin/env node
// @ts-check
// Checks proofs of single events, or an export of a whole log, against a signed checkpoint. It needs Node.js alone: no
// package, no network, no other file of this project. docs/proof.md has the formats.
import { createDecipheriv, createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';

const USAGE = `Usage: node verify.mjs FILE --key KEY [--checkpoint FILE] [--witness KEY]... [--quorum N]

FILE          proofs (annals prove, annals audit --proofs --format json, GET /api/v1/audit/proof,
              GET /api/v1/audit/events?proofs=true) or an export (annals prove --all)
--key         the log's verifier key, or a file of it (annals key): get it on another way than FILE
--checkpoint  a checkpoint that you have kept; the export must agree with it, too
--witness     verifier key of a witness, or a file of it
--quorum      how many of the witnesses must have signed the checkpoint; default: all of them
--help        print this
`;

class Wrong extends Error {}

/** @param {Uint8Array[]} parts */
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
/** @param {Uint8Array} data */
const leafHash = (data) => sha256(Buffer.of(0), data);
/** @param {Uint8Array} left @param {Uint8Array} right */
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

/**
 * RFC 8785; half a surrogate pair is written as its escape.
 * @param {any} value
 * @returns {string}
 */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

/** @param {object} event */
const leafOf = (event) => sha256(Buffer.from(canonical(event)));

/** @param {any} event */
const named = ({ type, id, stream, revision }) => `${type} ${id} (${stream}@${revision})`;

/** @param {string} text @param {number} [length] */
function base64(text, length) {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text || (length !== undefined && bytes.length !== length))
    throw new Wrong(`${JSON.stringify(text)} is not base64 of ${length ?? 'some'} bytes`);
  return bytes;
}

/** @param {string} text of a verifier key, or a file of it */
function verifierKey(text) {
  const written = (existsSync(text) ? readFileSync(text, 'utf8') : text).trim();
  const [, name = '', id = '', key = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(written) ?? [];
  const bytes = base64(key, 33);
  const [type] = bytes;
  const hash = sha256(Buffer.from(`${name}\n`), bytes).subarray(0, 4);
  if (name === '' || hash.toString('hex') !== id || (type !== 1 && type !== 4))
    throw new Wrong(`${JSON.stringify(written)} is no verifier key`);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
  return { name, hash, type, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

/** @typedef {ReturnType<typeof verifierKey>} Key */

/**
 * Tells whether the key has signed the text. A wrong signature under its name is an error.
 * @param {string} text @param {string[]} lines of signatures @param {Key} key
 */
function isSigned(text, lines, { name, hash, type, key }) {
  let found = false;
  for (const line of lines) {
    const [, signer, written = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    if (signer !== name) continue;
    const blob = base64(written);
    if (!blob.subarray(0, 4).equals(hash)) continue;
    const time = type === 4 ? blob.readBigUInt64BE(4) : 0n;
    const signed = type === 4 ? `cosignature/v1\ntime ${time}\n${text}` : text;
    if (!verifySignature(null, Buffer.from(signed), key, blob.subarray(type === 4 ? 12 : 4)))
      throw new Wrong(`the signature of ${name} is wrong`);
    found = true;
  }
  return found;
}

/**
 * @param {string} note @param {Key} log @param {{ keys: Key[], quorum: number }} witnesses
 * @returns {{ size: number, root: Buffer, note: string }}
 */
function checkpointIn(note, log, witnesses) {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const lines = note
    .slice(end + 2)
    .trimEnd()
    .split('\n');
  const [origin, size = '', root = ''] = text.split('\n');
  if (end < 0 || origin !== log.name) throw new Wrong(`the checkpoint is not one of ${log.name}`);
  if (!isSigned(text, lines, log)) throw new Wrong(`the checkpoint is not signed by ${log.name}`);
  const cosigned = witnesses.keys.filter((key) => isSigned(text, lines, key)).length;
  if (cosigned < witnesses.quorum)
    throw new Wrong(`${cosigned} witnesses have signed the checkpoint, ${witnesses.quorum} are asked for`);
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size)) throw new Wrong('the checkpoint has no size');
  return { size: Number(size), root: base64(root, 32), note };
}

/** A root that grows leaf by leaf. */
class Tree {
  /** @type {Buffer[]} */
  #roots = [];
  size = 0;

  /** @param {Uint8Array} data */
  add(data) {
    let hash = leafHash(data);
    for (let size = this.size; size % 2 === 1; size = Math.floor(size / 2))
      hash = nodeHash(/** @type {Buffer} */ (this.#roots.pop()), hash);
    this.#roots.push(hash);
    this.size += 1;
  }

  get root() {
    return this.#roots.length === 0 ? sha256() : this.#roots.reduceRight((right, left) => nodeHash(left, right));
  }
}

/**
 * RFC 9162, section 2.1.3.2.
 * @param {Buffer} leaf @param {number} index @param {number} size @param {Buffer[]} path
 */
function rootOver(leaf, index, size, path) {
  let [at, last, hash] = [index, size - 1, leaf];
  for (const next of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(next, hash);
      while (at % 2 === 0 && at > 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
    } else hash = nodeHash(hash, next);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : null;
}

/**
 * @param {ReturnType<typeof checkpointIn>} checkpoint of a proof
 * @param {ReturnType<typeof checkpointIn> | null} kept
 */
function agreeing(checkpoint, kept) {
  if (kept && kept.size !== checkpoint.size)
    throw new Wrong(
      `the proof's checkpoint has ${checkpoint.size} events, and the one that you kept ${kept.size}: they cannot be compared`,
    );
  if (kept && !kept.root.equals(checkpoint.root))
    throw new Wrong(`the proof's checkpoint contradicts the one of ${kept.size} events that you kept`);
  return checkpoint;
}

/**
 * Checks one proof, and everything that is shown with it. Returns what it proves.
 * @param {any} proven @param {any} shown the event of the audit that has the proof; null: the proof stands alone
 * @param {(note: string) => ReturnType<typeof checkpointIn>} open @param {Set<string>} unproved gets the names of fields
 */
function checkProof({ event, hidden = [], leaf, proof, content_key: contentKey, ...others }, shown, open, unproved) {
  const [, number = '', hashes = '', note = ''] =
    /^c2sp\.org\/tlog-proof@v1\n(?:extra .*\n)?index (0|[1-9][0-9]{0,15})\n((?:[A-Za-z0-9+/=]+\n)*)\n([\s\S]*)$/.exec(
      proof,
    ) ?? [];
  if (note === '') throw new Wrong('there is no proof (c2sp.org/tlog-proof@v1)');
  const { size, root } = open(note);
  const index = Number(number);
  const data = hidden.length > 0 ? base64(leaf, 32) : leafOf(event);
  const path = hashes
    .split('\n')
    .filter(Boolean)
    .map((hash) => base64(hash, 32));
  if (index >= size || !rootOver(leafHash(data), index, size, path)?.equals(root))
    throw new Wrong(`${named(event)} is changed, or is not leaf ${index} of the log: its proof fails`);
  for (const name of Object.keys(others)) unproved.add(name);
  const words = contentKey === undefined ? null : openedWords(event, contentKey);
  if (shown !== null) compare(shown, event, words, unproved);
  const about = [
    hidden.length > 0 ? `, of which ${hidden.join(', ')} is hidden: only its leaf is proved` : '',
    showsUncommitted(shown, event) ? '. It is not committed to its words: nothing proves them' : '',
  ].join('');
  const found = `${named(event)} is event ${index + 1} of ${size}${about}`;
  return words ? `${found}\n  ${said(event, words.value)}` : found;
}

/** Whether a value is content under a key. @param {any} value */
const isSealed = (value) => typeof value?.keyId === 'string' && typeof value.box === 'string';

/** Whether words are shown of an event that was stored before events were committed to theirs. @param {any} shown @param {any} event */
const showsUncommitted = (shown, event) =>
  Object.entries(event.data).some(
    ([name, value]) =>
      isSealed(value) &&
      value.keyTag === undefined &&
      shown?.data?.[name] &&
      !isDeepStrictEqual(shown.data[name], { sealed: true }),
  );

const KEY_TAG = 'annals content key v1\n';

/**
 * Opens the content of an event with the event's own key, to which the event is committed.
 * @param {any} event @param {string} contentKey
 */
function openedWords(event, contentKey) {
  const [field, sealed] = Object.entries(event.data).find(([, value]) => isSealed(value)) ?? [];
  if (field === undefined) throw new Wrong(`${named(event)} has no words, and its proof has a key of them`);
  const key = base64(contentKey, 32);
  if (sha256(Buffer.from(KEY_TAG), key).toString('base64') !== sealed.keyTag)
    throw new Wrong(`the words of ${named(event)} are not proved: the key is not the one that the event names`);
  try {
    const box = base64(sealed.box);
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12)).setAuthTag(box.subarray(-16));
    const text = Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()]);
    return { field, value: JSON.parse(text.toString('utf8')) };
  } catch {
    throw new Wrong(`the words of ${named(event)} are not proved: the key does not open them`);
  }
}

/** @param {any} event @param {any} words */
function said({ metadata: { at, actorId } }, words) {
  const by = actorId === null ? 'the server' : `account ${actorId}`;
  return `${new Date(at).toISOString()}, by ${by}: ${JSON.stringify(words?.text ?? words)}`;
}

/**
 * What the log has for each field that the audit shows.
 * @type {Readonly<Record<string, (event: any) => unknown>>}
 */
const STORED = {
  id: (event) => event.id,
  stream: (event) => event.stream,
  revision: (event) => event.revision,
  kind: (event) => event.type,
  time: ({ metadata }) => new Date(metadata.at).toISOString(),
  client: ({ metadata }) => metadata.client,
  request_id: ({ metadata }) => metadata.correlationId,
  operator: ({ metadata }) => metadata.operator ?? null,
  caused_by: ({ metadata }) => metadata.causationId,
};

/** Fields that are compared in part. */
const IN_PART = ['actor', 'address', 'channels', 'topics', 'data'];

/**
 * Compares what the audit shows of an event with the event that is proved.
 * @param {any} shown @param {any} event @param {{ field: string, value: any } | null} words that its proof has opened
 * @param {Set<string>} unproved
 */
function compare({ proof: _, ...shown }, event, words, unproved) {
  /** @param {string} name @param {unknown} here @param {unknown} stored */
  const same = (name, here, stored) => {
    if (!isDeepStrictEqual(here, stored))
      throw new Wrong(
        `${name} of ${named(event)} is changed: here ${JSON.stringify(here)}, in the log ${JSON.stringify(stored)}`,
      );
  };
  for (const [name, stored] of Object.entries(STORED)) same(name, shown[name], stored(event));
  for (const name of Object.keys(shown)) if (!STORED[name] && !IN_PART.includes(name)) unproved.add(name);

  const { actorId, address } = event.metadata;
  same('actor.user_id', shown.actor === null ? null : shown.actor?.user_id, actorId);
  for (const name of Object.keys(shown.actor ?? {})) if (name !== 'user_id') unproved.add(`actor.${name}`);
  if (address === undefined) same('address', shown.address, null);
  else unproved.add('address');

  const { channels, topics, data = {} } = shown;
  // Who asks about a channel has changed nothing in it.
  const places = placesIn(event.type === 'AuditRead' ? null : event.data);
  /** @param {any} values */
  const sorted = (values) => (Array.isArray(values) ? [...new Set(values.map(canonical))].sort() : values);
  const channelIds = Array.isArray(channels) ? channels.map((one) => one?.channel_id) : channels;
  same('channels', sorted(channelIds), sorted(places.channels));
  for (const name of (channels ?? []).flatMap(Object.keys)) if (name !== 'channel_id') unproved.add(`channels.${name}`);
  same('topics', sorted(topics), sorted(places.topics));

  for (const name of new Set([...Object.keys(data), ...Object.keys(event.data)])) {
    const [here, stored] = [data[name], event.data[name]];
    if (!isSealed(stored)) same(`data.${name}`, here, stored);
    else if (words?.field === name) same(`data.${name}`, here, words.value);
    else if (!isDeepStrictEqual(here, { sealed: true })) unproved.add(`data.${name}`);
  }
}

/** The channels and topics that an event names. @param {any} data @returns {{ channels: number[], topics: any[] }} */
function placesIn(data) {
  if (typeof data !== 'object' || data === null) return { channels: [], topics: [] };
  const { channelId, channelIds, topic } = data;
  const inside = Object.values(data).map(placesIn);
  const isTopic = typeof channelId === 'number' && typeof topic === 'string';
  return {
    channels: [
      ...(typeof channelId === 'number' ? [channelId] : []),
      ...(Array.isArray(channelIds) ? channelIds : []),
      ...inside.flatMap(({ channels }) => channels),
    ],
    topics: [...(isTopic ? [{ channel_id: channelId, topic }] : []), ...inside.flatMap(({ topics }) => topics)],
  };
}

/** @param {string} file */
async function* linesOf(file) {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield JSON.parse(line);
}

/** The indices of a longest part that is in order. @param {number[]} values each once */
function inOrder(values) {
  /** @type {number[]} */
  const ends = [];
  /** @type {number[]} */
  const before = [];
  values.forEach((value, at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? -1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  });
  const found = new Set();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = /** @type {number} */ (before[at])) found.add(at);
  return found;
}

/**
 * Names what differs between the leaves of the log and the events of an export.
 * @param {string[]} leaves @param {{ leaf: string, name: string }[]} events
 */
function* differences(leaves, events) {
  const places = new Map(leaves.map((leaf, index) => [leaf, index]));
  const seen = new Set();
  const known = events.flatMap(({ leaf }, at) => {
    const index = places.get(leaf);
    if (index === undefined || seen.has(leaf)) return [];
    seen.add(leaf);
    return [{ at, index }];
  });
  const right = inOrder(known.map(({ index }) => index));
  const anchors = known.filter((_, n) => right.has(n));
  const displaced = new Set(known.filter((_, n) => !right.has(n)).map(({ at }) => at));
  let [at, index] = [0, 0];
  for (const anchor of [...anchors, { at: events.length, index: leaves.length }]) {
    const strange = [];
    for (; at < anchor.at; at++) {
      if (displaced.has(at))
        yield `out of order: ${events[at]?.name}, event ${1 + Number(places.get(events[at]?.leaf ?? ''))} of the log`;
      else strange.push(events[at]?.name);
    }
    const absent = [];
    for (; index < anchor.index; index++) if (!seen.has(leaves[index])) absent.push(index + 1);
    for (const [n, name] of strange.entries())
      yield absent[n] === undefined
        ? `added: ${name}, after event ${index} of the log`
        : `changed: event ${absent[n]} of the log, here ${name}`;
    for (const number of absent.slice(strange.length)) yield `missing: event ${number} of the log`;
    [at, index] = [anchor.at + 1, anchor.index + 1];
  }
}

/**
 * @param {AsyncIterable<any> | Iterable<any>} values of the export's lines @param {(note: string) => ReturnType<typeof checkpointIn>} open
 * @param {string | undefined} kept
 */
async function checkExport(values, open, kept) {
  const [claimed, trusted] = [new Tree(), kept === undefined ? null : open(kept)];
  /** @type {string[]} */
  const leaves = [];
  /** @type {{ leaf: string, name: string }[]} */
  const events = [];
  let checkpoint = null;
  for await (const line of values) {
    if (line.format === 'annals-log') checkpoint = open(line.checkpoint);
    else if (Array.isArray(line.leaves)) leaves.push(...line.leaves);
    else events.push({ leaf: leafOf(line).toString('base64'), name: named(line) });
  }
  if (checkpoint === null) throw new Wrong('the export has no checkpoint');
  for (const leaf of leaves) {
    if (claimed.size === trusted?.size && !claimed.root.equals(trusted.root))
      throw new Wrong(`the export contradicts the checkpoint of ${trusted.size} events that you kept`);
    claimed.add(base64(leaf, 32));
  }
  if (claimed.size === trusted?.size && !claimed.root.equals(trusted.root))
    throw new Wrong(`the export contradicts the checkpoint of ${trusted.size} events that you kept`);
  if (trusted && trusted.size > claimed.size)
    throw new Wrong(`the export has ${claimed.size} events, and the checkpoint that you kept has ${trusted.size}`);
  if (claimed.size !== checkpoint.size || !claimed.root.equals(checkpoint.root))
    throw new Wrong('the list of leaves is changed: it is not the one of the checkpoint');
  const found = [...differences(leaves, events)];
  if (found.length > 0) throw new Wrong(found.join('\n'));
  return `all ${checkpoint.size} events are those of the checkpoint, in its order`;
}

/**
 * The proofs of an answer, of a file of `prove`, or of a table: each with the event of the audit that has it, if one has.
 * @param {any} answer
 * @returns {{ proof: any, shown: any }[]}
 */
function proofsIn(answer) {
  if (Array.isArray(answer.proofs)) return answer.proofs.map((/** @type {any} */ proof) => ({ proof, shown: null }));
  const events = Array.isArray(answer) ? answer : (answer.events ?? (answer.proof ? [answer] : []));
  return events.map((/** @type {any} */ event) => ({ proof: event.proof ?? {}, shown: event }));
}

/** JSON, or JSON lines. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line !== '');
    if (lines.length < 2) throw error;
    return lines.map((line) => JSON.parse(line));
  }
}

/**
 * @param {any} answer @param {(note: string) => ReturnType<typeof checkpointIn>} open
 * @returns {{ proved: readonly string[], faults: readonly string[], unproved: readonly string[] }} `unproved`: fields that nothing proves
 */
function checkAnswer(answer, open) {
  const proofs = proofsIn(answer);
  if (proofs.length === 0) throw new Wrong('there are no proofs');
  /** @type {string[]} */
  const proved = [];
  /** @type {string[]} */
  const faults = [];
  const unproved = new Set();
  for (const { proof, shown } of proofs) {
    try {
      proved.push(checkProof(proof, shown, open, unproved));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      faults.push(error.message);
    }
  }
  return { proved, faults, unproved: [...unproved].sort() };
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      checkpoint: { type: 'string' },
      witness: { type: 'string', multiple: true, default: [] },
      quorum: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [file] = positionals;
  if (file === undefined || values.key === undefined || positionals.length > 1) {
    process.stderr.write(USAGE);
    return 2;
  }
  const log = verifierKey(values.key);
  const keys = values.witness.map(verifierKey);
  const witnesses = { keys, quorum: Number(values.quorum ?? keys.length) };
  /** @param {string} note */
  const open = (note) => checkpointIn(note, log, witnesses);
  const kept = values.checkpoint === undefined ? undefined : readFileSync(values.checkpoint, 'utf8');
  const first = createReadStream(file, { end: 200, encoding: 'utf8' });
  let head = '';
  for await (const chunk of first) head += chunk;
  if (head.includes('"annals-log"')) console.log(await checkExport(linesOf(file), open, kept));
  else {
    const trusted = kept === undefined ? null : open(kept);
    const answer = parsed(readFileSync(file, 'utf8'));
    const { proved, faults, unproved } = checkAnswer(answer, (note) => agreeing(open(note), trusted));
    for (const line of proved) console.log(line);
    for (const fault of faults) console.error(fault);
    if (unproved.length > 0) console.log(`not proved, for it is not in these events: ${unproved.join(', ')}`);
    return faults.length === 0 ? 0 : 1;
  }
  return 0;
}

export { checkAnswer, checkExport, checkpointIn, verifierKey, Wrong };

const isProgram = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isProgram) await run();

async function run() {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(
      error instanceof Wrong ? error.message : `cannot be checked: ${error instanceof Error ? error.message : error}`,
    );
    process.exitCode = 1;
  }
}
