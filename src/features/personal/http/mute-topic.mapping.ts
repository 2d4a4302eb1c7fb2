import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { MuteTopicParameters } from './topic-policy.parameters.js';

/** The id of a channel that is named by its id or by its name, not by both. */
export function channelNamed(
  { stream_id, stream: name }: MuteTopicParameters,
  user: UserRecord,
  directory: Directory,
): number {
  if (stream_id !== undefined && name !== undefined)
    refuse('INCOMPATIBLE_PARAMETERS', { parameters: 'stream_id, stream' });
  if (stream_id !== undefined) return stream_id;
  if (name === undefined) return refuse('REQUEST_VARIABLE_MISSING', { var_name: 'stream_id' });
  const channel = directory.channelByName(name);
  if (!channel || !may(user, { channel, to: 'see' }, directory)) return refuse('INVALID_CHANNEL_NAME', { name });
  return channel._id;
}
