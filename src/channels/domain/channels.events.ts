import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';

export const CHANNELS_STREAM = 'channels';

export type ChannelCreated = DomainEvent<
  'ChannelCreated',
  {
    readonly channelId: number;
    readonly name: string;
    readonly description: string;
    readonly renderedDescription: string;
    readonly inviteOnly: boolean;
    readonly historyPublicToSubscribers: boolean;
    readonly creatorId: number;
    /** Whom the creation subscribes; carried out by a process manager (D17). */
    readonly subscriberIds: readonly number[];
  }
>;

export type ChannelEvent = ChannelCreated;

export const channelEvents = [defineEvent<ChannelCreated>({ type: 'ChannelCreated', version: 1 })];
