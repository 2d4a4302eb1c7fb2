import { Controller, Delete, Get } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, CallersKeyHash, commandContext } from '../../../directory/http/caller.decorator.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { RemoveOwnDevice } from '../domain/remove-own-device.js';
import { GetOwnDevices } from '../queries/get-own-devices.handler.js';

/** Lists the mobile devices of the caller and removes them one by one. */
@Controller('users/me/push_devices')
export class OwnDevicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller, @CallersKeyHash() keyHash: string): Promise<object> {
    return {
      push_devices: await this.queries.execute(
        new GetOwnDevices({ userId: user._id, currentKeyId: apiKeyId(keyHash) }),
      ),
    };
  }

  @Delete(':device_id')
  async remove(@Caller() caller: Caller, @PathText('device_id') deviceId: string): Promise<void> {
    await this.commands.execute(
      new RemoveOwnDevice({ userId: caller.user._id, keyId: deviceId, by: commandContext(caller) }),
    );
  }
}
