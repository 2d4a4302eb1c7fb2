import { later, type PushResult, retryAfterOf } from '../push-sender.js';

export interface BouncerSettings {
  /** Origin of the bouncer. */
  readonly url: string;
  /** The organization's id and key at the bouncer. */
  readonly orgId: string;
  readonly orgKey: string;
  /** The server's public URL. */
  readonly site: string;
}

export type BouncerAnswer =
  | { readonly outcome: 'answered'; readonly body: Readonly<Record<string, unknown>> }
  /** `code`: the bouncer's. */
  | { readonly outcome: 'refused'; readonly code: string; readonly reason: string }
  | (Extract<PushResult, { readonly outcome: 'misconfigured' }> & { readonly code: string })
  | Extract<PushResult, { readonly outcome: 'later' }>;

/** The organization's plan does not allow it to push. */
export const DISALLOWED = 'PUSH_NOTIFICATIONS_DISALLOWED';

const TIMEOUT_MS = 15_000;

/** Codes with which the bouncer asks the administrator to act. */
const ACCOUNT_CODES: readonly string[] = [
  DISALLOWED,
  'INVALID_ZULIP_SERVER',
  'MISSING_REMOTE_REALM',
  'REMOTE_REALM_SERVER_MISMATCH_ERROR',
  'REMOTE_SERVER_DEACTIVATED',
];

/** Requests to the bouncer, a relay for organizations that have no credentials of Apple and Google. */
export class BouncerApi {
  constructor(private readonly settings: BouncerSettings) {}

  postForm(path: string, fields: Readonly<Record<string, string>>): Promise<BouncerAnswer> {
    return this.post(path, new URLSearchParams(fields), 'application/x-www-form-urlencoded');
  }

  postJson(path: string, body: object): Promise<BouncerAnswer> {
    return this.post(path, JSON.stringify(body), 'application/json');
  }

  private async post(path: string, body: URLSearchParams | string, type: string): Promise<BouncerAnswer> {
    const { url, orgId, orgKey } = this.settings;
    try {
      const answer = await fetch(`${url}/api/v1/remotes/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${orgId}:${orgKey}`).toString('base64')}`,
          'content-type': type,
          'user-agent': 'ZulipServer/11.0',
        },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await answer.text();
      return resultOf(answer, text);
    } catch (error) {
      return later(`the bouncer cannot be reached: ${String(error)}`, { isUnreachable: true });
    }
  }
}

function resultOf({ status, headers }: Response, text: string): BouncerAnswer {
  const retryAfterMs = retryAfterOf(headers.get('retry-after'));
  if (status === 429 || status >= 500) return later(`the bouncer answers ${status}`, { retryAfterMs });
  const body = parsed(text);
  if (!body) return later(`the bouncer answers ${status} without JSON`);
  if (status < 400) return { outcome: 'answered', body };
  const code = String(body.code ?? 'BAD_REQUEST');
  const reason = `${code}: ${String(body.msg ?? '')}`;
  if (ACCOUNT_CODES.includes(code) || status === 401 || status === 403)
    return { outcome: 'misconfigured', code, reason };
  return { outcome: 'refused', code, reason };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
