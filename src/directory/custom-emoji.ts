import type { CustomEmojiRecord } from './directory.records.js';

/** The path of the pictures, outside of the API. */
export const CUSTOM_EMOJI_PATH = 'user_avatars/1/emoji/images';

/** A custom emoji as clients see it. */
export interface CustomEmojiForClients {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  readonly still_url: string | null;
  readonly deactivated: boolean;
  readonly author_id: number;
}

export const customEmojiUrl = ({ id, isPng }: Pick<CustomEmojiRecord, 'id' | 'isPng'>): string =>
  `/${CUSTOM_EMOJI_PATH}/${id}.${isPng ? 'png' : 'webp'}`;

const stillUrl = (id: number): string => `/${CUSTOM_EMOJI_PATH}/still/${id}.webp`;

/** The organization's own emoji, as one list of the organization's record has them. */
export class CustomEmojis {
  private readonly byId: ReadonlyMap<number, CustomEmojiRecord>;
  private readonly activeByName: ReadonlyMap<string, CustomEmojiRecord>;
  /** All by id, deactivated ones too. */
  readonly forClients: Readonly<Record<string, CustomEmojiForClients>>;

  constructor(readonly all: readonly CustomEmojiRecord[]) {
    this.byId = new Map(all.map((emoji) => [emoji.id, emoji]));
    this.activeByName = new Map(all.filter(({ isActive }) => isActive).map((emoji) => [emoji.name, emoji]));
    this.forClients = Object.fromEntries(all.map((emoji) => [emoji.id, customEmojiForClients(emoji)]));
  }

  withId(id: number): CustomEmojiRecord | undefined {
    return this.byId.get(id);
  }

  activeNamed(name: string): CustomEmojiRecord | undefined {
    return this.activeByName.get(name);
  }
}

const customEmojiForClients = ({
  id,
  name,
  authorId,
  stillFileId,
  isPng,
  isActive,
}: CustomEmojiRecord): CustomEmojiForClients => ({
  id: String(id),
  name,
  source_url: customEmojiUrl({ id, ...(isPng && { isPng }) }),
  still_url: stillFileId === null ? null : stillUrl(id),
  deactivated: !isActive,
  author_id: authorId,
});
