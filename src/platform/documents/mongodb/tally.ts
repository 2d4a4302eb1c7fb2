/** Numbers of documents that queries looked at, as the server explains them, and returned. */
export interface Tally {
  examined: number;
  returned: number;
  /** Every query is explained besides, which costs as much as the query. */
  readonly explains: boolean;
}
