import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APPLE_CA_FILE, AppleServer } from './apple-server.js';
import { GoogleServer } from './google-server.js';
import { base64, newDeviceKeys, sealBox } from './open-sealed-box.js';

/** Stand-ins for Apple's service and Google's, and the settings of a server that sends to them. */
export class PushServices {
  /** The server's own keys, under which devices encrypt their registration. */
  readonly boxKeys = newDeviceKeys();

  private constructor(
    readonly apple: AppleServer,
    readonly google: GoogleServer,
    private readonly folder: string,
  ) {}

  static async start(): Promise<PushServices> {
    const folder = await mkdtemp(join(tmpdir(), 'annals-push-'));
    const services = new PushServices(await AppleServer.start(), await GoogleServer.start(), folder);
    await writeFile(join(folder, 'apple.p8'), services.apple.key);
    await writeFile(join(folder, 'google.json'), JSON.stringify(services.google.account));
    await writeFile(join(folder, 'keys'), base64(services.boxKeys.secretKey));
    return services;
  }

  get settings(): Readonly<Record<string, string>> {
    const { apple, google, folder } = this;
    return {
      ANNALS_APNS_KEY_FILE: join(folder, 'apple.p8'),
      ANNALS_APNS_KEY_ID: apple.keyId,
      ANNALS_APNS_TEAM_ID: apple.teamId,
      ANNALS_APNS_URL: apple.url,
      ANNALS_APNS_CA_FILE: APPLE_CA_FILE,
      ANNALS_FCM_SERVICE_ACCOUNT_FILE: join(folder, 'google.json'),
      ANNALS_FCM_URL: google.url,
      ANNALS_PUSH_KEYS_FILE: join(folder, 'keys'),
    };
  }

  /** The parameters with which a device registers for encrypted notifications. */
  registration(device: {
    readonly kind: 'apns' | 'fcm';
    readonly token: string;
    readonly accountId: string;
    readonly publicKey: Uint8Array;
    /** Seconds since 1970. */
    readonly timestamp?: number;
  }): Record<string, string> {
    const { kind, token, accountId, publicKey, timestamp = Math.floor(Date.now() / 1000) } = device;
    const ios_app_id = kind === 'apns' ? 'org.example.App' : null;
    const registration = { token, token_kind: kind, timestamp, ios_app_id };
    return {
      token_kind: kind,
      push_account_id: accountId,
      push_public_key: base64(publicKey),
      bouncer_public_key: base64(this.boxKeys.publicKey),
      encrypted_push_registration: sealBox(JSON.stringify(registration), this.boxKeys.publicKey),
    };
  }

  async stop(): Promise<void> {
    await this.apple.stop();
    await this.google.stop();
    await rm(this.folder, { recursive: true });
  }
}
