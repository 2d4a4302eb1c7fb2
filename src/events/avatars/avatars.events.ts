import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent, type FileMeasure, UNMEASURED, type Upcaster } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';

/** Version 1 does not record the bytes of the pictures. */
const avatarChangedFrom1: Upcaster = (data) => ({ ...data, measure: UNMEASURED, mediumMeasure: UNMEASURED });

/** Events of one account's avatar. */
export const avatarStream = (userId: number): string => `avatar-${userId}`;

interface PreviousPictures {
  /** The names of the pictures that are replaced, which are deleted; null: there were none. */
  readonly previousFileId: string | null;
  readonly previousMediumFileId: string | null;
}

/** An uploaded avatar. Its pictures were stored before the event. */
export type AvatarChanged = DomainEvent<
  'AvatarChanged',
  PreviousPictures & {
    readonly userId: number;
    /** Counts the avatars of the account, from 1: the one that it has at first. */
    readonly version: number;
    /** The name of the picture in the file store. Random: part of the picture's URL. */
    readonly fileId: string;
    readonly measure: FileMeasure;
    /** The name of the larger picture. */
    readonly mediumFileId: string;
    readonly mediumMeasure: FileMeasure;
  }
>;

/** The account has the avatar again that follows from its address. */
export type AvatarRemoved = DomainEvent<
  'AvatarRemoved',
  PreviousPictures & { readonly userId: number; readonly version: number }
>;

export type AvatarEvent = AvatarChanged | AvatarRemoved;

export const avatarEvents = [
  defineEvent<AvatarChanged>({
    type: 'AvatarChanged',
    version: 2,
    concerns: concernsUser,
    upcasters: { 1: avatarChangedFrom1 },
    files: ['fileId', 'mediumFileId'],
    measures: ({ data: { measure, mediumMeasure } }) => ({ fileId: measure, mediumFileId: mediumMeasure }),
    endsFiles: ['previousFileId', 'previousMediumFileId'],
  }),
  defineEvent<AvatarRemoved>({
    type: 'AvatarRemoved',
    concerns: concernsUser,
    endsFiles: ['previousFileId', 'previousMediumFileId'],
  }),
];
