import { IsIn, IsInt, Max, Min } from 'class-validator';
import { ANSWER_WAIT_MS } from '../../platform/kernel/answer-wait.js';
import { type CommandName, FromSetting, trueOrFalse, wholeNumber } from './config-setting.js';
import { PasswordConfig } from './password-config.js';

const THAT_ANSWER_CLIENTS: readonly CommandName[] = ['start', 'api'];

/** How long an answer waits, how large it is, and whether there is a page for people. */
export class AnswerConfig extends PasswordConfig {
  @FromSetting(
    {
      environment: 'ANNALS_ANSWER_WAIT_MS',
      flag: '--answer-wait-ms <number>',
      about:
        'longest time that the answer to a change waits until everybody can read it, and that an answer with proofs waits for them, in milliseconds',
      allowed: 'a whole number from 0 to 60000',
      default: `${ANSWER_WAIT_MS}`,
      commands: THAT_ANSWER_CLIENTS,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(60_000)
  readonly answerWaitMs!: number;

  @FromSetting(
    {
      environment: 'ANNALS_ANSWER_KIB',
      flag: '--answer-kib <number>',
      about: 'size at which a page of messages or events ends, in KiB of JSON; clients ask for the rest',
      allowed: 'a whole number from 1 to 65536',
      default: '8192',
      commands: THAT_ANSWER_CLIENTS,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(1)
  @Max(65_536)
  readonly answerKib!: number;

  @FromSetting(
    {
      environment: 'ANNALS_PAGE',
      flag: '--page <true|false>',
      about: 'true: people who open the public URL in a browser get the page; false: they get 404',
      allowed: 'true or false',
      default: 'true',
      commands: THAT_ANSWER_CLIENTS,
    },
    trueOrFalse,
  )
  @IsIn([true, false])
  readonly page!: boolean;
}
