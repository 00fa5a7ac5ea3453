import { z } from 'zod'
import { fieldError } from '../../messages/refusals/field-error.ts'
import { openEnum, maybe } from '../../declarations/operation.ts'

const ARGUMENTS_MOST = 50
const ARGUMENT_LENGTH = 200

/** Argument presets: Java's defaults, Aikar's for G1, and ZGC. */
export const JVM_SETS = ['default', 'aikar', 'zgc'] as const

/** Extensions, except `javaArgs`, `autoStart` and `autoRestart`. */
export const JavaConfig = z.object({
  /** `auto`: as its version requires; else a major version, such as `21`. Absent if it needs no Java. */
  java: maybe.text,
  jvmSet: openEnum(JVM_SETS).nullish(),
  javaArgs: z.array(z.string()).nullish(),
  autoStart: maybe.flag,
  autoRestart: maybe.flag,
  /** Maximum MiB on its computer. */
  memoryMostMb: maybe.number,
})

export const JavaConfigChange = z.object({
  java: z
    .string()
    .regex(/^(auto|[89]|[1-9]\d)$/, fieldError('request.invalid.java'))
    .optional(),
  jvmSet: z.enum(JVM_SETS).optional(),
  javaArgs: z
    .array(z.string().trim().min(1).max(ARGUMENT_LENGTH))
    .max(ARGUMENTS_MOST, fieldError('request.invalid.arguments', { most: ARGUMENTS_MOST }))
    .optional(),
  autoStart: z.boolean().optional(),
  autoRestart: z.boolean().optional(),
})
