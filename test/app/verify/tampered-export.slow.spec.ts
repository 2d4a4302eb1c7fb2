import { describe } from '@jest/globals';
import { tampersWithExports } from './tampered-export.js';

describe('a change of an export', () => tampersWithExports(10_000));
