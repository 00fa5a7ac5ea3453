import { fill, type Message, type ParamArguments, type Values, withParts } from '../message.ts'
import { adoptedRefusals } from './adopted.ts'
import { backupTargetRefusals } from './backup-targets.ts'
import { backupRefusals } from './backups.ts'
import { consoleRefusals } from './console.ts'
import { crashRefusals } from './crash.ts'
import { engineRefusals } from './engine.ts'
import { extensionRefusals } from './extensions.ts'
import { fileRefusals } from './files.ts'
import { hostRefusals } from './hosts.ts'
import { inputRefusals } from './input.ts'
import { modpackRefusals } from './modpacks.ts'
import { nodeRefusals } from './nodes.ts'
import { peopleRefusals } from './people.ts'
import { resticRefusals } from './restic.ts'
import { scheduleRefusals } from './schedules.ts'
import { serverRefusals } from './server.ts'
import { sftpRefusals } from './sftp.ts'
import { softwareRefusals } from './software.ts'

/**
 * Every sentence with which the built-in service refuses something, explains a failure or speaks in a console: `refused.`, the code, and a
 * variant if the code has several. `refused.part.` entries are partial sentences for `{name:part}`. Services send the
 * sentence's id and values beside the code; panels that know it translate it, others show the message.
 */
export const refusals = {
  ...softwareRefusals,
  ...extensionRefusals,
  ...modpackRefusals,
  ...serverRefusals,
  ...fileRefusals,
  ...peopleRefusals,
  ...backupRefusals,
  ...backupTargetRefusals,
  ...inputRefusals,
  ...consoleRefusals,
  ...crashRefusals,
  ...engineRefusals,
  ...hostRefusals,
  ...nodeRefusals,
  ...adoptedRefusals,
  ...resticRefusals,
  ...scheduleRefusals,
  ...sftpRefusals,
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

export type CrashRefusalId = Extract<RefusalId, `crash.${string}`>

/** Values of a sentence, including those of its parts. */
export type RefusalArguments<I extends RefusalId> =
  ParamArguments<Refusals[`refused.${I}`]> extends [infer P] ? [values: P & Values] : []

export interface RefusalText {
  message: string
  sentence: RefusalId
  values: Values
}

export function refusalText<I extends RefusalId>(sentence: I, ...[given]: RefusalArguments<I>): RefusalText {
  return inWords({ sentence, values: given ?? {} })
}

/** Adds the English words. */
export function inWords({ sentence, values }: Omit<RefusalText, 'message'>): RefusalText {
  const message: Message = withParts(refusals[`refused.${sentence}`], values, refusals)
  return { message: fill(message, values, 'en'), sentence, values }
}
