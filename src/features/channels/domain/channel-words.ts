import { refuse } from '../../../platform/kernel/deciding.js';
import { isBlank } from '../../../platform/kernel/text.js';

/** In Unicode code points; `max_stream_name_length` and `max_stream_description_length` of the register response. */
export const MAX_CHANNEL_NAME = 60;
export const MAX_CHANNEL_DESCRIPTION = 1024;

/** The name as stored. Refuses with CHANNEL_NAME_EMPTY, CHANNEL_NAME_TOO_LONG, CHANNEL_NAME_INVALID. */
export function channelName(said: string): string {
  const name = said.trim();
  if (isBlank(name)) refuse('CHANNEL_NAME_EMPTY');
  if ([...name].length > MAX_CHANNEL_NAME) refuse('CHANNEL_NAME_TOO_LONG', { limit: MAX_CHANNEL_NAME });
  if (/\p{Cc}|\p{Cn}/u.test(name)) refuse('CHANNEL_NAME_INVALID');
  return name;
}

/** The description as stored, on one line. Refuses with CHANNEL_DESCRIPTION_TOO_LONG. */
export function channelDescription(said: string): string {
  const description = said.replaceAll(/\r\n|[\r\n]/g, ' ');
  if ([...description].length > MAX_CHANNEL_DESCRIPTION)
    refuse('CHANNEL_DESCRIPTION_TOO_LONG', { limit: MAX_CHANNEL_DESCRIPTION });
  return description;
}
