import { join } from 'node:path';
import { openLocked } from '../../sqlite/open-locked.js';
import { serveWriter } from '../../sqlite/writer/serve-writer.js';
import { type KeysOutcome, type KeysRequest, KeysWriter, openKeys } from './keys-file.js';

export interface KeysWriterData {
  readonly directory: string;
}

serveWriter<KeysWriterData, KeysRequest, KeysOutcome>(({ directory }) =>
  openLocked(
    join(directory, 'keys.lock'),
    'store of content keys',
    (unlock) => new KeysWriter(openKeys(directory), unlock),
  ),
);
