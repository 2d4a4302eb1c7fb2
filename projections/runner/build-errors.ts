import { describe, type ProjectionError } from './projection-record.js';

/** The rebuild was refused: the projection is being built already. */
export class RebuildInProgress extends Error {
  constructor(readonly projection: string) {
    super(`${projection} is being rebuilt already: wait until that is done`);
    this.name = 'RebuildInProgress';
  }
}

/** A build failed. The live documents stay live. */
export class RebuildFailed extends Error {
  constructor(readonly errors: ReadonlyMap<string, ProjectionError>) {
    super([...errors].map(([projection, error]) => `${projection} was not rebuilt: ${describe(error)}`).join('; '));
    this.name = 'RebuildFailed';
  }
}
