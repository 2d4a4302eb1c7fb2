import apn, { type ResponseFailure } from '@parse/node-apn';
import { pause } from '../../kernel/pause.js';
import { later, type PushResult, SENT } from '../push-sender.js';

interface AppleSettings {
  /** PEM of the ES256 key, with its ids at Apple. */
  readonly key: string;
  readonly keyId: string;
  readonly teamId: string;
  /** Host and port of the service. */
  readonly host: string;
  readonly port: number;
  /** PEM of an authority to trust besides the usual ones; null: none. */
  readonly ca: string | null;
}

/** A notification for one device. */
interface AppleNotification {
  readonly token: string;
  /** The app. */
  readonly topic: string;
  /** JSON text. */
  readonly body: string;
  readonly pushType: 'alert' | 'background';
  readonly priority: 5 | 10;
  readonly collapseId: string;
}

const DAY_S = 86_400;
const CLOSING_MS = 500;
/** Bytes of the body that Apple takes. */
const MAX_BODY = 4096;

const GONE_REASONS: readonly unknown[] = ['Unregistered', 'ExpiredToken', 'BadDeviceToken', 'DeviceTokenNotForTopic'];
/** Apple's refusals of the key, and not of the notification. */
const KEY_REASONS: readonly unknown[] = ['InvalidProviderToken', 'MissingProviderToken', 'Forbidden', 'BadCertificate'];

/** Apple's push service over one HTTP/2 connection, opened when the first notification is sent. */
export class AppleService {
  private readonly provider: apn.Provider;

  constructor({ key, keyId, teamId, host, port, ca }: AppleSettings) {
    this.provider = new apn.Provider({
      token: { key, keyId, teamId },
      address: host,
      port,
      production: true,
      ...(ca === null ? {} : { ca: [ca] }),
      // The caller repeats what fails.
      connectionRetryLimit: 0,
      requestTimeout: 10_000,
    });
  }

  async send({ token, topic, body, pushType, priority, collapseId }: AppleNotification): Promise<PushResult> {
    if (Buffer.byteLength(body) > MAX_BODY) return { outcome: 'refused', reason: 'PayloadTooLarge' };
    const expiry = Math.floor(Date.now() / 1000) + DAY_S;
    // The library sends `compiled` as it is: the body may have integers that a number cannot hold.
    const notification = Object.assign(new apn.Notification(), {
      compiled: body,
      topic,
      pushType,
      priority,
      collapseId,
      expiry,
    });
    try {
      const { sent, failed } = await this.provider.send(notification, token);
      const [failure] = failed;
      if (failure) return resultOf(failure);
      return sent.length > 0 ? SENT : later('Apple gave no answer');
    } catch (error) {
      return later(String(error), { isUnreachable: true });
    }
  }

  /** The library does not call back if a connection has failed, so this waits for a moment only. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.provider.shutdown(() => resolve());
    });
    await Promise.race([closed, pause(CLOSING_MS, new AbortController().signal, { ref: false })]);
  }
}

function resultOf({ status, response, error }: ResponseFailure): PushResult {
  const reason = response?.reason ?? error?.message ?? `status ${status}`;
  if (status === undefined) return later(reason, { isUnreachable: true });
  if (status === 410 || GONE_REASONS.includes(reason)) {
    const at = Number(response?.timestamp ?? Number.NaN);
    return { outcome: 'gone', at: Number.isFinite(at) ? at : null };
  }
  if (status === 429 || status >= 500 || reason === 'ExpiredProviderToken') return later(reason);
  if (KEY_REASONS.includes(reason)) return { outcome: 'misconfigured', reason };
  return { outcome: 'refused', reason };
}
