import { IsOptional, ValidateBy } from 'class-validator';
import { AnswerConfig } from './answer-config.js';
import { FromSetting } from './config-setting.js';

/** Where the metrics of the process are read. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = /^(?<host>[\w.-]+|\[[\da-fA-F:.]+\]):(?<port>\d{1,5})$/;

/** @returns the text itself if it is no address */
function addressIn(text: string): MetricsAddress | string {
  const { host = '', port = '' } = ADDRESS.exec(text)?.groups ?? {};
  return host === '' || Number(port) > 65_535 ? text : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

const IsAddress = (): PropertyDecorator =>
  ValidateBy({ name: 'isAddress', validator: { validate: (value: unknown) => typeof value === 'object' } });

/** What operators see of the process. */
export class MetricsConfig extends AnswerConfig {
  /** null: nowhere. */
  @FromSetting(
    {
      environment: 'ANNALS_METRICS',
      flag: '--metrics <address>',
      about:
        'address at which Prometheus reads the metrics of this process, without credentials: keep it from the public; without it, there are none',
      allowed: 'an address and a port, such as 127.0.0.1:9464',
      default: null,
      commands: ['start', 'api', 'projections'],
    },
    addressIn,
  )
  @IsOptional()
  @IsAddress()
  readonly metrics!: MetricsAddress | null;
}
