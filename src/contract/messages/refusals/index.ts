import { fill, type Message, type ParamArguments, type Values, withParts } from '../message.ts'
import { extensionRefusals } from './extensions.ts'
import { fileRefusals } from './files.ts'
import { inputRefusals } from './input.ts'
import { modpackRefusals } from './modpacks.ts'
import { peopleRefusals } from './people.ts'
import { serverRefusals } from './server.ts'
import { softwareRefusals } from './software.ts'

/**
 * Every sentence by which the built-in service refuses something, or says why something failed, by `refused.` and its id:
 * the code of the refusal, and behind it which of its sentences it is, where the code has several. What stands at
 * `refused.part.` is a part of such a sentence, named by the value of a place `{name:part}`.
 *
 * A service names the sentence beside its code, with what stands in its places. A panel that knows it says it in its own
 * language; any other shows the message.
 */
export const refusals = {
  ...softwareRefusals,
  ...extensionRefusals,
  ...modpackRefusals,
  ...serverRefusals,
  ...fileRefusals,
  ...peopleRefusals,
  ...inputRefusals,
} as const

type Refusals = typeof refusals
export type PartId = keyof Refusals extends infer K
  ? K extends `refused.part.${infer Id}`
    ? Id
    : never
  : never
export type RefusalId = keyof Refusals extends infer K
  ? K extends `refused.part.${string}`
    ? never
    : K extends `refused.${infer Id}`
      ? Id
      : never
  : never

/** What has to be given with a sentence. Places of its parts are given beside its own. */
export type RefusalArguments<I extends RefusalId> =
  ParamArguments<Refusals[`refused.${I}`]> extends [infer P] ? [values: P & Values] : []

/** A sentence of the service, in English and as it is told. */
export interface Told {
  message: string
  sentence: RefusalId
  values: Values
}

/** Says a sentence of the service. */
export function tell<I extends RefusalId>(sentence: I, ...[given]: RefusalArguments<I>): Told {
  const values: Values = given ?? {}
  const message: Message = withParts(refusals[`refused.${sentence}`], values, refusals)
  return { message: fill(message, values, 'en'), sentence, values }
}
