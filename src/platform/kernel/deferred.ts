/** A promise that is settled from outside, like `Promise.withResolvers` of newer versions of Node. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve!: (value: Value | PromiseLike<Value>) => void;
  reject!: (reason: unknown) => void;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
