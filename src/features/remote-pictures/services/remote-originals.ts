import type { OnApplicationShutdown } from '@nestjs/common';
import type { FileCache } from '../../../platform/file-cache/file-cache.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import { ReadTurn, ReadTurns } from '../../../platform/kernel/read-turns.js';
import type { Failure, OutgoingRequests } from '../../../platform/outgoing/outgoing-requests.js';
import { pictureTypeOf, SHOWN_TYPES } from '../domain/picture-type.js';
import type { RemoteSource } from '../queries/remote-source.js';
import { FETCH_BOUNDS, type FetchBounds } from '../remote-pictures.settings.js';
import { FetchLimits } from './fetch-limits.js';
import { SharedWork } from './shared-work.js';

const NONE_THERE = [404, 410];
/** Statuses of an answer that is the whole picture: one with 206 is a part, though nobody has asked for it. */
const WHOLE = [200, 203];

/** Fetches pictures from other sites into the cache: each once for all who ask, and within limits. */
export class RemoteOriginals implements OnApplicationShutdown {
  private readonly work: SharedWork;
  private readonly limits: FetchLimits;
  private readonly turns: ReadTurns;
  private readonly stopping = new AbortController();

  constructor(
    private readonly requests: OutgoingRequests,
    private readonly cache: FileCache,
    private readonly bounds: FetchBounds = FETCH_BOUNDS,
    now?: () => number,
  ) {
    this.work = new SharedWork(bounds.failuresRemembered, now);
    this.limits = new FetchLimits(bounds);
    this.turns = new ReadTurns({
      atOnce: bounds.atOnce,
      atOnceEach: bounds.atOnceForOneAccount,
      mostWaiting: bounds.waiting,
      longestWait: bounds.longestWait,
    });
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /**
   * Fetches a picture, unless the cache has it by now.
   *
   * @param account the account that asks. A request that is under way for another one does not count for it
   * @throws DomainError, UnavailableError
   */
  fetch(source: RemoteSource, account: number): Promise<void> {
    return this.work.run(source.key, async () => {
      if (await this.isCached(source)) return;
      await this.limits.count(account, source.host);
      await this.inTurn(account, () => this.fetchNow(source));
    });
  }

  private async isCached({ key }: RemoteSource): Promise<boolean> {
    const file = await this.cache.open(key);
    file?.content.destroy();
    return file !== null && pictureTypeOf(file.head) !== null;
  }

  private async inTurn(account: number, work: () => Promise<void>): Promise<void> {
    const turn = new ReadTurn(this.turns, account);
    await turn.begin();
    try {
      await work();
    } finally {
      turn.ended();
      turn.closed();
    }
  }

  private async fetchNow({ url, key }: RemoteSource): Promise<void> {
    const { maxBytes, timeout } = this.bounds;
    const { signal } = this.stopping;
    const answer = await this.requests.get(url, { maxBytes, timeout, signal, accept: SHOWN_TYPES });
    if (answer.outcome === 'failed') return this.refuseFor(answer);
    if (!WHOLE.includes(answer.status)) refuse('REMOTE_PICTURE_REFUSED', { status: answer.status });
    if (pictureTypeOf(answer.body) === null) refuse('REMOTE_PICTURE_UNREADABLE');
    await this.cache.store(key, answer.body);
  }

  /** Tells a private address like a host that does not answer: its name is nobody's business. */
  private refuseFor({ kind, status, reason }: Failure): never {
    switch (kind) {
      case 'too large':
        return refuse('REMOTE_PICTURE_TOO_LARGE', { limit: this.bounds.maxBytes / (1024 * 1024) });
      case 'timeout':
        return refuse('REMOTE_PICTURE_LATE');
      case 'status':
        if (status !== null && NONE_THERE.includes(status)) return refuse('REMOTE_PICTURE_NOT_FOUND');
        return refuse('REMOTE_PICTURE_REFUSED', { status });
      case 'url':
      case 'address':
      case 'redirects':
      case 'connection':
        return refuse('REMOTE_PICTURE_UNREACHABLE');
      case 'aborted':
        throw new UnavailableError(reason);
    }
  }
}
