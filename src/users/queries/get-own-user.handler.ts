import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { userForClients } from '../../directory/records-for-clients.js';
import { withShownProfile } from '../../directory/shown-profile.js';
import { newestMessageId } from '../../messages/queries/newest-message-id.js';

export class GetOwnUser {
  constructor(readonly user: UserRecord) {}
}

@QueryHandler(GetOwnUser)
export class GetOwnUserHandler implements IQueryHandler<GetOwnUser, object> {
  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute({ user }: GetOwnUser): Promise<object> {
    const { bot_type, bot_owner_id, ...record } = userForClients(withShownProfile(user, this.directory), {
      clientGravatar: false,
      customProfileFields: true,
    });
    return { ...record, max_message_id: await newestMessageId(this.readModels.collection(messages, 'messages')) };
  }
}
