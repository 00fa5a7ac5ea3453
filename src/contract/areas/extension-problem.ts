import { z } from 'zod'
import { UNREAD_JARS } from '../pure/unread-jars.ts'
import { maybe } from './fields.ts'
import { openEnum } from './operation.ts'

/**
 * Why an extension would not run as it should. `name` is what is missing or clashes, of a duplicate the other files, of what is
 * not described or described wrongly that description, of a wrong file name the right one; `wants` which version of it; of
 * Java, a number is the oldest one that does.
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
    /** Its software refuses what describes it. */
    'invalid-description',
    /** Its software leaves out files with such names. */
    'wrong-file-name',
  ]),
  name: maybe.text,
  wants: maybe.text,
  /** Of Java: the one that the server is started with. */
  has: maybe.text,
  /** Of Java: the newest one that does for the server's software; without, any newer one does. */
  most: maybe.text,
  /** Of an invalid description: what in it is missing or not allowed; without, it is not written as its format is. */
  field: maybe.text,
  /** Of what is unreadable: why. */
  reason: openEnum(UNREAD_JARS).nullish(),
})
export type ExtensionProblem = z.output<typeof ExtensionProblem>
