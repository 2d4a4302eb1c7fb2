import { IsOptional, ValidateBy } from 'class-validator';
import { areNetworks } from '../../platform/outgoing/reachable-addresses.js';
import { FromSetting } from './config-setting.js';
import { InvitationConfig } from './invitation-config.js';

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
}
