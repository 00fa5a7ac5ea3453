import { z } from 'zod'
import { wrong } from '../../messages/refusals/wrong.ts'
import { alsoNamed } from '../../declarations/also-named.ts'
import { always, maybe } from '../../declarations/fields.ts'
import { openEnum } from '../../declarations/operation.ts'

/** A value as the file has it. Other services may say yes or no by itself; numbers are read as texts. */
const Said = z.union([z.string(), z.boolean()])

/** What a value has to be. A text may name choices too: then they are what people usually want. */
export const PropertyType = openEnum(['switch', 'number', 'choice', 'text'], {
  switch: ['boolean', 'bool'],
  number: ['integer', 'int'],
  choice: ['enum', 'select'],
  text: ['string'],
})

export const PropertyGroup = openEnum(['general', 'players', 'world', 'network', 'performance', 'other'])

/**
 * What is wrong with a value that is in the file. `unused`: this version of the software does not read the key any more. `blank`:
 * spaces or other invisible characters at the ends of the value make it another one. `escape`: an escape in it is malformed, so that
 * the software cannot read the file. `byte-order-mark`: the file begins with one, so that its first line sets another key.
 */
export const PropertyProblem = openEnum([
  'type',
  'range',
  'choice',
  'unused',
  'blank',
  'escape',
  'byte-order-mark',
])

/** One setting of the software, such as one key of server.properties. All but its key may be missing. */
export const ServerProperty = alsoNamed(
  z.object({
    key: always.filled,
    type: PropertyType.nullish(),
    /** Null: it is not in the file, so its default applies. */
    value: Said.nullish(),
    default: Said.nullish(),
    /** How the software reads the value, where that is not what the file says: `true ` with a space behind it as false. */
    reads: Said.nullish(),
    limits: z
      .object({
        min: maybe.number,
        max: maybe.number,
        choices: z.array(z.string()).nullish(),
      })
      .nullish(),
    group: PropertyGroup.nullish(),
    /** Whether a change takes effect at the next start alone. */
    needsRestart: maybe.flag,
    /** With which value the server runs, where that is known and another one. */
    running: Said.nullish(),
    problem: PropertyProblem.nullish(),
    /** The service decides it. */
    readOnly: maybe.flag,
  }),
  ['property'],
  { key: ['name', 'id'], value: ['current'], default: ['defaultValue'] },
)
export type ServerProperty = z.output<typeof ServerProperty>

/** Longest value, in characters. */
export const PROPERTY_MOST = 5000
/** Most keys of one change. */
export const PROPERTIES_MOST = 300

export const PropertyChanges = z
  .array(
    z.object({
      key: z.string().min(1).max(200),
      /** Null takes it out of the file, so that its default applies. */
      value: z
        .string()
        .max(PROPERTY_MOST, wrong('request.invalid.value-long'))
        .refine(
          (value) => !value.includes('\0') && value.isWellFormed(),
          wrong('request.invalid.value-characters'),
        )
        .nullable(),
    }),
  )
  .max(PROPERTIES_MOST, wrong('request.invalid.values'))
