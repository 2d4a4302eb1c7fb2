/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Gives the variables of this process. */
export const processEnvironment = (): Environment => process.env;
