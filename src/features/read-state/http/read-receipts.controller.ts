import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { GetReadReceipts } from '../queries/get-read-receipts.handler.js';

@Controller('messages/:message_id/read_receipts')
export class ReadReceiptsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async readers(
    @Caller() { user }: Caller,
    @PathId('message_id') messageId: number,
  ): Promise<{ user_ids: readonly number[] }> {
    return { user_ids: await this.dispatch.ask(new GetReadReceipts({ asker: user, messageId })) };
  }
}
