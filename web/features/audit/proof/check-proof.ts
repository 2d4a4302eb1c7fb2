import { areEqual, bytesOf, fromBase64, Malformed, sha256, toHex } from '../../../platform/bytes.js';
import { canonical, isSame, type Json, type Values, valuesIn } from './canonical.js';
import { isSignedBy, parseCheckpoint, type VerifierKey } from './note.js';
import { climb, leafHash } from './tree.js';

const HASH_BYTES = 32;

/** An event as its leaf has it, and where the leaf is in the log's tree. */
export interface Proof {
  readonly event: Values;
  /** C2SP tlog-proof. */
  readonly proof: string;
  /** Names of data that are not shown: then `leaf` is what the proof is about. */
  readonly hidden?: readonly string[] | undefined;
  /** Base64. */
  readonly leaf?: string | undefined;
}

/** An event as the audit shows it. */
export interface ShownEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly kind: string;
  readonly time: string;
  readonly actor: { readonly user_id: number } | null;
  readonly data: Values;
}

export interface Step {
  /** A sentence. */
  readonly what: string;
  /** What was worked out, such as a hash; empty: nothing. */
  readonly found: string;
  /** null: it was not checked. */
  readonly holds: boolean | null;
}

/**
 * Checks in the browser that the log has an event as it is shown. Each step stands on those before it.
 * @param key of the log; null: nobody gave one, and the signature is not checked
 */
export async function checkProof(shown: ShownEvent, proof: Proof, key: VerifierKey | null): Promise<readonly Step[]> {
  const steps: Step[] = [];
  try {
    for await (const step of stepsOf(shown, proof, key)) {
      steps.push(step);
      if (step.holds === false) break;
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    steps.push({ what: 'The proof is malformed.', found: error.message, holds: false });
  }
  return steps;
}

async function* stepsOf(shown: ShownEvent, proof: Proof, key: VerifierKey | null): AsyncGenerator<Step> {
  const { event, hidden = [] } = proof;
  yield comparison(shown, event);

  const isHidden = hidden.length > 0;
  const data = isHidden ? fromBase64(proof.leaf ?? '', HASH_BYTES) : await sha256(bytesOf(canonical(event)));
  yield {
    what: isHidden
      ? `The event has secrets that nobody is shown (${hidden.join(', ')}): its leaf is taken as it is told.`
      : 'The event in canonical JSON has this SHA-256. It is the data of its leaf.',
    found: toHex(data),
    holds: isHidden ? null : true,
  };

  const { index, path, note } = parseProof(proof.proof);
  const leaf = await leafHash(data);
  yield { what: `Leaf ${index} of the tree has this hash.`, found: toHex(leaf), holds: true };

  const checkpoint = parseCheckpoint(note);
  const climbed = index < checkpoint.size ? await climb(leaf, index, checkpoint.size, path) : null;
  for (const { beside, isLeft, node } of climbed ?? [])
    yield {
      what: `With ${toHex(beside)} on its ${isLeft ? 'left' : 'right'} it makes`,
      found: toHex(node),
      holds: true,
    };
  const root = climbed?.at(-1)?.node ?? leaf;
  yield {
    what: `This is the root of the tree of ${checkpoint.size.toLocaleString('en')} events, as the checkpoint says.`,
    found: toHex(checkpoint.root),
    holds: climbed !== null && areEqual(root, checkpoint.root),
  };
  yield await signatureStep(checkpoint, key);
}

async function signatureStep(checkpoint: ReturnType<typeof parseCheckpoint>, key: VerifierKey | null): Promise<Step> {
  const found = checkpoint.text.trimEnd();
  if (key === null)
    return {
      what: 'Who has signed the checkpoint was not checked: the verifier key is not given.',
      found,
      holds: null,
    };
  try {
    const holds = await isSignedBy(checkpoint, key);
    return { what: `The checkpoint is signed with the key of ${key.name}.`, found, holds };
  } catch (error) {
    if (error instanceof Malformed) throw error;
    return {
      what: 'This browser cannot check Ed25519 signatures. A newer one can, and so can verify.mjs.',
      found,
      holds: null,
    };
  }
}

/** Compares what is shown with what the proof is about. Sealed words are not shown, so they are not compared. */
function comparison(shown: ShownEvent, event: Values): Step {
  const [data, metadata] = [valuesIn(event.data), valuesIn(event.metadata)];
  const { at, actorId } = metadata;
  const pairs: readonly (readonly [string, Json, Json | undefined])[] = [
    ['id', shown.id, event.id],
    ['stream', shown.stream, event.stream],
    ['revision', shown.revision, event.revision],
    ['kind', shown.kind, event.type],
    ['time', shown.time, typeof at === 'number' ? new Date(at).toISOString() : at],
    ['actor', shown.actor?.user_id ?? null, actorId],
    ...Object.keys({ ...shown.data, ...data })
      .filter((name) => !isSealed(data[name]))
      .map((name) => [`data.${name}`, shown.data[name] ?? null, data[name]] as const),
  ];
  const differing = pairs.filter(([, here, stored]) => !isSame(here, stored)).map(([name]) => name);
  return differing.length === 0
    ? { what: 'What is shown is what the event says; sealed words are not compared.', found: '', holds: true }
    : { what: 'What is shown is not what the event says.', found: differing.join(', '), holds: false };
}

const isSealed = (value: Json | undefined): boolean => 'keyId' in valuesIn(value) && 'box' in valuesIn(value);

function parseProof(text: string) {
  const form =
    /^c2sp\.org\/tlog-proof@v1\n(?:extra .*\n)?index (0|[1-9][0-9]{0,15})\n((?:[A-Za-z0-9+/=]+\n)*)\n([\s\S]*)$/;
  const [, index, hashes = '', note = ''] = form.exec(text) ?? [];
  if (index === undefined) throw new Malformed('The event has no proof of C2SP');
  const path = hashes
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => fromBase64(line, HASH_BYTES));
  return { index: Number(index), path, note };
}
