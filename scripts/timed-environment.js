// @ts-check
// Jest's environment for Node. It also notes what each spec took, because Jest takes a group of specs for one file.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TestEnvironment } from 'jest-environment-node';
import { slowness } from './known-work.js';
import { ROOT } from './transpile.js';

const ROOT_BLOCK = 'ROOT_DESCRIBE_BLOCK';

/**
 * Names a file to which a line of JSON is added for each spec: path, milliseconds, and milliseconds of processor time of the
 * worker and of the processes that it has seen end. Lines with a `slowness` tell how slow the machine was at some moment.
 */
export const SPEC_TIMES = 'SPEC_TIMES';

/** The path of a line for what comes before the first test of a file: loading and compiling modules. */
export const LOADING = '(loading)';

/** Milliseconds of a tick of Linux's accounts of processes. */
const TICK_MS = 10;

/**
 * @typedef {{readonly at: number, readonly cpuMs: number}} Moment
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
    if (name === 'run_start' || name === 'run_finish') append({ slowness: slowness() });
    if (one?.parent?.name !== ROOT_BLOCK) return;
    if (name === 'run_describe_start' || name === 'test_start') this.#since = now();
    if (name === 'run_describe_finish' || name === 'test_done') this.#note(specOf(one) ?? LOADING);
  }

  /** @param {string} spec */
  #note(spec) {
    const { at, cpuMs } = now();
    append({ spec, ms: Math.round(at - this.#since.at), cpuMs: Math.round(cpuMs - this.#since.cpuMs) });
  }
}

/** @param {object} line */
function append(line) {
  const file = process.env[SPEC_TIMES];
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** @returns {Moment} */
function now() {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), cpuMs: (user + system) / 1000 + ofEndedProcesses() };
}

/** Milliseconds of processor time of the processes that this one has started and seen end; 0 where no file tells. */
function ofEndedProcesses() {
  try {
    // The fields after the name in parentheses; those of ended processes are 16 and 17 of proc_pid_stat(5).
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return 0;
  }
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
