import { z } from 'zod'
import { wrong } from '../../messages/refusals/wrong.ts'
import { maybe } from '../../declarations/fields.ts'
import { openEnum } from '../../declarations/operation.ts'

/** Arguments of one's own, and characters of each. */
const ARGUMENTS_MOST = 50
const ARGUMENT_LENGTH = 200

/** Sets of arguments with a name: what Java does by itself, Aikar's for its G1 collector, and ZGC. */
export const JVM_SETS = ['default', 'aikar', 'zgc'] as const

/** How a server is run by Java, and when by itself. Extensions, but for `javaArgs`, `autoStart` and `autoRestart`. */
export const JavaConfig = z.object({
  /** `auto`: the one that its version asks for; else a major version, such as `21`. Not given where it needs none. */
  java: maybe.text,
  jvmSet: openEnum(JVM_SETS).nullish(),
  javaArgs: z.array(z.string()).nullish(),
  /** Started together with the service. */
  autoStart: maybe.flag,
  /** Started again after a crash. */
  autoRestart: maybe.flag,
  /** MiB that it can be given at most on its computer. */
  memoryMostMb: maybe.number,
})

/** The same as it is changed. */
export const ChangeJava = z.object({
  java: z
    .string()
    .regex(/^(auto|[89]|[1-9]\d)$/, wrong('request.invalid.java'))
    .optional(),
  jvmSet: z.enum(JVM_SETS).optional(),
  javaArgs: z
    .array(z.string().trim().min(1).max(ARGUMENT_LENGTH))
    .max(ARGUMENTS_MOST, wrong('request.invalid.arguments', { most: ARGUMENTS_MOST }))
    .optional(),
  autoStart: z.boolean().optional(),
  autoRestart: z.boolean().optional(),
})
