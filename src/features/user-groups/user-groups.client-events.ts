import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { userGroupAdd } from '../../../projections/client-events/user-groups.js';
import { Directory } from '../../directory/directory.js';
import {
  type ClientEventWriter,
  type ServedQueue,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { PerVariant } from '../event-queues/queries/per-variant.js';
import { userGroupFromFacts } from './queries/groups-for-clients.js';

@WritesClientEvents()
export class UserGroupClientEvents implements ClientEventWriter {
  readonly kinds = [userGroupAdd];
  private readonly texts = new PerVariant<ClientEventDocument>();

  constructor(private readonly directory: Directory) {}

  prepare(_events: readonly ClientEventDocument[], { queue }: ServedQueue): WriteBody {
    return (event) => {
      if (!userGroupAdd.is(event)) return null;
      const { toldBefore, group } = event.payload;
      if (toldBefore && queue.clientCapabilities[toldBefore]) return null;
      return this.texts.get(event, {}, () => {
        const { subgroupIds, ...facts } = group;
        const members = this.directory.memberIdsAfter(group._id, positionOf(event._id));
        const told = userGroupFromFacts(facts, members, subgroupIds, this.directory);
        return JSON.stringify({ type: 'user_group', op: 'add', group: told });
      });
    };
  }
}
