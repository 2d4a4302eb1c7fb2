import type { JsonObject } from '../../../platform/kernel/json.js';
import type { PlainPush, TestPush } from '../../../platform/push/push-sender.js';

/** What every notification says about the organization and the account. */
export interface PushOrigin {
  /** The server's public URL. */
  readonly realmUrl: string;
  readonly realmName: string;
  readonly userId: number;
}

/** A notification in its readable form, and as text to encrypt. */
export interface Notification {
  readonly plain: PlainPush;
  /** Compact JSON. */
  readonly inner: string;
}

/** The readable form has what a bouncer composes its own from. */
export interface TestNotification extends Notification {
  readonly plain: TestPush;
}

/** Ids of this server's only organization, as the apps expect them. */
const REALM_ID = 1;

export const plainBase = ({ realmUrl, realmName, userId }: PushOrigin): JsonObject => ({
  realm_url: realmUrl,
  // The name of the field for older apps.
  realm_uri: realmUrl,
  realm_name: realmName,
  user_id: userId,
});

/** Google's service takes texts only. */
export const googleData = (
  origin: PushOrigin,
  fields: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string>> => {
  const data = { ...plainBase(origin), server: new URL(origin.realmUrl).host, realm_id: REALM_ID, ...fields };
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]));
};

export const innerBase = ({ realmUrl, realmName, userId }: PushOrigin, type: 'message' | 'remove' | 'test') => ({
  realm_url: realmUrl,
  realm_name: realmName,
  user_id: userId,
  type,
});

/** @param time seconds since 1970 */
export function testNotification(origin: PushOrigin, time: number): TestNotification {
  const { realmName, realmUrl } = origin;
  const alert = {
    title: 'Test notification',
    body: `This is a test notification from ${realmName} (${realmUrl}).`,
  };
  return {
    plain: {
      base: plainBase(origin),
      isUrgent: true,
      collapseId: `test-${time}`,
      apple: { alert, sound: 'default', zulip: { ...plainBase(origin), event: 'test' } },
      google: googleData(origin, { event: 'test', time }),
    },
    inner: JSON.stringify({ ...innerBase(origin, 'test'), time }),
  };
}
