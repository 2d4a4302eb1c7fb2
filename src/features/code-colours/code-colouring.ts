import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { withTimeout } from '../../platform/kernel/awake-time.js';
import { Mutex } from '../../platform/kernel/mutex.js';
import { type CodeBlock, type CodeColours, NO_COLOURS } from '../markdown/code-facts.js';
import type { Token } from '../markdown/token.js';
import { ColourThread } from './colour-thread.js';
import { grammarOf } from './grammars.js';

/** Milliseconds that the blocks of a text may take together, and that they may wait for others' besides. */
const WORK = 250;
const DEADLINE = 300;
/** Milliseconds that a text may wait for the thread's start. */
const START = 1_000;
/** Milliseconds for which a grammar is not used, after it has missed the deadline, for code of about that length. */
const SUSPENDED_FOR = 600_000;
/** The same for code of fewer characters: more likely the machine was busy, and everybody's code is about as short. */
const SHORT_SUSPENDED_FOR = 10_000;
const SHORT = 10_000;

/** A grammar is not used until then for code of so many characters or more. */
interface Suspension {
  readonly until: number;
  readonly fromLength: number;
}

/**
 * Colours code in a thread, which starts when it is first needed. Code that takes too long stays plain: the thread is
 * ended, another started, and the grammar suspended for a while for code of half its length or more. So nobody can hold up
 * others' colours for long, and nobody can take the colours from everybody's short code by one long text.
 */
@Injectable()
export class CodeColouring implements OnApplicationShutdown {
  private thread: ColourThread | undefined;
  private isClosed = false;
  private readonly turns = new Mutex();
  /** By grammar. */
  private readonly suspensions = new Map<string, Suspension>();

  /** Answers within the deadline, once the thread has started, with the colours found by then. */
  async coloursOf(blocks: readonly CodeBlock[]): Promise<CodeColours> {
    const wanted = blocks.filter((block) => this.mayColour(block));
    if (wanted.length === 0 || !(await inTime(START, this.running().ready))) return NO_COLOURS;
    const found = new Map<string, readonly Token[]>();
    let isLate = false;
    const turn = this.turns.run(async () => {
      if (!isLate)
        await this.colour(
          wanted.filter((block) => this.mayColour(block)),
          found,
        );
      return true;
    });
    await inTime(DEADLINE, turn);
    isLate = true;
    const inTheEnd = new Map(found);
    return (block) => inTheEnd.get(keyOf(block)) ?? null;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    await this.thread?.end();
  }

  private running(): ColourThread {
    this.thread ??= new ColourThread();
    return this.thread;
  }

  private mayColour({ language, code }: CodeBlock): boolean {
    const grammar = grammarOf.get(language);
    const suspension = grammar === undefined ? undefined : this.suspensions.get(grammar);
    const isSuspended =
      suspension !== undefined && suspension.until > performance.now() && code.length >= suspension.fromLength;
    return grammar !== undefined && !isSuspended;
  }

  /** Adds the tokens of blocks, one after the other. */
  private async colour(blocks: readonly CodeBlock[], found: Map<string, readonly Token[]>): Promise<void> {
    const thread = this.running();
    if (blocks.length === 0 || !(await thread.ready)) return;
    const left = [...blocks];
    const isWhole = await thread.colour(blocks, WORK, (tokens) => {
      const block = left.shift();
      if (block && tokens) found.set(keyOf(block), tokens);
    });
    if (isWhole || this.isClosed) return;
    this.suspend(left[0]);
    this.thread = new ColourThread();
  }

  private suspend(stuck: CodeBlock | undefined): void {
    const grammar = stuck && grammarOf.get(stuck.language);
    if (stuck === undefined || grammar === undefined) return;
    const fromLength = Math.floor(stuck.code.length / 2);
    const suspendedFor = stuck.code.length < SHORT ? SHORT_SUSPENDED_FOR : SUSPENDED_FOR;
    this.suspensions.set(grammar, { until: performance.now() + suspendedFor, fromLength });
    new Logger('CodeColouring').warn(
      `Code took too long to colour: for ${suspendedFor / 1000} s ${grammar} is coloured up to ${fromLength} characters`,
    );
  }
}

const keyOf = ({ language, code }: CodeBlock): string => `${language}\n${code}`;

/** Whether a promise gives true within some milliseconds. */
const inTime = (limit: number, promise: Promise<boolean>): Promise<boolean> =>
  withTimeout(promise, limit, () => new Error('late')).catch(() => false);
