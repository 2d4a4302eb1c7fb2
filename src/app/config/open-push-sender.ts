import type { PushConfig } from '../../features/push/push.settings.js';
import type { PushSender } from '../../platform/push/push-sender.js';
import { type Config, siteUrl } from './config.js';
import { appleKeyIn, boxKeysIn, googleAccountIn, textIn } from './push-problems.js';

/** Opens the push services of the settings, whose code is loaded only now. null: nothing is pushed. */
export async function openPushSender(config: Config): Promise<PushSender | null> {
  const { pushBouncerUrl: url, pushBouncerOrgId: orgId, pushBouncerOrgKey: orgKey } = config;
  if (url !== null && orgId !== null && orgKey !== null) {
    const { BouncerSender } = await import('../../platform/push/bouncer/bouncer-sender.js');
    return new BouncerSender({ url, orgId, orgKey, site: siteUrl(config, config.port) });
  }
  const { apnsKeyFile, apnsKeyId, apnsTeamId, fcmServiceAccountFile, pushKeysFile } = config;
  if (apnsKeyFile === null && fcmServiceAccountFile === null) return null;
  const { DirectSender } = await import('../../platform/push/direct-sender.js');
  const { boxKeysOf } = await import('../../platform/push/sealed-box.js');
  const { AppleService } = await import('../../platform/push/apple/apple-service.js');
  const { GoogleService } = await import('../../platform/push/google/google-service.js');
  const apple =
    apnsKeyFile === null || apnsKeyId === null || apnsTeamId === null
      ? null
      : new AppleService({
          key: appleKeyIn(apnsKeyFile),
          keyId: apnsKeyId,
          teamId: apnsTeamId,
          ...appleAddress(config),
        });
  const google =
    fcmServiceAccountFile === null
      ? null
      : new GoogleService({ account: googleAccountIn(fcmServiceAccountFile), url: config.fcmUrl });
  const boxKeys = await Promise.all((pushKeysFile === null ? [] : boxKeysIn(pushKeysFile)).map(boxKeysOf));
  return new DirectSender({ apple, google, boxKeys });
}

function appleAddress({ apnsUrl, apnsCaFile, apnsSandbox }: PushConfig): {
  host: string;
  port: number;
  ca: string | null;
} {
  const ca = apnsCaFile === null ? null : textIn(apnsCaFile);
  if (apnsUrl === null)
    return { host: apnsSandbox ? 'api.sandbox.push.apple.com' : 'api.push.apple.com', port: 443, ca };
  const { hostname, port } = new URL(apnsUrl);
  return { host: hostname, port: Number(port) || 443, ca };
}
