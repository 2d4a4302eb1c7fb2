// @ts-check
// Jest's environment for Node. It also notes what each spec took, because Jest takes a group of specs for one file.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TestEnvironment } from 'jest-environment-node';
import { ROOT } from './transpile.js';

const ROOT_BLOCK = 'ROOT_DESCRIBE_BLOCK';

/** Names a file to which a line of JSON is added for each spec: path, milliseconds, and those in which the worker computed. */
export const SPEC_TIMES = 'SPEC_TIMES';

/** The path of a line for what comes before the first test of a file: loading and compiling modules. */
export const LOADING = '(loading)';

/**
 * @typedef {{readonly at: number, readonly cpu: NodeJS.CpuUsage}} Moment
 * @typedef {{readonly type: 'test', readonly parent: Block, readonly asyncError?: Error}} Test
 * @typedef {{readonly type: 'describeBlock', readonly parent?: Block, readonly name: string, readonly children: readonly (Block | Test)[]}} Block
 * @typedef {{readonly name: string, readonly describeBlock?: Block, readonly test?: Test}} TestEvent some events of jest-circus
 */

export default class TimedEnvironment extends TestEnvironment {
  /** @type {Moment} */
  #since = now();

  /** @param {TestEvent} event */
  handleTestEvent(event) {
    const { name } = event;
    const one = event.describeBlock ?? event.test;
    if (name === 'run_start') this.#note(LOADING);
    if (one?.parent?.name !== ROOT_BLOCK) return;
    if (name === 'run_describe_start' || name === 'test_start') this.#since = now();
    if (name === 'run_describe_finish' || name === 'test_done') this.#note(specOf(one) ?? LOADING);
  }

  /** @param {string} spec */
  #note(spec) {
    const file = process.env[SPEC_TIMES];
    const { at, cpu } = this.#since;
    const { user, system } = process.cpuUsage(cpu);
    const line = { spec, ms: Math.round(performance.now() - at), cpuMs: Math.round((user + system) / 1000) };
    if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

/** @returns {Moment} */
function now() {
  return { at: performance.now(), cpu: process.cpuUsage() };
}

/**
 * The spec that a test or a block is in, as the stack of its first test tells.
 *
 * @param {Block | Test} one
 * @returns {string | undefined} path from the root
 */
function specOf(one) {
  if (one.type === 'describeBlock') {
    for (const child of one.children) {
      const found = specOf(child);
      if (found) return found;
    }
    return;
  }
  const [path] = /\/[^\s():]+\.spec\.ts/.exec(one.asyncError?.stack ?? '') ?? [];
  return path && relative(ROOT, path);
}
