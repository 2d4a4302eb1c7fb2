const ADDRESS = /^mongodb:\/\/([^@/]*@)?([^:,/?]+)(?::(\d+))?/;

export interface MongodbAddress {
  readonly host: string;
  readonly port: number;
  /** `user:password@`, or nothing. */
  readonly credentials: string;
}

/** Takes the first server of a URL. */
export function addressIn(url: string): MongodbAddress {
  const [, credentials = '', host, port = '27017'] = ADDRESS.exec(url) ?? [];
  if (host === undefined) throw new Error('the URL of MongoDB names no host');
  return { host, port: Number(port), credentials };
}

/** The URL of the same server behind a proxy. Drivers keep to the proxy's address. */
export const behindProxy = ({ credentials }: MongodbAddress, port: number): string =>
  `mongodb://${credentials}127.0.0.1:${port}/?directConnection=true`;
