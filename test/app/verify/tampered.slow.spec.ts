import { describe } from '@jest/globals';
import { tampersWith } from './tampered.js';

describe('a change of a log, its keys, its tree or its checkpoints', () => tampersWith(10_000));
