/** Wraps an object, with some methods replaced. The others run on the object itself. */
export const override = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, {
    get(object, name) {
      const method: unknown = Reflect.get(methods, name) ?? Reflect.get(object, name);
      return typeof method === 'function' ? method.bind(object) : method;
    },
  });
