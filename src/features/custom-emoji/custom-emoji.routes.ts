import { CUSTOM_EMOJI_PATH } from '../../directory/custom-emoji.js';

/** Paths of the pictures, outside of the API. */
export const CUSTOM_EMOJI_ROUTES = [`${CUSTOM_EMOJI_PATH}/:picture`, `${CUSTOM_EMOJI_PATH}/still/:picture`] as const;
