import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BouncerRequest {
  /** Below `/api/v1/remotes/`. */
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever is sent
  readonly body: any;
}

interface BouncerAnswer {
  readonly status: number;
  readonly body: object | string;
}

type Answering = (body: BouncerRequest['body']) => BouncerAnswer;

const success = (body: object = {}): BouncerAnswer => ({ status: 200, body: { result: 'success', msg: '', ...body } });
const error = (code: string, msg: string, status = 400): BouncerAnswer => ({
  status,
  body: { result: 'error', code, msg },
});

/** Stands in for a bouncer: keeps what it is told, and answers as the published protocol says. */
export class BouncerServer {
  static readonly orgId = '6f0b3f0c-3c1e-4d2a-9a55-4d9f0f4a7c11';
  static readonly orgKey = 'k'.repeat(64);

  readonly requests: BouncerRequest[] = [];
  /** Users (UUID), kinds (1 Apple, 2 Google) and tokens, as `user kind token`. */
  readonly tokens = new Set<string>();
  /** Ids of devices for encrypted notifications. */
  readonly devices = new Set<number>();
  /** Notifications and tests that devices have got. */
  readonly taken: { readonly token: string | number; readonly payload: unknown }[] = [];
  /** Tokens that Apple or Google do not take a notification for, without a reason. */
  readonly unsent = new Set<string | number>();
  /** Answers in place of the usual ones, by path. */
  readonly instead = new Map<string, BouncerAnswer>();
  /** The organization's plan. */
  permission = { can_push: true, expected_end_timestamp: null as number | null };
  /** Set to break every connection. */
  isAway = false;
  private readonly realms = new Set<string>();
  private lastDevice = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.onRequest(request, response, Buffer.concat(chunks).toString()));
    });
  }

  static async start(): Promise<BouncerServer> {
    const bouncer = new BouncerServer();
    await new Promise<void>((resolve) => bouncer.server.listen(0, '127.0.0.1', resolve));
    return bouncer;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get settings(): Readonly<Record<string, string>> {
    return {
      ANNALS_PUSH_BOUNCER_URL: this.url,
      ANNALS_PUSH_BOUNCER_ORG_ID: BouncerServer.orgId,
      ANNALS_PUSH_BOUNCER_ORG_KEY: BouncerServer.orgKey,
    };
  }

  get paths(): readonly string[] {
    return this.requests.map(({ path }) => path);
  }

  /** Tokens without their users. */
  get knownTokens(): readonly string[] {
    return [...this.tokens].map((token) => token.split(' ')[2] ?? '');
  }

  /** Forgets a token, as when Apple or Google have said that it is gone. */
  forget(token: string): void {
    for (const known of this.tokens) if (known.endsWith(` ${token}`)) this.tokens.delete(known);
  }

  private onRequest(request: IncomingMessage, response: ServerResponse, text: string): void {
    if (this.isAway) {
      request.socket.destroy();
      return;
    }
    const isJson = request.headers['content-type'] === 'application/json';
    const path = request.url?.replace('/api/v1/remotes/', '') ?? '';
    const sent = { path, body: isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text)) };
    this.requests.push(sent);
    const isKnown = request.headers.authorization === `Basic ${btoa(`${BouncerServer.orgId}:${BouncerServer.orgKey}`)}`;
    const { status, body } = isKnown
      ? this.answer(sent)
      : error('INVALID_ZULIP_SERVER', 'Zulip server auth failure', 401);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  private answer({ path, body }: BouncerRequest): BouncerAnswer {
    const instead = this.instead.get(path);
    if (instead) return instead;
    const answering = this.routes[path];
    if (!answering) return error('NOT_FOUND', 'no such path', 404);
    if (path !== 'server/analytics' && !this.realms.has(body.realm_uuid))
      return error('MISSING_REMOTE_REALM', 'Organization not registered', 403);
    const sends = ['push/notify', 'push/test_notification', 'push/e2ee/notify'].includes(path);
    if (sends && !this.permission.can_push)
      return error('PUSH_NOTIFICATIONS_DISALLOWED', "Your plan doesn't allow sending push notifications.");
    return answering(body);
  }

  private readonly routes: Readonly<Record<string, Answering>> = {
    'server/analytics': ({ realms }) => {
      const uuids = (JSON.parse(realms) as { uuid: string }[]).map(({ uuid }) => uuid);
      for (const uuid of uuids) this.realms.add(uuid);
      return success({ realms: Object.fromEntries(uuids.map((uuid) => [uuid, this.permission])) });
    },
    'push/register': ({ user_uuid, token_kind, token }) => {
      this.tokens.add(`${user_uuid} ${token_kind} ${token}`);
      return success();
    },
    'push/unregister': ({ user_uuid, token_kind, token }) =>
      this.tokens.delete(`${user_uuid} ${token_kind} ${token}`)
        ? success()
        : error('BAD_REQUEST', 'Token does not exist'),
    'push/unregister/all': ({ user_uuid }) => {
      for (const known of this.tokens) if (known.startsWith(`${user_uuid} `)) this.tokens.delete(known);
      return success();
    },
    'push/notify': ({ user_uuid, apple_devices, android_devices, apns_payload, gcm_payload }) => {
      const isKnown = (kind: number) => (token: string) => this.tokens.has(`${user_uuid} ${kind} ${token}`);
      const sent = (kind: number, tokens: string[], payload: unknown): number => {
        const taken = tokens.filter((token) => isKnown(kind)(token) && !this.unsent.has(token));
        for (const token of taken) this.taken.push({ token, payload });
        return taken.length;
      };
      return success({
        total_apple_devices: sent(1, apple_devices, apns_payload),
        total_android_devices: sent(2, android_devices, gcm_payload),
        deleted_devices: {
          apple_devices: apple_devices.filter((token: string) => !isKnown(1)(token)),
          android_devices: android_devices.filter((token: string) => !isKnown(2)(token)),
        },
        realm: this.permission,
      });
    },
    'push/test_notification': ({ user_uuid, token, token_kind, base_payload }) => {
      if (!this.tokens.has(`${user_uuid} ${token_kind} ${token}`))
        return error('INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Device not recognized by the push bouncer');
      this.taken.push({ token, payload: base_payload });
      return success();
    },
    'push/e2ee/register': () => {
      this.devices.add(++this.lastDevice);
      return success({ device_id: this.lastDevice });
    },
    'push/e2ee/notify': ({ push_requests }) => {
      const requests = push_requests as { device_id: number; payload: string; http_headers?: object }[];
      const known = requests.filter(({ device_id }) => this.devices.has(device_id) && !this.unsent.has(device_id));
      for (const { device_id: token, payload } of known) this.taken.push({ token, payload });
      return success({
        apple_successfully_sent_count: known.filter(({ http_headers }) => http_headers).length,
        android_successfully_sent_count: known.filter(({ http_headers }) => !http_headers).length,
        delete_device_ids: requests.map(({ device_id }) => device_id).filter((id) => !this.devices.has(id)),
        realm_push_status: this.permission,
      });
    },
  };
}
