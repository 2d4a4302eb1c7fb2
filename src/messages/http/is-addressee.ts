import { ValidateBy } from 'class-validator';

const isOne = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value);

/** A name, address or id; or a list of addresses or of ids, not of both (api.md, endpoint 1: `to`). */
export const IsAddressee = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAddressee',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) ? value.every(isOne) && new Set(value.map((one) => typeof one)).size <= 1 : isOne(value),
      defaultMessage: () => '$property is neither a channel nor a list of users',
    },
  });
