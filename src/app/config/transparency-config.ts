import { IsIn, IsOptional, Matches } from 'class-validator';
import { FromSetting } from './config-setting.js';
import { PushConfig } from './push-config.js';

/** The log's tree, which others can check (D15). */
export class TransparencyConfig extends PushConfig {
  /** null: the key is among the content keys. */
  @FromSetting({
    environment: 'ANNALS_SIGNING_KEY_FILE',
    flag: '--signing-key-file <file>',
    about:
      'file of the key that signs checkpoints of the log, made by the first start; without it, the key is kept with the content keys',
    allowed: 'the path of a file',
    default: null,
    commands: ['start', 'api', 'projections', 'key'],
  })
  @IsOptional()
  @Matches(/\S/)
  readonly signingKeyFile!: string | null;

  @FromSetting(
    {
      environment: 'ANNALS_TRANSPARENCY',
      flag: '--transparency <true|false>',
      about:
        'true: checkpoints and hashes of the log are published under /transparency, without a login; false: they are not',
      allowed: 'true or false',
      default: 'true',
      commands: ['start', 'api'],
    },
    (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
  )
  @IsIn([true, false])
  readonly transparency!: boolean;
}
