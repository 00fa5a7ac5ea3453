import { z } from 'zod'
import { UNREAD_JARS } from '../../rules/extensions.ts'
import { openEnum, maybe } from '../../declarations/operation.ts'

/**
 * Why an extension would not run properly. `name` is what is missing or clashes; for a duplicate, the other files; for
 * a missing or invalid description, its file; for a wrong file name, the right one. `wants` is its version; for Java, a
 * number is the oldest that works.
 */
export const ExtensionProblem = z.object({
  kind: openEnum([
    'missing-dependency',
    'clash',
    'wrong-software',
    'wrong-version',
    'wrong-side',
    'wrong-java',
    'duplicate',
    'unreadable',
    /** A jar that doesn't describe an extension. */
    'not-described',
    'invalid-description',
    /** The server's software ignores files with such names. */
    'wrong-file-name',
  ]),
  name: maybe.text,
  wants: maybe.text,
  /** Java the server is started with. */
  has: maybe.text,
  /** Newest Java that works for the server's software; absent: any newer one does. */
  most: maybe.text,
  /** The faulty field of an invalid description; absent for a syntax error. */
  field: maybe.text,
  reason: openEnum(UNREAD_JARS).nullish(),
})
export type ExtensionProblem = z.output<typeof ExtensionProblem>
