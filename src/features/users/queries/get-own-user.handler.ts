import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { newestMessageId } from '../../../../projections/messages/newest-message-id.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { Query } from '../../../platform/kernel/query.js';
import { withShownProfile } from './shown-profile.js';
import { userForClients } from './users-for-clients.js';

export class GetOwnUser extends Query<{ user: UserRecord }, object> {}

@QueryHandler(GetOwnUser)
export class GetOwnUserHandler implements IQueryHandler<GetOwnUser> {
  constructor(private readonly facts: Facts) {}

  async execute({ user }: GetOwnUser): Promise<object> {
    const record = userForClients(withShownProfile(user, this.facts.directory), {
      clientGravatar: false,
      customProfileFields: true,
    });
    return { ...record, max_message_id: await newestMessageId(this.facts.readModels.collection(messages, 'messages')) };
  }
}
