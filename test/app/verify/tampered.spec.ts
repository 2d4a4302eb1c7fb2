import { describe } from '@jest/globals';
import { tampersWith } from './tampered.js';

/** `tampered.slow.spec.ts` has more. */
describe('a change of a log, its keys, its tree or its checkpoints', () => tampersWith(200));
