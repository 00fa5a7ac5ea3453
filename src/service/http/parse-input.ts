import { type z, ZodObject } from 'zod'
import { BOUNDS } from './limits/bounds.ts'
import { inputFaults } from '../../contract/declarations/input-faults.ts'
import { refusalText, type RefusalText } from '../../contract/messages/refusals/index.ts'
import { sentenceOf } from '../../contract/messages/refusals/field-error.ts'
import { Refusal } from '../../host/refusal.ts'

/** Refuses unknown fields: ignoring them would make a misplaced `{port}` look like a success. */
export function strict(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof ZodObject)) return schema
  let made = stricter.get(schema)
  if (!made) stricter.set(schema, (made = schema.strict()))
  return made
}
const stricter = new WeakMap<z.ZodType, z.ZodType>()

/** Characters of a field's name and of its issue that are repeated: both may echo the input. */
const FIELD_SHOWN = 200
const ISSUE_SHOWN = 1000

function faultOf({ message }: z.core.$ZodIssue): string | RefusalText {
  const said = sentenceOf(message)
  return typeof said === 'string' ? said.slice(0, ISSUE_SHOWN) : said
}

/** Refuses with 422 and names the fields. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, inputFaults)
  if (parsed.success) return parsed.data
  const fields = Object.create(null) as Record<string, (string | RefusalText)[]>
  for (const issue of parsed.error.issues.slice(0, BOUNDS.fieldsNamed)) {
    const names =
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, BOUNDS.fieldsNamed).map((key) => [...issue.path, key].join('.'))
        : [issue.path.join('.')]
    for (const name of names) (fields[name.slice(0, FIELD_SHOWN)] ??= []).push(faultOf(issue))
  }
  const [first] = parsed.error.issues
  const said = first ? faultOf(first) : refusalText('request.invalid.unfit')
  throw new Refusal(422, 'request.invalid', said, { fields })
}
