import { personalStream } from '../../../events/personal/personal.events.js';
import type { PushEvent } from '../../../events/push/push.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { AddPushToken, decideAddPushToken } from '../domain/add-push-token.js';
import { type PushState, pushState } from '../domain/push.state.js';
import { decideRegisterPushDevice, RegisterPushDevice } from '../domain/register-push-device.js';
import { decideRemoveOwnDevice, RemoveOwnDevice } from '../domain/remove-own-device.js';
import {
  decideRemoveGonePushToken,
  decideRemovePushToken,
  RemoveGonePushToken,
  RemovePushToken,
} from '../domain/remove-push-token.js';
import {
  decideRemovePushDevice,
  decideSettlePushDevice,
  RemovePushDevice,
  SettlePushDevice,
} from '../domain/settle-push-device.js';
import { PushFacts } from './push-facts.js';

const devicesOf = ({ userId }: { readonly userId: number }): CommandStream<PushState, PushEvent> => ({
  stream: personalStream(userId),
  decider: pushState,
  expects: 'any',
});

export const pushHandlers = [
  decidesOn(AddPushToken, {
    stream: devicesOf,
    decide: decideAddPushToken,
    uses: PushFacts,
    facts: ({ userId }, push: PushFacts) => ({ keyId: newEventId(), isBot: push.isBot(userId) }),
  }),
  decidesOn(RemovePushToken, {
    stream: devicesOf,
    decide: decideRemovePushToken,
    uses: PushFacts,
    facts: ({ userId }, push: PushFacts) => ({ isBot: push.isBot(userId) }),
  }),
  decidesOn(RegisterPushDevice, {
    stream: devicesOf,
    decide: decideRegisterPushDevice,
    uses: PushFacts,
    facts: ({ userId }, push: PushFacts) => ({
      keyId: newEventId(),
      isBot: push.isBot(userId),
      isConfigured: push.isConfigured,
    }),
  }),
  decidesOn(RemoveOwnDevice, { stream: devicesOf, decide: decideRemoveOwnDevice }),
  decidesOn(RemoveGonePushToken, { stream: devicesOf, decide: decideRemoveGonePushToken }),
  decidesOn(SettlePushDevice, { stream: devicesOf, decide: decideSettlePushDevice }),
  decidesOn(RemovePushDevice, { stream: devicesOf, decide: decideRemovePushDevice }),
];
