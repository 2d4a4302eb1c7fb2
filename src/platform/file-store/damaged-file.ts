/** A file that is not as the log says, and is not served. Has no name of it: who knows the name may have the file. */
export interface DamagedFile {
  readonly fault: 'missing' | 'changed';
  /** The event that names the file. */
  readonly type: string;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Knows the files that a process does not serve. */
export interface DamagedFiles {
  /** The newest first. */
  readonly damaged: readonly DamagedFile[];
}
