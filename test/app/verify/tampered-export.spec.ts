import { describe } from '@jest/globals';
import { tampersWithExports } from './tampered-export.js';

/** `tampered-export.slow.spec.ts` has more. */
describe('a change of an export', () => tampersWithExports(300));
