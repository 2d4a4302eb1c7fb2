import 'reflect-metadata';
import type { Provider, Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK, INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';
import { CLIENT_EVENT_WRITERS, type ClientEventWriter } from '../features/event-queues/client-event-writer.js';
import { STATE_READERS, type StateReader } from '../features/event-queues/state-reader.js';

/** The part of a feature that answers clients. */
export interface FeatureApi {
  readonly controllers: readonly Type[];
  /** Nest providers: handlers of commands and queries, and their dependencies. */
  readonly providers: readonly Provider[];
  /** Writers of the client events whose bodies differ by reader. */
  readonly clientEvents: readonly Type<ClientEventWriter>[];
  /** Readers of the feature's parts of the register response. */
  readonly register: readonly Type<StateReader>[];
}

/** Keys under which `@nestjs/cqrs` marks handlers. It does not export their names. */
const HANDLER_MARKS = ['__commandHandler__', '__queryHandler__'];

/**
 * Sorts the parts that a feature's files export by their decorators. A part that several files export is served once.
 *
 * @param files the modules that the feature's `api` names
 * @throws Error if a file exports no part
 */
export function servedParts(feature: string, files: readonly object[]): FeatureApi {
  for (const [index, file] of files.entries()) {
    if (partsIn(file).length > 0) continue;
    const exported = Object.keys(file).join(', ') || 'nothing';
    throw new Error(`file ${index + 1} in the api of ${feature} serves nothing: it exports ${exported}`);
  }
  const parts = new Set(files.flatMap(partsIn));
  const clientEvents = [...parts].filter(isWriter);
  const register = [...parts].filter(isReader);
  const controllers = [...parts].filter(isController);
  const others: ReadonlySet<Provider> = new Set([...clientEvents, ...register, ...controllers]);
  return { controllers, providers: [...parts].filter((part) => !others.has(part)), clientEvents, register };
}

/** Finds the exports of a module that Nest can make: decorated classes, objects that provide, and lists of both. */
export const partsIn = (file: object): readonly Provider[] => Object.values(file).flat().filter(isPart);

const isPart = (value: unknown): value is Provider =>
  typeof value === 'function'
    ? [CONTROLLER_WATERMARK, INJECTABLE_WATERMARK, ...HANDLER_MARKS].some((mark) => isMarked(value, mark))
    : typeof value === 'object' && value !== null && 'provide' in value;

const isController = (part: Provider): part is Type => isMarked(part, CONTROLLER_WATERMARK);
const isWriter = (part: Provider): part is Type<ClientEventWriter> => isMarked(part, CLIENT_EVENT_WRITERS);
const isReader = (part: Provider): part is Type<StateReader> => isMarked(part, STATE_READERS);

const isMarked = (part: object, mark: string | symbol): boolean => Reflect.hasOwnMetadata(mark, part);
