import type { SigningSettings } from '../../platform/transparency/open-signer.js';
import { type Config, isSiteSettled } from './config.js';

export const signingSettingsOf = (config: Config, site: string): SigningSettings => ({
  site,
  isSettled: isSiteSettled(config),
  keyFile: config.signingKeyFile,
});
