import { join } from 'node:path';
import type { CheckpointSettings } from '../../platform/transparency/checkpoint-settings.js';
import { parseWitnesses } from '../../platform/transparency/witness.js';
import type { Config } from './config.js';

export const checkpointSettingsOf = (config: Config): CheckpointSettings => ({
  file: config.checkpointsFile ?? join(config.dataDirectory, 'checkpoints'),
  noteEvery: config.checkpointSeconds * 1000,
  webhookUrl: config.checkpointWebhookUrl,
  witnesses: config.witnesses === null ? [] : parseWitnesses(config.witnesses),
});
