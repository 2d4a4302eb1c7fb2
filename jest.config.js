import { LANGUAGE } from './scripts/transpile.js';

/** @type {import('jest').Config} */
export default {
  testEnvironment: './scripts/timed-environment.js',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  // Threads and child processes are started by Node itself: they run from a bundled copy.
  globalSetup: './scripts/bundle.js',
  moduleNameMapper: {
    '/threads/thread-entry\\.js$': '<rootDir>/test/support/thread-entry.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    // A copy: the transformer adds to its options.
    '^.+\\.ts$': ['@swc/jest', structuredClone(LANGUAGE)],
  },
  // Long enough for a busy machine: only a test that hangs reaches it.
  testTimeout: 180_000,
};
