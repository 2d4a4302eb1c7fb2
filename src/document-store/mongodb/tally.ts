/** How many documents queries have looked at, as the server explains it, and returned. */
export interface Tally {
  examined: number;
  returned: number;
  /** Whether every query is explained besides, which costs as much as the query. */
  readonly explains: boolean;
}
