import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import type { RegisterContext, StateParts, StateReader } from '../event-queues/state-reader.js';
import { devicesOf } from './queries/devices-of.js';

@Injectable()
export class PushStateReader implements StateReader {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  parts({ reader }: RegisterContext): StateParts {
    return {
      own: {
        part: 'push_device',
        names: ['push_device'],
        read: async (_names, at) => {
          const { devices, position } = await devicesOf(reader._id, this.readModels, at);
          const push_devices = Object.fromEntries(
            devices.map(({ pushAccountId, status, errorCode }) => [pushAccountId, { status, error_code: errorCode }]),
          );
          return { state: { push_devices }, position };
        },
      },
    };
  }
}
