import { namesByCode } from '../../platform/emoji/emoji-names.js';
import { sha256Of } from '../../platform/kernel/sha256.js';

/** The names of all emoji by code, as clients fetch them (`server_emoji_data_url` of the register response). */
export const EMOJI_DATA = JSON.stringify({ code_to_names: Object.fromEntries(namesByCode()) });

/** Other data have another path, so that clients may keep what they have. */
export const EMOJI_DATA_PATH = `static/generated/emoji/emoji_api.${sha256Of(EMOJI_DATA).slice(0, 12)}.json`;
