import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export const APPLE_CA_FILE = fileURLToPath(new URL('./certificate/certificate.pem', import.meta.url));
const KEY_FILE = fileURLToPath(new URL('./certificate/key.pem', import.meta.url));

const MAX_TOKEN_AGE_S = 3600;
const MAX_BODY = 4096;

export interface AppleRequest {
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: whatever is sent
  readonly body: any;
  readonly text: string;
}

/** An answer in place of a 200. */
export interface AppleAnswer {
  readonly status: number;
  readonly reason: string;
  readonly timestamp?: number;
}

/** Stands in for Apple's service: checks what it checks, and answers as it answers. */
export class AppleServer {
  /** Notifications that were taken. */
  readonly taken: AppleRequest[] = [];
  /** Answers to the next requests with a token, in their order. */
  readonly answers = new Map<string, AppleAnswer[]>();
  readonly keyId = 'ABCDE12345';
  readonly teamId = 'TEAM567890';
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly server: Http2SecureServer;

  private constructor() {
    this.server = createSecureServer({ key: readFileSync(KEY_FILE), cert: readFileSync(APPLE_CA_FILE) });
    this.server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => this.onRequest(stream, headers as Record<string, string>, Buffer.concat(chunks)));
      stream.on('error', () => {});
    });
  }

  static async start(): Promise<AppleServer> {
    const apple = new AppleServer();
    await new Promise<void>((resolve) => apple.server.listen(0, '127.0.0.1', resolve));
    return apple;
  }

  /** PEM of the key that the service knows under `keyId`. */
  get key(): string {
    return this.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  private onRequest(stream: ServerHttp2Stream, headers: Readonly<Record<string, string>>, body: Buffer) {
    const answer = (status: number, reason?: string, timestamp?: number) => {
      stream.respond({ ':status': status, 'apns-id': 'an-id' });
      stream.end(reason === undefined ? '' : JSON.stringify({ reason, ...(timestamp && { timestamp }) }));
    };
    const [, token = ''] = /^\/3\/device\/([0-9a-f]+)$/.exec(headers[':path'] ?? '') ?? [];
    const problem = this.problemOf(headers, token, body);
    if (problem) return answer(...problem);
    const instead = this.answers.get(token)?.shift();
    if (instead) return answer(instead.status, instead.reason, instead.timestamp);
    const text = body.toString();
    this.taken.push({ token, headers, text, body: JSON.parse(text) });
    answer(200);
  }

  private problemOf(headers: Readonly<Record<string, string>>, token: string, body: Buffer): [number, string] | null {
    if (headers[':method'] !== 'POST') return [405, 'MethodNotAllowed'];
    if (token === '') return [400, 'BadDeviceToken'];
    const jwt = headers.authorization?.replace(/^bearer /, '') ?? '';
    if (!isSigned(jwt, this.keys.publicKey, { kid: this.keyId, iss: this.teamId }))
      return [403, 'InvalidProviderToken'];
    if (!headers['apns-topic']) return [400, 'MissingTopic'];
    const pushType = headers['apns-push-type'] ?? '';
    if (!['alert', 'background'].includes(pushType)) return [400, 'InvalidPushType'];
    const priority = Number(headers['apns-priority']);
    if (![5, 10].includes(priority) || (pushType === 'background' && priority !== 5)) return [400, 'BadPriority'];
    if (Buffer.byteLength(headers['apns-collapse-id'] ?? '') > 64) return [400, 'BadCollapseId'];
    if (!(Number(headers['apns-expiration']) > Date.now() / 1000)) return [400, 'BadExpirationDate'];
    if (body.length > MAX_BODY) return [413, 'PayloadTooLarge'];
    const { aps } = JSON.parse(body.toString());
    if (typeof aps !== 'object') return [400, 'PayloadEmpty'];
    if (pushType === 'background' && (aps.alert || aps.badge !== undefined || aps.sound))
      return [400, 'InvalidPushType'];
    return null;
  }
}

function isSigned(jwt: string, key: KeyObject, { kid, iss }: { kid: string; iss: string }): boolean {
  const [header = '', claims = '', signature = ''] = jwt.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const signed = Buffer.from(`${header}.${claims}`);
  const proof = { key, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', signed, proof, Buffer.from(signature, 'base64url'))) return false;
  const age = Date.now() / 1000 - read(claims).iat;
  return (
    read(header).alg === 'ES256' &&
    read(header).kid === kid &&
    read(claims).iss === iss &&
    age > -60 &&
    age < MAX_TOKEN_AGE_S
  );
}
