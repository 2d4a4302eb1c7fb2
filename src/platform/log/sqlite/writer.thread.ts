import { join } from 'node:path';
import { openLocked } from '../../sqlite/open-locked.js';
import { serveWriter } from '../../sqlite/writer/serve-writer.js';
import type { AppendRequest } from '../encode-append.js';
import { openLog } from './log-file.js';
import { type AppendOutcome, LogWriter } from './log-writer.js';

export interface LogWriterData {
  readonly directory: string;
}

serveWriter<LogWriterData, AppendRequest, AppendOutcome>(({ directory }) =>
  openLocked(join(directory, 'log.lock'), 'log', (unlock) => new LogWriter(openLog(directory), unlock)),
);
