import { z } from 'zod'
import { UNREAD_JARS } from '../../rules/unread-jars.ts'
import { maybe } from '../../declarations/fields.ts'
import { openEnum } from '../../declarations/operation.ts'

/**
 * Why an extension would not run as it should. `name` is what is missing or clashes; for a duplicate, the other
 * files; for a missing or invalid description, its file; for a wrong file name, the right one. `wants` is the version of it; for
 * Java, a number is the oldest that works.
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
    /** It is a jar, and nothing in it says that it is an extension. */
    'not-described',
    /** The server's software rejects its description. */
    'invalid-description',
    /** The server's software ignores files with such names. */
    'wrong-file-name',
  ]),
  name: maybe.text,
  wants: maybe.text,
  /** Of Java: the one that the server is started with. */
  has: maybe.text,
  /** Of Java: the newest one that does for the server's software; without, any newer one does. */
  most: maybe.text,
  /** The missing or invalid field of an invalid description; absent if its syntax is wrong. */
  field: maybe.text,
  /** Of what is unreadable: why. */
  reason: openEnum(UNREAD_JARS).nullish(),
})
export type ExtensionProblem = z.output<typeof ExtensionProblem>
