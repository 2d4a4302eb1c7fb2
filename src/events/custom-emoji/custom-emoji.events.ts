import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent, type FileMeasure, UNMEASURED, type Upcaster } from '../../platform/kernel/event-definition.js';
import { concernsNobody } from '../shared/concerned.js';

/** Version 1 does not record the bytes of the pictures. */
const customEmojiAddedFrom1: Upcaster = (data) => ({ ...data, measure: UNMEASURED, stillMeasure: UNMEASURED });

/** The stream of the organization's own emoji. */
export const CUSTOM_EMOJI_STREAM = 'customEmoji';

/** The organization has another emoji. Its pictures were stored before the event. */
export type CustomEmojiAdded = DomainEvent<
  'CustomEmojiAdded',
  {
    /** A number of its own: the name can be used again after the emoji is deactivated. */
    readonly emojiId: number;
    readonly name: string;
    readonly authorId: number;
    /** The picture's name in the file store. */
    readonly fileId: string;
    readonly measure: FileMeasure;
    /** The still picture of an animated emoji; null: the picture does not move. */
    readonly stillFileId: string | null;
    readonly stillMeasure: FileMeasure;
    /** The picture is a PNG. Absent: it is WebP. */
    readonly isPng?: true;
  }
>;

/** An emoji of the organization can no longer be used. The pictures stay: old messages and reactions show them. */
export type CustomEmojiDeactivated = DomainEvent<
  'CustomEmojiDeactivated',
  { readonly emojiId: number; readonly name: string }
>;

export type CustomEmojiEvent = CustomEmojiAdded | CustomEmojiDeactivated;

export const customEmojiEvents = [
  defineEvent<CustomEmojiAdded>({
    type: 'CustomEmojiAdded',
    version: 2,
    concerns: ({ data: { authorId } }) => ({ userIds: [authorId] }),
    upcasters: { 1: customEmojiAddedFrom1 },
    files: ['fileId', 'stillFileId'],
    measures: ({ data: { measure, stillMeasure } }) => ({ fileId: measure, stillFileId: stillMeasure }),
  }),
  defineEvent<CustomEmojiDeactivated>({ type: 'CustomEmojiDeactivated', concerns: concernsNobody }),
];
