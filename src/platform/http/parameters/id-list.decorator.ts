import { ArrayMaxSize, IsArray, IsInt, IsOptional, Min } from 'class-validator';
import { JsonText } from './parameter-decorators.js';

/** The most ids in one list. */
const MAX_IDS = 20_000;

const asIds = (...more: readonly PropertyDecorator[]) => {
  const decorators = [
    JsonText(),
    IsArray(),
    ArrayMaxSize(MAX_IDS),
    IsInt({ each: true }),
    Min(1, { each: true }),
    ...more,
  ];
  return (): PropertyDecorator => (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };
};

/** A list of ids of users or groups. */
export const Ids = asIds();
/** A list of ids that may be left out. */
export const OptionalIds = asIds(IsOptional());
