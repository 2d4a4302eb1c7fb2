import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { accessSettings } from '../../features/accesses/accesses.settings.js';
import { eventQueueSettings } from '../../features/event-queues/event-queues.settings.js';
import { invitationSettings } from '../../features/invitations/invitations.settings.js';
import { pageSettings } from '../../features/page/page.settings.js';
import { pushSettings } from '../../features/push/push.settings.js';
import { remotePictureSettings } from '../../features/remote-pictures/remote-pictures.settings.js';
import { transparencySettings } from '../../features/transparency/transparency.settings.js';
import { uploadSettings } from '../../features/uploads/uploads.settings.js';
import { userSettings } from '../../features/users/users.settings.js';
import type { EngineSettings } from '../../platform/engines/engines.js';
import type { ConfigOf, Setting } from '../../platform/settings/setting.js';
import type { SigningSettings } from '../../platform/transparency/open-signer.js';
import { type CheckpointSettings, parseWitnesses } from '../../platform/transparency/witness.js';
import { checkRows, signingKeyFile } from './log-checks.settings.js';
import { answerRows, engineRows, mailRows, metricsRows, outgoingRows, serverRows } from './process.settings.js';

const { queueIdleDays, heartbeatSeconds } = eventQueueSettings.rows;
const { apiKeyIdleDays, passwordMinLength } = userSettings.rows;

const firstRows = {
  ...serverRows,
  ...{ queueIdleDays, apiKeyIdleDays, heartbeatSeconds },
  ...uploadSettings.rows,
  ...engineRows,
};
const transparencyRows = { signingKeyFile, ...transparencySettings.rows, ...checkRows };
const requestRows = { ...outgoingRows, ...remotePictureSettings.rows };
const clientRows = { ...answerRows, ...pageSettings.rows };

/** The table of settings, in the order in which wrong values are named. */
const rows = {
  ...firstRows,
  ...mailRows,
  ...invitationSettings.rows,
  ...requestRows,
  ...pushSettings.rows,
  ...transparencyRows,
  ...accessSettings.rows,
  passwordMinLength,
  ...clientRows,
  ...metricsRows,
};

export type SettingName = keyof typeof rows;

/** The settings of a process. They are read once at start, frozen, and handed down. */
export type Config = ConfigOf<typeof rows>;

const entriesOf = (table: Record<SettingName, Setting>) => Object.entries(table) as [SettingName, Setting][];

/** Nest token of the process's settings. */
export const CONFIG = Symbol('Config');

export const settingsByProblem: ReadonlyMap<SettingName, Setting> = new Map(entriesOf(rows));

/** The table of settings, in the order of `--help`. */
export const settings: ReadonlyMap<SettingName, Setting> = new Map(
  entriesOf({
    ...firstRows,
    ...metricsRows,
    ...clientRows,
    passwordMinLength,
    ...accessSettings.rows,
    ...transparencyRows,
    ...pushSettings.rows,
    ...requestRows,
    ...invitationSettings.rows,
    ...mailRows,
  }),
);

/** Tells whether the next start has the same public URL. A port that is taken at random is no part of the log's name. */
export const isSiteSettled = ({ site, port }: Pick<Config, 'site' | 'port'>): boolean => site !== null || port !== 0;

/** Makes the URL that clients use. @param port the port that the server listens on */
export function siteUrl(config: Pick<Config, 'site' | 'host'>, port: number): string {
  if (config.site !== null) return config.site;
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? 'localhost' : isIPv6(config.host) ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

/** Makes the settings of the engines; distributed if both URLs are given. */
export function engineSettingsOf(
  config: Pick<Config, 'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'streamPrefix'>,
): EngineSettings {
  const { dataDirectory, eventStoreUrl, mongodbUrl, streamPrefix } = config;
  if (eventStoreUrl === null || mongodbUrl === null) return { dataDirectory };
  return { dataDirectory, distributed: { eventStoreUrl, streamPrefix, mongodbUrl } };
}

export const checkpointSettingsOf = (config: Config): CheckpointSettings => ({
  file: config.checkpointsFile ?? join(config.dataDirectory, 'checkpoints'),
  noteEvery: config.checkpointSeconds * 1000,
  webhookUrl: config.checkpointWebhookUrl,
  witnesses: config.witnesses === null ? [] : parseWitnesses(config.witnesses),
});

export const signingSettingsOf = (config: Config, site: string): SigningSettings => ({
  site,
  isSettled: isSiteSettled(config),
  keyFile: config.signingKeyFile,
});
