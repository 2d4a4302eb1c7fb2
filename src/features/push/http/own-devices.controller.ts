import { Controller, Delete, Get } from '@nestjs/common';
import { Caller, CallersKeyHash } from '../../../directory/http/caller.decorator.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { RemoveOwnDevice } from '../domain/remove-own-device.js';
import { GetOwnDevices } from '../queries/get-own-devices.handler.js';

/** Lists the mobile devices of the caller and removes them one by one. */
@Controller('users/me/push_devices')
export class OwnDevicesController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller, @CallersKeyHash() keyHash: string): Promise<object> {
    return {
      push_devices: await this.dispatch.ask(new GetOwnDevices({ userId: user._id, currentKeyId: apiKeyId(keyHash) })),
    };
  }

  @Delete(':device_id')
  async remove(@Caller() { user, by }: Caller, @PathText('device_id') deviceId: string): Promise<void> {
    await this.dispatch.do(new RemoveOwnDevice({ userId: user._id, keyId: deviceId, by }));
  }
}
