import { Map as ImmutableMap } from 'immutable';
import type {
  CustomEmojiAdded,
  CustomEmojiDeactivated,
  CustomEmojiEvent,
} from '../../../events/custom-emoji/custom-emoji.events.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { UNMEASURED } from '../../../platform/kernel/event-definition.js';
import { isBuiltIn } from '../../markdown/emoji.js';
import type { MeasuredFile } from '../../uploads/domain/upload-file.js';

export interface CustomEmojiState {
  /** Highest id ever used, which is the number of emoji ever added. */
  readonly lastId: number;
  /** By name. */
  readonly active: ImmutableMap<string, { readonly id: number; readonly authorId: number }>;
}

export const customEmoji: Decider<CustomEmojiState, CustomEmojiEvent> = {
  initialState: { lastId: 0, active: ImmutableMap() },
  evolve: (state, event) => {
    switch (event.type) {
      case 'CustomEmojiAdded': {
        const { emojiId: id, name, authorId } = event.data;
        return { lastId: Math.max(state.lastId, id), active: state.active.set(name, { id, authorId }) };
      }
      case 'CustomEmojiDeactivated':
        return { ...state, active: state.active.delete(event.data.name) };
      default:
        event satisfies never;
        return state;
    }
  },
};

/** A name as it is stored. */
const nameOf = (given: string): string => given.trim().replaceAll(' ', '_');

/** Clients load all emoji when they start, deactivated ones too. */
export const MOST_ACTIVE = 1_000;
export const MOST_EVER = 10_000;
export const LONGEST_NAME = 100;

export class AddCustomEmoji extends Command<{
  name: string;
  authorId: number;
  /** The picture as the client sends it. */
  picture: AsyncIterable<Uint8Array>;
  asker: Asker;
}> {}

export interface AddCustomEmojiFacts {
  readonly mayAdd: boolean;
  readonly isAdministrator: boolean;
  /** The stored picture. */
  readonly picture: MeasuredFile;
  /** The stored still picture; null: the picture does not move. */
  readonly still: MeasuredFile | null;
  /** Whether the stored picture is a PNG. Otherwise it is WebP. */
  readonly isPng: boolean;
}

export const decideAddCustomEmoji: Decide<AddCustomEmoji, CustomEmojiState, CustomEmojiAdded, AddCustomEmojiFacts> = (
  { name: given, authorId },
  { lastId, active },
  { mayAdd, isAdministrator, picture, still, isPng },
) => {
  const name = checkedName(given);
  if (!mayAdd) refuse('NOT_AUTHORIZED');
  if (active.has(name)) refuse('CUSTOM_EMOJI_NAME_TAKEN');
  if (isBuiltIn(name) && !isAdministrator) refuse('CUSTOM_EMOJI_OVERRIDES');
  if (active.size >= MOST_ACTIVE) refuse('TOO_MANY_CUSTOM_EMOJI', { limit: MOST_ACTIVE });
  if (lastId >= MOST_EVER) refuse('TOO_MANY_CUSTOM_EMOJI', { limit: MOST_EVER });
  const data = {
    emojiId: lastId + 1,
    name,
    authorId,
    fileId: picture.fileId,
    measure: picture.measure,
    stillFileId: still?.fileId ?? null,
    stillMeasure: still?.measure ?? UNMEASURED,
    ...(isPng && { isPng }),
  };
  return [{ type: 'CustomEmojiAdded', data }];
};

function checkedName(given: string): string {
  const name = nameOf(given);
  if (name === '') refuse('CUSTOM_EMOJI_NAME_MISSING');
  if (!/^[0-9a-z_-]+$/.test(name)) refuse('CUSTOM_EMOJI_NAME_INVALID');
  if (/[_-]$/.test(name)) refuse('CUSTOM_EMOJI_NAME_ENDS_BADLY');
  if (name.length > LONGEST_NAME) refuse('CUSTOM_EMOJI_NAME_TOO_LONG', { limit: LONGEST_NAME });
  return name;
}

export class DeactivateCustomEmoji extends Command<{ name: string; userId: number }> {}

export const decideDeactivateCustomEmoji: Decide<
  DeactivateCustomEmoji,
  CustomEmojiState,
  CustomEmojiDeactivated,
  { readonly isAdministrator: boolean }
> = ({ name: given, userId }, { active }, { isAdministrator }) => {
  const name = nameOf(given);
  const { id, authorId } = active.get(name) ?? refuse('CUSTOM_EMOJI_NOT_FOUND', { name });
  if (!isAdministrator && authorId !== userId) refuse('CUSTOM_EMOJI_OF_OTHERS');
  return [{ type: 'CustomEmojiDeactivated', data: { emojiId: id, name } }];
};
