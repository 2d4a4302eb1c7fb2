import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const MAX_DATA = 4096;
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

export interface GoogleRequest {
  readonly token: string;
  readonly data: Readonly<Record<string, string>>;
  readonly priority: string;
}

/** An answer in place of a 200. */
export interface GoogleAnswer {
  readonly status: number;
  readonly errorCode: string;
  readonly retryAfter?: string;
}

/** Stands in for Google's service and its access tokens: checks what they check, and answers as they answer. */
export class GoogleServer {
  /** Notifications that were taken. */
  readonly taken: GoogleRequest[] = [];
  /** Answers to the next requests with a token, in their order. */
  readonly answers = new Map<string, GoogleAnswer[]>();
  /** Access tokens that were given out. */
  accessTokens = 0;
  /** Set to take notifications without an answer. */
  isSilent = false;
  /** Set to refuse the service account. */
  refusesAccount = false;
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.onRequest(request, response, Buffer.concat(chunks).toString()));
    });
  }

  static async start(): Promise<GoogleServer> {
    const google = new GoogleServer();
    await new Promise<void>((resolve) => google.server.listen(0, '127.0.0.1', resolve));
    return google;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The service account's file. */
  get account() {
    return {
      type: 'service_account',
      project_id: 'a-project',
      private_key_id: 'k1',
      private_key: this.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      client_email: 'push@a-project.iam.gserviceaccount.com',
      token_uri: `${this.url}/token`,
    };
  }

  /** Ends the access tokens that were given out. */
  endAccessTokens(): void {
    this.accessTokens++;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private onRequest(request: IncomingMessage, response: ServerResponse, body: string) {
    const answer = (status: number, json: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(json));
    };
    if (request.url === '/token') {
      const isRight = !this.refusesAccount && this.isSigned(new URLSearchParams(body));
      if (!isRight) return answer(400, { error: 'invalid_grant' });
      return answer(200, { access_token: `access-${++this.accessTokens}`, expires_in: 3599, token_type: 'Bearer' });
    }
    const refuse = (status: number, errorCode: string, retryAfter?: string) =>
      answer(
        status,
        {
          error: {
            code: status,
            message: 'no',
            status: 'X',
            details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }],
          },
        },
        retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      );
    if (request.url !== '/v1/projects/a-project/messages:send' || request.method !== 'POST')
      return refuse(404, 'NOT_FOUND');
    if (request.headers.authorization !== `Bearer access-${this.accessTokens}`) return refuse(401, 'UNAUTHENTICATED');
    const { message } = JSON.parse(body);
    const { token, data, android } = message;
    const texts = Object.entries(data ?? {});
    if (!token || texts.some(([key, value]) => typeof value !== 'string' || /^(?:from$|gcm|google)/.test(key)))
      return refuse(400, 'INVALID_ARGUMENT');
    if (texts.flat().join('').length > MAX_DATA || !['high', 'normal'].includes(android?.priority))
      return refuse(400, 'INVALID_ARGUMENT');
    const instead = this.answers.get(token)?.shift();
    if (instead) return refuse(instead.status, instead.errorCode, instead.retryAfter);
    this.taken.push({ token, data, priority: android.priority });
    if (this.isSilent) return;
    answer(200, { name: 'projects/a-project/messages/1' });
  }

  private isSigned(form: URLSearchParams): boolean {
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const proof = Buffer.from(signature, 'base64url');
    if (!verify('sha256', Buffer.from(`${header}.${claims}`), this.keys.publicKey, proof)) return false;
    const { iss, scope, aud, iat, exp } = read(claims);
    const { client_email, token_uri } = this.account;
    const isInTime = exp > Date.now() / 1000 && exp - iat <= 3600;
    const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return (
      isGrant &&
      read(header).alg === 'RS256' &&
      iss === client_email &&
      scope === SCOPE &&
      aud === token_uri &&
      isInTime
    );
  }
}
