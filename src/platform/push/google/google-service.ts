import { importPKCS8, SignJWT } from 'jose';
import { later, type PushResult, retryAfterOf, SENT } from '../push-sender.js';

/** A service account of Google's, as its file names the fields. */
export interface GoogleAccount {
  readonly project_id: string;
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id?: string;
  readonly token_uri: string;
}

interface GoogleSettings {
  readonly account: GoogleAccount;
  /** Origin of the service. */
  readonly url: string;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const TIMEOUT_MS = 15_000;
/** A token is replaced so long before it ends. */
const EARLY_MS = 300_000;
const TTL = '86400s';

interface AccessToken {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** The service has refused the account. */
class AccountRefused extends Error {}

/** Google's push service: FCM HTTP v1, with an access token that lives for an hour. */
export class GoogleService {
  private token: Promise<AccessToken> | null = null;

  constructor(private readonly settings: GoogleSettings) {}

  /** @param data as text, which the app gets */
  async send(token: string, data: Readonly<Record<string, string>>, isUrgent: boolean): Promise<PushResult> {
    const { url, account } = this.settings;
    const android = { priority: isUrgent ? 'high' : 'normal', ttl: TTL };
    try {
      const answer = await fetch(`${url}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await this.accessToken()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message: { token, data, android } }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await answer.text();
      return answer.ok ? SENT : this.failed(answer, text);
    } catch (error) {
      if (error instanceof AccountRefused) return { outcome: 'misconfigured', reason: error.message };
      return later(reasonOf(error), { isUnreachable: true });
    }
  }

  private failed({ status, headers }: Response, text: string): PushResult {
    const { code, message } = errorOf(text);
    const reason = `${status} ${code ?? ''} ${message}`.trim();
    if (status === 404 && code === 'UNREGISTERED') return { outcome: 'gone', at: null };
    const retryAfterMs = retryAfterOf(headers.get('retry-after'));
    if (status === 429 || status >= 500) return later(reason, { retryAfterMs });
    if (status === 401 && code !== 'THIRD_PARTY_AUTH_ERROR') {
      this.token = null;
      return later(reason, { retryAfterMs });
    }
    if (status === 403 && code !== 'SENDER_ID_MISMATCH') return { outcome: 'misconfigured', reason };
    return { outcome: 'refused', reason };
  }

  private async accessToken(): Promise<string> {
    this.token ??= this.newToken();
    const asked = this.token;
    try {
      const { text, endsAt } = await asked;
      if (Date.now() < endsAt - EARLY_MS) return text;
    } catch (error) {
      if (this.token === asked) this.token = null;
      throw error;
    }
    if (this.token === asked) this.token = null;
    return this.accessToken();
  }

  private async newToken(): Promise<AccessToken> {
    const { client_email, private_key, private_key_id, token_uri } = this.settings.account;
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(private_key_id ? { kid: private_key_id } : {}) })
      .setIssuer(client_email)
      .setSubject(client_email)
      .setAudience(token_uri)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(await importPKCS8(private_key, 'RS256'));
    const answer = await fetch(token_uri, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
      throw new AccountRefused(`Google refuses the service account: ${text}`);
    if (!answer.ok) throw new Error(`Google gives no access token: ${answer.status}`);
    const { access_token, expires_in = 3600 } = JSON.parse(text) as { access_token: string; expires_in?: number };
    // An access token that ends soon is used once, and never asked for in a circle.
    return { text: access_token, endsAt: Date.now() + Math.max(expires_in * 1000, 2 * EARLY_MS) };
  }
}

interface GoogleError {
  readonly error?: {
    readonly message?: string;
    readonly status?: string;
    readonly details?: readonly { readonly errorCode?: string }[];
  };
}

function errorOf(text: string): { readonly code: string | undefined; readonly message: string } {
  try {
    const { error } = JSON.parse(text) as GoogleError;
    const code = error?.details?.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? error?.status;
    return { code, message: error?.message ?? '' };
  } catch {
    return { code: undefined, message: '' };
  }
}

/** `fetch` hides the reason in `cause`. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause === undefined ? message : `${message}: ${String(cause)}`;
};
