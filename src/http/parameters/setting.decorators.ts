import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { JsonText } from './parameter-decorators.js';

/** Larger than any period or limit that means something, and exact wherever it is stored. */
export const MAX_NUMBER = 2_147_483_647;

export const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };

/** `true` or `false`. */
export const Flag = (): PropertyDecorator => all(JsonText(), IsOptional(), IsBoolean());

export const Text = (limit: number): PropertyDecorator => all(IsOptional(), IsString(), MaxLength(limit));

export const WordOf = (words: readonly string[]): PropertyDecorator => all(IsOptional(), IsIn([...words]));

export const NumberOf = (numbers: readonly number[]): PropertyDecorator =>
  all(JsonText(), IsOptional(), IsInt(), IsIn([...numbers]));

export const NumberFrom = (least: number, most = MAX_NUMBER): PropertyDecorator =>
  all(JsonText(), IsOptional(), IsInt(), Min(least), Max(most));
