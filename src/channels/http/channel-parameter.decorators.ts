import { IsBoolean, IsIn, IsOptional, ValidateBy } from 'class-validator';
import { JsonOrText, JsonText } from '../../http/parameters/parameter-decorators.js';
import { TOPICS_POLICIES } from '../domain/channels.settings.js';

const together =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };

/** true or false; may be absent. */
export const Flag = (): PropertyDecorator => together(JsonText(), IsOptional(), IsBoolean());

const isTextOrInteger = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value);

/** A number of days, as JSON or as text, or one of the published words; `retentionDays` reads it. */
export const Retention = (): PropertyDecorator =>
  together(
    JsonOrText(),
    IsOptional(),
    ValidateBy({
      name: 'isTextOrInteger',
      validator: { validate: isTextOrInteger, defaultMessage: () => '$property is not a number of days' },
    }),
  );

/** As bare text, or as the JSON string that some clients send. */
export const Policy = (): PropertyDecorator => together(JsonOrText(), IsOptional(), IsIn(TOPICS_POLICIES));
