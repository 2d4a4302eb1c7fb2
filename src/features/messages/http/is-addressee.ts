import { ValidateBy } from 'class-validator';

const isOne = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value);

/** Checks `to` of `POST /messages`: a name, address or id; or a list of addresses or a list of ids. */
export const IsAddressee = (): PropertyDecorator =>
  ValidateBy({
    name: 'isAddressee',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) ? value.every(isOne) && new Set(value.map((one) => typeof one)).size <= 1 : isOne(value),
      defaultMessage: () => '$property is neither a channel nor a list of users',
    },
  });
