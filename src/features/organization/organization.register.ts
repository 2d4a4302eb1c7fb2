import { Inject } from '@nestjs/common';
import { Directory } from '../../directory/directory.js';
import { SITE } from '../../platform/kernel/site.js';
import { PUSH_SENDER, type PushSender } from '../../platform/push/push-sender.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { PasswordRule } from '../users/domain/password.js';
import { defaultChannelIdsFor } from './queries/default-channels.js';
import { organizationLists } from './register/organization-lists.js';
import { realmState } from './register/realm-state.js';

@ReadsState()
export class OrganizationStateReader implements StateReader {
  private readonly startedAt = Math.floor(Date.now() / 1000);

  constructor(
    private readonly directory: Directory,
    @Inject(SITE) private readonly site: () => string,
    @Inject(PUSH_SENDER) private readonly pushSender: PushSender | null,
    private readonly passwords: PasswordRule,
  ) {}

  parts({ reader, request }: RegisterContext): StateParts {
    const { directory } = this;
    return {
      organization: {
        default_streams: () => ({ realm_default_streams: defaultChannelIdsFor(reader, directory) }),
        ...organizationLists(directory, request.clientCapabilities),
        realm: () =>
          realmState(directory, {
            site: this.site(),
            startedAt: this.startedAt,
            pushes: this.pushSender !== null,
            leastPassword: this.passwords.least,
          }),
      },
    };
  }
}
