import { tmpdir } from 'node:os';
import type { Environment } from './environment.js';

/** Tells where temporary files are made. */
export const temporaryFolder = ({ TMPDIR }: Environment): string => TMPDIR || tmpdir();
