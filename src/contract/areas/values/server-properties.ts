import { z } from 'zod'
import { fieldError } from '../../messages/refusals/field-error.ts'
import { alsoNamed } from '../../declarations/also-named.ts'
import { openEnum, always, maybe } from '../../declarations/operation.ts'

/** As in the file; other services may send booleans. Numbers are read as texts. */
const RawValue = z.union([z.string(), z.boolean()])

/** A text may have choices too, as suggestions. */
export const PropertyType = openEnum(['switch', 'number', 'choice', 'text'], {
  switch: ['boolean', 'bool'],
  number: ['integer', 'int'],
  choice: ['enum', 'select'],
  text: ['string'],
})

export const PropertyGroup = openEnum(['general', 'players', 'world', 'network', 'performance', 'other'])

/**
 * What is fieldError with a value in the file. `unused`: this version of the software no longer reads the key. `blank`:
 * invisible characters at the ends change the value. `escape`: a malformed escape makes the file unreadable for the
 * software. `byte-order-mark`: one at the start of the file breaks the first key.
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

export const ServerProperty = alsoNamed(
  z.object({
    key: always.filled,
    type: PropertyType.nullish(),
    /** Null: not in the file, so the default applies. */
    value: RawValue.nullish(),
    default: RawValue.nullish(),
    /** Effective value if it differs from the file's: `true ` with a trailing space reads as false. */
    reads: RawValue.nullish(),
    limits: z
      .object({
        min: maybe.number,
        max: maybe.number,
        choices: z.array(z.string()).nullish(),
      })
      .nullish(),
    group: PropertyGroup.nullish(),
    needsRestart: maybe.flag,
    /** Value the running server uses, if known and different. */
    running: RawValue.nullish(),
    problem: PropertyProblem.nullish(),
    readOnly: maybe.flag,
  }),
  { key: ['name', 'id'], value: ['current'], default: ['defaultValue'] },
)
export type ServerProperty = z.output<typeof ServerProperty>
export type PropertyInput = z.input<typeof ServerProperty>

export const PROPERTY_MOST = 5000
export const PROPERTIES_MOST = 300

export const PropertyChanges = z
  .array(
    z.object({
      key: z.string().min(1).max(200),
      value: z
        .string()
        .max(PROPERTY_MOST, fieldError('request.invalid.value-long'))
        .refine(
          (value) => !value.includes('\0') && value.isWellFormed(),
          fieldError('request.invalid.value-characters'),
        )
        .nullable(),
    }),
  )
  .max(PROPERTIES_MOST, fieldError('request.invalid.values'))
