/** How a refusal is answered. `data` is what the DomainError carries. */
export interface Refusal {
  readonly status: number;
  /** What clients look at; the API's own code where it has one. */
  readonly code: string;
  /** For people. `{name}` stands for that entry of `data`. */
  readonly message: string | ((data: RefusalData) => string);
  /** Entries of `data` that are repeated in the body; nothing else is: strict clients refuse unknown keys. */
  readonly keys?: readonly string[];
  readonly headers?: (data: RefusalData) => Readonly<Record<string, string>>;
}

export type RefusalData = Readonly<Record<string, unknown>>;
