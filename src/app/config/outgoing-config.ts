import { IsIn, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { areNetworks } from '../../platform/outgoing/reachable-addresses.js';
import { type CommandName, FromSetting, trueOrFalse, wholeNumber } from './config-setting.js';
import { InvitationConfig } from './invitation-config.js';

const THAT_ANSWER_CLIENTS: readonly CommandName[] = ['start', 'api'];

const AreNetworks = (): PropertyDecorator =>
  ValidateBy({
    name: 'areNetworks',
    validator: { validate: (value: unknown) => typeof value === 'string' && areNetworks(value) },
  });

/** Requests of this server to hosts that users name. */
export class OutgoingConfig extends InvitationConfig {
  /** null: none. */
  @FromSetting({
    environment: 'ANNALS_OUTGOING_PRIVATE_NETWORKS',
    flag: '--outgoing-private-networks <networks>',
    about:
      'networks that are not public, to which requests for users may go, such as calls to outgoing webhook bots; without it, only public addresses',
    allowed: 'IP addresses, or networks such as 10.0.0.0/8, separated by commas',
    default: null,
    commands: ['start', 'api', 'projections'],
  })
  @IsOptional()
  @AreNetworks()
  readonly outgoingPrivateNetworks!: string | null;

  @FromSetting(
    {
      environment: 'ANNALS_REMOTE_PICTURES',
      flag: '--remote-pictures <true|false>',
      about: 'true: the server fetches pictures of other sites that messages link to, and serves them to readers',
      allowed: 'true or false',
      default: 'false',
      commands: THAT_ANSWER_CLIENTS,
    },
    trueOrFalse,
  )
  @IsIn([true, false])
  readonly remotePictures!: boolean;

  @FromSetting(
    {
      environment: 'ANNALS_REMOTE_PICTURES_CACHE_MIB',
      flag: '--remote-pictures-cache-mib <number>',
      about: 'size of the pictures of other sites that a process has on disk at most, in MiB',
      allowed: 'a whole number from 32 to 1048576',
      default: '512',
      commands: THAT_ANSWER_CLIENTS,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(32)
  @Max(1_048_576)
  readonly remotePicturesCacheMib!: number;
}
