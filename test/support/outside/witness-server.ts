import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EMPTY_ROOT, type Head, provesConsistency } from '../../../src/platform/transparency/merkle.js';
import {
  NoteVerifier,
  parseCheckpoint,
  parseNote,
  signatureLine,
} from '../../../src/platform/transparency/signed-note.js';
import type { Witness } from '../../../src/platform/transparency/witness.js';

const COSIGNATURE_KEY = 4;

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What a witness does instead of its work: an answer to all, none, or a signature that is not of the checkpoint. */
type Fault = Answer | 'silent' | 'false signature';

/** A witness of one log: it cosigns each checkpoint that continues the one before (C2SP tlog-witness). */
export class WitnessServer implements Witness {
  /** The old sizes that it was told, and its answers, in their order. */
  readonly asked: { readonly old: number; readonly status: number }[] = [];
  fault: Fault | null = null;
  /** The newest checkpoint that it has cosigned. */
  last: Head = { size: 0, root: EMPTY_ROOT };
  private server: Server | null = null;
  private port = 0;

  private constructor(
    readonly key: NoteVerifier,
    private readonly seedKey: ReturnType<typeof createPrivateKey>,
    private readonly log: () => NoteVerifier | null,
  ) {}

  /** @param log gives the key of the log; null: it is not known yet */
  static async start(name: string, log: () => NoteVerifier | null): Promise<WitnessServer> {
    const seed = Buffer.alloc(32, name);
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const seedKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey(seedKey).export({ format: 'der', type: 'spki' }).subarray(-32);
    const witness = new WitnessServer(new NoteVerifier(name, COSIGNATURE_KEY, publicKey), seedKey, log);
    await witness.listen();
    return witness;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** As `ANNALS_WITNESSES` has it. */
  get setting(): string {
    return `${this.key} ${this.url}`;
  }

  /** Starts, again on the same port. */
  async listen(): Promise<void> {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { old, answer } = this.answerTo(request.url ?? '', body);
    this.asked.push({ old, status: answer?.status ?? 0 });
    if (answer) response.writeHead(answer.status).end(answer.body);
  }

  private answerTo(path: string, body: string): { readonly old: number; readonly answer: Answer | null } {
    const [, size, lines = '', note = ''] = /^old (\d+)\n((?:[^\n]+\n)*)\n(.*)$/s.exec(body) ?? [];
    const old = Number(size);
    if (this.fault === 'silent') return { old, answer: null };
    if (this.fault !== null && this.fault !== 'false signature') return { old, answer: this.fault };
    if (path !== '/add-checkpoint' || size === undefined) return { old, answer: { status: 400, body: '' } };
    return { old, answer: this.judge(old, lines, note) };
  }

  private judge(old: number, lines: string, note: string): Answer {
    const parsed = parseNote(note);
    if ((this.log()?.signedAt(parsed) ?? null) === null) return { status: 403, body: '' };
    const { size, root } = parseCheckpoint(parsed.text);
    if (old > size) return { status: 400, body: '' };
    if (old !== this.last.size) return { status: 409, body: `${this.last.size}\n` };
    const proof = lines
      .split('\n')
      .slice(0, -1)
      .map((line) => Buffer.from(line, 'base64'));
    if (!provesConsistency(this.last, { size, root }, proof)) return { status: 422, body: '' };
    this.last = { size, root };
    return { status: 200, body: this.cosign(parsed.text) };
  }

  private cosign(checkpoint: string): string {
    const time = Math.floor(Date.now() / 1000);
    const signed = this.fault === 'false signature' ? `other ${checkpoint}` : checkpoint;
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${signed}`), this.seedKey);
    const timed = Buffer.alloc(8);
    timed.writeBigUInt64BE(BigInt(time));
    return signatureLine({
      name: this.key.name,
      keyId: this.key.id,
      signature: Buffer.concat([timed, signature]),
    });
  }
}
