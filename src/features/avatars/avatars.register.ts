import { ReadsState, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { LARGEST_PICTURE_MIB } from '../uploads/domain/upload-settings.js';

@ReadsState()
export class AvatarStateReader implements StateReader {
  parts(): StateParts {
    return { organization: { realm: () => ({ max_avatar_file_size_mib: LARGEST_PICTURE_MIB }) } };
  }
}
