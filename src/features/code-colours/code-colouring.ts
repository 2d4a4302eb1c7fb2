import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Mutex } from '../../platform/kernel/mutex.js';
import { withTimeout } from '../../platform/kernel/with-timeout.js';
import { type CodeBlock, type CodeColours, NO_COLOURS } from '../markdown/code-facts.js';
import type { Token } from '../markdown/token.js';
import { ColourThread } from './colour-thread.js';
import { grammarOf } from './grammars.js';

/** Milliseconds that the blocks of a text may take together, and that they may wait for others' besides. */
const WORK = 250;
const DEADLINE = 300;
/** Milliseconds that a text may wait for the thread's start. */
const START = 1_000;
/** Milliseconds for which a grammar is not used after it has missed the deadline. */
const REFUSED_FOR = 600_000;

/**
 * Colours code in a thread, which starts when it is first needed. Code that takes too long stays plain: the thread is
 * ended, another started, and the grammar refused for a while, so that nobody can hold up others' colours for long.
 */
@Injectable()
export class CodeColouring implements OnApplicationShutdown {
  private thread: ColourThread | undefined;
  private isClosed = false;
  private readonly turns = new Mutex();
  /** When grammars are used again, by grammar. */
  private readonly refusedUntil = new Map<string, number>();

  /** Answers within the deadline, once the thread has started, with the colours found by then. */
  async coloursOf(blocks: readonly CodeBlock[]): Promise<CodeColours> {
    const wanted = blocks.filter(({ language }) => this.mayUse(language));
    if (wanted.length === 0 || !(await inTime(START, this.running().ready))) return NO_COLOURS;
    const found = new Map<string, readonly Token[]>();
    let isLate = false;
    const turn = this.turns.run(async () => {
      if (!isLate)
        await this.colour(
          wanted.filter(({ language }) => this.mayUse(language)),
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

  private mayUse(language: string): boolean {
    const grammar = grammarOf.get(language);
    return grammar !== undefined && (this.refusedUntil.get(grammar) ?? 0) <= performance.now();
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
    this.refuse(left[0]);
    this.thread = new ColourThread();
  }

  private refuse(stuck: CodeBlock | undefined): void {
    const grammar = stuck && grammarOf.get(stuck.language);
    if (grammar === undefined) return;
    this.refusedUntil.set(grammar, performance.now() + REFUSED_FOR);
    const minutes = REFUSED_FOR / 60_000;
    new Logger('CodeColouring').warn(
      `Code took too long to colour: the grammar ${grammar} rests for ${minutes} minutes`,
    );
  }
}

const keyOf = ({ language, code }: CodeBlock): string => `${language}\n${code}`;

/** Whether a promise gives true within some milliseconds. */
const inTime = (limit: number, promise: Promise<boolean>): Promise<boolean> =>
  withTimeout(promise, limit, () => new Error('late')).catch(() => false);
