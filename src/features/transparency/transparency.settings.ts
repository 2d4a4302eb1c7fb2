import { featureSettings, THAT_ANSWER_CLIENTS, trueOrFalse } from '../../platform/settings/setting.js';

/** Nest token. */
export const TRANSPARENCY_SETTINGS = Symbol('TransparencySettings');

export interface TransparencySettings {
  /** Whether checkpoints and tiles are answered without a login. */
  readonly isPublished: boolean;
}

export const transparencySettings = featureSettings(
  {
    transparency: trueOrFalse({
      environment: 'ANNALS_TRANSPARENCY',
      about:
        'true: checkpoints and hashes of the log are published under /transparency, without a login; false: they are not',
      default: true,
      commands: THAT_ANSWER_CLIENTS,
    }),
  },
  ({ transparency }) => [[TRANSPARENCY_SETTINGS, { isPublished: transparency } satisfies TransparencySettings]],
);
